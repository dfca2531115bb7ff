"""The benchmark suite keeps figures, gives each job its cards, and ends what takes too long."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.paths import REPOSITORY

pytestmark = pytest.mark.release


def test_jobs_get_cards_of_their_own_and_their_figures_are_kept(tmp_path: Path) -> None:
    jobs = [
        {"name": "two", "gpus": 2, "command": 'echo "[$CUDA_VISIBLE_DEVICES]" > {out}'},
        {"name": "next", "after": "two", "command": 'echo "[$CUDA_VISIBLE_DEVICES]" > {out}'},
        {"name": "slow", "timeout": 1, "command": "sleep 60"},
    ]
    for job in jobs:
        job["least"] = 0
    (tmp_path / "jobs.json").write_text(json.dumps(jobs))
    command = [sys.executable, "-m", "benchmarks.suite", str(tmp_path / "jobs.json")]
    done = subprocess.run(
        [*command, "--gpus", "3", "--seconds", "20", "--out", str(tmp_path / "out")],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, "a job that was ended is a failure"
    assert "slow took longer than 1 s" in done.stdout
    assert json.loads((tmp_path / "out/figures.json").read_text()) == {"two": [0, 1], "next": [0]}

"""A service that ended comes back where those that still run look for it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from scripts import components


@pytest.fixture
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(components, "RUN_FOLDER", tmp_path)
    return tmp_path


def test_a_service_that_ended_keeps_its_port(run_folder: Path):
    ended = {"pid": os.getpid(), "started": 1.0, "port": 8085}
    (run_folder / "api-server.pid").write_text(json.dumps(ended))
    assert components.recorded_port("api-server") is None
    assert components.last_port("api-server", 8080) == 8085


def test_one_that_never_ran_gets_the_usual_port(run_folder: Path):
    assert components.last_port("redis", 6379) == 6379

"""What `make compiled` makes gives the same as the source, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.paths import REPOSITORY

from profiles import compiled
from scripts import compiled as builder

PEOPLE = 100


def _outputs(*arguments: str) -> list[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(REPOSITORY / "include"), str(REPOSITORY))),
        compiled.SWITCH: "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.compiled_outputs", str(PEOPLE), *arguments],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build of this tree where it has one that fits, else a new one, hardly optimised."""
    lack = builder.missing()
    if lack:
        pytest.skip(lack)
    manifest = compiled.FOLDER / compiled.abi() / compiled.MANIFEST
    if manifest.exists() and json.loads(manifest.read_text())["sources"] == builder.sources():
        return compiled.FOLDER
    folder = tmp_path_factory.mktemp("compiled")
    builder.build(folder, level="0")
    return folder


def test_compiled_and_source_give_the_same(build: Path) -> None:
    source, native = _outputs(), _outputs(str(build))
    assert len(source) > 10_000
    assert [(a, b) for a, b in zip(source, native, strict=True) if a != b][:10] == []

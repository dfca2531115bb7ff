"""An interrupted `make demo` takes everything that it started along."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from tests.paths import REPOSITORY

from scripts import dag_run

CLEANS_UP_SLOWLY = """
import pathlib, signal, sys, time
def end(number, _):
    time.sleep(1)
    pathlib.Path(sys.argv[1]).write_text(signal.Signals(number).name)
    sys.exit(3)
signal.signal(signal.SIGINT, end)
signal.signal(signal.SIGTERM, end)
pathlib.Path(sys.argv[1]).write_text("started")
time.sleep(60)
"""

STUBBORN = """
import pathlib, signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
time.sleep(60)
"""


def wait_for_text(path: Path, seconds: float = 20) -> str:
    deadline = time.monotonic() + seconds
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline, f"{path.name} stays empty"
        time.sleep(0.05)
    return path.read_text()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_services_waits_for_the_command_that_it_runs(name: str, tmp_path: Path):
    note = tmp_path / "note"
    code = textwrap.dedent(f"""
        import os, sys
        from scripts.services import follow
        sys.exit(follow([sys.executable, "-c", {CLEANS_UP_SLOWLY!r}, {str(note)!r}], os.environ))
    """)
    process = subprocess.Popen([sys.executable, "-c", code], cwd=REPOSITORY, start_new_session=True)
    assert wait_for_text(note) == "started"
    if name == "SIGINT":
        # As the terminal does it: to the whole group.
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    assert process.wait(20) == 3
    assert note.read_text() == name


def test_a_dag_that_does_not_end_when_told_is_killed_with_what_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(dag_run, "STOP_SECONDS", 0.5)
    note = tmp_path / "note"
    process = subprocess.Popen([sys.executable, "-c", STUBBORN, str(note)], start_new_session=True)
    grandchild = int(wait_for_text(note))
    dag_run.end(process)
    assert process.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 10
    while is_running(grandchild):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_ended_dag_is_left_alone():
    process = subprocess.Popen([sys.executable, "-c", "pass"], start_new_session=True)
    process.wait()
    dag_run.end(process)
    assert process.returncode == 0


def is_running(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"

"""Exit of the engine process: drained, killed, or with the process that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from tests.integration.test_engine_process import ENGINE, clients, is_running, request, start
from tests.paths import REPOSITORY

from profiles.errors import EngineError
from profiles.synthesis.gpu.device_lock import claim_devices
from profiles.synthesis.process.protocol import (
    EngineJob,
)

__all__ = ["clients", "start"]


def wait_until_gone(pids: list[int], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while any(is_running(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_drain_finishes_what_runs_and_returns_what_waits(start):
    client = start(delay=0.6, window=2)
    for number in range(6):
        client.submit(request(str(number)))
    time.sleep(0.2)
    completions = client.drain(timeout=10)
    assert len(completions) == 2
    assert len(client.in_flight) == 4
    client.close()
    assert client.exit_code == 0


def test_drain_does_not_wait_for_what_only_waits_inside_the_engine(start):
    client = start(delay=0.6, running=2)
    for number in range(8):
        client.submit(request(str(number)))
    time.sleep(0.2)
    completions = client.drain(timeout=10)
    assert sorted(item.request_id for item in completions) == ["0", "1"]
    assert all(item.error is None for item in completions)
    assert client.in_flight == {str(number) for number in range(2, 8)}
    assert "aborted 7" in client.log_path.read_text()


def test_drain_takes_no_longer_than_it_may(start, caplog):
    client = start(delay=30)
    client.submit(request())
    began = time.monotonic()
    with caplog.at_level("INFO"):
        assert client.drain(timeout=0.5) == []
    assert not caplog.records, "a lane drains in slices of a second; it says itself how it went"
    assert time.monotonic() - began < 3
    assert client.in_flight == {"1"}


def test_drain_of_a_dying_engine_returns_what_it_sent(start):
    client = start(faults={"crash_after": 1}, window=1)
    client.submit(request("1"))
    client.submit(request("2"))
    assert [item.request_id for item in client.drain(timeout=10)] in (["1"], [])
    assert not client.drain(timeout=1)


def test_loading_longer_than_allowed_is_an_error_and_leaves_nothing(start, clients):
    with pytest.raises(EngineError, match="was not ready"):
        start(start_timeout=1.0, load_seconds=60)
    assert not is_running(clients[0].pid)


def test_kill_takes_grandchildren_along(start, tmp_path: Path, clients):
    client = start(
        engine="tests.integration.test_engine_process_end:SpawningEngine",
        file=str(tmp_path / "pid"),
    )
    grandchild = int((tmp_path / "pid").read_text())
    assert is_running(grandchild)
    client.kill()
    assert wait_until_gone([client.pid, grandchild])


class SpawningEngine:
    """Starts a grandchild as SGLang starts schedulers, and writes its id to a file."""

    def __init__(self, job: EngineJob) -> None:
        from tests.scripted_engine import ScriptedEngine

        self._file = Path(job.options["file"])
        self._engine = ScriptedEngine(EngineJob(job.engine))

    def load(self):
        grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        self._file.write_text(str(grandchild.pid))
        # What SGLang does at its first request: the guard's own handler is lost.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return self._engine.load()

    async def generate(self, question):
        return await self._engine.generate(question)

    async def counters(self):
        return {}

    def close(self) -> None:
        pass


def test_the_lock_of_a_card_outlives_a_killed_lane_as_long_as_its_engine(tmp_path: Path):
    script = textwrap.dedent(
        f"""
        import sys, time
        from pathlib import Path
        from profiles.synthesis.gpu.device_lock import claim_devices
        from profiles.synthesis.process.engine_client import EngineClient, EngineJob

        claim = claim_devices(1, cards=("0",), lock_dir=Path({str(tmp_path / "locks")!r}))
        client = EngineClient(
            EngineJob({ENGINE!r}),
            python=Path(sys.executable),
            log_path=Path({str(tmp_path / "log")!r}),
            start_timeout=30,
            silence_timeout=30,
            descriptors=claim.descriptors,
        )
        client.start()
        print(client.pid, flush=True)
        time.sleep(600)
        """
    )
    path = os.pathsep.join([str(REPOSITORY / "include"), str(REPOSITORY)])
    lane = subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
    )
    assert lane.stdout is not None
    engine = int(lane.stdout.readline())
    # Stopped, so that it cannot follow its parent at once.
    os.kill(engine, signal.SIGSTOP)
    lane.kill()
    lane.communicate()
    try:
        assert claim_devices(1, cards=("0",), lock_dir=tmp_path / "locks") is None
    finally:
        os.kill(engine, signal.SIGCONT)
    assert wait_until_gone([engine])
    # Its first thread is gone; the lock goes with the last one.
    deadline = time.monotonic() + 10
    while (claim := claim_devices(1, cards=("0",), lock_dir=tmp_path / "locks")) is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    claim.close()


def test_kill_minus_nine_of_the_parent_leaves_no_process(tmp_path: Path):
    """Also when a library has replaced the SIGTERM handler and a grandchild is running."""
    script = textwrap.dedent(
        f"""
        import sys, time
        from pathlib import Path
        from profiles.synthesis.process.engine_client import EngineClient, EngineJob

        client = EngineClient(
            EngineJob(
                "tests.integration.test_engine_process_end:SpawningEngine",
                options={{"file": {str(tmp_path / "grandchild")!r}}},
            ),
            python=Path(sys.executable),
            log_path=Path({str(tmp_path / "log")!r}),
            start_timeout=30,
            silence_timeout=30,
        )
        client.start()
        Path({str(tmp_path / "child")!r}).write_text(str(client.pid))
        time.sleep(600)
        """
    )
    path = os.pathsep.join([str(REPOSITORY / "include"), str(REPOSITORY)])
    parent = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": path}
    )
    try:
        deadline = time.monotonic() + 30
        while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        pids = [int((tmp_path / name).read_text()) for name in ("child", "grandchild")]
        assert all(is_running(pid) for pid in pids)
    finally:
        parent.kill()
        parent.wait()
    assert wait_until_gone(pids)

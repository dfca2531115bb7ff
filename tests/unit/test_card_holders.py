"""Engines without a lane, other people's processes, and memory that is not given back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from profiles.errors import EngineError
from profiles.params import RunParams
from profiles.settings import Settings
from profiles.steps.lanes import lane_assembly
from profiles.steps.lanes.engine_choice import choose_engine
from profiles.synthesis.engine_environment import child_environment
from profiles.synthesis.gpu.cards import (
    ENGINE_OF,
    CardWatch,
    card_memory,
    describe_holders,
    engine_marker,
    kill_orphans,
)


@pytest.fixture
def nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A stand-in with two cards. `free` mebibytes on the first, one process on it."""

    def install(*, free: int = 24000, pid: int = 1, card: str = "GPU-a") -> None:
        program = tmp_path / "bin" / "nvidia-smi"
        program.parent.mkdir(exist_ok=True)
        program.write_text(
            f"""#!/bin/sh
case "$1" in
  --query-gpu=index,uuid,memory.used,memory.free)
    echo "0, GPU-a, {24000 - free}, {free}"; echo "1, GPU-b, 0, 24000" ;;
  --query-gpu=index,uuid) echo "0, GPU-a"; echo "1, GPU-b" ;;
  --query-gpu=*) echo "0, GPU-a, RTX 4090, 24564, 8.9"; echo "1, GPU-b, RTX 4090, 24564, 8.9" ;;
  --query-compute-apps=*) echo "{card}, {pid}, 9000" ;;
esac
"""
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    return install


@pytest.fixture
def engine_of():
    """Starts a process that looks like an engine's."""
    made = []

    def start(marker: str, cards: str = "7"):
        process = subprocess.Popen(
            ["sleep", "600"],
            env={**os.environ, ENGINE_OF: marker, "CUDA_VISIBLE_DEVICES": cards},
        )
        made.append(process)
        # Popen returns a moment before the kernel shows the environment of the new program.
        deadline = time.monotonic() + 10
        entry = f"{ENGINE_OF}={marker}".encode()
        while entry not in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0"):
            assert time.monotonic() < deadline, "the process never showed its environment"
            time.sleep(0.001)
        return process

    yield start
    for process in made:
        process.kill()
        process.wait()


def gone() -> str:
    """The marker of a lane that has ended."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    return f"r1/0@{ended.pid}:12345"


def test_an_engine_whose_lane_is_gone_is_ended_and_named(engine_of, caplog):
    orphan = engine_of(gone())
    assert kill_orphans(["7"]) == [orphan.pid]
    assert orphan.wait(10) == -9
    assert f"process {orphan.pid} of engine r1/0@" in caplog.text


def test_a_process_that_gives_itself_a_name_is_still_known(tmp_path):
    pytest.importorskip("setproctitle")
    environment = child_environment("sglang", {ENGINE_OF: gone(), "CUDA_VISIBLE_DEVICES": "7"})
    code = (
        "import setproctitle, time; setproctitle.setproctitle('x' * 4000); print(1, flush=True); "
    )
    named = subprocess.Popen(
        [sys.executable, "-c", code + "time.sleep(600)"], env=environment, stdout=subprocess.PIPE
    )
    assert named.stdout is not None
    try:
        named.stdout.readline()
        assert kill_orphans(["7"]) == [named.pid]
    finally:
        named.kill()
        named.communicate()


def test_an_engine_of_a_living_lane_is_left_alone(engine_of):
    engine_of(engine_marker("r1", 0))
    assert kill_orphans(["7"]) == []


def test_a_process_id_that_was_given_to_somebody_else_is_not_the_lane(engine_of):
    orphan = engine_of(f"r1/0@{os.getpid()}:1")
    assert kill_orphans(["7"]) == [orphan.pid]


def test_orphans_on_other_cards_and_processes_of_others_are_left_alone(engine_of):
    engine_of(gone(), cards="5,6")
    engine_of("")
    engine_of("nonsense")
    assert kill_orphans(["7"]) == []


def test_who_holds_a_card_is_named_with_user_and_memory(nvidia_smi):
    nvidia_smi(pid=os.getpid())
    assert f"card 0: process {os.getpid()} of user " in describe_holders(["0"])
    assert "holds 9000 MiB" in describe_holders(["0"])
    assert describe_holders(["1"]) == ""
    assert f"card GPU-a: process {os.getpid()} of user " in describe_holders(["GPU-a"])
    assert card_memory(["1", "GPU-a"]) == {"GPU-a": (0, 24000), "1": (0, 24000)}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_memory_that_is_not_given_back_is_a_warning_that_says_who_has_it(nvidia_smi, caplog):
    clock = Clock()
    nvidia_smi(free=24000)
    watch = CardWatch(["0", "1"], clock=clock, sleep=clock.sleep)
    assert watch.wait_until_free()
    nvidia_smi(free=20000, pid=os.getpid())
    assert not watch.wait_until_free()
    assert clock.now == 30
    assert "card 0 holds 4000 MiB more" in caplog.text
    assert f"process {os.getpid()}" in caplog.text


def test_memory_that_comes_back_late_is_waited_for(nvidia_smi):
    clock = Clock()
    nvidia_smi(free=24000)

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        nvidia_smi(free=24000 if clock.now > 2 else 20000)

    watch = CardWatch(["0"], clock=clock, sleep=sleep)
    nvidia_smi(free=20000)
    assert watch.wait_until_free()
    assert 2 < clock.now < 4


@pytest.fixture
def claim(tmp_path, monkeypatch):
    """Waits for the device of an sglang lane; time passes quickly."""
    (tmp_path / "config.json").write_text("{}")
    with (tmp_path / "model.safetensors").open("wb") as weights:
        weights.truncate(10 << 30)
    clock, said = Clock(), []
    # Of this module alone: subprocess sleeps between its looks at a slow nvidia-smi, too.
    monkeypatch.setattr(lane_assembly, "time", SimpleNamespace(monotonic=clock, sleep=clock.sleep))

    def wait(cards: str, *, until: float = 1e9):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", cards)
        settings = Settings(
            engine="sglang",
            model=str(tmp_path),
            engine_options='{"tp_size": 1}',
            device_lock_dir=tmp_path / "locks",
            engine_start_seconds=60,
        )
        return lane_assembly.wait_for_devices(
            settings,
            choose_engine(settings, RunParams()),
            is_over=lambda: clock.now >= until,
            say=said.append,
        )

    wait.said, wait.clock = said, clock
    return wait


def test_a_card_full_of_somebody_elses_memory_is_passed_over(nvidia_smi, claim, caplog):
    nvidia_smi(free=3000, pid=os.getpid())
    found = claim("0,1")
    assert found.cards == ("1",)
    assert f"in use: card 0: process {os.getpid()}" in caplog.text
    found.close()


def test_where_every_card_is_full_the_lane_waits_and_then_says_who_has_it(nvidia_smi, claim):
    nvidia_smi(free=3000, pid=os.getpid())
    with pytest.raises(EngineError, match=rf"3000 MiB free .* process {os.getpid()} of user"):
        claim("0")
    assert claim.clock.now > 60
    assert claim.said and claim.said[0].startswith("waiting for memory: card 0")


def test_a_lane_that_is_over_waits_for_no_card(nvidia_smi, claim):
    nvidia_smi(free=3000)
    assert claim("0", until=10) is None

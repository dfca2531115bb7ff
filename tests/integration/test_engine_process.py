"""The engine process seen from its parent: real children that crash, hang, babble and outlive."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import (
    DEADLINE,
    EXIT_FAILED,
    EngineJob,
    Heartbeat,
)

ENGINE = "tests.scripted_engine:ScriptedEngine"
DOCUMENT = """\
# Ada Testwell
Staff Engineer at Northvale Systems

## Experience
### Staff Engineer — Northvale Systems
Mar 2019 – Present (5 yrs)
- Built the billing service in Go for twelve countries.
- Led a team of six engineers through two launches.

## Skills
Go, Kafka, PostgreSQL
"""


def request(request_id: str = "1", **sampling: Any) -> Request:
    return Request(
        request_id=request_id,
        messages=(
            Message("system", "Summarize."),
            Message("user", f"<candidate_record>\n{DOCUMENT}\n</candidate_record> {request_id}"),
        ),
        sampling=Sampling(**sampling),
        json_schema="{}",
    )


@pytest.fixture
def clients() -> Iterator[list[EngineClient]]:
    """Clients that a test made; whatever it did, their processes end with it."""
    made: list[EngineClient] = []
    yield made
    for client in made:
        client.kill()


@pytest.fixture
def start(tmp_path: Path, clients: list[EngineClient]):
    def start(
        *,
        silence_timeout: float = 20,
        start_timeout: float = 30,
        request_seconds: float = 600,
        engine: str = ENGINE,
        **options,
    ) -> EngineClient:
        job = EngineJob(
            engine,
            options=options,
            max_in_flight=8,
            heartbeat_seconds=0.2,
            request_seconds=request_seconds,
        )
        client = EngineClient(
            job,
            python=Path(sys.executable),
            log_path=tmp_path / "engine.log",
            start_timeout=start_timeout,
            silence_timeout=silence_timeout,
        )
        clients.append(client)
        client.start()
        return client

    return start


def collect(client: EngineClient, count: int, seconds: float = 20) -> list[Completion]:
    found: list[Completion] = []
    deadline = time.monotonic() + seconds
    while len(found) < count and time.monotonic() < deadline:
        found += [item for item in client.poll(0.5) if isinstance(item, Completion)]
    return found


def is_running(pid: int) -> bool:
    """Return whether the process exists and is no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_every_request_is_answered_once(start):
    client = start()
    for number in range(50):
        client.submit(request(str(number)))
    completions = collect(client, 50)
    assert sorted(int(item.request_id) for item in completions) == list(range(50))
    assert client.in_flight == frozenset()
    assert all(json.loads(item.text)["skills"] for item in completions)


def test_ready_says_what_was_loaded(start):
    client = start(window=3)
    assert client.ready is not None
    assert (client.ready.engine, client.ready.window) == (ENGINE, 3)
    assert client.ready.details["pid"] == client.pid


def test_an_id_in_flight_cannot_be_submitted_again(start):
    client = start(delay=5)
    client.submit(request())
    with pytest.raises(ValueError, match="already in flight"):
        client.submit(request())


def test_what_libraries_print_does_not_reach_the_protocol(start):
    client = start(noise=True)
    client.submit(request())
    assert len(collect(client, 1)) == 1
    client.close()
    assert "library banner" in client.log_path.read_text()


def test_the_log_is_readable_by_its_owner_alone(start):
    client = start()
    assert client.log_path.stat().st_mode & 0o077 == 0


def test_requests_larger_than_the_pipe_neither_block_nor_break(start):
    client = start()
    body = "word " * 100_000
    began = time.monotonic()
    for number in range(8):
        client.submit(Request(str(number), (Message("user", body),), Sampling(), json_schema=None))
    assert time.monotonic() - began < 5
    assert len(collect(client, 8)) == 8


def test_heartbeats_count_what_waits_runs_and_is_done(start):
    client = start(delay=0.5, window=2)
    for number in range(5):
        client.submit(request(str(number)))
    beats: list[Heartbeat] = []
    while client.in_flight:
        beats += [item for item in client.poll(1) if isinstance(item, Heartbeat)]
    # A beat may fall between the arrival of the requests and the start of the first two.
    assert (2, 3) in {(beat.running, beat.queued) for beat in beats}
    assert max(beat.running for beat in beats) == 2
    while not beats or beats[-1].finished < 5:
        beats += [item for item in client.poll(1) if isinstance(item, Heartbeat)]
    assert beats[-1].engine == {"answered": 5.0}


def test_a_fault_of_one_request_is_that_requests_answer(start):
    client = start(faults={"error": 1.0})
    client.submit(request())
    (completion,) = collect(client, 1)
    assert (completion.error, completion.finish_reason) == ("scripted", "error")
    client.submit(request("2"))
    assert len(collect(client, 1)) == 1


def test_a_crash_is_an_error_with_the_signal_after_what_had_arrived(start):
    client = start(delay=0.1, faults={"crash_after": 3}, window=1)
    for number in range(6):
        client.submit(request(str(number)))
    found: list[Completion] = []
    with pytest.raises(EngineError) as caught:
        while True:
            found += [item for item in client.poll(5) if isinstance(item, Completion)]
    assert caught.value.exit_code == -signal.SIGKILL
    assert len(found) == 3
    assert len(client.in_flight) == 3


def test_an_engine_that_gives_up_says_why_and_ends_with_its_code(start):
    client = start(faults={"exit_after": 0})
    client.submit(request())
    with pytest.raises(EngineError, match="scripted loss") as caught:
        while True:
            client.poll(5)
    assert caught.value.exit_code == EXIT_FAILED


def test_a_hanging_event_loop_is_killed_after_the_silence(start):
    client = start(silence_timeout=1.0, faults={"hang_after": 0})
    client.submit(request())
    began = time.monotonic()
    with pytest.raises(EngineError, match="sent nothing"):
        while True:
            client.poll(0.3)
    assert time.monotonic() - began < 8
    assert client.pid is not None
    assert not is_running(client.pid)


def test_an_engine_that_beats_but_answers_nothing_is_killed(start):
    client = start(silence_timeout=0.5, faults={"stall_after": 0})
    client.submit(request())
    began = time.monotonic()
    with pytest.raises(EngineError, match="answered nothing"):
        while time.monotonic() - began < 8:
            client.poll(0.3)
    assert client.pid is not None
    assert not is_running(client.pid)


def test_a_job_that_turns_out_wrong_with_the_first_request_is_refused(start):
    client = start(faults={"refuse_after": 0})
    client.submit(request())
    with pytest.raises(EngineJobError, match="scripted refusal"):
        collect(client, 1)
    assert client.exit_code == EXIT_FAILED


def test_an_idle_engine_is_left_alone(start):
    client = start(silence_timeout=0.5)
    client.submit(request())
    began = time.monotonic()
    while time.monotonic() - began < 2.5:
        client.poll(0.3)
    assert client.exit_code is None


def test_an_answer_that_cannot_be_sent_ends_the_engine_instead_of_being_waited_for(start):
    client = start(faults={"unsendable_after": 0})
    client.submit(request())
    with pytest.raises(EngineError, match="TypeError") as caught:
        collect(client, 1)
    assert caught.value.exit_code == EXIT_FAILED


def test_a_caller_who_was_away_longer_than_the_silence_finds_the_heartbeats(start):
    client = start(silence_timeout=0.6)
    time.sleep(1.2)
    assert client.poll(0)


def test_a_request_that_runs_too_long_is_given_up_and_the_others_go_on(start):
    client = start(
        request_seconds=1, running=2, delay=0.05, faults={"stuck_on": "</candidate_record> 1"}
    )
    for number in range(8):
        client.submit(request(str(number)))
    completions = {item.request_id: item for item in collect(client, 8)}
    late = completions.pop("1")
    assert (late.error, late.finish_reason) == (DEADLINE, "error")
    assert len(completions) == 7
    assert all(item.error is None for item in completions.values())
    assert "aborted 1" in client.log_path.read_text()


def test_a_request_that_waits_inside_the_engine_is_not_late(start):
    client = start(request_seconds=1, running=1, delay=0.4)
    for number in range(6):
        client.submit(request(str(number)))
    assert [item.error for item in collect(client, 6)] == [None] * 6


def test_an_unknown_engine_module_refuses_the_job(start):
    with pytest.raises(EngineJobError, match="cannot be imported"):
        start(engine="tests.no_such_module:Engine")


def test_a_missing_interpreter_refuses_the_job(tmp_path: Path):
    client = EngineClient(
        EngineJob(ENGINE),
        python=tmp_path / "python",
        log_path=tmp_path / "log",
        start_timeout=5,
        silence_timeout=5,
    )
    with pytest.raises(EngineJobError, match="PROFILES_ENGINE_PYTHON"):
        client.start()


def test_the_child_gets_no_address_and_no_secret(start, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PROFILES_DATABASE_URL", "postgresql://nobody:hunter-two@nowhere/none")
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_DB", "postgresql://nobody:hunter-two@nowhere/none")
    client = start()
    environment = Path(f"/proc/{client.pid}/environ").read_bytes()
    assert b"hunter-two" not in environment
    assert b"HF_HUB_OFFLINE=1" in environment

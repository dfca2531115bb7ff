"""5,000 requests through each offline engine's process, over the stand-in for its library."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import psutil
import pytest
from tests.paths import REPOSITORY

from profiles.models import Completion, Request, Sampling
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, Heartbeat

REQUESTS = 5_000
IN_FLIGHT = 1_000
GROWTH_BYTES = 64 << 20
"""After the first thousand; a request that left a kilobyte behind would show as four megabytes,
and its prompt as more than the rest."""


def memory_bytes(pid: int) -> int:
    leader = psutil.Process(pid)
    return sum(one.memory_info().rss for one in (leader, *leader.children(recursive=True)))


@pytest.mark.release
@pytest.mark.parametrize("engine", ["sglang", "vllm"])
def test_five_thousand_requests_fail_nowhere_and_keep_no_memory(tmp_path: Path, engine: str):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    stand_in = REPOSITORY / "tests" / f"fake_{engine}"
    client = EngineClient(
        EngineJob(
            engine,
            str(tmp_path),
            options={"skip_tokenizer_init": True},
            max_in_flight=IN_FLIGHT,
            heartbeat_seconds=0.5,
        ),
        python=Path(sys.executable),
        log_path=tmp_path / "engine.log",
        start_timeout=120,
        silence_timeout=60,
        environment={"PYTHONPATH": os.pathsep.join([str(REPOSITORY / "include"), str(stand_in)])},
    )
    answers: dict[str, Completion] = {}
    beats: list[Heartbeat] = []
    held: list[int] = []
    waiting = [
        Request(str(number), (), Sampling(max_new_tokens=9), input_ids=(5, 6, 7) * 300)
        for number in range(REQUESTS)
    ]
    with client:
        client.start()
        while waiting or client.in_flight:
            while waiting and len(client.in_flight) < IN_FLIGHT:
                client.submit(waiting.pop())
            for item in client.poll(5):
                if isinstance(item, Completion):
                    answers[item.request_id] = item
                else:
                    beats.append(item)
                    if len(answers) >= IN_FLIGHT:
                        held.append(memory_bytes(client.pid))
        while not beats or beats[-1].finished < REQUESTS:
            beats += [item for item in client.poll(5) if isinstance(item, Heartbeat)]
        held.append(memory_bytes(client.pid))
    assert len(answers) == REQUESTS
    assert not [item.error for item in answers.values() if item.error]
    assert all(item.prompt_tokens == 900 and item.completion_tokens for item in answers.values())
    last = beats[-1]
    assert (last.finished, last.running) == (REQUESTS, 0)
    assert held[-1] - held[0] < GROWTH_BYTES

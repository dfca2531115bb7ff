"""The vllm engine in its own process against a stand-in that speaks AsyncLLM's API."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.offline_engine import (
    MESSAGES,
    ask,
    characters,
    clients,
    drain_once_running,
    model_folder,
)

from profiles.errors import EngineError, EngineJobError
from profiles.models import Message, Request, Sampling
from profiles.synthesis.engines.chat_prompt import PROMPT_DATE
from profiles.synthesis.engines.engine_terms import VLLM
from profiles.synthesis.gpu.memory_ladder import MemoryLadder
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, Heartbeat


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return model_folder(tmp_path, positions=9000)


@pytest.fixture
def start(tmp_path: Path, model: Path) -> Iterator[Any]:
    with clients("fake_vllm", tmp_path / "engine.log") as started:

        def start(*, job: dict[str, Any] | None = None, **options: Any) -> EngineClient:
            return started(
                EngineJob("vllm", str(model), options=options, heartbeat_seconds=0.1, **(job or {}))
            )

        yield start


def ended(pid: int) -> bool:
    """Return whether the process is gone within five seconds, or a zombie that nobody waits for."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_messages_go_through_the_models_own_template_with_a_pinned_date(start):
    _, seen = ask(start())
    assert characters(seen["input_ids"]) == f"Today is {PROMPT_DATE}.[1001]S[1002]U[1003]"


def test_sampling_and_schema_reach_vllm_by_their_names(start):
    sampling = Sampling(seed=11, stop=("END",), top_k=40)
    _, seen = ask(start(), sampling=sampling, json_schema='{"type":"object"}')
    assert seen["sampling"] == {
        "temperature": 0.2,
        "top_p": 1.0,
        "top_k": 40,
        "repetition_penalty": 1.05,
        "max_tokens": 1200,
        "seed": None,
        "stop": ["END"],
        "stop_token_ids": None,
        "skip_special_tokens": True,
        "structured_outputs": '{"type":"object"}',
    }


def test_defaults_share_prompts_and_bound_whitespace_and_length(start):
    client = start(job={"context_tokens": 5000})
    _, seen = ask(client)
    assert seen["arguments"]["enable_prefix_caching"] is True
    grammar = {"backend": "guidance", "disable_any_whitespace": True}
    assert seen["arguments"]["structured_outputs_config"] == grammar
    assert seen["arguments"]["max_model_len"] == client.ready.context_tokens == 5000
    assert seen["spawns"] == "spawn"


def test_the_operators_options_win_and_keep_what_they_do_not_name(start):
    client = start(structured_outputs_config={"backend": "outlines"}, max_model_len=3000)
    _, seen = ask(client)
    assert seen["arguments"]["structured_outputs_config"] == {
        "backend": "outlines",
        "disable_any_whitespace": True,
    }
    assert client.ready.context_tokens == 3000


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            {"max_num_seq": 8},
            "vLLM 0.32.0 does not know: 'max_num_seq': did you mean 'max_num_seqs'",
        ),
        ({"max_running_requests": 8}, "is SGLang's; vLLM has max_num_seqs"),
        ({"max_num_seqs": "8"}, "max_num_seqs is '8': Input should be a valid integer"),
        ({"kv_cache_dtype": "fp9"}, "kv_cache_dtype is 'fp9': Input should be 'auto'"),
        ({"device": "cuda"}, "device is 'cuda': Input should be 'cpu'"),
        ({"gpu_memory_utilization": 1.5}, "vLLM 0.32.0 refuses its arguments"),
        ({"reasoning_parser": "openai_gptoss"}, "reasoning_parser cannot go together"),
        ({"enable_log_requests": True}, "writes profiles into a log"),
        ({"model": "/m"}, "'model': "),
    ],
    ids=str,
)
def test_a_wrong_option_is_a_wrong_job(start, options, problem):
    with pytest.raises(EngineJobError, match=problem):
        start(**options)


def test_counts_and_finish_reason_come_back(start):
    completion, _ = ask(start(), sampling=Sampling(max_new_tokens=1))
    assert completion.finish_reason == "length"
    assert (completion.completion_tokens, completion.cached_tokens) == (2, 5)
    assert completion.prompt_tokens > 0
    assert completion.seconds > 0.2


@pytest.mark.parametrize(
    ("tokens", "reason", "error"),
    [(2, "error", "EngineGenerateError"), (4, "abort", "aborted")],
)
def test_a_request_fails_alone_and_quotes_nothing(start, tokens, reason, error):
    client = start()
    completion, _ = ask(client, sampling=Sampling(max_new_tokens=tokens))
    assert (completion.finish_reason, completion.error) == (reason, error)
    completion, _ = ask(client, request_id="2")
    assert completion.error is None


def test_a_prompt_that_does_not_fit_is_rejected_before_vllm_would_raise(start):
    completion, _ = ask(start(), messages=(Message("user", "x" * 4000),))
    assert completion.error is not None
    assert completion.error.endswith("of 4096 context tokens")
    assert completion.is_lasting


def test_gpt_oss_starts_in_the_final_channel_and_stops_at_its_own_tokens(start, model):
    (model / "config.json").write_text('{"model_type": "gpt_oss"}')
    completion, seen = ask(start(), messages=(*MESSAGES, Message("assistant", "<skills>\n")))
    assert characters(seen["input_ids"]).endswith("[200008]<skills>\n")
    assert set(seen["sampling"]["stop_token_ids"]) > {200002, 200012}
    assert seen["sampling"]["skip_special_tokens"] is False
    assert completion.text.startswith("<skills>\n{")


def test_a_seed_is_sent_only_where_vllm_is_batch_invariant(start, monkeypatch):
    for invariant, seed in (("0", None), ("1", 11)):
        monkeypatch.setenv("VLLM_BATCH_INVARIANT", invariant)
        _, seen = ask(start(), sampling=Sampling(seed=11))
        assert seen["sampling"]["seed"] == seed


def test_heartbeats_carry_the_schedulers_figures(start):
    client = start()
    client.submit(Request("1", MESSAGES, Sampling()))
    beats: list[Heartbeat] = []
    until = time.monotonic() + 10
    while time.monotonic() < until and not any(beat.finished for beat in beats):
        beats += [item for item in client.poll(1) if isinstance(item, Heartbeat)]
    assert max(beat.engine["num_running_reqs"] for beat in beats) == 1
    last = beats[-1].engine
    assert last["num_waiting_reqs"] == 3
    assert last["token_usage"] == 0.5
    assert last["context_tokens"] == 4096


def test_an_overdue_request_is_aborted_in_vllm(start, tmp_path):
    client = start(job={"request_seconds": 0.5})
    completion, _ = ask(client, messages=(), input_ids=(777,))
    assert completion.error == "deadline"
    completion, _ = ask(client, request_id="2")
    assert completion.error is None
    client.close()
    assert "aborted 1\n" in (tmp_path / "engine.log").read_text()


def test_a_core_that_ends_under_a_request_ends_the_engine(start):
    client = start()
    _, seen = ask(client)
    client.submit(Request("2", (), Sampling(), input_ids=(666,)))
    with pytest.raises(EngineError, match="exit code 70"):
        while True:
            client.poll(5)
    assert ended(seen["core"])


def test_a_core_that_ends_with_nothing_in_flight_is_noticed(start):
    client = start()
    _, seen = ask(client)
    os.kill(seen["core"], signal.SIGKILL)
    with pytest.raises(EngineError, match="exit code 70"):
        while True:
            client.poll(5)


def test_a_drain_answers_what_runs_and_leaves_no_process(start):
    client = start()
    _, seen = ask(client)
    client.submit(Request("2", MESSAGES, Sampling()))
    assert drain_once_running(client) == ["2"]
    client.close()
    assert client.exit_code == 0
    assert ended(seen["core"])


def test_kill_9_of_the_engine_leaves_no_core(start):
    client = start()
    _, seen = ask(client)
    os.kill(client.pid, signal.SIGKILL)
    with pytest.raises(EngineError, match="signal 9"):
        while True:
            client.poll(5)
    assert ended(seen["core"])


def test_a_cache_without_room_asks_the_ladder_for_a_larger_share(start):
    ladder = MemoryLadder({"gpu_memory_utilization": 0.9}, most_running=64, terms=VLLM)
    with pytest.raises(EngineError) as caught:
        start(load_format="no_memory", gpu_memory_utilization=0.9, max_num_seqs=64)
    assert "gpu_memory_utilization 0.9 -> 0.95" in ladder.relieve(caught.value, None)


def test_without_vllm_the_interpreter_is_named(model, tmp_path):
    client = EngineClient(
        EngineJob("vllm", str(model)),
        python=Path(sys.executable),
        log_path=tmp_path / "engine.log",
        start_timeout=30,
        silence_timeout=30,
    )
    with client, pytest.raises(EngineJobError, match=r"import vllm.*requirements-vllm\.txt"):
        client.start()

"""The sglang engine in its own process against a stand-in that speaks SGLang's offline API."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.offline_engine import MESSAGES, ask, characters, clients, model_folder

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.engines.chat_prompt import PROMPT_DATE
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, Heartbeat


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return model_folder(tmp_path, positions=4096)


@pytest.fixture
def start(tmp_path: Path, model: Path) -> Iterator[Any]:
    with clients("fake_sglang", tmp_path / "engine.log") as started:

        def start(*, environment: dict[str, str] | None = None, **options: Any) -> EngineClient:
            job = EngineJob("sglang", str(model), options=options, heartbeat_seconds=0.1)
            return started(job, environment or {})

        yield start


def test_messages_go_through_the_models_own_template_with_a_pinned_date(start):
    _, seen = ask(start())
    assert characters(seen["input_ids"]) == f"Today is {PROMPT_DATE}.[1001]S[1002]U[1003]"


def test_token_ids_of_the_caller_are_used_as_they_are(start):
    _, seen = ask(start(skip_tokenizer_init=True), messages=(), input_ids=(5, 6, 7))
    assert seen["input_ids"] == [5, 6, 7]


def test_sampling_schema_and_seed_reach_the_engine_by_their_names(start):
    sampling = Sampling(seed=11, stop=("END",), top_k=40)
    _, seen = ask(start(), sampling=sampling, json_schema='{"type":"object"}')
    assert seen["sampling"] == {
        "temperature": 0.2,
        "top_p": 1.0,
        "top_k": 40,
        "repetition_penalty": 1.05,
        "max_new_tokens": 1200,
        "stop": ["END"],
        "json_schema": '{"type":"object"}',
    }


def test_counts_and_finish_reason_come_back(start):
    completion, _ = ask(start(), sampling=Sampling(max_new_tokens=1))
    assert completion.finish_reason == "length"
    assert (completion.completion_tokens, completion.cached_tokens) == (7, 5)
    assert completion.prompt_tokens > 0


def test_more_than_may_run_at_once_wait_before_the_scheduler(start):
    client = start(skip_tokenizer_init=True, max_running_requests=16, chunked_prefill_size=200)
    for number in range(40):
        client.submit(Request(str(number), (), Sampling(), input_ids=(7,) * 100))
    together: list[int] = []
    waiting: list[float] = []
    while len(together) < 40:
        for item in client.poll(10):
            if isinstance(item, Completion):
                together.append(json.loads(item.text)["together"])
            elif isinstance(item, Heartbeat):
                waiting.append(item.engine["num_waiting_reqs"])
    assert max(together) == 16
    # The stand-in itself says four.
    assert max(waiting) == 4 + 24


@pytest.mark.parametrize(
    ("tokens", "reason", "error"),
    [(2, "error", "ValueError"), (3, "error", "HTTPException"), (4, "abort", "aborted")],
)
def test_an_abort_is_that_requests_error_and_quotes_nothing(start, tokens, reason, error):
    completion, _ = ask(start(), sampling=Sampling(max_new_tokens=tokens))
    assert (completion.finish_reason, completion.error) == (reason, error)


def test_a_prompt_that_does_not_fit_is_refused_before_sglang_would_cut_it(start):
    completion, _ = ask(start(), messages=(Message("user", "x" * 4000),))
    assert completion.error is not None
    assert completion.error.endswith("of 4096 context tokens")


def test_a_begun_answer_is_continued_and_returned_whole(start):
    begun = (*MESSAGES, Message("assistant", "The candidate is"))
    completion, seen = ask(start(), messages=begun)
    assert characters(seen["input_ids"]).endswith("[1003]The candidate is")
    assert completion.text.startswith("The candidate is ")


def test_gpt_oss_starts_in_the_final_channel_and_stops_at_its_own_tokens(start, model):
    (model / "config.json").write_text('{"model_type": "gpt_oss"}')
    _, seen = ask(start())
    # <|start|> assistant <|channel|> final <|message|>, written out by hand.
    assert seen["input_ids"][-5:] == [200006, 173781, 200005, 17196, 200008]
    assert 1003 not in seen["input_ids"]
    assert {200002, 200012, 200005, 200006, 200007, 200008} == set(
        seen["sampling"]["stop_token_ids"]
    )


def test_a_seed_is_sent_only_where_sglang_heeds_it(start):
    for deterministic in (False, True):
        client = start(enable_deterministic_inference=deterministic)
        _, seen = ask(client, sampling=Sampling(seed=11))
        assert ("sampling_seed" in seen["sampling"]) is deterministic


def test_gpt_oss_continues_a_begun_answer_in_the_final_channel(start, model):
    (model / "config.json").write_text('{"model_type": "gpt_oss"}')
    completion, seen = ask(start(), messages=(*MESSAGES, Message("assistant", "<skills>\n")))
    assert characters(seen["input_ids"]).endswith("[200008]<skills>\n")
    assert 1003 not in seen["input_ids"]
    assert completion.text.startswith("<skills>\n{")


def test_requests_run_side_by_side(start):
    client = start()
    for number in range(20):
        client.submit(Request(str(number), MESSAGES, Sampling()))
    began = time.monotonic()
    beats: list[Heartbeat] = []
    while client.in_flight:
        beats += [item for item in client.poll(5) if isinstance(item, Heartbeat)]
    assert time.monotonic() - began < 3
    assert max(beat.running for beat in beats) == 20


def test_heartbeats_carry_the_schedulers_figures(start):
    client = start()
    beat = next(item for item in client.poll(5) if isinstance(item, Heartbeat))
    assert beat.engine == {
        "num_running_reqs": 0,
        "num_waiting_reqs": 4,
        "token_usage": 0.5,
        "context_tokens": 4096.0,
    }


class TestArguments:
    def test_whitespace_in_json_is_bounded(self, start):
        _, seen = ask(start(grammar_backend="xgrammar"))
        assert seen["arguments"]["constrained_json_max_whitespace_cnt"] == 2
        _, seen = ask(start())
        assert seen["arguments"]["constrained_json_disable_any_whitespace"] is True

    def test_the_operators_value_wins(self, start):
        _, seen = ask(start(log_level="error", mem_fraction_static=0.7))
        assert (seen["arguments"]["log_level"], seen["arguments"]["mem_fraction_static"]) == (
            "error",
            0.7,
        )

    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            ({"mem_fraction": 0.8}, "SGLang 0.5.23.*did you mean 'mem_fraction_static'"),
            ({"dp_size": 2}, "raise PROFILES_LANES"),
            ({"model_path": "/elsewhere"}, "model_path"),
            ({"reasoning_parser": "gpt-oss"}, "reasoning_parser"),
            ({"log_requests": True}, "writes profiles into a log"),
            ({"mem_fraction_static": 3}, "must be between 0 and 1"),
            ({"chunked_prefill_size": "8k"}, "0.5.23: chunked_prefill_size is '8k'"),
            ({"schedule_policy": "lmp"}, "expected one of 'lpm', 'fcfs'"),
            ({"tp": 2}, "'tp': is called tp_size"),
        ],
    )
    def test_a_wrong_argument_refuses_the_job_by_name(self, start, options, problem):
        with pytest.raises(EngineJobError, match=problem):
            start(**options)

    def test_any_argument_of_the_installed_version_can_be_set_by_name(self, start):
        options = {
            "speculative_algorithm": "EAGLE3",
            "speculative_num_steps": 3,
            "quantization": "fp8",
            "kv_cache_dtype": "fp8_e5m2",
        }
        _, seen = ask(start(**options))
        assert options.items() <= seen["arguments"].items()

    def test_an_adapter_has_to_be_merged(self, start):
        with pytest.raises(EngineJobError, match="'lora_paths': merge the adapter into"):
            start(lora_paths={"tone": "/adapters/tone"})

    def test_want_of_memory_may_pass(self, start):
        with pytest.raises(EngineError, match="Not enough memory"):
            start(load_format="no_memory")


class TestPlan:
    @pytest.fixture
    def card(self, tmp_path: Path, model: Path) -> dict[str, str]:
        """A 24 GB Ada card, and gpt-oss in MXFP4 with a sparse file for its weights."""
        program = tmp_path / "bin" / "nvidia-smi"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\necho '0, GPU-a, RTX 4090, 24564, 8.9'\n")
        program.chmod(0o755)
        config = {
            "model_type": "gpt_oss",
            "num_hidden_layers": 24,
            "layer_types": ["sliding_attention", "full_attention"] * 12,
            "sliding_window": 128,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "head_dim": 64,
            "quantization_config": {"quant_method": "mxfp4"},
        }
        (model / "config.json").write_text(json.dumps(config))
        with (model / "model.safetensors").open("wb") as weights:
            weights.truncate(13_761_264_768)
        return {"PATH": f"{program.parent}:{os.environ['PATH']}", "CUDA_VISIBLE_DEVICES": "0"}

    def test_sizes_and_kernels_fit_the_card(self, start, card):
        client = start(environment=card)
        _, seen = ask(client)
        arguments = seen["arguments"]
        assert arguments["moe_runner_backend"] == "triton_kernel"
        assert arguments["cuda_graph_max_bs_decode"] == arguments["max_running_requests"] > 24

    def test_the_operators_options_stand_above_it(self, start, card):
        _, seen = ask(start(environment=card, mem_fraction_static=0.7))
        assert seen["arguments"]["mem_fraction_static"] == 0.7
        assert seen["arguments"]["swa_full_tokens_ratio"] == 0.3

    @pytest.mark.parametrize(
        "options", [{"moe_runner_backend": "triton"}, {"quantization": "unquant"}], ids=str
    )
    def test_kernels_that_need_more_than_the_card_refuse_the_job(self, start, card, options):
        with pytest.raises(EngineJobError, match="turns MXFP4 experts into bf16"):
            start(environment=card, **options)

    def test_an_option_it_does_not_know_leaves_the_sizes_to_sglang(self, start, card):
        _, seen = ask(start(environment=card, quantization="mxfp4"))
        assert "mem_fraction_static" not in seen["arguments"]
        assert seen["arguments"]["moe_runner_backend"] == "triton_kernel"


def test_a_folder_without_a_model_refuses_the_job(start, model):
    (model / "config.json").unlink()
    with pytest.raises(EngineJobError, match=r"config\.json"):
        start()


def test_an_interpreter_without_sglang_says_which_file_installs_it(tmp_path: Path, model: Path):
    client = EngineClient(
        EngineJob("sglang", str(model)),
        python=Path(sys.executable),
        log_path=tmp_path / "log",
        start_timeout=30,
        silence_timeout=30,
    )
    with pytest.raises(EngineJobError, match=r"requirements-gpu\.txt"):
        client.start()


def test_what_waits_inside_sglang_is_aborted_by_its_id_when_the_lane_drains(start):
    client = start(max_running_requests=1)
    for number in ("1", "12", "13"):
        client.submit(Request(number, MESSAGES, Sampling()))
    time.sleep(0.1)
    assert [item.request_id for item in client.drain(10)] == ["1"]
    assert client.in_flight == {"12", "13"}
    log = client.log_path.read_text()
    assert "aborted 12/" in log and "aborted 1/" not in log


def test_close_and_a_crash_both_end_sglangs_children(start):
    for crash in (False, True):
        client = start(skip_tokenizer_init=crash)
        _, seen = ask(
            client, messages=MESSAGES if not crash else (), input_ids=(1,) if crash else None
        )
        if crash:
            client.submit(Request("2", (), Sampling(), input_ids=(666,)))
            with pytest.raises(EngineError) as caught:
                while True:
                    client.poll(5)
            assert caught.value.exit_code == -signal.SIGKILL
        client.close()
        deadline = time.monotonic() + 5
        while _lives(seen["child"]):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

"""Next options of an engine that ran out of GPU memory."""

from __future__ import annotations

import json

import pytest

from profiles.errors import EngineError
from profiles.synthesis.engines import ARGUMENTS_LOGGED
from profiles.synthesis.engines.engine_terms import VLLM
from profiles.synthesis.gpu.memory_ladder import MemoryLadder, next_step
from profiles.synthesis.process.protocol import EngineReady

PREFILL = (
    "RuntimeError: Prefill out of memory. Try to lower your batch size.\nTry to allocate 7 tokens"
)
DECODE = "RuntimeError: Decode out of memory. Try to lower your batch size."
EMPTY = (
    "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value"
)
OVER_BUDGET = "RuntimeError: Loaded weights leave no GPU memory for the KV cache. Weights: 13 GB"
TORCH = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
FRAME = '  File "model_runner.py", line 9, in {}\n'
START = "Capture target decode CUDA graph end. elapsed=10.08 s, avail mem=7.82 GB.\n"
TRACEBACK = START + "Scheduler hit an exception: Traceback (most recent call last):\n"
"""From SGLang 0.5.17 on an H200 that a neighbour had filled."""
AGAIN = "Traceback (most recent call last):\n"
CAPTURED = (
    TRACEBACK + FRAME.format("capture_one_shape") + FRAME.format("_execute_decode") + TORCH + "\n"
)


def walk(text, **options):
    """Every value on the way down."""
    found = []
    while (step := next_step(options, text)) is not None:
        changed = {k: v for k, v in step.options.items() if options.get(k) != v}
        found.append(changed)
        options = step.options
        assert len(found) < 40
    return found


def test_prefill_graphs_that_the_operator_chose_stay():
    runner = FRAME.replace("model_runner.py", "runner/prefill_cuda_graph_runner.py")
    text = AGAIN + runner.format("capture") + TORCH
    first, *_ = walk(text, cuda_graph_backend_prefill="full")
    assert first == {"mem_fraction_static": 0.8}


def test_prefill_graphs_that_find_no_room_are_done_without():
    runner = FRAME.replace("model_runner.py", "runner/prefill_cuda_graph_runner.py")
    text = AGAIN + runner.format("capture") + FRAME.format("forward_extend") + TORCH
    assert walk(text, mem_fraction_static=0.93, chunked_prefill_size=8192) == [
        {"disable_prefill_cuda_graph": True},
        {"mem_fraction_static": 0.8},
        {"mem_fraction_static": 0.7},
    ]


def test_prefill_takes_smaller_chunks_then_a_smaller_pool():
    assert walk(PREFILL, chunked_prefill_size=8192, mem_fraction_static=0.86) == [
        {"chunked_prefill_size": 4096},
        {"chunked_prefill_size": 2048},
        {"mem_fraction_static": 0.8},
        {"mem_fraction_static": 0.7},
    ]


def test_a_chunk_that_is_smaller_already_is_never_made_larger():
    assert walk(PREFILL, chunked_prefill_size=2048, mem_fraction_static=0.7) == []


def test_decode_runs_fewer_requests_and_smaller_graphs():
    options = {"max_running_requests": 256, "cuda_graph_max_bs_decode": 256}
    assert walk(DECODE, **options)[:2] == [
        {"max_running_requests": 192, "cuda_graph_max_bs_decode": 192},
        {"max_running_requests": 144, "cuda_graph_max_bs_decode": 144},
    ]


def test_an_empty_pool_wants_a_larger_fraction_not_a_smaller_one():
    assert walk(EMPTY, mem_fraction_static=0.8) == [
        {"mem_fraction_static": 0.85},
        {"mem_fraction_static": 0.9},
        {"mem_fraction_static": 0.92},
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (FRAME.format("forward_extend") + TORCH, "chunked_prefill_size"),
        (TRACEBACK + FRAME.format("_execute_extend") + TORCH, "chunked_prefill_size"),
        (TRACEBACK + FRAME.format("_execute_decode") + TORCH, "max_running_requests"),
        (CAPTURED, "mem_fraction_static"),
        (CAPTURED + AGAIN + "Capture cuda graph failed: " + TORCH, "mem_fraction_static"),
        (FRAME.format("forward_decode") + TORCH, "max_running_requests"),
        ("Exception: Capture cuda graph failed: " + TORCH, "mem_fraction_static"),
        (FRAME.format("load_model") + TORCH, "mem_fraction_static"),
        ("RuntimeError: CUDA error: out of memory", "mem_fraction_static"),
    ],
)
def test_torchs_own_error_is_told_apart_by_its_traceback(text, name):
    assert set(next_step({"max_running_requests": 64}, text).options) >= {name}
    assert name in next_step({"max_running_requests": 64}, text).reason


@pytest.mark.parametrize("text", ["", "Segmentation fault", "AssertionError: device-side assert"])
def test_other_deaths_change_nothing(text):
    assert next_step({}, text) is None


def test_the_ladder_goes_on_from_what_the_engine_ran_with():
    ladder = MemoryLadder({}, most_running=512)
    arguments = {"max_running_requests": 128, "mem_fraction_static": 0.86}
    ready = EngineReady("sglang", "1", "m", 1, 1, details={"arguments": arguments})
    assert "128 -> 96" in ladder.relieve(EngineError("x", log_excerpt=DECODE), ready)
    assert ladder.options == {"max_running_requests": 96}


def test_of_an_engine_that_never_came_up_the_log_says_what_it_ran_with():
    ladder = MemoryLadder({}, most_running=512)
    sizes = {"chunked_prefill_size": 2048, "mem_fraction_static": 0.75}
    text = f"12:00 INFO {ARGUMENTS_LOGGED}{json.dumps(sizes)}\n" + PREFILL
    assert "0.75 -> 0.7" in ladder.relieve(EngineError("x", log_excerpt=text), None)


def test_an_engine_that_still_runs_short_with_fewer_requests_gets_a_smaller_pool():
    ladder = MemoryLadder({"mem_fraction_static": 0.86}, most_running=256)
    said = [ladder.relieve(EngineError(DECODE), None) for _ in range(5)]
    assert ["max_running" in (step or "") for step in said] == [True, True, False, False, False]
    assert ladder.options["mem_fraction_static"] == 0.7
    assert said[4] is None


def test_it_never_goes_both_ways():
    ladder = MemoryLadder({"mem_fraction_static": 0.85}, most_running=512)
    assert ladder.relieve(EngineError(TORCH), None)
    assert ladder.relieve(EngineError(EMPTY), None) is None
    assert ladder.options == {"mem_fraction_static": 0.8}


@pytest.mark.parametrize("text", [EMPTY, OVER_BUDGET])
def test_a_pool_without_room_asks_for_a_larger_fraction(text):
    step = next_step({"mem_fraction_static": 0.8}, text)
    assert step is not None
    assert (step.kind, step.options) == ("empty", {"mem_fraction_static": 0.85})


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        (
            "ValueError: No available memory for the cache blocks.",
            "empty",
            "gpu_memory_utilization",
        ),
        (
            "ValueError: To serve at least one request with the model's max seq len (8192), 3 GiB",
            "empty",
            "gpu_memory_utilization",
        ),
        (
            "CUDA out of memory occurred when warming up sampler with 512 dummy requests.",
            "decode",
            "max_num_seqs",
        ),
        (
            "ValueError: Free memory on device cuda:0 (20/24 GiB) on startup is less than desired",
            "other",
            "gpu_memory_utilization",
        ),
        (AGAIN + FRAME.format("profile_run") + TORCH, "prefill", "max_num_batched_tokens"),
        (AGAIN + FRAME.format("execute_model") + TORCH, "prefill", "max_num_batched_tokens"),
        (AGAIN + FRAME.format("sample_tokens") + TORCH, "decode", "max_num_seqs"),
        (AGAIN + FRAME.format("capture_model") + TORCH, "other", "gpu_memory_utilization"),
    ],
)
def test_vllms_own_texts_lead_to_its_own_arguments(text, kind, name):
    options = {
        "gpu_memory_utilization": 0.9,
        "max_num_batched_tokens": 8192,
        "max_num_seqs": 128,
        "max_cudagraph_capture_size": 128,
    }
    step = next_step(options, text, terms=VLLM)
    assert step is not None
    assert (step.kind, {k for k, v in step.options.items() if options[k] != v} >= {name}) == (
        kind,
        True,
    )


def test_vllms_graphs_shrink_with_its_requests():
    options = {"max_num_seqs": 128, "max_cudagraph_capture_size": 128}
    text = "CUDA out of memory occurred when warming up sampler with 128 dummy requests."
    step = next_step(options, text, terms=VLLM)
    assert step.options == {"max_num_seqs": 96, "max_cudagraph_capture_size": 96}

"""What SGLang and vLLM call the same sizes, and how each says that GPU memory ran out.

The planner, the memory ladder and the sweep reckon with these sizes, whatever their names. Read in
SGLang 0.5.17 and 0.5.23 and in vLLM 0.32.0.

SGLang ends the scheduler with `Prefill out of memory` or `Decode out of memory` where a batch finds
no room in the KV pool; vLLM takes requests back instead. torch's own error says nothing about the
kind, but its traceback goes through the functions named here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["SGLANG", "VLLM", "EngineTerms", "terms_of"]

_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class EngineTerms:
    """Names of arguments, and patterns of the log of an engine that found no memory.

    `fraction` is the share of the card for weights and KV cache; where `profiles_activations`, also
    for activations and graphs, which the engine measures before it sizes its cache. `kinds` are
    whole messages; the frames tell torch's own errors apart, captures first.
    """

    library: str
    split: str
    stages: str
    replicas: str
    chunk: str
    running: str
    graphs: str
    fraction: str
    graph_options: frozenset[str]
    unplanned: frozenset[str]
    kinds: tuple[tuple[str, re.Pattern[str]], ...]
    capture_frames: re.Pattern[str]
    decode_frames: re.Pattern[str]
    prefill_frames: re.Pattern[str]
    prefill_capture_frames: re.Pattern[str] = _NEVER
    profiles_activations: bool = False
    most_fraction: float = 0.92

    @property
    def sizes(self) -> tuple[str, ...]:
        """The arguments that the memory ladder may change."""
        return (self.chunk, self.graphs, self.running, self.fraction)


SGLANG = EngineTerms(
    library="SGLang",
    split="tp_size",
    stages="pp_size",
    replicas="dp_size",
    chunk="chunked_prefill_size",
    running="max_running_requests",
    graphs="cuda_graph_max_bs_decode",
    fraction="mem_fraction_static",
    graph_options=frozenset({"cuda_graph_config", "cuda_graph_bs_decode", "disable_cuda_graph"}),
    unplanned=frozenset({"quantization", "torchao_config", "cpu_offload_gb", "pp_size", "dp_size"}),
    kinds=(
        (
            "empty",
            re.compile(
                r"Not enough memory\. Please try to increase --mem-fraction-static"
                r"|Loaded weights leave no GPU memory for the KV cache"
            ),
        ),
        ("prefill", re.compile(r"Prefill out of memory")),
        ("decode", re.compile(r"Decode out of memory|--max-running-requests")),
    ),
    capture_frames=re.compile(
        r"\bin _?capture(_one_shape|_one_stream|_prepare)?\b|Capture .{0,20}failed"
    ),
    decode_frames=re.compile(r"_execute_decode|forward_decode|decode_cuda_graph_runner\.py"),
    prefill_frames=re.compile(
        r"_execute_extend|forward_extend|forward_prefill|forward_split_prefill"
        r"|prefill_cuda_graph_runner\.py"
    ),
    prefill_capture_frames=re.compile(r"prefill_cuda_graph_runner"),
)

VLLM = EngineTerms(
    library="vLLM",
    split="tensor_parallel_size",
    stages="pipeline_parallel_size",
    replicas="data_parallel_size",
    chunk="max_num_batched_tokens",
    running="max_num_seqs",
    graphs="max_cudagraph_capture_size",
    fraction="gpu_memory_utilization",
    graph_options=frozenset({"cudagraph_capture_sizes", "compilation_config", "enforce_eager"}),
    unplanned=frozenset({"quantization", "quantization_config", "cpu_offload_gb"})
    | frozenset({"pipeline_parallel_size", "data_parallel_size"})
    | frozenset({"kv_cache_memory_bytes", "num_gpu_blocks_override"}),
    kinds=(
        (
            "empty",
            re.compile(
                r"No available memory for the cache blocks|To serve at least one request with the"
                r"|Cannot auto-fit max_model_len: not enough GPU memory"
            ),
        ),
        ("decode", re.compile(r"out of memory occurred when warming up sampler")),
        (
            "other",
            re.compile(
                r"Failed to load model - not enough GPU memory|Free memory on device .*less"
            ),
        ),
    ),
    capture_frames=re.compile(
        r"\bin _?(capture(_\w+)?|profile_cudagraph_memory|_warmup_and_capture)\b"
    ),
    decode_frames=re.compile(r"\bin (_?sample|sample_tokens|_dummy_sampler_run|compute_logits)\b"),
    prefill_frames=re.compile(r"\bin (execute_model|_dummy_run|profile_run|_model_forward)\b"),
    profiles_activations=True,
    most_fraction=0.97,
)


def terms_of(engine: str) -> EngineTerms:
    """The terms of a built-in engine; SGLang's for any other."""
    return VLLM if engine == "vllm" else SGLANG

"""The argument record, with those names of SGLang's several hundred that tests use.

A msgspec struct, whose fields are annotated with types, and with an object that carries the command
line's choices.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any, Literal

MOE = ["auto", "triton", "triton_kernel", "marlin", "flashinfer_mxfp4", "cutlass"]
TYPES: dict[str, Any] = {
    "model_path": Annotated[str, "help"],
    "tokenizer_path": str | None,
    "skip_tokenizer_init": bool,
    "load_format": str,
    "log_level": str,
    "log_requests": bool,
    "grammar_backend": str | None,
    "reasoning_parser": str | None,
    "attention_backend": str | None,
    "moe_runner_backend": Annotated[str, SimpleNamespace(help="", choices=MOE), "namespace"],
    "quantization": Annotated[str | None, SimpleNamespace(choices=["fp8", "mxfp4", "unquant"])],
    "json_model_override_args": str,
    "mem_fraction_static": float | None,
    "chunked_prefill_size": int | None,
    "max_running_requests": int | None,
    "cuda_graph_max_bs_decode": int | None,
    "cuda_graph_backend_prefill": Literal["full", "disabled"] | None,
    "disable_prefill_cuda_graph": bool,
    "swa_full_tokens_ratio": float,
    "kv_cache_dtype": Annotated[str, SimpleNamespace(choices=["auto", "fp8_e5m2", "fp8_e4m3"])],
    "schedule_policy": Annotated[str, SimpleNamespace(choices=["lpm", "fcfs"])],
    "schedule_conservativeness": float,
    "speculative_algorithm": str | None,
    "speculative_num_steps": int | None,
    "lora_paths": dict[str, str] | list[dict[str, str]] | list[str] | None,
    "enable_lora": bool | None,
    "dtype": str,
    "tp_size": int,
    "dp_size": int,
    "_private": bool,
    "max_total_tokens": int | None,
    "sampling_backend": str | None,
    "random_seed": int | None,
    "constrained_json_disable_any_whitespace": bool,
    "constrained_json_max_whitespace_cnt": int | None,
    "enable_deterministic_inference": bool,
    "enable_prefill_delayer": bool,
    "prefill_delayer_queue_min_ratio": float | None,
}


class ServerArgs:
    def __init__(self, **given: Any) -> None:
        unknown = set(given) - set(TYPES)
        if unknown:
            raise TypeError(f"unexpected keyword arguments {sorted(unknown)}")
        if not 0 < given.get("mem_fraction_static", 0.8) < 1:
            raise ValueError("mem_fraction_static must be between 0 and 1")
        self.given = given
        self.skip_tokenizer_init = given.get("skip_tokenizer_init", False)


ServerArgs.__annotations__ = TYPES
ServerArgs.__struct_fields__ = tuple(TYPES)  # type: ignore[attr-defined]

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass
class EngineArgs:
    """Those of vLLM's fields that tests use."""

    model: str = ""
    tokenizer: str | None = None
    dtype: Literal["auto", "half", "float16", "bfloat16", "float", "float32"] = "auto"
    kv_cache_dtype: Literal["auto", "bfloat16", "fp8", "fp8_e4m3", "fp8_e5m2"] = "auto"
    max_model_len: int | None = None
    gpu_memory_utilization: float = 0.92
    max_num_seqs: int | None = None
    max_num_batched_tokens: int | None = None
    max_cudagraph_capture_size: int | None = None
    tensor_parallel_size: int = 1
    enforce_eager: bool = False
    enable_prefix_caching: bool | None = None
    disable_log_stats: bool = False
    reasoning_parser: str = ""
    enable_lora: bool = False
    quantization_config: "dict[str, Any] | QuantizationConfigArgs | None" = None  # noqa: F821
    load_format: str = "auto"
    skip_tokenizer_init: bool = False
    prefill_schedule_interval: int = 1
    structured_outputs_config: dict[str, Any] = field(default_factory=dict)


@dataclass
class AsyncEngineArgs(EngineArgs):
    enable_log_requests: bool = False

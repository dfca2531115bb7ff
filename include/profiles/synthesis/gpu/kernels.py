"""Which kernels and number formats a model gets on a card, and which are refused there.

MXFP4 experts stay MXFP4 on compute capability 8.x with MoE backend `triton_kernel` alone: in SGLang
0.5.17 and 0.5.23 every other backend that starts there, and `auto` together with `quantization` or
expert parallelism, first turns them into bf16, three times their size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from profiles.errors import EngineJobError
from profiles.synthesis.gpu.model_shape import Card, ModelShape, gib

__all__ = [
    "KernelPlan",
    "Kernels",
    "has_fp8",
    "kv_bytes_per_value",
    "outruns_launches",
    "plan_kernels",
    "small_kv_dtype",
]

_ADA = (8, 9)
_HOPPER = (9, 0)
_WORKSTATION_BLACKWELL = (12, 0)
_SMALL_KV = ("fp8", "mxfp8", "fp4", "nvfp4")

KernelPlan = tuple[dict[str, Any], list[str]]
"""Arguments of an engine, and why."""
Kernels = Callable[[ModelShape, Card, Mapping[str, Any]], KernelPlan]


def plan_kernels(model: ModelShape, card: Card, options: Mapping[str, Any]) -> KernelPlan:
    """SGLang's attention and MoE backend where its own choice is not to be relied on, and why.

    Raises:
        EngineJobError: an option would turn MXFP4 experts into bf16 on a card that is too small.
    """
    if card.capability >= _HOPPER:
        level = ".".join(map(str, card.capability))
        return {}, [
            f"attention is left to SGLang, which has kernels of its own for compute capability "
            f"{level} of {card.name} (FA3 on Hopper)",
            "MoE is left to SGLang, which keeps MXFP4 experts as they are on this card"
            if model.is_mxfp4
            else "MoE kernels, if the model has any experts, are left to SGLang",
        ]
    chosen = {"attention_backend": "triton"}
    reasons = ["attention runs in Triton, which has sinks and sliding windows on this card"]
    if model.is_mxfp4:
        if card.capability == _ADA or model.upcast_bytes > card.memory_bytes:
            _refuse_upcast(model, card, options)
        chosen["moe_runner_backend"] = "triton_kernel"
        reasons.append("MXFP4 experts stay MXFP4 with triton_kernel alone on this card")
    return chosen, reasons


def _refuse_upcast(model: ModelShape, card: Card, options: Mapping[str, Any]) -> None:
    """Every option by which the experts would become bf16."""
    backend = options.get("moe_runner_backend", "triton_kernel")
    quantization = options.get("quantization")
    if backend == "auto":
        what = "moe_runner_backend 'auto' lets SGLang choose a backend that"
    elif backend != "triton_kernel":
        what = f"moe_runner_backend {backend!r}"
    elif quantization not in (None, "mxfp4"):
        what = f"quantization {quantization!r}"
    elif "quantization_config" in str(options.get("json_model_override_args")):
        what = "json_model_override_args with a quantization_config"
    else:
        return
    raise EngineJobError(
        f"{what} turns MXFP4 experts into bf16 on {card.name}: {gib(model.upcast_bytes)} of "
        f"weights on a card of {gib(card.memory_bytes)}; remove the option, which leaves "
        "moe_runner_backend 'triton_kernel'"
    )


def has_fp8(card: Card) -> bool:
    """Whether the card computes with 8-bit floats."""
    return card.capability >= _ADA


def outruns_launches(card: Card) -> bool:
    """Whether the card reads a prompt or two faster than a host starts the kernels of a step.

    Measured with gpt-oss-20b on H200s: 65-70 ms to start them, 25-40 ms to read 1,300-2,048 tokens;
    with prefill graphs 1.25 times the speed where chunks hold 2,048 tokens, 1.04 where they hold
    8,192. True of Hopper and the data centre's Blackwell (9.0, 10.x). Ada, Ampere and the
    workstation's Blackwell (12.x) have a third of that arithmetic and less: 140 ms and more for
    1,300 tokens on an RTX 4090, computed.
    """
    return _HOPPER <= card.capability < _WORKSTATION_BLACKWELL


def small_kv_dtype() -> str:
    """The 8-bit KV cache: e4m3, which FA3 alone reads and Triton reads from Ada on.

    Measured 1.27 times the speed of bf16 on a full cache, e5m2 1.16.
    """
    return "fp8_e4m3"


def kv_bytes_per_value(options: Mapping[str, Any]) -> int:
    """Bytes of a number in the KV cache that these options ask for."""
    return 1 if str(options.get("kv_cache_dtype")).startswith(_SMALL_KV) else 2

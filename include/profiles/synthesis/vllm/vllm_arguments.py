"""vLLM's engine arguments: the operator's checked, the planned ones put under them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from profiles.errors import EngineJobError
from profiles.synthesis.engines.argument_checks import check_options
from profiles.synthesis.gpu.kernels import KernelPlan
from profiles.synthesis.gpu.model_shape import Card, ModelShape

__all__ = ["engine_arguments", "engine_kernels", "runs_on_cpu"]

_DEFAULTS: dict[str, Any] = {"enable_prefix_caching": True, "disable_log_stats": True}
_GRAMMAR = {"backend": "guidance", "disable_any_whitespace": True}
"""llguidance; free whitespace would let a model print spaces until its token cap."""
_OURS = frozenset({"model", "tokenizer"})
_OWN = {"device": Literal["cpu"]}
"""No field of vLLM's record: says that the interpreter has vLLM's CPU build and needs no card."""
_NOTES = {
    "device": "only 'cpu', for an interpreter with vLLM's CPU build",
    "guided_decoding_backend": "is called structured_outputs_config",
    "mem_fraction_static": "is SGLang's; vLLM has gpu_memory_utilization",
    "max_running_requests": "is SGLang's; vLLM has max_num_seqs",
    "chunked_prefill_size": "is SGLang's; vLLM has max_num_batched_tokens",
    "tp_size": "is called tensor_parallel_size",
    "tp": "is called tensor_parallel_size",
}
_HOPPER = (9, 0)


def runs_on_cpu(engine: str, options: Mapping[str, Any]) -> bool:
    """Whether this engine takes no card."""
    return engine == "vllm" and options.get("device") == "cpu"


def engine_arguments(
    options: Mapping[str, Any],
    *,
    known: Mapping[str, Any],
    version: str,
    planned: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Our defaults and the plan under the operator's options, without our own.

    Raises:
        EngineJobError: an option that this version does not have, that has a wrong type or
            choice, or that we set ourselves.
    """
    check_options(
        options,
        known={**known, **_OWN},
        ours=_OURS,
        library=f"vLLM {version}",
        notes=_NOTES,
    )
    if options.get("reasoning_parser"):
        raise EngineJobError(
            "option reasoning_parser cannot go together with a JSON schema: the grammar would "
            "start after the first end of a message; remove it"
        )
    if options.get("enable_log_requests"):
        raise EngineJobError("option enable_log_requests writes profiles into a log; remove it")
    arguments = {**_DEFAULTS, **(planned or {}), **options}
    arguments["structured_outputs_config"] = {
        **_GRAMMAR,
        **(arguments.get("structured_outputs_config") or {}),
    }
    return {name: value for name, value in arguments.items() if name in known}


def engine_kernels(model: ModelShape, card: Card, _options: Mapping[str, Any]) -> KernelPlan:
    """No arguments: vLLM's own choices are right on every card that was read for; and why."""
    if not model.is_mxfp4:
        return {}, ["attention and MoE kernels are left to vLLM"]
    kernel = "Triton" if card.capability >= _HOPPER else "Marlin"
    return {}, [
        f"attention is left to vLLM; MXFP4 experts run on {kernel} kernels, which vLLM chooses for "
        f"{card.name} and which keep them in MXFP4"
    ]

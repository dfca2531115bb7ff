"""SGLang's server arguments: the operator's checked, the planned ones put under them.

0.5.17 and 0.5.23 differ, for this project, in: `constrained_json_max_whitespace_cnt` (0.5.23 only;
0.5.17 can only forbid free whitespace), `swa_full_tokens_ratio` (0.8; in 0.5.23 None, which means
0.8 where the model says nothing else), `torchao_config` (0.5.17 only).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from profiles.errors import EngineJobError
from profiles.synthesis.engines.argument_checks import check_options
from profiles.synthesis.gpu.kernels import KernelPlan, plan_kernels
from profiles.synthesis.gpu.model_shape import Card, ModelShape
from profiles.synthesis.sglang.expert_tiles import tile_environment

__all__ = ["adapter_name", "server_arguments", "server_kernels"]

_DEFAULTS: dict[str, Any] = {"log_level": "info", "grammar_backend": "llguidance"}
_MAX_WHITESPACE = 2
_OURS = frozenset({"model_path", "tokenizer_path"})
_NOTES = {
    "constrained_json_max_whitespace_cnt": "exists from SGLang 0.5.23 on; 0.5.17 has only "
    "constrained_json_disable_any_whitespace",
    "torchao_config": "was removed between SGLang 0.5.17 and 0.5.23",
    "speculative_skip_dp_mlp_sync": "was removed between SGLang 0.5.17 and 0.5.23",
    "cuda_graph_tc_compiler": "was removed between SGLang 0.5.17 and 0.5.23",
    "speculative_draft_kv_cache_dtype": "exists from SGLang 0.5.23 on",
    "cuda_graph_max_bs": "is called cuda_graph_max_bs_decode",
    "disable_cuda_graph_prefill": "is called disable_prefill_cuda_graph",
    "tp": "is called tp_size",
    "tensor_parallel_size": "is called tp_size",
    "dp": "is called dp_size",
}


def server_arguments(
    options: Mapping[str, Any],
    *,
    known: Mapping[str, Any],
    version: str,
    planned: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Our defaults and the plan under the operator's options, fitted to the installed version.

    `known` are the arguments of that version, as `argument_types` gives them.

    Raises:
        EngineJobError: an option that this version does not have, that has a wrong type or
            choice, or that we set ourselves.
    """
    check_options(options, known=known, ours=_OURS, library=f"SGLang {version}", notes=_NOTES)
    if options.get("reasoning_parser"):
        raise EngineJobError(
            "option reasoning_parser cannot go together with a JSON schema: the grammar would "
            "start inside the reasoning; remove it"
        )
    if options.get("log_requests"):
        raise EngineJobError("option log_requests writes profiles into a log; remove it")
    adapter_name(options)
    arguments = {**_DEFAULTS, **(planned or {}), **options}
    # Unbounded whitespace lets a model print spaces until its token cap, and only xgrammar has a
    # bound for it.
    is_bounded = "constrained_json_max_whitespace_cnt" in known
    if arguments["grammar_backend"] == "xgrammar" and is_bounded:
        arguments.setdefault("constrained_json_max_whitespace_cnt", _MAX_WHITESPACE)
    else:
        arguments.setdefault("constrained_json_disable_any_whitespace", True)
    return {name: value for name, value in arguments.items() if name in known}


def server_kernels(model: ModelShape, card: Card, options: Mapping[str, Any]) -> KernelPlan:
    """`plan_kernels`, and the tiles of the expert kernels.

    Raises:
        EngineJobError: an option would turn MXFP4 experts into bf16 on a card that is too small.
    """
    kernels, reasons = plan_kernels(model, card, options)
    if tiles := tile_environment(model, card):
        # SGLang's processes inherit it, and our plugin reads it there.
        os.environ.update(tiles)
        reasons.append(
            "expert kernels get tiles of 128 x 64, which spill no registers on this card"
        )
    return kernels, reasons


def adapter_name(options: Mapping[str, Any]) -> str | None:
    """The LoRA adapter that every request uses: the one in `lora_paths`.

    Raises:
        EngineJobError: it has several, and nothing says which profile is to use which.
    """
    paths = options.get("lora_paths")
    if not paths:
        return None
    names = list(paths) if isinstance(paths, dict) else [_adapter(item) for item in paths]
    if len(names) > 1:
        raise EngineJobError(
            f"lora_paths names {len(names)} adapters; a run uses one for all requests"
        )
    return names[0]


def _adapter(item: Any) -> str:
    """The name of one of `lora_paths`: a mapping, NAME=PATH, or a path that is its own name."""
    if isinstance(item, dict):
        return str(item.get("lora_name") or next(iter(item)))
    return str(item).partition("=")[0]

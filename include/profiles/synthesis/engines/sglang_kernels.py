"""Kernels that SGLang gets on a card: attention, MXFP4 experts, their tiles, prefill graphs.

MXFP4 experts stay MXFP4 on compute capability 8.x with MoE backend `triton_kernel` alone; every
other one, and `auto` with `quantization` or expert parallelism, turns them into bf16, three times
their size. There triton_kernels spills 10.6 KB of registers with tiles of 256 x 128, and none with
128 x 64 (`benchmarks.expert_spills`). SGLang loads our plugin by metadata in include/engine_plugin.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from profiles.errors import EngineJobError
from profiles.synthesis.gpu.model_shape import Card, ModelShape, gib

_TILES_VARIABLE = "PROFILES_EXPERT_TILES"
TILES = {"block_n": 128, "block_k": 64}
PREFILL_GRAPH_OPTIONS = frozenset(
    {
        "cuda_graph_backend_prefill", "cuda_graph_bs_prefill", "cuda_graph_max_bs_prefill",
        "disable_prefill_cuda_graph",
    }
)  # fmt: skip
"""With one of these prefill graphs are the operator's choice."""


def plan_kernels(model: ModelShape, card: Card, options: Mapping[str, Any]) -> dict[str, Any]:
    """Attention, MoE backend and prefill graphs where SGLang's own choice is not reliable."""
    chosen: dict[str, Any] = {}
    if not card.is_hopper:
        # Only Triton's attention has sinks and sliding windows on these cards.
        chosen["attention_backend"] = "triton"
        if model.is_mxfp4:
            if card.has_fp8 or model.upcast_bytes > card.memory_bytes:
                _reject_upcast(model, card, options)
            chosen["moe_runner_backend"] = "triton_kernel"
    # One prompt keeps a slower card busy for longer than starting the kernels of a step takes.
    if not card.outruns_launches and not PREFILL_GRAPH_OPTIONS & options.keys():
        chosen["disable_prefill_cuda_graph"] = True
    return chosen


def _reject_upcast(model: ModelShape, card: Card, options: Mapping[str, Any]) -> None:
    """Every option by which the experts would become bf16."""
    override = str(options.get("json_model_override_args"))
    upcasts = {
        "moe_runner_backend": options.get("moe_runner_backend", "triton_kernel") != "triton_kernel",
        "quantization": options.get("quantization") not in (None, "mxfp4"),
        "json_model_override_args": "quantization_config" in override,
    }
    for name, is_upcast in upcasts.items():
        if is_upcast:
            raise EngineJobError(
                f"{name} {options[name]!r} turns MXFP4 experts into bf16 on {card.name}: "
                f"{gib(model.upcast_bytes)} of weights on a card of {gib(card.memory_bytes)}; "
                "remove the option, which leaves moe_runner_backend 'triton_kernel'"
            )


def server_kernels(model: ModelShape, card: Card, options: Mapping[str, Any]) -> dict[str, Any]:
    """`plan_kernels`, and the tiles of the expert kernels for SGLang's processes, which inherit the
    environment in which our plugin reads them."""
    os.environ.update(tile_environment(model, card))
    return plan_kernels(model, card, options)


def tile_environment(model: ModelShape, card: Card) -> dict[str, str]:
    """Environment variables of SGLang's processes; none where its own tiles are right."""
    if not model.is_mxfp4 or card.is_hopper:
        return {}
    return {_TILES_VARIABLE: json.dumps(TILES)}


def install_tiles() -> None:
    """The plugin, called by SGLang in each process; ImportError before 0.5.23's kernels."""
    tiles: dict[str, Any] = json.loads(os.environ.get(_TILES_VARIABLE, "{}"))
    if tiles:
        from triton_kernels.matmul_details.opt_flags import update_opt_flags_constraints

        update_opt_flags_constraints(tiles)

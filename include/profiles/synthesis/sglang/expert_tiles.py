"""Tiles of the MXFP4 expert kernels below compute capability 9.0, set by a plugin of SGLang.

triton_kernels chooses tiles of 256 x 128 there as soon as a step holds more than 512 tokens; the
down-projection of 2,048 tokens then spills 10.6 KB of registers, compiled for sm_89 by Triton 3.8.
With 128 x 64 neither of the two kernels spills. SGLang itself sets eight warps there. Every process
of SGLang loads its plugins, found by the metadata in include/engine_plugin; this one does something
only where the engine has put tiles into the environment.
"""

from __future__ import annotations

import json
import os
from typing import Any

from profiles.synthesis.gpu.model_shape import Card, ModelShape

__all__ = ["TILES", "VARIABLE", "install", "tile_environment"]

VARIABLE = "PROFILES_EXPERT_TILES"
TILES = {"block_n": 128, "block_k": 64}
_HOPPER = (9, 0)


def tile_environment(model: ModelShape, card: Card) -> dict[str, str]:
    """What SGLang's processes need in their environment; nothing where its own tiles are right."""
    if not model.is_mxfp4 or card.capability >= _HOPPER:
        return {}
    return {VARIABLE: json.dumps(TILES)}


def install() -> None:
    """The plugin: SGLang calls it in each of its processes.

    Raises:
        ImportError: these kernels are older than SGLang 0.5.23's and take no such constraint.
    """
    tiles: dict[str, Any] = json.loads(os.environ.get(VARIABLE, "{}"))
    if tiles:
        from triton_kernels.matmul_details.opt_flags import update_opt_flags_constraints

        update_opt_flags_constraints(tiles)

"""Tiles of the expert kernels reach SGLang's processes as a plugin, before Hopper only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.paths import REPOSITORY

from profiles.synthesis.engine_environment import child_environment
from profiles.synthesis.engines.sglang_kernels import TILES, tile_environment
from profiles.synthesis.gpu.model_shape import Card, ModelShape

SHAPE = ModelShape(13_761_264_768, 12, 12, 128, 8, 64, is_mxfp4=True)
KERNELS = """
SEEN = {}
def update_opt_flags_constraints(constraints):
    SEEN.update(constraints)
"""
SGLANG = """
import json
from importlib.metadata import entry_points
for point in entry_points(group="sglang.srt.plugins"):
    point.load()()
from triton_kernels.matmul_details.opt_flags import SEEN
print(json.dumps(SEEN))
"""


@pytest.mark.parametrize(
    ("capability", "is_mxfp4", "expected"),
    [((8, 9), True, TILES), ((8, 6), True, TILES), ((9, 0), True, {}), ((8, 9), False, {})],
)
def test_the_plugin_sets_tiles_where_the_kernels_would_spill(
    tmp_path: Path, capability, is_mxfp4, expected
):
    folder = tmp_path / "triton_kernels" / "matmul_details"
    folder.mkdir(parents=True)
    (folder / "opt_flags.py").write_text(KERNELS)
    shape = SHAPE if is_mxfp4 else ModelShape(1, 12, 12, 128, 8, 64)
    tiles = tile_environment(shape, Card("card", 24 << 30, capability))
    assert bool(tiles) is bool(expected)
    environment = child_environment("sglang", tiles)
    environment["PYTHONPATH"] += f"{os.pathsep}{tmp_path}"
    done = subprocess.run(
        [sys.executable, "-c", SGLANG],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == expected

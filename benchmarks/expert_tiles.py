"""Time of gpt-oss's MXFP4 expert kernels with SGLang's own tiles and the plugin's, on a GPU.

    PYTHONPATH=include:. python -m benchmarks.expert_tiles --json a.json

Triton generates the code of compute capability 8.9 (other weight layout, mma instead of wgmma,
99 KB of shared memory), and ptxas translates it for the card that is there: an RTX 4090's kernels
on a Hopper card. That tells which tiles are quicker, not how quick a 4090 is. The first rows are
the control: the card's own code. The packages are those of `benchmarks.expert_spills`, with
PyTorch for CUDA.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from benchmarks.expert_spills import CARDS, STEPS, WARPS, WIDTH, experts, gemm_call
from profiles.synthesis.engines.sglang_kernels import install_tiles, tile_environment
from profiles.synthesis.gpu.model_shape import ModelShape

PASSES = 5


def compile_for_ada(shared_bytes: int) -> None:
    """Let Triton see an Ada card from here on, and ptxas the card that is there."""
    import torch
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.backends.nvidia.compiler import CUDABackend

    driver = triton.runtime.driver.active
    present = driver.get_current_target().arch
    properties = torch.cuda.get_device_properties(0)
    target = GPUTarget("cuda", 89, 32)
    driver.get_current_target = lambda: target
    make_cubin = CUDABackend.make_cubin
    CUDABackend.make_cubin = lambda self, src, metadata, options, _: make_cubin(
        self, src, metadata, options, present
    )
    torch.cuda.get_device_capability = lambda *_: (8, 9)
    torch.cuda.get_device_properties = lambda *_: SimpleNamespace(
        multi_processor_count=properties.multi_processor_count,
        shared_memory_per_block_optin=shared_bytes,
    )


def timed(card: Any, shared_bytes: int, choices: tuple[str, ...]) -> list[dict[str, Any]]:
    """A row for each choice of tiles and step: microseconds of both GEMMs, medians of passes.

    A CUDA graph leaves out the launches, which take longer than the kernels.
    """
    import triton
    from triton_kernels.matmul_details import opt_flags

    layers = {"gate_up": experts(card, 2 * WIDTH), "down": experts(card, WIDTH)}
    plugin = tile_environment(ModelShape(13_761_264_768, 24, 12, 128, 8, 64, is_mxfp4=True), card)
    passes: dict[tuple[str, int], list[dict[str, float]]] = {}
    for _, tokens, choice in itertools.product(range(PASSES), STEPS, choices):
        opt_flags.reset_opt_flags_constraints()
        with patch.dict(os.environ, plugin if choice == "project" else {}):
            install_tiles()
        sglang = {"split_k": 1} if card.is_hopper else {"num_warps": WARPS}
        opt_flags.update_opt_flags_constraints(sglang)
        found = {}
        for gemm, layer in layers.items():
            call = gemm_call(gemm, layer, tokens)
            found[gemm] = 1000 * triton.testing.do_bench_cudagraph(call, return_mode="median")
        passes.setdefault((choice, tokens), []).append(found)
    rows = []
    for (choice, tokens), each in passes.items():
        row: dict[str, Any] = {"card": card.name, "layout": layers["down"][0].storage.layout.name}
        row |= {"tiles": choice, "tokens": tokens}
        for gemm in layers:
            row[gemm] = round(statistics.median(one[gemm] for one in each), 1)
        totals = [sum(one.values()) for one in each]
        row |= {"both_us": round(statistics.median(totals), 1), "passes": len(totals)}
        row |= {"least": round(min(totals), 1), "most": round(max(totals), 1)}
        print(*row.values(), sep=" | ", flush=True)
        rows.append(row)
    return rows


def main() -> None:
    """Time the kernels and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    import torch
    import triton

    torch.set_default_device("cuda")
    name = torch.cuda.get_device_name()
    (ada, _, ada_bytes), (hopper, _, hopper_bytes) = CARDS
    rows = timed(hopper, hopper_bytes, ("own",))
    compile_for_ada(ada_bytes)
    rows += timed(ada, ada_bytes, ("own", "project"))
    found = {
        "ran_on": name,
        "triton": triton.__version__,
        "torch": torch.__version__,
        "times": rows,
    }
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Compiled MXFP4 expert kernels of gpt-oss: registers, spills, shared memory.

    python3.11 -m venv spills && spills/bin/pip install triton==3.8.0
    spills/bin/pip install torch     # PyTorch's build for the CPU is enough
    spills/bin/pip install --no-deps sglang-kernel==0.4.10
    PYTHONPATH=include:. spills/bin/python -m benchmarks.expert_spills --json a.json

No GPU is needed: triton_kernels' own `matmul`, called as SGLang 0.5.23 does, chooses the tiles,
Triton compiles for the card's compute capability, and the driver leaves out the launch. `project`
has the tiles of the engine plugin, and fails where a kernel was compiled with others. Hopper is the
control: its weights have another layout, so other code is compiled, and the plugin sets no tiles.
Instructions are counted as they stand in the kernel, which says nothing about its speed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import os
import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from profiles.synthesis.engines.sglang_kernels import TILES, install_tiles, tile_environment
from profiles.synthesis.gpu.model_shape import Card, ModelShape

STEPS = (2048, 512, 96)
EXPERTS, CHOSEN, WIDTH = 32, 4, 2880  # gpt-oss-20b: hidden and intermediate size are the same.
SWIGLU, WARPS = (1.702, 7.0), 8  # As SGLang sets them.
CARDS = (  # With their multiprocessors, and the shared memory that one block can have.
    (Card("RTX 4090", 24564 << 20, (8, 9)), 128, 99 << 10),
    (Card("H100", 81559 << 20, (9, 0)), 132, 227 << 10),
)


def ptxas_usage(report: str) -> dict[str, int]:
    """Registers and bytes spilled, each for one thread, by `ptxas -v`.

    Raises:
        ValueError: it is not the report of exactly one kernel.
    """
    registers = re.findall(r"Used (\d+) registers", report)
    spilled = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", report)
    if len(registers) != 1 or len(spilled) != 1:
        raise ValueError(f"ptxas reports {len(registers)} kernels, not one")
    stored, loaded = map(int, spilled[0])
    return {"registers": int(registers[0]), "spill_stores": stored, "spill_loads": loaded}


def instruction_counts(sass: str) -> dict[str, int]:
    """Local loads and stores and tensor-core instructions of a kernel, and those inside loops.

    `sass` is Triton's disassembly: control codes, a tab, the instruction; labels have a line.
    """
    lines = sass.splitlines()
    labels = {line[:-1]: n for n, line in enumerate(lines) if line.endswith(":")}
    looped: set[int] = set()
    for n, line in enumerate(lines):
        if branch := re.search(r"\bBRA\b.*\b(LBB\d+)", line):
            looped.update(range(labels[branch[1]], n))
    counts = dict.fromkeys(("local", "local_in_loop", "tensor_core", "tensor_core_in_loop"), 0)
    for n, line in enumerate(lines):
        if found := re.match(r"\S+\t(?:@!?U?P\w+ )?(LDL|STL|HMMA|HGMMA)\b", line):
            name = "tensor_core" if found[1].endswith("MMA") else "local"
            counts[name] += 1
            counts[f"{name}_in_loop"] += n in looped
    return counts


class CompilingDriver:
    """Stands where Triton's CUDA driver does: kernels are compiled and recorded, never launched."""

    def __init__(self, card: Card, shared_bytes: int) -> None:
        from triton.backends.compiler import GPUTarget

        target = GPUTarget("cuda", 10 * card.capability[0] + card.capability[1], 32)
        self.device = 100 * target.arch
        self.kernel: dict[str, Any] = {}
        self.utils = self
        self.get_current_target = lambda: target
        self.get_current_stream = lambda _: 0
        # Triton keeps kernels and target by device, and rejects a kernel of more shared memory.
        self.get_current_device = lambda: self.device
        self.get_device_properties = lambda _: {"max_shared_mem": shared_bytes}

    def launcher_cls(self, source: Any, metadata: Any) -> Any:
        constants = {source.fn.arg_names[path[0]]: it for path, it in source.constants.items()}
        self.kernel = {name: constants.get(name.upper()) for name in ("block_m", *TILES)}
        self.kernel |= {"warps": metadata.num_warps, "shared_bytes": metadata.shared}
        return lambda *_: None

    def load_binary(self, name: str, cubin: bytes, shared: int, device: int) -> tuple[Any, ...]:
        from triton.tools.disasm import get_sass

        self.kernel |= instruction_counts(get_sass(cubin))
        return None, None, 0, 0, 1024


def experts(card: Card, outputs: int) -> tuple[Any, Any]:
    """Empty weights of one GEMM and their scales, in the layout that SGLang gives them."""
    import torch
    from triton_kernels.matmul import PrecisionConfig
    from triton_kernels.tensor import FP4, convert_layout, wrap_torch_tensor
    from triton_kernels.tensor_details import layout

    scales = 92 if card.is_hopper else 90  # WIDTH / 32; SGLang pads it to whole tiles there.
    weight = wrap_torch_tensor(
        torch.randint(256, (EXPERTS, outputs, 1440), dtype=torch.uint8).mT, FP4
    )
    scale = wrap_torch_tensor(torch.full((EXPERTS, outputs, scales), 120, dtype=torch.uint8).mT)
    factors = layout.make_default_matmul_mxfp4_w_scale_layout(mx_axis=-2, num_warps=WARPS)
    weight = convert_layout(weight, layout.make_default_matmul_mxfp4_w_layout(mx_axis=-2))
    scale = convert_layout(scale, factors)
    return weight, PrecisionConfig(b_mx_scale=scale, b_microblock_size=32)


def gemm_call(gemm: str, layer: Any, tokens: int) -> Callable[[], Any]:
    """One GEMM of a step of so many tokens, routed evenly, on torch's default device."""
    import torch
    from triton_kernels.matmul import FnSpecs, FusedActivation, matmul
    from triton_kernels.swiglu import swiglu_fn
    from triton_kernels.tensor import make_ragged_tensor_metadata

    rows = tokens * CHOSEN
    order = torch.arange(rows, dtype=torch.int32)
    sizes = torch.full((EXPERTS,), rows // EXPERTS, dtype=torch.int32)
    arguments: dict[str, Any] = {"a_ragged_metadata": make_ragged_tensor_metadata(sizes, rows)}
    if gemm == "gate_up":
        swiglu = FnSpecs("swiglu", swiglu_fn, ("alpha", "limit"), reduction_n=2)
        arguments["fused_activation"] = FusedActivation(swiglu, SWIGLU)
        arguments["gather_indx"] = order // CHOSEN
    else:
        arguments |= {"scatter_indx": order, "gammas": torch.ones(rows, dtype=torch.bfloat16)}
    inputs = torch.randn((tokens if gemm == "gate_up" else rows, WIDTH), dtype=torch.bfloat16)
    bias = torch.zeros((EXPERTS, layer[0].shape[-1]))
    return lambda: matmul(inputs, layer[0], bias, precision_config=layer[1], **arguments)


def compile_gemm(driver: CompilingDriver, call: Callable[[], Any]) -> dict[str, Any]:
    """The kernel that a call compiles."""
    verbose = patch.dict(os.environ, TRITON_DUMP_PTXAS_LOG="1")
    with verbose, contextlib.redirect_stdout(io.StringIO()) as report:
        call()
    return driver.kernel | ptxas_usage(report.getvalue())


def measured(card: Card, multiprocessors: int, shared_bytes: int) -> list[dict[str, Any]]:
    """A row for each GEMM, step and choice of tiles on this card.

    Raises:
        RuntimeError: the plugin's tiles are not those of the compiled kernel.
    """
    import torch
    import triton
    from triton_kernels.matmul_details import opt_flags

    driver = CompilingDriver(card, shared_bytes)
    triton.runtime.driver.set_active(driver)
    torch.cuda.get_device_properties = lambda *_: SimpleNamespace(
        multi_processor_count=multiprocessors, shared_memory_per_block_optin=shared_bytes
    )
    torch.cuda.get_device_capability = lambda *_: card.capability
    layers = {"gate_up": experts(card, 2 * WIDTH), "down": experts(card, WIDTH)}
    plugin = tile_environment(ModelShape(13_761_264_768, 24, 12, 128, 8, 64, is_mxfp4=True), card)
    rows: list[dict[str, Any]] = []
    for choice, tokens in itertools.product(("own", "project") if plugin else ("own",), STEPS):
        driver.device += 1
        opt_flags.reset_opt_flags_constraints()
        with patch.dict(os.environ, plugin if choice == "project" else {}):
            install_tiles()
        sglang = {"split_k": 1} if card.is_hopper else {"num_warps": WARPS}
        opt_flags.update_opt_flags_constraints(sglang)
        for gemm, layer in layers.items():
            kernel = compile_gemm(driver, gemm_call(gemm, layer, tokens))
            if choice == "project" and not TILES.items() <= kernel.items():
                raise RuntimeError(f"{gemm} of {tokens} tokens was compiled with {kernel}")
            row = {"card": card.name, "layout": layer[0].storage.layout.name, "tiles": choice}
            row |= {"tokens": tokens, "gemm": gemm} | kernel | {"shared_limit": shared_bytes}
            if not rows:
                print(*row, sep=" | ")
            print(*row.values(), sep=" | ", flush=True)
            rows.append(row)
    return rows


def main() -> None:
    """Compile all kernels and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    os.environ["TRITON_ALWAYS_COMPILE"] = "1"
    found = {
        "packages": {name: version(name) for name in ("triton", "sglang-kernel", "torch")},
        "kernels": [row for card in CARDS for row in measured(*card)],
    }
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""The planned arguments of an engine for the visible cards; nothing where too little is known."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from profiles.synthesis.engines.engine_terms import EngineTerms
from profiles.synthesis.engines.sglang_kernels import plan_kernels
from profiles.synthesis.gpu.cards import visible_gpus
from profiles.synthesis.gpu.model_shape import MOST_RUNNING, Kernels, ModelShape
from profiles.synthesis.gpu.parallelism import plan_engine

log = logging.getLogger(__name__)

_LEFT = "sizes are left to %s: %s"


def plan_arguments(
    options: Mapping[str, Any],
    *,
    terms: EngineTerms,
    kernels: Kernels,
    config: Mapping[str, Any],
    folder: Path,
    most_running: int = MOST_RUNNING,
) -> dict[str, Any]:
    """Arguments for the visible cards, none where too little is known."""
    cards = visible_gpus()
    weights = weight_bytes(folder)
    try:
        shape = ModelShape.from_config(config, weights)
    except (KeyError, TypeError, ValueError):
        log.info(_LEFT, terms.library, "config.json does not describe the model's shape")
        return {}
    if not cards:
        log.info(_LEFT, terms.library, "no GPU is visible to nvidia-smi")
        return {}
    # Whatever else is unknown, these kernels must not be the wrong ones.
    chosen = kernels(shape, min(cards, key=lambda item: item.memory_bytes), options)
    if unplanned := sorted(terms.unplanned & options.keys()):
        log.info(_LEFT, terms.library, f"option {unplanned[0]} is not reckoned with")
        return chosen
    if not weights:
        log.info(_LEFT, terms.library, "no *.safetensors")
        return chosen
    plan = plan_engine(
        shape, cards, most_running=most_running, options=options, terms=terms, kernels=kernels
    )
    log.info(
        "planned for %s x %s: about %s tokens of KV cache and %s requests at once; kernels %s",
        len(cards),
        cards[0].name,
        plan.kv_tokens,
        plan.concurrency,
        chosen or "of the engine's own choice",
    )
    return plan.arguments


def planned_split(options: Mapping[str, Any], folder: Path, terms: EngineTerms) -> int:
    """Over how many of the visible cards one engine is split; 1 where too little is known."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        # The engine process reads the same file and refuses the job in full.
        log.info("config.json of the model cannot be used (%s)", type(error).__name__)
        return 1
    planned = plan_arguments(
        options,
        terms=terms,
        kernels=plan_kernels,
        config=config,
        folder=folder,
    )
    return int(planned.get(terms.split) or 1)


def weight_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.safetensors"))

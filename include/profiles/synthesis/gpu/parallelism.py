"""Cards, kernels and sizes of an SGLang or vLLM engine, planned before it is loaded.

Pure arithmetic over the bytes of the weights and the memory of the cards. It knows the work:
prompts of one to two thousand tokens, answers of some hundred, throughput alone. The operator's
options win. SGLang's share of a card is for weights and KV cache; vLLM measures activations and
graphs itself, so its share leaves space for other processes only.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from profiles.errors import EngineJobError
from profiles.synthesis.engines.engine_terms import SGLANG, EngineTerms
from profiles.synthesis.engines.sglang_kernels import plan_kernels
from profiles.synthesis.gpu.cards import visible_gpus
from profiles.synthesis.gpu.model_shape import (
    CONTEXT_BYTES,
    GIB,
    LARGE_CARD,
    MOST_RUNNING,
    RESIDENT_TOKENS,
    SMALL_KV_DTYPE,
    Card,
    Kernels,
    ModelShape,
    gib,
    kv_bytes_per_value,
    left_to_others,
    reserved_bytes,
)

log = logging.getLogger(__name__)

_LEFT = "sizes are left to %s: %s"
_WHOLE_PROMPTS = 16_384
"""SGLang's `max_prefill_tokens`, which bounds a step where there are no chunks."""
_LEAST_KV_BYTES = GIB // 4
"""Below this a card holds too few requests at once to be worth its weights."""
_SLIDING_NEED = 0.3
"""Share of the full layers' tokens that sliding layers need where prompts are much longer than the
window: 0.17-0.28 seen in use."""
_MOST_GRAPH_SEQUENCES = 512
_CROWDING = 1.25
"""Real concurrency over its mean: many requests are short or have just begun."""
_USEFUL_CONCURRENCY = 32
"""With fewer requests at once KV room is worth more than its precision."""


def plan_arguments(
    options: Mapping[str, Any],
    *,
    terms: EngineTerms,
    kernels: Kernels,
    folder: Path,
    most_running: int = MOST_RUNNING,
) -> dict[str, Any]:
    """Arguments of an engine for the visible cards, none where too little is known."""
    cards = visible_gpus()
    weights = weight_bytes(folder)
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        shape = ModelShape.from_config(config, weights)
    except (OSError, KeyError, TypeError, ValueError):
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


def weight_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.safetensors"))


@dataclass(frozen=True, slots=True)
class EnginePlan:
    """Arguments of each engine, and estimates of its cache."""

    arguments: dict[str, Any]
    kv_tokens: int
    concurrency: int


def plan_engine(
    model: ModelShape,
    cards: Sequence[Card],
    *,
    most_running: int = MOST_RUNNING,
    options: Mapping[str, Any] | None = None,
    terms: EngineTerms = SGLANG,
    kernels: Kernels = plan_kernels,
) -> EnginePlan:
    """The plan for equal cards of one host. `options` are the operator's and win."""
    if not cards:
        raise EngineJobError(f"an engine of {terms.library} needs at least one GPU")
    options = dict(options or {})
    shape = replace(model, kv_bytes_per_value=kv_bytes_per_value(options))
    card = min(cards, key=lambda item: item.memory_bytes)
    arguments = kernels(shape, card, options)
    planner = _Planner(shape, card, options, terms, most_running)
    split = planner.split(len(cards))
    reserve, kv_tokens, concurrency, graphs = planner.sizes(split)
    enough = min(_USEFUL_CONCURRENCY, most_running)
    if card.has_fp8 and "kv_cache_dtype" not in options and concurrency < enough:
        arguments["kv_cache_dtype"] = SMALL_KV_DTYPE
        planner.model = replace(shape, kv_bytes_per_value=1)
        reserve, kv_tokens, concurrency, graphs = planner.sizes(split)
    free = left_to_others(card) if terms.profiles_activations else reserve
    arguments |= {
        terms.fraction: math.floor((1 - free / card.memory_bytes) * 1000) / 1000,
        terms.chunk: planner.chunk,
        terms.running: graphs,
    }
    if not terms.graph_options & options.keys():
        arguments[terms.graphs] = graphs
    if terms.sliding and shape.sliding_layers:
        arguments[terms.sliding] = planner.sliding_ratio
    if split > 1:
        arguments[terms.split] = split
    arguments |= options
    return EnginePlan(arguments, kv_tokens, concurrency)


class _Planner:
    def __init__(
        self,
        model: ModelShape,
        card: Card,
        options: Mapping[str, Any],
        terms: EngineTerms,
        most_running: int,
    ) -> None:
        self.model = model
        self._card, self._options, self._terms = card, options, terms
        self._most_running = min(_MOST_GRAPH_SEQUENCES, most_running)
        usual_chunk = 2048 if card.memory_bytes < 35 * GIB else 4096
        usual_chunk = 8192 if card.memory_bytes >= LARGE_CARD else usual_chunk
        given = self._number(terms.chunk)
        self.chunk = usual_chunk if given is None else int(given)
        # What a step reads at most: without chunks whole prompts, as many as this.
        whole = int(self._number("max_prefill_tokens") or _WHOLE_PROMPTS)
        step = self.chunk if self.chunk > 0 else whole
        self._reserve = partial(reserved_bytes, model, card, step=step)
        has_long_prompts = 8 * model.window <= RESIDENT_TOKENS
        usual = _SLIDING_NEED if model.sliding_layers and has_long_prompts else 0.8
        self.sliding_ratio = self._number(terms.sliding) or usual

    def split(self, cards: int) -> int:
        """Cards per engine: the smallest power of two that holds the model."""
        name, card = self._terms.split, self._card
        weights = self.model.loaded_bytes(card)
        room = card.memory_bytes - CONTEXT_BYTES - self._reserve(graphs=0)
        given = int(self._number(name) or 0)
        split = given or 1
        while not given and split < 16 and weights / split + _LEAST_KV_BYTES > room:
            split *= 2
        if not given and (split > cards or self.model.kv_heads % split):
            raise EngineJobError(
                f"{gib(weights)} of weights do not fit {cards} x {card.name} ({gib(room)} of each "
                f"are left for weights and KV cache); they need {split} such cards and "
                f'{{"{name}": {split}}} in PROFILES_ENGINE_OPTIONS, or a quantised model'
            )
        if split > cards:
            raise EngineJobError(f"{name} {split} needs more than the {cards} visible GPUs")
        return split

    def sizes(self, split: int) -> tuple[int, int, int, int]:
        """Bytes kept free, tokens of KV cache, requests at once, sequences of the largest graph."""
        terms, card = self._terms, self._card
        most = self._most_running
        given = self._number(terms.graphs) or self._number(terms.running)
        fraction = self._number(terms.fraction)
        most_tokens = int(self._number("max_total_tokens") or 0)
        room = card.memory_bytes - CONTEXT_BYTES - self.model.loaded_bytes(card) / split
        layers = self.model.full_layers + self.model.sliding_layers * self.sliding_ratio
        per_token = self.model.layer_token_bytes * layers / min(split, self.model.kv_heads)
        # The reserve depends on the concurrency, and that on the reserve: the first guess is high.
        graphs = concurrency = most
        for _ in range(8):
            reserve = self._reserve(graphs=graphs)
            if fraction is not None:
                measured = reserve - left_to_others(card) if terms.profiles_activations else 0
                reserve = int((1 - fraction) * card.memory_bytes) + max(0, measured)
            kv_tokens = max(0, int((room - reserve) / per_token))
            kv_tokens = min(kv_tokens, most_tokens or kv_tokens)
            concurrency = min(most, kv_tokens // RESIDENT_TOKENS)
            crowded = min(concurrency * _CROWDING, most)
            graphs = int(given) if given else max(8, -(-int(crowded) // 8) * 8)
        return reserve, kv_tokens, concurrency, graphs

    def _number(self, name: str) -> float | None:
        """An option's value; None where it is not given, or left to the engine by a null."""
        value = self._options.get(name)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        raise EngineJobError(
            f"option {name} in PROFILES_ENGINE_OPTIONS is {value!r}; expected a number"
        )

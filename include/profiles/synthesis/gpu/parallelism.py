"""Which cards, kernels and sizes an SGLang or vLLM engine gets, worked out before it is loaded.

Pure arithmetic over the bytes of the weights and the memory of the cards; every choice comes with
its reason in words. The engines' own defaults serve any model and any use. Ours know the work: many
prompts of one to two thousand tokens, answers of some hundred, throughput alone. They stand under
the operator's options, never above them.

Facts of SGLang 0.5.17 and 0.5.23 used here:
`mem_fraction_static` is the share of the card that these two may fill; decode batches larger than
the largest CUDA graph run without graphs (24 sequences on a 24 GB card in 0.5.17, 48 in 0.5.23);
a hybrid model's sliding layers have a KV pool of their own, `swa_full_tokens_ratio` (0.8) times the
size of the others'. vLLM 0.32.0 measures activations and graphs before it sizes its cache, so that
`gpu_memory_utilization` leaves room for strangers only; its sliding layers free what they have
passed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from profiles.errors import EngineJobError
from profiles.synthesis.engines.engine_terms import SGLANG, EngineTerms
from profiles.synthesis.gpu.model_shape import (
    GIB,
    MIB,
    SMALL_KV_DTYPE,
    Card,
    Kernels,
    ModelShape,
    Workload,
    gib,
    kv_bytes_per_value,
)
from profiles.synthesis.sglang.sglang_kernels import plan_kernels

__all__ = ["Card", "EnginePlan", "ModelShape", "Workload", "plan_engine"]

_CONTEXT_BYTES = 512 * MIB
"""CUDA context and libraries of one scheduler process, outside SGLang's own accounting."""
_ACTIVATION_BYTES = 1464 * MIB
"""Measured with gpt-oss-20b, chunks of 2,048 tokens, 106 running and production's request: the most
memory in use over what was in use after the load, graphs included then."""
_HEADROOM = GIB
"""Of a card up to 60 GiB, beside that: fragments, another driver, a longer prompt."""
_PREFILL_GRAPH_BYTES = 142 * MIB
"""Measured with the same: what prefill graphs add to it."""
_LOGIT_COPIES = 36
"""Rows of vocabulary size, 4 bytes each, that a running request takes under a repetition penalty:
2.7 GiB more for 90 requests, and 5.9 GiB for 106 where a large card let PyTorch keep them."""
_MEASURED_CHUNK = 2048
_BYTES_PER_CHUNK_TOKEN = 1536 << 10
_BYTES_PER_FURTHER_CHUNK_TOKEN = 320 << 10
"""Of a chunk larger than that: 0.64 GB for 2,048 and 2.32 GB for 8,192 tokens, seen when SGLang
captured prefill graphs of gpt-oss-20b. Its own rule would leave a 24 GB card no cache at 8,192. For
other models than such the rule stays."""
_WHOLE_PROMPTS = 16_384
"""SGLang's `max_prefill_tokens`, which bounds a step where there are no chunks."""
_BYTES_PER_GRAPH_SEQUENCE = 2 * MIB
_LARGE_CARD = 60 * GIB
_LARGE_CARD_LEAST = 5 * GIB
_LARGE_CARD_MOST = 8 * GIB
"""What stays free of a large card after the load. The copies above are mostly blocks that
PyTorch's allocator keeps and gives back before it fails; about 12 a request are alive at once."""
_LEAST_KV_BYTES = GIB // 4
"""Below this a card holds too few requests at once to be worth its weights."""
_SLIDING_NEED = 0.3
"""Share of the full layers' tokens that sliding layers need when prompts are much longer than the
window: 0.17-0.28 seen in use, and a little more for prompts that are being read."""
_MOST_GRAPH_SEQUENCES = 512
_CROWDING = 1.25
"""Real concurrency over its mean: many requests are short or have just begun."""
_USEFUL_CONCURRENCY = 32
"""Fewer requests at once read the weights for too few tokens a step; then KV room is worth more
than its precision."""
_LEFT_TO_OTHERS = 0.05
"""Share of a card that an engine which measures its own activations leaves alone, and at least what
one driver context and the headroom take."""


@dataclass(frozen=True, slots=True)
class EnginePlan:
    """`engines` of `cards_per_engine` cards each; `arguments` are the engine's, for each of them.

    `kv_tokens` and `concurrency` are estimates. `reasons` say why, one sentence a choice.
    """

    engines: int
    cards_per_engine: int
    arguments: dict[str, Any]
    kv_tokens: int
    concurrency: int
    reasons: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Bytes kept free, tokens of KV cache, requests at once, sequences of the largest graph."""

    reserve: int
    kv_tokens: int
    concurrency: int
    graphs: int


def plan_engine(
    model: ModelShape,
    cards: Sequence[Card],
    *,
    workload: Workload | None = None,
    options: Mapping[str, Any] | None = None,
    terms: EngineTerms = SGLANG,
    kernels: Kernels = plan_kernels,
) -> EnginePlan:
    """The plan for equal cards of one host. `options` are the operator's and win.

    Raises:
        EngineJobError: no split of the model fits these cards, or an option would turn MXFP4
            experts into bf16 on a card that cannot hold them.
    """
    if not cards:
        raise EngineJobError(f"an engine of {terms.library} needs at least one GPU")
    options = dict(options or {})
    model = replace(model, kv_bytes_per_value=kv_bytes_per_value(options))
    workload = workload or Workload()
    card = min(cards, key=lambda item: item.memory_bytes)
    chosen, reasons = kernels(model, card, options)
    given = _number(options, terms.chunk)
    chunk = _chunk(card) if given is None else int(given)
    # What a step reads at the most: without chunks whole prompts, as many as this.
    step = chunk if chunk > 0 else int(_number(options, "max_prefill_tokens") or _WHOLE_PROMPTS)
    ratio = _number(options, terms.sliding) or _sliding_ratio(model, workload)
    split, why_split = _split(model, cards, card, step, options, terms)
    sizes = _sizes(model, card, split, step, ratio, workload, options, terms)
    arguments: dict[str, Any] = dict(chosen)
    few = sizes.concurrency < min(_USEFUL_CONCURRENCY, workload.most_running)
    if "kv_cache_dtype" in options:
        why_dtype = f"KV cache in {options['kv_cache_dtype']}: asked for"
    elif few and card.has_fp8:
        arguments["kv_cache_dtype"] = SMALL_KV_DTYPE
        why_dtype = (
            f"KV cache in {arguments['kv_cache_dtype']}: in bf16 only {sizes.concurrency} requests "
            f"would run at once, fewer than the {_USEFUL_CONCURRENCY} that make use of the card"
        )
        model = replace(model, kv_bytes_per_value=1)
        sizes = _sizes(model, card, split, step, ratio, workload, options, terms)
    elif few:
        why_dtype = f"KV cache in bf16, little as it holds: {card.name} does not compute in fp8"
    else:
        why_dtype = (
            "KV cache in bf16: enough requests run at once without the loss of precision of fp8"
        )
    free = _left_to_others(card) if terms.profiles_activations else sizes.reserve
    arguments |= {
        terms.fraction: math.floor((1 - free / card.memory_bytes) * 1000) / 1000,
        terms.chunk: chunk,
        terms.running: sizes.graphs,
    }
    if not terms.graph_options & options.keys():
        arguments[terms.graphs] = sizes.graphs
    if terms.sliding and model.sliding_layers:
        arguments[terms.sliding] = ratio
    if split > 1:
        arguments[terms.split] = split
    return EnginePlan(
        engines=len(cards) // split,
        cards_per_engine=split,
        arguments={**arguments, **options},
        kv_tokens=sizes.kv_tokens,
        concurrency=sizes.concurrency,
        reasons=(
            why_split,
            *reasons,
            why_dtype,
            *_size_reasons(model, card, {**arguments, **options}, sizes, terms),
        ),
    )


def _split(
    model: ModelShape,
    cards: Sequence[Card],
    card: Card,
    chunk: int,
    options: Mapping[str, Any],
    terms: EngineTerms,
) -> tuple[int, str]:
    """Cards per engine, and why: one if the model fits, else the smallest power of two that
    holds it."""
    room = card.memory_bytes - _CONTEXT_BYTES - _reserve(model, card, chunk, 0, 0, Workload())
    given = int(_number(options, terms.split) or 0)
    split = given or 1
    while not given and split < 16 and model.loaded_bytes(card) / split + _LEAST_KV_BYTES > room:
        split *= 2
    if not given and (split > len(cards) or model.kv_heads % split):
        raise EngineJobError(
            f"{gib(model.loaded_bytes(card))} of weights do not fit {len(cards)} x {card.name} "
            f"({gib(room)} of each are left for weights and KV cache); they need {split} such "
            f'cards and {{"{terms.split}": {split}}} in PROFILES_ENGINE_OPTIONS, or a '
            "quantised model"
        )
    if split > len(cards):
        raise EngineJobError(f"{terms.split} {split} needs more than the {len(cards)} visible GPUs")
    if split == 1:
        return split, (
            f"data parallel: {gib(model.loaded_bytes(card))} of weights fit one {card.name} of "
            f"{gib(card.memory_bytes)}, so {len(cards)} independent engine(s) pay for no "
            "communication"
        )
    why = "asked for" if given else f"{gib(model.loaded_bytes(card))} of weights need {split} cards"
    return split, f"tensor parallel over {split} cards: {why}"


def _sizes(
    model: ModelShape,
    card: Card,
    split: int,
    chunk: int,
    ratio: float,
    workload: Workload,
    options: Mapping[str, Any],
    terms: EngineTerms,
) -> _Sizes:
    most = min(_MOST_GRAPH_SEQUENCES, workload.most_running)
    given = _number(options, terms.graphs) or _number(options, terms.running)
    fraction = _number(options, terms.fraction)
    most_tokens = int(_number(options, "max_total_tokens") or 0)
    # The reserve depends on the concurrency, and that on the reserve: the first guess is high.
    graphs = concurrency = most
    for _ in range(8):
        reserve = _reserve(model, card, chunk, graphs, concurrency, workload)
        if fraction is not None:
            measured = reserve - _left_to_others(card) if terms.profiles_activations else 0
            reserve = int((1 - fraction) * card.memory_bytes) + max(0, measured)
        kv_tokens = _kv_tokens(model, card, split, reserve, ratio)
        kv_tokens = min(kv_tokens, most_tokens or kv_tokens)
        concurrency = min(most, kv_tokens // workload.resident_tokens)
        crowded = min(concurrency * _CROWDING, most)
        graphs = int(given) if given else max(8, -(-int(crowded) // 8) * 8)
    return _Sizes(reserve, kv_tokens, concurrency, graphs)


def _number(options: Mapping[str, Any], name: str) -> float | None:
    """An option's value; None where it is not given, or left to SGLang by a null.

    Raises:
        EngineJobError: it is no number.
    """
    value = options.get(name)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise EngineJobError(
        f"option {name} in PROFILES_ENGINE_OPTIONS is {value!r}, and a number is expected"
    )


def _chunk(card: Card) -> int:
    if card.memory_bytes < 35 * GIB:
        return 2048
    return 4096 if card.memory_bytes < _LARGE_CARD else 8192


def _sliding_ratio(model: ModelShape, workload: Workload) -> float:
    if not model.sliding_layers or workload.resident_tokens < 8 * model.window:
        return 0.8
    return _SLIDING_NEED


def _reserve(
    model: ModelShape, card: Card, chunk: int, graphs: int, concurrency: int, workload: Workload
) -> int:
    """Bytes of a card that neither weights nor KV cache may have."""
    usual = min(chunk, _MEASURED_CHUNK)
    per_token = _BYTES_PER_FURTHER_CHUNK_TOKEN if model.is_mxfp4 else _BYTES_PER_CHUNK_TOKEN
    further = (chunk - usual) * per_token
    measured = _ACTIVATION_BYTES
    if workload.is_penalized:
        measured += concurrency * model.vocabulary * 4 * _LOGIT_COPIES
    if card.outruns_launches:
        measured += _PREFILL_GRAPH_BYTES
    if card.memory_bytes <= _LARGE_CARD:
        return measured + _HEADROOM + further + graphs * _BYTES_PER_GRAPH_SEQUENCE
    # SGLang keeps 10 GiB and more of a large card free after the load.
    free = min(max(measured, _LARGE_CARD_LEAST), _LARGE_CARD_MOST)
    return free + graphs * _BYTES_PER_GRAPH_SEQUENCE


def _kv_tokens(model: ModelShape, card: Card, split: int, reserve: int, ratio: float) -> int:
    room = card.memory_bytes - _CONTEXT_BYTES - reserve - model.loaded_bytes(card) / split
    layers = model.full_layers + model.sliding_layers * ratio
    per_token = model.layer_token_bytes * layers / min(split, model.kv_heads)
    return max(0, int(room / per_token))


def _chunk_reason(card: Card, chunk: int | None) -> str:
    if chunk is None:
        return "prefill chunks are left to the engine, by the options"
    if chunk < 1:
        return "whole prompts are read in a step, by the options"
    if card.memory_bytes > _LARGE_CARD:
        return f"prefill chunks of {chunk:,} tokens: a step costs little more than a smaller one"
    return f"prefill chunks of {chunk:,} tokens: larger ones take memory from the KV cache"


def _left_to_others(card: Card) -> int:
    return max(_CONTEXT_BYTES + _HEADROOM, int(_LEFT_TO_OTHERS * card.memory_bytes))


def _size_reasons(
    model: ModelShape,
    card: Card,
    arguments: Mapping[str, Any],
    sizes: _Sizes,
    terms: EngineTerms,
) -> list[str]:
    reasons = [
        f"{terms.fraction} {arguments[terms.fraction]:g}: {gib(sizes.reserve)} of "
        f"{gib(card.memory_bytes)} stay free for activations and graphs; the KV cache then holds "
        f"about {sizes.kv_tokens:,} tokens, about {sizes.concurrency} requests at once",
        f"decode graphs reach {sizes.graphs} sequences and no more run at once, because a larger "
        "batch would run without graphs; what waits in the queue needs none",
        _chunk_reason(card, arguments[terms.chunk]),
    ]
    if terms.sliding and model.sliding_layers:
        reasons.append(
            f"sliding layers keep {arguments[terms.sliding]:g} of the full layers' tokens: they "
            f"attend to {model.window} only"
        )
    return reasons

"""Which cards, kernels and sizes an SGLang engine gets, worked out before anything is loaded.

Pure arithmetic over the bytes of the weights and the memory of the cards; every choice comes with
its reason in words. SGLang's own defaults serve any model and any use. Ours know the work: many
prompts of one to two thousand tokens, answers of some hundred, throughput alone. They stand under
the operator's options, never above them.

Facts of SGLang 0.5.17 and 0.5.23 used here: both reserve 0.5 GiB, 1.5 MiB per token of a prefill
chunk and 2 MiB per sequence of the largest decode graph for what is neither weights nor KV cache;
`mem_fraction_static` is the share of the card that these two may fill; decode batches larger than
the largest CUDA graph run without graphs (24 sequences on a 24 GB card in 0.5.17, 48 in 0.5.23);
MXFP4 experts stay MXFP4 on compute capability 8.x with MoE backend `triton_kernel` alone, because
every other backend that runs there turns them into bf16 first; a hybrid model's sliding layers
have a KV pool of their own, `swa_full_tokens_ratio` (0.8) times the size of the others'.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from profiles.errors import EngineJobError

__all__ = ["Card", "EnginePlan", "ModelShape", "Workload", "plan_engine"]

GIB = 1 << 30
MIB = 1 << 20

_CONTEXT_BYTES = 512 * MIB
"""CUDA context and libraries of one scheduler process, outside SGLang's own accounting."""
_FIXED_RESERVE = 512 * MIB
_ACTIVATION_BYTES = 1126 * MIB
"""Measured with gpt-oss-20b and chunks of 2,048 tokens: most memory in use over weights and KV."""
_LOGIT_COPIES = 36
"""Rows of vocabulary size, 4 bytes each, that a running request took when a repetition penalty was
in force: 2.7 GiB more for 90 requests, measured."""
_BYTES_PER_CHUNK_TOKEN = 1536 << 10
_BYTES_PER_GRAPH_SEQUENCE = 2 * MIB
_LARGE_CARD = 60 * GIB
_LARGE_CARD_RESERVE = 5 * GIB
_LEAST_KV_BYTES = GIB // 4
"""Below this a card holds too few requests at once to be worth its weights."""
_MXFP4_LOADED = 1.17
"""Loaded over stored bytes: `triton_kernel` pads the experts (15.0 GiB for gpt-oss-20b's 12.8)."""
_BF16_OVER_MXFP4 = 3.05
"""Loaded bytes of gpt-oss-20b in bf16 (39 GiB) over its stored ones."""
_SLIDING_NEED = 0.3
"""Share of the full layers' tokens that sliding layers need when prompts are much longer than the
window: 0.17-0.28 seen in use, and a little more for prompts that are being read."""
_MOST_GRAPH_SEQUENCES = 512
_CROWDING = 1.25
"""Real concurrency over its mean: many requests are short or have just begun."""
_ADA = (8, 9)
_GPT_OSS_VOCABULARY = 201_088


@dataclass(frozen=True, slots=True)
class Card:
    """One GPU: name, total bytes and compute capability, for example (8, 9) for Ada."""

    name: str
    memory_bytes: int
    capability: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ModelShape:
    """What decides how much memory a model takes. `weight_bytes` are those of its files.

    `sliding_layers` attend to the last `window` tokens only, `full_layers` to all.
    """

    weight_bytes: int
    full_layers: int
    sliding_layers: int
    window: int
    kv_heads: int
    head_dim: int
    is_mxfp4: bool = False
    vocabulary: int = _GPT_OSS_VOCABULARY
    kv_bytes_per_value: int = 2

    @classmethod
    def from_config(cls, config: Mapping[str, Any], weight_bytes: int) -> ModelShape:
        """The shape in a Hugging Face config.json.

        Raises:
            KeyError: the file does not say how many layers or heads there are.
        """
        layers = int(config["num_hidden_layers"])
        heads = int(config["num_attention_heads"])
        kinds = config.get("layer_types") or []
        sliding = sum(kind == "sliding_attention" for kind in kinds)
        quantisation = config.get("quantization_config") or {}
        return cls(
            weight_bytes=weight_bytes,
            full_layers=layers - sliding,
            sliding_layers=sliding,
            window=int(config.get("sliding_window") or 0),
            kv_heads=int(config.get("num_key_value_heads") or heads),
            head_dim=int(config.get("head_dim") or int(config["hidden_size"]) // heads),
            is_mxfp4=quantisation.get("quant_method") == "mxfp4",
            vocabulary=int(config.get("vocab_size") or _GPT_OSS_VOCABULARY),
        )

    @property
    def layer_token_bytes(self) -> int:
        """KV bytes of one token in one layer."""
        return 2 * self.kv_heads * self.head_dim * self.kv_bytes_per_value

    @property
    def loaded_bytes(self) -> int:
        """Weights on the card."""
        return int(self.weight_bytes * (_MXFP4_LOADED if self.is_mxfp4 else 1.0))


@dataclass(frozen=True, slots=True)
class Workload:
    """Mean tokens of a prompt, of its beginning that all share, and of an answer; and how many
    requests the lane keeps in flight."""

    prompt_tokens: int = 1650
    shared_tokens: int = 350
    output_tokens: int = 700
    in_flight: int = 256

    @property
    def resident_tokens(self) -> int:
        """KV tokens that a running request holds on the average."""
        return self.prompt_tokens - self.shared_tokens + self.output_tokens // 2


@dataclass(frozen=True, slots=True)
class EnginePlan:
    """`engines` of `cards_per_engine` cards each; `arguments` are SGLang's, for each of them.

    `kv_tokens` and `concurrency` are estimates. `reasons` say why, one sentence a choice.
    """

    engines: int
    cards_per_engine: int
    arguments: dict[str, Any]
    kv_tokens: int
    concurrency: int
    reasons: tuple[str, ...] = field(default=())


def plan_engine(
    model: ModelShape,
    cards: Sequence[Card],
    *,
    workload: Workload | None = None,
    options: Mapping[str, Any] | None = None,
) -> EnginePlan:
    """The plan for equal cards of one host. `options` are the operator's and win.

    Raises:
        EngineJobError: no split of the model fits these cards, or an option would turn MXFP4
            experts into bf16 on a card that cannot hold them.
    """
    if not cards:
        raise EngineJobError("an SGLang engine needs at least one GPU")
    options = dict(options or {})
    if str(options.get("kv_cache_dtype", "")).startswith("fp8"):
        model = replace(model, kv_bytes_per_value=1)
    workload = workload or Workload()
    card = min(cards, key=lambda item: item.memory_bytes)
    reasons: list[str] = []
    kernels = _kernels(model, card, options, reasons)
    chunk = int(options.get("chunked_prefill_size") or _chunk(card))
    ratio = float(options.get("swa_full_tokens_ratio") or _sliding_ratio(model, workload))
    split = _split(model, cards, card, chunk, options, reasons)
    # The reserve depends on the concurrency, and that on the reserve: the first guess is high.
    graphs = concurrency = min(_MOST_GRAPH_SEQUENCES, workload.in_flight)
    for _ in range(8):
        reserve = _reserve(model, card, chunk, graphs, concurrency)
        kv_tokens = _kv_tokens(model, card, split, reserve, ratio)
        concurrency = min(workload.in_flight, kv_tokens // workload.resident_tokens)
        graphs = _graph_sequences(concurrency, workload, options)
    fraction = 1 - reserve / card.memory_bytes
    arguments: dict[str, Any] = {
        **kernels,
        "mem_fraction_static": math.floor(fraction * 1000) / 1000,
        "chunked_prefill_size": chunk,
        "cuda_graph_max_bs_decode": graphs,
        "max_running_requests": graphs,
    }
    if model.sliding_layers:
        arguments["swa_full_tokens_ratio"] = ratio
    if split > 1:
        arguments["tp_size"] = split
    reasons += _size_reasons(model, card, arguments, kv_tokens, concurrency, reserve)
    return EnginePlan(
        engines=len(cards) // split,
        cards_per_engine=split,
        arguments={**arguments, **options},
        kv_tokens=kv_tokens,
        concurrency=concurrency,
        reasons=tuple(reasons),
    )


def _kernels(
    model: ModelShape, card: Card, options: Mapping[str, Any], reasons: list[str]
) -> dict[str, Any]:
    """Attention and MoE backend, where SGLang's own choice is not to be relied on."""
    if card.capability >= (9, 0):
        reasons.append(
            f"attention and MoE kernels are left to SGLang, which knows {card.name} "
            f"(compute capability {card.capability[0]}.{card.capability[1]})"
        )
        return {}
    chosen = {"attention_backend": "triton"}
    reasons.append("attention runs in Triton, which has sinks and sliding windows on this card")
    if model.is_mxfp4:
        wanted = options.get("moe_runner_backend", "triton_kernel")
        upcast = model.weight_bytes * _BF16_OVER_MXFP4
        if wanted != "triton_kernel" and (card.capability == _ADA or upcast > card.memory_bytes):
            raise EngineJobError(
                f"moe_runner_backend {wanted!r} turns MXFP4 experts into bf16 on {card.name}: "
                f"{_gib(upcast)} of weights on a card of {_gib(card.memory_bytes)}; use "
                "'triton_kernel' or remove the option"
            )
        chosen["moe_runner_backend"] = "triton_kernel"
        reasons.append("MXFP4 experts stay MXFP4 with triton_kernel alone on this card")
    return chosen


def _split(
    model: ModelShape,
    cards: Sequence[Card],
    card: Card,
    chunk: int,
    options: Mapping[str, Any],
    reasons: list[str],
) -> int:
    """Cards per engine: one if the model fits, else the smallest power of two that holds it."""
    room = card.memory_bytes - _CONTEXT_BYTES - _reserve(model, card, chunk, 0, 0)
    given = int(options.get("tp_size") or options.get("tp") or 0)
    split = given or 1
    while not given and split < 16 and model.loaded_bytes / split + _LEAST_KV_BYTES > room:
        split *= 2
    if not given and (split > len(cards) or model.kv_heads % split):
        raise EngineJobError(
            f"{_gib(model.loaded_bytes)} of weights do not fit {len(cards)} x {card.name} "
            f"({_gib(room)} of each are left for weights and KV cache); they need {split} such "
            f'cards and {{"tp_size": {split}}} in PROFILES_ENGINE_OPTIONS, or a quantised model'
        )
    if split > len(cards):
        raise EngineJobError(f"tp_size {split} needs more than the {len(cards)} visible GPUs")
    if split == 1:
        reasons.append(
            f"data parallel: {_gib(model.loaded_bytes)} of weights fit one {card.name} of "
            f"{_gib(card.memory_bytes)}, so {len(cards)} independent engine(s) pay for no "
            "communication"
        )
    else:
        why = "asked for" if given else f"{_gib(model.loaded_bytes)} of weights need {split} cards"
        reasons.append(f"tensor parallel over {split} cards: {why}")
    return split


def _chunk(card: Card) -> int:
    if card.memory_bytes < 35 * GIB:
        return 2048
    return 4096 if card.memory_bytes < _LARGE_CARD else 8192


def _sliding_ratio(model: ModelShape, workload: Workload) -> float:
    if not model.sliding_layers or workload.resident_tokens < 8 * model.window:
        return 0.8
    return _SLIDING_NEED


def _reserve(model: ModelShape, card: Card, chunk: int, graphs: int, concurrency: int) -> int:
    """Bytes of a card that neither weights nor KV cache may have."""
    rule = _FIXED_RESERVE + chunk * _BYTES_PER_CHUNK_TOKEN + graphs * _BYTES_PER_GRAPH_SEQUENCE
    measured = _ACTIVATION_BYTES + concurrency * model.vocabulary * 4 * _LOGIT_COPIES
    if card.memory_bytes <= _LARGE_CARD:
        return max(rule, measured)
    # SGLang keeps 10 GiB and more of a large card free; what was measured is enough.
    return max(measured, _LARGE_CARD_RESERVE)


def _kv_tokens(model: ModelShape, card: Card, split: int, reserve: int, ratio: float) -> int:
    room = card.memory_bytes - _CONTEXT_BYTES - reserve - model.loaded_bytes / split
    layers = model.full_layers + model.sliding_layers * ratio
    per_token = model.layer_token_bytes * layers / min(split, model.kv_heads)
    return max(0, int(room / per_token))


def _graph_sequences(concurrency: int, workload: Workload, options: Mapping[str, Any]) -> int:
    """Sequences of the largest decode graph: what really runs at once, in steps of eight."""
    given = options.get("cuda_graph_max_bs_decode") or options.get("max_running_requests")
    if given:
        return int(given)
    crowded = min(concurrency * _CROWDING, workload.in_flight, _MOST_GRAPH_SEQUENCES)
    return max(8, -(-int(crowded) // 8) * 8)


def _size_reasons(
    model: ModelShape,
    card: Card,
    arguments: Mapping[str, Any],
    kv_tokens: int,
    concurrency: int,
    reserve: int,
) -> list[str]:
    reasons = [
        f"{_gib(reserve)} of {_gib(card.memory_bytes)} stay free for activations and graphs; the "
        f"KV cache then holds about {kv_tokens:,} tokens, about {concurrency} requests at once",
        f"decode graphs reach {arguments['cuda_graph_max_bs_decode']} sequences and no more run "
        "at once, because a larger batch would run without graphs",
        f"prefill chunks of {arguments['chunked_prefill_size']:,} tokens: larger ones take "
        "1.5 MiB a token from the KV cache",
    ]
    if model.sliding_layers:
        reasons.append(
            f"sliding layers keep {arguments['swa_full_tokens_ratio']:g} of the full layers' "
            f"tokens: they attend to {model.window} only"
        )
    return reasons


def _gib(size: float) -> str:
    return f"{size / GIB:.1f} GiB"

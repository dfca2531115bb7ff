"""Input of a plan: the card and the model's shape, and what they suggest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

GIB = 1 << 30
_MIB = 1 << 20

_MXFP4_PADDED = 1.17
"""Loaded over stored bytes in Hopper's layout, which pads the experts (15.0 GiB for gpt-oss-20b's
12.8). Before Hopper it is a view of what is stored; 12.9 GiB were reported on an RTX 3090."""
_MXFP4_VIEWED = 1.01
_ADA, _HOPPER, _WORKSTATION_BLACKWELL = (8, 9), (9, 0), (12, 0)
_BF16_OVER_MXFP4 = 3.05
"""Loaded bytes of gpt-oss-20b in bf16 (39 GiB) over its stored ones."""


@dataclass(frozen=True, slots=True)
class Card:
    """One GPU: name, total bytes and compute capability, for example (8, 9) for Ada."""

    name: str
    memory_bytes: int
    capability: tuple[int, int]

    @property
    def is_hopper(self) -> bool:
        """Return whether it has FA3, and layouts of its own for MXFP4 experts."""
        return self.capability >= _HOPPER

    @property
    def has_fp8(self) -> bool:
        return self.capability >= _ADA

    @property
    def outruns_launches(self) -> bool:
        """Return whether it reads a prompt or two faster than a host starts the kernels of a step.

        Measured with gpt-oss-20b on H200s: 65-70 ms to start them, 25-40 ms to read 1,300-2,048
        tokens. Ada, Ampere and 12.x have a third of that arithmetic and less: 140 ms on an RTX
        4090, computed.
        """
        return _HOPPER <= self.capability < _WORKSTATION_BLACKWELL


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The sizes that decide a model's memory use. `weight_bytes` are those of its files.

    `sliding_layers` attend to the last `window` tokens only, `full_layers` to all.
    """

    weight_bytes: int
    full_layers: int
    sliding_layers: int
    window: int
    kv_heads: int
    head_dim: int
    is_mxfp4: bool = False
    kv_bytes_per_value: int = 2

    @classmethod
    def from_config(cls, config: Mapping[str, Any], weight_bytes: int) -> ModelShape:
        """The shape in a Hugging Face config.json; KeyError where that lacks layers or heads."""
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
            is_mxfp4="mxfp4" in str(quantisation.get("quant_method")).lower(),
        )

    @property
    def layer_token_bytes(self) -> int:
        return 2 * self.kv_heads * self.head_dim * self.kv_bytes_per_value

    def loaded_bytes(self, card: Card) -> int:
        layout = _MXFP4_PADDED if card.is_hopper else _MXFP4_VIEWED
        return int(self.weight_bytes * (layout if self.is_mxfp4 else 1.0))

    @property
    def upcast_bytes(self) -> int:
        """Weights on the card once MXFP4 experts have been turned into bf16."""
        return int(self.weight_bytes * (_BF16_OVER_MXFP4 if self.is_mxfp4 else 1.0))


RESIDENT_TOKENS = 1650
"""KV tokens that a running request holds on the average: 1,650 of a prompt, less the 350 at its
beginning that all share, and half of the 700 of an answer."""


MOST_RUNNING = 512
"""Requests that one engine works on at once, unless a setting says otherwise."""
Kernels = Callable[[ModelShape, Card, Mapping[str, Any]], dict[str, Any]]
"""Arguments that choose an engine's kernels."""

SMALL_KV_DTYPE = "fp8_e4m3"
"""The 8-bit KV cache, which FA3 alone reads and Triton reads from Ada on. Measured 1.27 times the
speed of bf16 on a full cache, e5m2 1.16."""
_SMALL_KV = ("fp8", "mxfp8", "fp4", "nvfp4")


def kv_bytes_per_value(options: Mapping[str, Any]) -> int:
    return 1 if str(options.get("kv_cache_dtype")).startswith(_SMALL_KV) else 2


CONTEXT_BYTES = 512 * _MIB
"""CUDA context and libraries of one scheduler process, outside SGLang's own accounting."""
_ACTIVATION_BYTES = 1464 * _MIB
"""Measured with gpt-oss-20b, chunks of 2,048 tokens and 106 running: the most memory in use over
what was in use after the load, graphs included."""
_HEADROOM = GIB
"""Of a card up to 60 GiB, beside that: fragments, another driver, a longer prompt."""
_PREFILL_GRAPH_BYTES = 142 * _MIB
"""Measured with the same: what prefill graphs add to it."""
_MEASURED_CHUNK = 2048
_BYTES_PER_CHUNK_TOKEN = 1536 << 10
_BYTES_PER_FURTHER_CHUNK_TOKEN = 320 << 10
"""Of a chunk larger than that: 0.64 GB for 2,048 and 2.32 GB for 8,192 tokens of gpt-oss-20b. For
other models SGLang's own rule stays, which would leave a 24 GB card no cache at 8,192."""
_BYTES_PER_GRAPH_SEQUENCE = 2 * _MIB
LARGE_CARD = 60 * GIB
_LARGE_CARD_LEAST = 5 * GIB
_LARGE_CARD_MOST = 8 * GIB
"""Memory of a large card that stays free after the load: PyTorch's allocator keeps most copies
above and gives them back before it fails."""
_LEFT_TO_OTHERS = 0.05


def reserved_bytes(model: ModelShape, card: Card, *, step: int, graphs: int) -> int:
    """Bytes of a card that neither weights nor KV cache may have, for a step of so many tokens and
    `graphs` sequences in the largest graph; none for a repetition penalty."""
    measured = _ACTIVATION_BYTES + (_PREFILL_GRAPH_BYTES if card.outruns_launches else 0)
    graph_bytes = graphs * _BYTES_PER_GRAPH_SEQUENCE
    if card.memory_bytes > LARGE_CARD:
        # SGLang keeps 10 GiB and more of a large card free after the load.
        return min(max(measured, _LARGE_CARD_LEAST), _LARGE_CARD_MOST) + graph_bytes
    per_token = _BYTES_PER_FURTHER_CHUNK_TOKEN if model.is_mxfp4 else _BYTES_PER_CHUNK_TOKEN
    further = (step - min(step, _MEASURED_CHUNK)) * per_token
    return measured + _HEADROOM + further + graph_bytes


def left_to_others(card: Card) -> int:
    """Bytes of a card that an engine which measures its own activations leaves alone."""
    return max(CONTEXT_BYTES + _HEADROOM, int(_LEFT_TO_OTHERS * card.memory_bytes))


def gib(size: float) -> str:
    return f"{size / GIB:.1f} GiB"

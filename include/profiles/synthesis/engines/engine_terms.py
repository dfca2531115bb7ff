"""Names that SGLang and vLLM have for the same sizes and kinds of crash, from include/engines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

_FOLDER = Path(__file__).resolve().parents[3] / "engines"


class SweptArgument(BaseModel):
    """Values worth trying, and what an engine takes that was not given the argument."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    argument: str
    values: tuple[Any, ...]
    default: Any = None
    only_if_used: bool = False


class EngineTerms(BaseModel):
    """Names of arguments, and patterns of the log of an engine that found no memory.

    `fraction` is the share of the card for weights and KV cache; where `profiles_activations`, also
    for activations and graphs. `kinds` are whole messages; the frames tell torch's own errors
    apart. `sliding` is "" where the engine sizes the cache of sliding layers itself.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    library: str
    split: str
    stages: str
    chunk: str
    running: str
    graphs: str
    fraction: str
    sliding: str = ""
    graph_options: frozenset[str]
    unplanned: frozenset[str]
    defaults: dict[str, Any]
    ours: frozenset[str]
    log_switch: str
    notes: dict[str, str]
    kinds: dict[str, re.Pattern[str]]
    capture_frames: re.Pattern[str]
    decode_frames: re.Pattern[str]
    prefill_frames: re.Pattern[str]
    prefill_capture_frames: re.Pattern[str] | None = None
    profiles_activations: bool
    most_fraction: float
    swept: tuple[SweptArgument, ...]

    @property
    def sizes(self) -> tuple[str, ...]:
        return (self.chunk, self.graphs, self.running, self.fraction)


def _read(engine: str) -> EngineTerms:
    text = (_FOLDER / f"{engine}.yaml").read_text(encoding="utf-8")
    return EngineTerms.model_validate(yaml.safe_load(text))


SGLANG = _read("sglang")
VLLM = _read("vllm")
TERMS = {"sglang": SGLANG, "vllm": VLLM}
"""Of the engines that plan for cards, compile kernels and have settings to try."""

"""Changes of arguments after an engine ran out of GPU memory: one step at a time, by kind.

An empty pool asks for a larger share of the card, all others are helped by a smaller one. Names and
patterns are in `engine_terms`. None of these arguments is part of a fingerprint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from profiles.errors import EngineError
from profiles.synthesis.engines import ARGUMENTS_LOGGED
from profiles.synthesis.engines.engine_terms import SGLANG, EngineTerms
from profiles.synthesis.engines.sglang_kernels import PREFILL_GRAPH_OPTIONS
from profiles.synthesis.process.protocol import EngineReady

_CHUNKS = (4096, 2048)
_SHARES = (0.8, 0.7)
_RAISE_BY = 0.05
_RUNNING_FACTOR = 0.75
_LEAST_RUNNING = 8
_MOST_FEWER = 2
"""An engine that still runs short after this many has less of a pool instead."""
_TORCH = re.compile(
    r"CUDA out of memory|OutOfMemoryError|CUDA error: out of memory|cudaErrorMemoryAllocation"
    r"|CUBLAS_STATUS_ALLOC_FAILED"
)
_TRACEBACK = "Traceback (most recent call last)"
_LOGGED = re.compile(rf"{ARGUMENTS_LOGGED}(\{{.*\}})$", re.MULTILINE)
"""Arguments that an engine logged before it loaded: the only trace of one that never came up."""


@dataclass(frozen=True, slots=True)
class Step:
    """`options` is all of them, with the change in. `reason` says which and why."""

    kind: str
    options: dict[str, Any]
    reason: str


def crash_kind(text: str, terms: EngineTerms) -> str | None:
    """prefill, decode, prefill graphs, empty or other; None when memory did not run out."""
    for kind, pattern in terms.kinds.items():
        if pattern.search(text):
            return kind
    found = list(_TORCH.finditer(text))
    if not found:
        return None
    # Its own traceback alone: a healthy start says much of capturing graphs just before.
    around = text[max(0, text.rfind(_TRACEBACK, 0, found[-1].start())) : found[-1].end()]
    if terms.capture_frames.search(around):
        prefill = terms.prefill_capture_frames
        return "prefill graphs" if prefill and prefill.search(around) else "other"
    if terms.decode_frames.search(around):
        return "decode"
    return "prefill" if terms.prefill_frames.search(around) else "other"


def next_step(
    options: Mapping[str, Any],
    text: str,
    *,
    terms: EngineTerms = SGLANG,
    used: Mapping[str, Any] | None = None,
    fewer_steps: int = 0,
) -> Step | None:
    """The next rung for an engine that crashed with `text`; None without one. `used` are the
    arguments that it ran with, `fewer_steps` how often it was given fewer requests already."""
    kind = crash_kind(text, terms)
    if kind is None:
        return None
    had = {**options, **(used or {})}
    changes: dict[str, Any] = {}
    if kind == "prefill":
        changes = _lower(had, terms.chunk, _CHUNKS)
    elif kind == "prefill graphs" and not PREFILL_GRAPH_OPTIONS & options.keys():
        changes = {"disable_prefill_cuda_graph": True}
    elif kind == "decode" and fewer_steps < _MOST_FEWER:
        changes = _fewer_running(had, terms)
    if kind == "empty":
        share = had.get(terms.fraction) or _SHARES[0]
        higher = min(terms.most_fraction, round(share + _RAISE_BY, 2))
        changes = {terms.fraction: higher} if higher > share else {}
    else:
        changes = changes or _lower(had, terms.fraction, _SHARES)
    if not changes:
        return None
    steps = ", ".join(
        f"{name} {had.get(name, 'by default')} -> {changes[name]}" for name in changes
    )
    return Step(kind, {**options, **changes}, f"out of GPU memory ({kind}): {steps}")


def _lower(had: Mapping[str, Any], name: str, values: Sequence[float]) -> dict[str, Any]:
    """The next smaller of `values`, the first where the size is unknown or -1 for no limit."""
    now = had.get(name) or -1
    return next(({name: value} for value in values if now < 0 or value < now), {})


def _fewer_running(had: Mapping[str, Any], terms: EngineTerms) -> dict[str, Any]:
    fewer = int((had.get(terms.running) or 0) * _RUNNING_FACTOR)
    if fewer < _LEAST_RUNNING:
        return {}
    has_larger_graphs = (had.get(terms.graphs) or 0) > fewer
    return {terms.running: fewer} | ({terms.graphs: fewer} if has_larger_graphs else {})


@dataclass(slots=True)
class MemoryLadder:
    """The options of a lane's next engine. `most_running` is what the job asks for."""

    options: dict[str, Any]
    _: KW_ONLY
    most_running: int
    terms: EngineTerms = SGLANG
    _kinds: list[str] = field(default_factory=list)

    def relieve(self, error: EngineError, ready: EngineReady | None) -> str | None:
        """Take a step down and return which; None when the crash needs none, or none is left. Never
        both ways: what fits neither a smaller nor a larger pool does not fit the card."""
        logged = _LOGGED.search(error.log_excerpt)
        used = {
            self.terms.running: self.most_running,
            **self.options,
            **(json.loads(logged[1]) if logged else {}),
            **(ready.details.get("arguments", {}) if ready is not None else {}),
        }
        step = next_step(
            self.options,
            f"{error}\n{error.log_excerpt}",
            terms=self.terms,
            used=used,
            fewer_steps=self._kinds.count("decode"),
        )
        if step is None or (self._kinds and (step.kind == "empty") != (self._kinds[-1] == "empty")):
            return None
        self._kinds.append(step.kind)
        self.options = step.options
        return step.reason

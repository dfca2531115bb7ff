"""What to change when an engine died for want of GPU memory: one step at a time, by kind.

Read in SGLang 0.5.17 and 0.5.23: a batch that finds no room in the KV pool ends the scheduler with
`Prefill out of memory` or `Decode out of memory`; torch's own error says nothing about the kind,
but its traceback goes through `_execute_extend` or `_execute_decode` of the eager runner, or
through a graph's. Where CUDA graphs could not be captured, the pool has left too little beside
itself; those of prefill steps are done without first. A pool that would be empty asks for a larger
`mem_fraction_static`, all others are helped by a smaller one. None of these arguments is part of a
fingerprint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from profiles.errors import EngineError
from profiles.synthesis.process.protocol import EngineReady
from profiles.synthesis.sglang.prefill_graphs import wants_prefill_graphs

__all__ = ["MemoryLadder", "Step", "next_step"]

_CHUNKS = (4096, 2048)
_LOWER = (0.8, 0.7)
_HIGHEST = 0.92
_RAISE_BY = 0.05
_RUNNING_FACTOR = 0.75
_LEAST_RUNNING = 8
_MOST_STEPS = 8
_MOST_FEWER = 2
"""An engine that still runs short after this many has less of a pool instead."""
_TORCH = re.compile(
    r"CUDA out of memory|OutOfMemoryError|CUDA error: out of memory|cudaErrorMemoryAllocation"
    r"|CUBLAS_STATUS_ALLOC_FAILED"
)
_KINDS = (
    (
        "empty",
        re.compile(
            r"Not enough memory\. Please try to increase --mem-fraction-static"
            r"|Loaded weights leave no GPU memory for the KV cache"
        ),
    ),
    ("prefill", re.compile(r"Prefill out of memory")),
    ("decode", re.compile(r"Decode out of memory|--max-running-requests")),
)
_TRACEBACK = "Traceback (most recent call last)"
_CAPTURE = re.compile(r"\bin _?capture(_one_shape|_one_stream|_prepare)?\b|Capture .{0,20}failed")
_DECODE_FRAMES = re.compile(r"_execute_decode|forward_decode|decode_cuda_graph_runner\.py")
_PREFILL_FRAMES = re.compile(
    r"_execute_extend|forward_extend|forward_prefill|forward_split_prefill"
    r"|prefill_cuda_graph_runner\.py"
)
_PREFILL_GRAPHS = "prefill_cuda_graph_runner"
_ARGUMENTS = (
    "chunked_prefill_size",
    "cuda_graph_max_bs_decode",
    "max_running_requests",
    "mem_fraction_static",
)


@dataclass(frozen=True, slots=True)
class Step:
    """`options` is all of them, with the change in. `reason` says which and why."""

    kind: str
    options: dict[str, Any]
    reason: str


def death_kind(text: str) -> str | None:
    """prefill, decode, prefill graphs, empty or other; None when the engine did not die for want
    of memory."""
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return kind
    found = list(_TORCH.finditer(text))
    if not found:
        return None
    # Its own traceback alone: a healthy start says much of capturing graphs just before.
    around = text[max(0, text.rfind(_TRACEBACK, 0, found[-1].start())) : found[-1].end()]
    if _CAPTURE.search(around):
        return "prefill graphs" if _PREFILL_GRAPHS in around else "other"
    if _DECODE_FRAMES.search(around):
        return "decode"
    return "prefill" if _PREFILL_FRAMES.search(around) else "other"


def next_step(
    options: Mapping[str, Any],
    text: str,
    *,
    used: Mapping[str, Any] | None = None,
    fewer_steps: int = 0,
) -> Step | None:
    """The next rung for an engine that died saying `text`; None when there is none.

    `used` are the arguments that it ran with, as far as known: what is planned is no option.
    `fewer_steps` is how often it was given fewer requests already.
    """
    kind = death_kind(text)
    if kind is None:
        return None
    had = {**options, **(used or {})}
    changes: dict[str, Any] = {}
    if kind == "prefill":
        changes = _smaller_chunks(had)
    elif kind == "prefill graphs":
        changes = _no_prefill_graphs(had)
    elif kind == "decode" and fewer_steps < _MOST_FEWER:
        changes = _fewer_running(had)
    elif kind == "empty":
        changes = _more_static(had)
        if not changes:
            return None
    changes = changes or _less_static(had)
    if not changes:
        return None
    said = ", ".join(f"{name} {had.get(name, 'by default')} -> {changes[name]}" for name in changes)
    return Step(kind, {**options, **changes}, f"out of GPU memory ({kind}): {said}")


def _no_prefill_graphs(had: Mapping[str, Any]) -> dict[str, Any]:
    """The switch that SGLang heeds where these arguments ask for such graphs; none is left where
    they are off already or `cuda_graph_config` has them on."""
    if wants_prefill_graphs(had) is False:
        return {}
    switches: tuple[dict[str, Any], ...] = (
        {"disable_prefill_cuda_graph": True},
        {"cuda_graph_backend_prefill": "disabled"},
    )
    return next((one for one in switches if wants_prefill_graphs({**had, **one}) is False), {})


def _printed(text: str) -> dict[str, Any]:
    """The arguments that SGLang printed when it started: the only trace of one that never came up.

    >>> _printed("server_args=ServerArgs(mem_fraction_static=0.86, max_running_requests=256)")
    {'max_running_requests': 256, 'mem_fraction_static': 0.86}
    """
    line = text.partition("server_args=")[2].partition("\n")[0]
    found = {name: re.search(rf"\b{name}=([\d.]+)", line) for name in _ARGUMENTS}
    return {name: json.loads(match[1]) for name, match in found.items() if match}


def _smaller_chunks(had: Mapping[str, Any]) -> dict[str, Any]:
    now = had.get("chunked_prefill_size")
    # Unknown, or -1 for no chunks at all.
    size = now if isinstance(now, int) and now > 0 else float("inf")
    smaller = next((chunk for chunk in _CHUNKS if chunk < size), None)
    return {} if smaller is None else {"chunked_prefill_size": smaller}


def _fewer_running(had: Mapping[str, Any]) -> dict[str, Any]:
    now = had.get("max_running_requests")
    if not isinstance(now, int) or int(now * _RUNNING_FACTOR) < _LEAST_RUNNING:
        return {}
    fewer = int(now * _RUNNING_FACTOR)
    changes = {"max_running_requests": fewer}
    graphs = had.get("cuda_graph_max_bs_decode")
    if isinstance(graphs, int) and graphs > fewer:
        changes["cuda_graph_max_bs_decode"] = fewer
    return changes


def _less_static(had: Mapping[str, Any]) -> dict[str, Any]:
    now = had.get("mem_fraction_static")
    share = now if isinstance(now, int | float) else 1.0
    lower = next((value for value in _LOWER if value < share), None)
    return {} if lower is None else {"mem_fraction_static": lower}


def _more_static(had: Mapping[str, Any]) -> dict[str, Any]:
    now = had.get("mem_fraction_static")
    share = now if isinstance(now, int | float) else _LOWER[0]
    higher = min(_HIGHEST, round(share + _RAISE_BY, 2))
    return {"mem_fraction_static": higher} if higher > share else {}


class MemoryLadder:
    """The options of a lane's next engine. `most_running` is what the job asks for."""

    def __init__(self, options: Mapping[str, Any], *, most_running: int) -> None:
        self.options = dict(options)
        self._most_running = most_running
        self._kinds: list[str] = []

    def relieve(self, error: EngineError, ready: EngineReady | None) -> str | None:
        """Takes a step down and says which; None when the death asks for none, or none is left.

        Never both ways: what does not fit with a smaller pool and finds no room in it with a
        larger one does not fit the card.
        """
        used = {
            "max_running_requests": self._most_running,
            **self.options,
            **_printed(error.log_excerpt),
            **(ready.details.get("arguments", {}) if ready is not None else {}),
        }
        step = next_step(
            self.options,
            f"{error}\n{error.log_excerpt}",
            used=used,
            fewer_steps=self._kinds.count("decode"),
        )
        if step is None or len(self._kinds) >= _MOST_STEPS:
            return None
        if self._kinds and (step.kind == "empty") != (self._kinds[-1] == "empty"):
            return None
        self._kinds.append(step.kind)
        self.options = step.options
        return step.reason

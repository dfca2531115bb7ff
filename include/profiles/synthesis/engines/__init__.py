"""Engines behind one protocol, found by name: one loads, answers one request at a time, counts and
closes. Importing this package imports no engine.

Engines run in the engine process, in its main thread and on its event loop, and import their own
library inside `load`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from pkgutil import resolve_name
from typing import Protocol

from profiles.errors import EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.process.protocol import EngineJob, EngineReady

ARGUMENTS_LOGGED = "engine arguments: "
"""Before the JSON of its sizes, in the log of an engine that is about to load."""


class Engine(Protocol):
    """One loaded model. Built from an `EngineJob`, which must not load anything yet. One that has a
    method `abort(request_id)` drops a request; others go on with it."""

    def load(self) -> EngineReady:
        """Loads the model; blocks. EngineError where that may work later. No event loop runs."""

    async def generate(self, request: Request) -> Completion:
        """The answer. A fault of this request alone is a `Completion` with `error`; EngineError
        means that the engine itself is lost, EngineJobError that the job is wrong for every
        request."""

    async def counters(self) -> dict[str, float]:
        """The engine's own figures for the heartbeat; must return at once."""

    def close(self) -> None:
        """Frees the device. Called once, also after a failed request."""


def failed(
    request: Request, error: str, *, seconds: float = 0.0, is_lasting: bool = False
) -> Completion:
    """The completion of a request that the engine refused. `error` is a code or a type name, never
    library text: that may quote the prompt. With `is_lasting` no repetition helps."""
    return Completion(
        request_id=request.request_id,
        text="",
        finish_reason="error",
        seconds=seconds,
        error=error,
        is_lasting=is_lasting,
    )


def answer_prefix(request: Request) -> str:
    """The beginning of the answer that the model is to continue, if the caller wrote one."""
    last = request.messages[-1] if request.messages else None
    return last.content if last is not None and last.role == "assistant" else ""


def whole_answer(request: Request, text: str) -> str:
    """The answer from its beginning. Some servers return the prefix with the continuation and some
    do not."""
    prefix = answer_prefix(request)
    if not prefix or text.lstrip().startswith(prefix):
        return text
    is_parted = text[:1].isspace() or prefix[-1:].isspace()
    return prefix + (text if is_parted else f" {text}")


def reject_unknown(
    options: Iterable[str], known: Iterable[str], *, library: str, notes: Mapping[str, str] = {}
) -> None:
    """Checks option names; `notes` says more about names of another version of the library."""
    known = sorted(known)
    problems = []
    for name in sorted(set(options) - set(known)):
        nearest = difflib.get_close_matches(name, known, n=1)
        hint = notes.get(name) or (f"did you mean {nearest[0]!r}?" if nearest else "no such name")
        problems.append(f"{name!r}: {hint}")
    if problems:
        raise EngineJobError(
            f"PROFILES_ENGINE_OPTIONS has names that {library} does not know: "
            + "; ".join(problems)
        )


BUILT_IN = {
    "sglang": "profiles.synthesis.engines.sglang_engine:SglangEngine",
    "vllm": "profiles.synthesis.engines.vllm_engine:VllmEngine",
    "openai": "profiles.synthesis.engines.openai:OpenAIEngine",
    "llama_cpp": "profiles.synthesis.engines.llama_cpp:LlamaCppEngine",
}


def engine_path(name: str) -> str:
    """The `module:Class` of a built-in name; any other `module:Class` is returned as it is."""
    path = BUILT_IN.get(name, name)
    module, separator, attribute = path.partition(":")
    if not (module and separator and attribute):
        raise EngineJobError(
            f"unknown engine {name!r}; expected one of {sorted(BUILT_IN)} or module:Class. "
            "Correct PROFILES_ENGINE or the Param `engine`."
        )
    return path


def engine_factory(name: str) -> Callable[[EngineJob], Engine]:
    path = engine_path(name)
    try:
        found: type[Engine] = resolve_name(path)
    except (ImportError, AttributeError) as error:
        raise EngineJobError(
            f"engine {name!r} cannot be imported from {path} ({error}); "
            "PROFILES_ENGINE_PYTHON must name an interpreter that has it"
        ) from error
    return found

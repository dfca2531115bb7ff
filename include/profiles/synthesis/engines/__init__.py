"""Engines behind one protocol, found by name. Importing this package imports no engine."""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name

from profiles.errors import EngineJobError
from profiles.synthesis.engines.base import Engine
from profiles.synthesis.process.protocol import EngineJob

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

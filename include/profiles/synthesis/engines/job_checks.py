"""Checks of a job before its engine loads: options, grammar and tokenizer.

The libraries annotate their arguments with types and choices, check neither before they load, and
fail later in their own words. SGLang compiles a schema with its first request; where the grammar
allows no token at all, the whole engine crashes at every request with a schema.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, PydanticUserError, TypeAdapter, ValidationError

from profiles.errors import EngineJobError
from profiles.synthesis.engines import reject_unknown
from profiles.synthesis.engines.engine_terms import EngineTerms

_JSON_TYPES = (bool, int, float, str, list, tuple, set, dict, type(None))


def argument_types(record: Any) -> dict[str, Any]:
    """Each argument of a library's record by name, with its annotation."""
    names = getattr(record, "__struct_fields__", None) or tuple(
        getattr(record, "__dataclass_fields__", ())
    )
    try:
        hints = get_type_hints(record, include_extras=True)
    except NameError:
        # vLLM quotes a type that only its type checker imports; what is quoted may be anything.
        hints = {
            name: Any if isinstance(hint, str) else hint
            for base in reversed(record.__mro__)
            for name, hint in vars(base).get("__annotations__", {}).items()
        }
    return {name: hints.get(name, Any) for name in names if not name.startswith("_")}


def check_options(
    options: Mapping[str, Any], *, known: Mapping[str, Any], terms: EngineTerms, version: str
) -> None:
    """Checks names, types and choices, and refuses what would break a promise of ours."""
    library = f"{terms.library} {version}"
    reject_unknown(options, known.keys() - terms.ours, library=library, notes=terms.notes)
    wrong = [
        problem
        for name, value in sorted(options.items())
        for problem in _problems(name, value, known[name])
    ]
    if wrong:
        raise EngineJobError(f"PROFILES_ENGINE_OPTIONS does not fit {library}: {'; '.join(wrong)}")
    if options.get("reasoning_parser"):
        raise EngineJobError(
            "option reasoning_parser cannot go together with a JSON schema: the grammar would "
            "start inside the reasoning or after the first end of a message; remove it"
        )
    if options.get(terms.log_switch):
        raise EngineJobError(f"option {terms.log_switch} writes profiles into a log; remove it")


def _problems(name: str, value: Any, annotation: Any) -> Iterator[str]:
    try:
        kind = TypeAdapter(_plain(annotation), config=ConfigDict(strict=True))
        kind.validate_json(json.dumps(value))
    except PydanticUserError:
        pass  # No type that JSON has: the library says what it makes of the value.
    except ValidationError as error:
        yield f"{name} is {value!r}: {' or '.join(item['msg'] for item in error.errors())}"
        return
    metadata = getattr(annotation, "__metadata__", ())
    choices = next((list(item.choices) for item in metadata if getattr(item, "choices", 0)), None)
    for item in value if isinstance(value, list) else [value]:
        if choices and item is not None and item not in choices:
            yield f"{name} is {item!r}, expected one of {', '.join(map(repr, choices))}"


def _plain(hint: Any) -> Any:
    """The type as JSON can have it: one of the library's own is a text or an object."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _plain(inner[0])
    if origin in (Union, types.UnionType):
        return Union[tuple(map(_plain, inner))]  # noqa: UP007 - its members are known at run time
    if origin in (list, tuple, set, dict):
        return origin[tuple(map(_plain, inner))]
    own = isinstance(hint, type) and hint not in _JSON_TYPES
    return str | dict[str, Any] if own else hint


def check_schema(schema: str, backend: str) -> None:
    """Parses the schema as `backend` does; one that is not installed is left to SGLang."""
    if backend == "none":
        raise EngineJobError(
            "the engine profile needs JSON and grammar_backend is 'none'; set the profile's "
            "answer to tagged or prose, or remove the option"
        )
    fault = ""
    try:
        if backend in ("llguidance", "guidance"):  # SGLang's name and vLLM's
            from llguidance import LLMatcher

            fault = str(LLMatcher.validate_grammar(LLMatcher.grammar_from_json_schema(schema)))
        elif backend == "xgrammar":
            from xgrammar import Grammar

            Grammar.from_json_schema(schema)
    except ImportError:
        return
    except (RuntimeError, ValueError, TypeError) as error:
        fault = f"{error} ({type(error).__name__})"
    if fault:
        raise EngineJobError(
            f"{backend} cannot compile the profile's schema.json: {fault.splitlines()[0][:200]}"
        )

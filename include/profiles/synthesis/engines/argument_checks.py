"""Options of the operator against the arguments that the installed library declares.

SGLang has a dataclass in 0.5.17 and a msgspec struct in 0.5.23, vLLM a dataclass; each field is
annotated with its type and some, for the command line, with choices. The libraries themselves
check neither before they load, and fail later in their own words.
"""

from __future__ import annotations

import difflib
import types
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from profiles.errors import EngineJobError
from profiles.synthesis.engines.base import refuse_unknown

__all__ = ["argument_types", "check_options"]

_MOST_CHOICES_SHOWN = 24


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
    options: Mapping[str, Any],
    *,
    known: Mapping[str, Any],
    ours: Collection[str],
    library: str,
    notes: dict[str, str],
) -> None:
    """Checks names, types and choices; `ours` are arguments that we set ourselves.

    Raises:
        EngineJobError: with every option that does not fit and what was expected.
    """
    refuse_unknown(options, known.keys() - set(ours), library=library, notes=notes)
    wrong = [
        problem
        for name, value in sorted(options.items())
        for problem in _problems(name, value, known[name])
    ]
    if wrong:
        raise EngineJobError(f"PROFILES_ENGINE_OPTIONS does not fit {library}: {'; '.join(wrong)}")


def _problems(name: str, value: Any, annotation: Any) -> Iterator[str]:
    hint, choices = _unwrap(annotation)
    if not _fits(value, hint):
        yield f"{name} is {value!r}, expected {_spell(hint)}"
    elif choices is not None:
        for item in value if isinstance(value, list) else [value]:
            if item is not None and item not in choices:
                yield f"{name} is {item!r}, expected {_one_of(choices, item)}"


def _unwrap(annotation: Any) -> tuple[Any, list[Any] | None]:
    """The type, and the choices that the command line would allow."""
    if get_origin(annotation) is not Annotated:
        return annotation, None
    hint, *metadata = get_args(annotation)
    found = [item.choices for item in metadata if getattr(item, "choices", None)]
    return hint, list(found[0]) if found else None


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value out of JSON can be of this type. Types of the library's own pass."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(value, item) for item in inner)
    if origin is Annotated:
        return _fits(value, inner[0])
    if origin is Literal:
        return any(type(value) is type(item) and value == item for item in inner)
    if hint in (None, type(None)):
        return value is None
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint in (bool, str):
        return isinstance(value, hint)
    if (origin or hint) is dict:
        return isinstance(value, dict)
    if (origin or hint) in (list, tuple, set):
        return isinstance(value, list) and all(_fits(item, inner[0]) for item in value if inner)
    return not isinstance(hint, type) or isinstance(value, str | dict)


def _spell(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_spell(item) for item in inner))
    if origin is Annotated:
        return _spell(inner[0])
    if origin is Literal:
        return _one_of(list(inner), None)
    if hint in (None, type(None)):
        return "null"
    if (origin or hint) in (list, tuple, set):
        return f"a list of {_spell(inner[0])}" if inner else "a list"
    if (origin or hint) is dict:
        return "an object"
    if hint is bool:
        return "true or false"
    return str(getattr(hint, "__name__", hint))


def _one_of(choices: list[Any], wrong: Any) -> str:
    if len(choices) <= _MOST_CHOICES_SHOWN:
        return f"one of {', '.join(map(repr, choices))}"
    nearest = difflib.get_close_matches(str(wrong), list(map(str, choices)), n=3)
    shown = f" such as {', '.join(map(repr, nearest))}" if nearest else ""
    return f"one of {len(choices)} choices{shown}"

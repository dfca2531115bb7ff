"""Every regular expression of the package ends in time on text that was made to slow it down."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import time
import zlib
from collections.abc import Iterator
from re import _constants as tokens  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType

import pytest

import profiles
from profiles.rendering.reader_address import _Patterns
from profiles.standardization import amounts
from profiles.standardization.characters import shorten_runs
from profiles.storage.taxonomy import load_reader_text
from profiles.validation import words

SIZE = 50_000
SECONDS = 0.2
LINEAR = 2
_GATE = ("patterns", "degrees")
SMALLER = (1_000, 5_000)
"""Tried first. What keeps the limit at `SIZE` even if quadratic is not tried there."""
PIECES = (
    " ", "\n", "1", "x", "X", "-", ".", ",", "(", "[", "<", '"', "'", "@", "/", "|", "#", "*", "_",
    ":", "é", "中", "a ", "1 ", "- ", " .", ", ", "( ", "A. ", "Ab Cd. ", "(a", "<a ", "</", "@a",
    "http://", "**", "[a](", "2019 ", "in ", "at ", "a - ", "x:",
)  # fmt: skip
"""Pieces that texts are made of, beside the pieces that each pattern itself repeats."""


def _modules() -> list[ModuleType]:
    names = [found.name for found in pkgutil.walk_packages(profiles.__path__, "profiles.")]
    return [importlib.import_module(name) for name in names if not name.endswith("__main__")]


def _patterns() -> dict[str, re.Pattern[str]]:
    """Those of the modules and, where a function makes and keeps them, of its result."""
    found: dict[str, re.Pattern[str]] = {}
    for module in _modules():
        for name, value in vars(module).items():
            found.update(_inside(value, f"{module.__name__}.{name}"))
            is_own = getattr(value, "__module__", None) == module.__name__
            is_kept = is_own and hasattr(value, "cache_info")
            if is_kept and not inspect.signature(value).parameters:
                found.update(_inside(value(), f"{module.__name__}.{name}"))
    with_parameters = {
        "gate": [words.regex(group, file) for file in _GATE for group in words._lines(file)],
        "amounts": [*map(amounts._words, (False, True)), *map(amounts._unit, amounts._UNITS[1:])],
        "reader text": load_reader_text(),
    }
    for name, value in with_parameters.items():
        found.update(_inside(value, name))
    return {f"{name} {key}": pattern for key, (name, pattern) in found.items()}


def _inside(value: object, name: str, depth: int = 0) -> dict[str, tuple[str, re.Pattern[str]]]:
    """The patterns of a value, by a digest of each."""
    if isinstance(value, re.Pattern):
        is_text = isinstance(value.pattern, str)
        key = f"{zlib.crc32(f'{value.flags} {value.pattern}'.encode()):08x}"
        return {key: (name, value)} if is_text else {}
    if depth > 4:
        return {}
    if isinstance(value, _Patterns):
        value = [value[name] for name in value._sources]
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list | tuple | set | frozenset):
        parts = list(value)
    elif type(value).__module__.startswith("profiles"):
        names = [*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())]
        parts = [getattr(value, each, None) for each in names]
    else:
        return {}
    return {key: each for part in parts for key, each in _inside(part, name, depth + 1).items()}


def _sample(nodes: object, branch: int = 0) -> str:
    """A text that a part of a pattern matches, more or less."""
    text = ""
    for kind, value in nodes:  # type: ignore[attr-defined]
        if kind is tokens.LITERAL:
            text += chr(value)
        elif kind in (tokens.NOT_LITERAL, tokens.ANY):
            text += "x"
        elif kind is tokens.IN:
            text += _member(value)
        elif kind is tokens.BRANCH:
            text += _sample(value[1][branch % len(value[1])], branch)
        elif kind is tokens.SUBPATTERN:
            text += _sample(value[3], branch)
        elif kind in (tokens.MAX_REPEAT, tokens.MIN_REPEAT, tokens.POSSESSIVE_REPEAT):
            text += _sample(value[2], branch) * max(1, value[0])
    return text


def _member(alternatives: object) -> str:
    kind, value = alternatives[0]  # type: ignore[index]
    if kind is tokens.LITERAL:
        return chr(value)
    if kind is tokens.RANGE:
        return chr(value[0])
    if kind is tokens.CATEGORY:
        return {"SPACE": " ", "DIGIT": "1"}.get(str(value).removeprefix("CATEGORY_"), "x")
    return "x"


def _repeated(nodes: object) -> Iterator[str]:
    """Parts that a pattern repeats without end, three ways each."""
    for kind, value in nodes:  # type: ignore[attr-defined]
        if kind in (tokens.MAX_REPEAT, tokens.MIN_REPEAT):
            if value[1] > 20:
                yield from (_sample(value[2], branch) for branch in range(3))
            yield from _repeated(value[2])
        elif kind is tokens.SUBPATTERN:
            yield from _repeated(value[3])
        elif kind is tokens.BRANCH:
            for each in value[1]:
                yield from _repeated(each)
        elif kind in (tokens.ASSERT, tokens.ASSERT_NOT):
            yield from _repeated(value[1])


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    began = time.process_time()
    for _ in pattern.finditer(text):
        pass
    pattern.fullmatch(text)
    return time.process_time() - began


PATTERNS = _patterns()

pytestmark = [pytest.mark.release, pytest.mark.timeout(1800)]
"""Minutes of CPU: `make test-all` runs it."""


def test_all_patterns_are_found():
    assert len(PATTERNS) > 900


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_pattern_is_quick_on_any_text_of_its_readers(name: str):
    """Texts come to it as rows and answers do: without runs of one word or of white space."""
    pattern = PATTERNS[name]
    own = set(_repeated(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))) - {""}
    pieces = {*PIECES, *own, *(f"{piece} " for piece in own)}
    for piece in sorted(pieces):
        for size in SMALLER:
            first = _seconds(pattern, _text(piece, size))
            if first * (SIZE / size) ** 2 < SECONDS:
                break
        else:
            seconds = _seconds(pattern, _text(piece, SIZE))
            # One with hundreds of words may take longer, as long as it is linear.
            is_linear = seconds < LINEAR * first * SIZE / size < 1
            assert seconds < SECONDS or is_linear, f"{piece!r} again and again"


def _text(piece: str, size: int) -> str:
    """The piece repeated, as rows bring it; empty where its runs are cut to less than half."""
    text = shorten_runs(piece * (size // len(piece)) + "\0")
    return text if len(text) > size / 2 else ""

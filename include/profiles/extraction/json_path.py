"""Reads values out of decoded rows by path, whatever shape the vendor really sent.

A path is a column, then members: `raw.location.city`. `[]` means each element of a list and `[0]`
one element: `raw.skills[].name`. A backslash takes the meaning from a dot. A string in the way
that holds JSON is decoded, also when it was encoded twice:

>>> values(compile_path("raw.jobs[].title"), {"raw": '{"jobs": [{"title": "Nurse"}, null]}'})
['Nurse']

Nothing here raises on data: what is not there is an empty result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import orjson

MAX_ENCODINGS: Final = 4
"""Number of times a value may have been encoded into a string before it counts as text."""

_SEGMENT: Final = re.compile(r"((?:[^.\[\]\\]|\\.)*)((?:\[\d*\])*)")
_INDEX: Final = re.compile(r"\[(\d*)\]")
_SEPARATOR: Final = re.compile(r"[(),;|•·\n]")
_JSON_STARTS: Final = frozenset('{["')
_JSON_BYTES: Final = frozenset((b"{", b"["))
_MOST_DIGITS: Final = 4_000
_SAYS_SOMETHING: Final = re.compile(rb"[0-9A-Za-z]")


@dataclass(frozen=True, slots=True)
class Each:
    """The step `[]`."""


Step = str | int | Each


@lru_cache(maxsize=4096)
def compile_path(path: str) -> tuple[Step, ...]:
    """The steps of a path; the first one is the column. ValueError where it is malformed."""
    steps: list[Step] = []
    position = 0
    while position <= len(path):
        match = _SEGMENT.match(path, position)
        if match is None or not match.group(0):
            raise ValueError(f"'{path}' is not a path; expected column.member, a[], or a[0]")
        name, indexes = match.groups()
        if name:
            steps.append(re.sub(r"\\(.)", r"\1", name))
        elif position:
            raise ValueError(f"'{path}' has an empty member name")
        steps += [int(n) if n else Each() for n in _INDEX.findall(indexes)]
        position = match.end()
        if position < len(path) and path[position] != ".":
            raise ValueError(f"'{path}' is not a path; unexpected '{path[position]}'")
        position += 1
    return tuple(steps)


def column_of(path: str) -> str:
    """The column that a path starts at; ValueError where it starts with none."""
    first = compile_path(path)[0]
    if not isinstance(first, str):
        raise ValueError(f"'{path}' does not start with a column")  # noqa: TRY004  # bad text
    return first


def path_text(steps: tuple[Step, ...]) -> str:
    """The path as a mapping file has it."""
    text = ""
    for step in steps:
        if isinstance(step, Each):
            text += "[]"
        elif isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def decode_json(value: object) -> object:
    """The value that JSON text stands for, decoded again while it is a JSON string; the value
    itself where it is no such text.

    Python's decoder takes over where orjson is too strict: it reads escapes of lone surrogates
    and NUL, and raw control characters, all of which cleaning removes later.
    """
    for _ in range(MAX_ENCODINGS):
        if not isinstance(value, str) or not looks_like_json(value):
            break
        text, value = value, _decode_once(value)
        if value is text:
            break
    return value


def decode_utf8_json(text: bytes) -> object:
    """The object or list that UTF-8 text stands for; any other text, also what may stand for a
    missing value, as `str`."""
    if text[:1] in _JSON_BYTES and _SAYS_SOMETHING.search(text):
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            pass
    return text.decode()


def looks_like_json(text: str) -> bool:
    """Return whether the text starts like an object, a list or a string; a cheap check only."""
    return text.lstrip()[:1] in _JSON_STARTS


def values(steps: Sequence[Step], root: Mapping[str, object]) -> list[object]:
    """Everything at the path, in order, without nulls."""
    node: object = root
    followed = 0
    # Almost every step is a member of an object: reading takes a third longer without this loop.
    for step in steps:
        if node.__class__ is not dict or step.__class__ is not str:
            break
        node = node.get(step)
        if node is None:
            return []
        followed += 1
    else:
        return [node]
    nodes = [node]
    for step in steps[followed:]:
        found: list[object] = []
        for node in nodes:
            _descend(node, step, found)
        nodes = found
    return [node for node in nodes if node is not None]


def _descend(node: object, step: Step, found: list[object]) -> None:
    if isinstance(node, str):
        node = decode_json(node)
    if isinstance(step, str):
        if isinstance(node, dict) and step in node:
            found.append(node[step])
    elif isinstance(node, list):
        found.extend(node if isinstance(step, Each) else node[step : step + 1])
    elif isinstance(node, str) and isinstance(step, Each):
        # Some exports write a list as text with commas or semicolons,
        found.extend(listed(node))
    elif isinstance(node, str | dict) and step in (0, Each()):
        # and one of a single element as the element itself.
        found.append(node)


def listed(text: str) -> list[str]:
    """The parts of a text between separators. One whose next parenthesis closes is inside a pair
    and separates nothing.

    >>> listed("a,b (c,d)")
    ['a', 'b (c,d)']
    """
    parts, end = [], len(text)
    is_inside = False
    for mark in reversed(list(_SEPARATOR.finditer(text))):
        if mark[0] in "()":
            is_inside = mark[0] == ")"
        elif not is_inside:
            parts.append(text[mark.end() : end].strip())
            end = mark.start()
    parts.append(text[:end].strip())
    return list(filter(None, reversed(parts)))


def _decode_once(text: str) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(text, strict=False, parse_int=_number)
    except (ValueError, RecursionError):
        return text


def _number(digits: str) -> float:
    """The number; of more digits than Python turns into an int, as infinite as JSON readers do."""
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)

"""Objects and lists that the paths of a mapping go into: what stands there and is none is counted.

`location.formatted` leads to nothing where `location` is a number, and so would that number. Each
such place is looked at once, however many paths go through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from profiles.extraction.json_path import NOT_JSON, Each, Step, decode_json, path_text
from profiles.extraction.unread import WRONG_TYPE, Unread, says_something


class Holder(NamedTuple):
    """A place that must hold an object, a list, or one of the two.

    `members` are the places inside an object that must hold something again; None where the place
    holds no object.
    """

    step: Step
    members: tuple[Holder, ...] | None
    rest: Rest


class Rest(NamedTuple):
    """What else is known of a holder, asked only where no object stands.

    `elements` are its places inside a list, None where it holds no list. With `is_each` a lone
    object stands for a list of one. With `is_value` a path also ends here, and its reader counts
    what it cannot read.
    """

    name: str
    elements: tuple[Holder, ...] | None
    is_each: bool
    is_value: bool


@dataclass(slots=True)
class _Place:
    below: dict[Step, _Place] = field(default_factory=dict)
    is_value: bool = False


def holders_of(paths: Iterable[Sequence[Step]], prefix: str = "") -> tuple[Holder, ...]:
    """The places that `paths` go through; `prefix` begins their names."""
    top = _Place()
    for path in paths:
        place = top
        for step in path:
            place = place.below.setdefault(step, _Place())
        place.is_value = True
    return _holders(top, (), prefix)


def inside_columns(holders: Iterable[Holder]) -> tuple[Holder, ...]:
    """The columns that have more such places inside; that each is an object is checked before."""
    return tuple(holder for holder in holders if holder.members or holder.rest.elements)


def note_strays(holders: Sequence[Holder], node: Mapping[Any, object], unread: Unread) -> None:
    """Counts what stands in the place of an object or a list."""
    for step, members, rest in holders:
        value = node.get(step)
        if value.__class__ is dict and members is not None:
            if members:
                note_strays(members, value, unread)
        elif value is not None:
            _note_stray(members, rest, value, unread)


def _note_stray(
    members: tuple[Holder, ...] | None, rest: Rest, value: object, unread: Unread
) -> None:
    if isinstance(value, str):
        decoded = decode_json(value)
        value = value if decoded is NOT_JSON else decoded
    if isinstance(value, dict) and members is not None:
        note_strays(members, value, unread)
    elif isinstance(value, list) and rest.elements is not None:
        for place in rest.elements:
            step = place.step
            for element in value[step : step + 1] if isinstance(step, int) else value:
                _note_stray(place.members, place.rest, element, unread)
    elif isinstance(value, dict) and rest.is_each:
        for place in rest.elements or ():
            _note_stray(place.members, place.rest, value, unread)
    elif not rest.is_value and says_something(value):
        unread.append((rest.name, WRONG_TYPE))


def _holders(place: _Place, at: tuple[Step, ...], prefix: str) -> tuple[Holder, ...]:
    return tuple(
        _holder(inner, (*at, step), prefix) for step, inner in place.below.items() if inner.below
    )


def _holder(place: _Place, at: tuple[Step, ...], prefix: str) -> Holder:
    inside = _holders(place, at, prefix)
    named = [isinstance(step, str) for step in place.below]
    members = tuple(inner for inner in inside if isinstance(inner.step, str))
    elements = tuple(inner for inner in inside if not isinstance(inner.step, str))
    return Holder(
        step=at[-1],
        members=members if any(named) else None,
        rest=Rest(
            name=prefix + path_text(at),
            elements=elements if not all(named) else None,
            is_each=Each() in place.below,
            is_value=place.is_value,
        ),
    )

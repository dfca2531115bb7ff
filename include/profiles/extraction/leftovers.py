"""Items of a readable row that no rule could read: which field, why, how many; never what they say.

A row is read as far as it can be, so a skill that is an object without a name, or a job that is a
number, leaves no trace in the record. It is found here and counted, in the lists `LISTED` and,
while they are read, in `positions` and `education`. Single values are counted where they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from profiles.extraction import facts
from profiles.extraction.json_path import NOT_JSON, Each, Step, decode_json, looks_like_json, values
from profiles.extraction.paths import Paths
from profiles.extraction.unread import DEEPEST, NOTHING_READ, WRONG_TYPE, Unread, says_something

NOT_A_LIST: Final = "not_a_list"
LISTED: Final = ("emails", "phones", "skills", "certifications", "languages")
WRAPPED: Final = "value"
"""Member under which an element that is no object is found: `fields: {degree: value}`."""

_TEXT: Final = {str}
_INSIDE: Final = "element"
_NAME: Final = "Go"


@dataclass(frozen=True, slots=True)
class ListPaths:
    """A list of one field, and the paths inside one of its elements, `()` for the element itself.

    `container` and `elements` lead to the list and to all it holds; they are None for the cells,
    paths that lead to one value.
    """

    field: str
    container: tuple[Step, ...] | None
    elements: tuple[Step, ...] | None
    members: tuple[tuple[Step, ...], ...]
    paths: Paths


def objects(value: object) -> list[Mapping[str, object]]:
    """The elements of a raw list, those that are no objects under `WRAPPED`, so that the reading of
    jobs and studies meets and counts them. What is no list is one such element."""
    value = _decoded(value)
    if not isinstance(value, list):
        return [{WRAPPED: value}]
    return [element if isinstance(element, dict) else {WRAPPED: element} for element in value]


def is_wrapped(element: Mapping[str, object]) -> bool:
    """Whether `objects` made this of something else."""
    return len(element) == 1 and WRAPPED in element


def strays(value: object) -> list[Mapping[str, object]]:
    """The elements of a raw list that are no objects, wrapped; so is what is no list."""
    if isinstance(value, list):
        return [element for element in objects(value) if is_wrapped(element)]
    return [{WRAPPED: value}] if says_something(value) else []


def lists_of(fields: Mapping[str, Paths]) -> tuple[ListPaths, ...]:
    """The lists that the fields named in `LISTED` are read from."""
    found = []
    for name in LISTED:
        paths = fields.get(name)
        if paths is None:
            continue
        lists: dict[tuple[Step, ...], list[tuple[Step, ...]]] = {}
        for steps in paths.steps:
            at = next((n for n, step in enumerate(steps) if isinstance(step, Each)), None)
            if at is not None:
                lists.setdefault(steps[:at], []).append(steps[at + 1 :])
        for container, members in lists.items():
            found.append(ListPaths(name, container, (*container, Each()), tuple(members), paths))
        cells = [steps for steps in paths.steps if Each() not in steps and steps not in lists]
        if cells:
            found.append(ListPaths(name, None, None, tuple(cells), paths))
    return tuple(found)


def note_unread(lists: Sequence[ListPaths], root: Mapping[str, object], unread: Unread) -> None:
    """Adds every item of `lists` that the record does not have because of its shape."""
    for each in lists:
        if each.container is None or each.elements is None:
            for steps in each.members:
                for value in values(steps, root):
                    if value.__class__ is not str or looks_like_json(value):
                        unread += [(each.field, reason) for reason in _unread(each.field, value)]
            continue
        elements = values(each.elements, root)
        if elements:
            if not _is_ordinary(each, elements):
                for element in elements:
                    unread += [(each.field, reason) for reason in _unread_element(each, element)]
        elif any(says_something(value) for value in values(each.container, root)):
            unread.append((each.field, NOT_A_LIST))


def why_unread(item: object) -> str | None:
    """The reason for an item of which nothing was read; None when it says nothing."""
    if not says_something(item):
        return None
    return NOTHING_READ if isinstance(item, dict | list) else WRONG_TYPE


def why_unread_element(element: Mapping[str, object]) -> str | None:
    """The same for a job or study, where what is no object lies under `WRAPPED`."""
    if not is_wrapped(element):
        return why_unread(element)
    return WRONG_TYPE if says_something(element[WRAPPED]) else None


def _is_ordinary(each: ListPaths, elements: Sequence[object]) -> bool:
    """Whether all elements are texts, or objects with one, which nearly all lists hold.

    A text that may be JSON is none of them: it may stand for anything.
    """
    first = each.members[0]
    texts: Sequence[object] = elements
    if first:
        if len(first) > 1:
            return False
        name = first[0]
        texts = [element.get(name) if isinstance(element, dict) else None for element in elements]
    if set(map(type, texts)) != _TEXT:
        return False
    joined = "".join(cast("Sequence[str]", texts))
    return "[" not in joined and "{" not in joined and '"' not in joined


def _unread_element(each: ListPaths, element: object) -> list[str]:
    """Why an element was not read; a list in a list may have several reasons."""
    reader = each.paths.reader
    reasons: list[str] = []
    is_blank = False
    for member in each.members:
        found: Sequence[object] = [element]
        if member:
            found = values((_INSIDE, *member), {_INSIDE: element})
            # The vendor names the item and says nothing: {"skill": "", "rating": 4}.
            is_blank = is_blank or (bool(found) and not any(map(says_something, found)))
        elif reader is not None and isinstance(element, str) and not looks_like_json(element):
            # A reader may leave a word out on purpose.
            return []
        for value in reader(found) if reader is not None and found else found:
            why = _unread(each.field, value)
            if not why and says_something(value):
                return []
            reasons += why
    if reasons:
        return reasons if isinstance(_decoded(element), list) else reasons[:1]
    if reader is not None and isinstance(element, dict) and isinstance(element.get("name"), str):
        # The name of an empty group is no skill, where the reader knows groups.
        is_group = bool(reader([{**element, "name": _NAME}]))
        element = {k: value for k, value in element.items() if k != "name" or not is_group}
    why_not = None if is_blank else why_unread(element)
    return [why_not] if why_not else []


def _unread(field: str, value: object) -> list[str]:
    if field in ("emails", "phones"):
        is_read = isinstance(value, str) or (
            field == "phones" and isinstance(value, int | float) and not isinstance(value, bool)
        )
        why = None if is_read else why_unread(value)
        return [why] if why else []
    return _unread_names(value)


def _unread_names(value: object, depth: int = 0) -> list[str]:
    """What `facts.names` passes over in one value."""
    value = _decoded(value)
    if isinstance(value, list) and depth < DEEPEST:
        return [why for element in value for why in _unread_names(element, depth + 1)]
    if isinstance(value, str) or (isinstance(value, dict) and facts.name_member(value) is not None):
        return []
    why = why_unread(value)
    return [why] if why else []


def _decoded(value: object) -> object:
    """What a text of JSON stands for; anything else as it is."""
    if not isinstance(value, str) or not looks_like_json(value):
        return value
    decoded = decode_json(value)
    return value if decoded is NOT_JSON else decoded

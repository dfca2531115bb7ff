"""Where the values of one field are: compiled paths, in order of preference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller

from profiles.extraction.json_path import Each, Step, values

Root = Mapping[str, object]
Getter = Callable[[Root], object]


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths of a field, and how their values are put together.

    `getters` give the one value that each path may lead to. They are None where a field has to
    see several values at once: lists, joined fields, fields with a reader. `member` is the name of
    the only path where that is a column or a member of an item. `are_elements` says of each path
    whether it leads to the elements of a list.
    """

    steps: tuple[tuple[Step, ...], ...]
    join: bool
    reader: Callable[[Sequence[object]], Sequence[object]] | None
    getters: tuple[Getter, ...] | None
    member: str | None
    are_elements: tuple[bool, ...]

    def all(self, root: Root) -> Sequence[object]:
        """Every value of every path."""
        found = values(self.steps[0], root)
        for steps in self.steps[1:]:
            found += values(steps, root)
        return self.reader(found) if self.reader is not None and found else found

    def groups(self, root: Root) -> Iterator[Sequence[object]]:
        """The values that belong together: all of a joined field, else those of one path."""
        if self.join or self.reader is not None:
            yield self.all(root)
        else:
            yield from (values(steps, root) for steps in self.steps)

    def cells(self, root: Root) -> Iterator[tuple[object, bool]]:
        """Every value, and whether it is one element of a list rather than a cell of its own."""
        for found, is_element in self.lists(root):
            yield from ((value, is_element) for value in found)

    def lists(self, root: Root) -> list[tuple[Sequence[object], bool]]:
        """The values of each path, and whether they are elements of a list."""
        if self.reader is not None:
            return [(self.all(root), True)]
        return [
            (values(steps, root), is_element)
            for steps, is_element in zip(self.steps, self.are_elements, strict=True)
        ]


def paths_of(
    steps: tuple[tuple[Step, ...], ...],
    *,
    join: bool,
    reader: Callable[[Sequence[object]], Sequence[object]] | None,
) -> Paths:
    """The compiled paths of a field."""
    getters = None if join or reader is not None else _getters_of(steps)
    only = steps[0][0] if len(steps) == 1 and len(steps[0]) == 1 else None
    return Paths(
        steps=steps,
        join=join,
        reader=reader,
        getters=getters,
        member=only if getters is not None and isinstance(only, str) else None,
        are_elements=tuple(any(isinstance(step, Each) for step in path) for path in steps),
    )


def _getters_of(steps: Sequence[tuple[Step, ...]]) -> tuple[Getter, ...] | None:
    """How to get the value of each path; None when a path may lead to several."""
    if any(isinstance(step, Each) for path in steps for step in path):
        return None
    return tuple(_getter(path) for path in steps)


def _getter(steps: tuple[Step, ...]) -> Getter:
    if len(steps) == 1:
        # Roots are dicts: this asks without a call of Python code.
        return methodcaller("get", steps[0])

    def get_below(root: Root) -> object:
        found = values(steps, root)
        return found[0] if found else None

    column, member = steps[0], steps[1]
    if len(steps) > 2 or not isinstance(column, str) or not isinstance(member, str):
        return get_below

    def get(root: Root) -> object:
        # Most paths of a row have two steps.
        node = root.get(column)
        if node.__class__ is dict:
            return node.get(member)
        return None if node is None else get_below(root)

    return get

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
    see several values at once: lists, joined fields, fields with a reader.
    """

    steps: tuple[tuple[Step, ...], ...]
    join: bool
    reader: Callable[[Sequence[object]], Sequence[object]] | None
    getters: tuple[Getter, ...] | None

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
        if self.reader is not None:
            yield from ((value, True) for value in self.all(root))
            return
        for steps in self.steps:
            is_element = any(isinstance(step, Each) for step in steps)
            yield from ((value, is_element) for value in values(steps, root))


def getters_of(steps: Sequence[tuple[Step, ...]]) -> tuple[Getter, ...] | None:
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

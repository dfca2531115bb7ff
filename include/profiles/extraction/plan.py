"""A mapping made ready for reading rows: paths compiled, variants merged, adapters resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from profiles.extraction.adapters import ITEM_READERS, VALUE_READERS, ItemReader, ValueReader
from profiles.extraction.json_path import Each, Step, column_of, compile_path, values
from profiles.extraction.shapes import FieldPaths, Positions, Shape, Studies

_NOTHING: Sequence[object] = ()


@dataclass(frozen=True, slots=True)
class Paths:
    """Where the values of one field are, in order of preference."""

    steps: tuple[tuple[Step, ...], ...]
    join: bool
    reader: ValueReader | None

    def all(self, root: Mapping[str, object]) -> Sequence[object]:
        """Every value of every path."""
        found = values(self.steps[0], root)
        for steps in self.steps[1:]:
            found += values(steps, root)
        return self.reader(found) if self.reader is not None and found else found

    def groups(self, root: Mapping[str, object]) -> Iterator[Sequence[object]]:
        """The values that belong together: all of a joined field, else those of one path."""
        if self.join or self.reader is not None:
            yield self.all(root)
        else:
            yield from (values(steps, root) for steps in self.steps)

    def cells(self, root: Mapping[str, object]) -> Iterator[tuple[object, bool]]:
        """Every value, and whether it is one element of a list rather than a cell of its own."""
        if self.reader is not None:
            yield from ((value, True) for value in self.all(root))
            return
        for steps in self.steps:
            is_element = any(isinstance(step, Each) for step in steps)
            yield from ((value, is_element) for value in values(steps, root))


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """How to read one list of jobs or studies."""

    path: tuple[Step, ...] | None
    reader: ItemReader | None
    fields: Mapping[str, Paths]
    open_end_is_current: bool
    unless_listed: bool
    always_current: bool


@dataclass(frozen=True, slots=True)
class RowPlan:
    """How to read the rows of one variant. `json_columns` must hold a JSON object or nothing."""

    fields: Mapping[str, Paths]
    positions: tuple[ItemPlan, ...]
    education: tuple[ItemPlan, ...]
    lower_cased: bool
    cut_phones: bool
    json_columns: frozenset[str]

    def all(self, name: str, root: Mapping[str, object]) -> Sequence[object]:
        """Every value of a field of the row; nothing when the mapping does not have it."""
        paths = self.fields.get(name)
        return _NOTHING if paths is None else paths.all(root)


def row_plans(common: Shape, variants: Mapping[str, Shape]) -> dict[str | None, RowPlan]:
    """One plan per variant, or one under None for a table of one shape."""
    if not variants:
        return {None: _row_plan(common)}
    return {name: _row_plan(_merged(common, variant)) for name, variant in variants.items()}


def _merged(common: Shape, variant: Shape) -> Shape:
    """The variant's paths before the common ones; a joined field is the variant's alone."""
    fields = dict(variant.fields)
    for name, spec in common.fields.items():
        own = fields.get(name)
        if own is None:
            fields[name] = spec
        elif not own.join and not spec.join and own.reader == spec.reader:
            fields[name] = own.model_copy(update={"paths": own.paths + spec.paths})
    return Shape(
        fields=fields,
        positions=variant.positions + common.positions,
        education=variant.education + common.education,
        lower_cased=variant.lower_cased,
        cut_phones=variant.cut_phones,
    )


def _row_plan(shape: Shape) -> RowPlan:
    paths = [path for spec in shape.fields.values() for path in spec.paths]
    items: list[Positions | Studies] = [*shape.positions, *shape.education]
    for item in items:
        if item.path is not None:
            paths.append(item.path)
        else:
            paths += [path for spec in item.fields.values() for path in spec.paths]
    return RowPlan(
        fields={name: _paths(spec) for name, spec in shape.fields.items()},
        positions=tuple(_item_plan(item) for item in shape.positions),
        education=tuple(_item_plan(item) for item in shape.education),
        lower_cased=shape.lower_cased,
        cut_phones=shape.cut_phones,
        json_columns=frozenset(column_of(p) for p in paths if len(compile_path(p)) > 1),
    )


def _item_plan(item: Positions | Studies) -> ItemPlan:
    return ItemPlan(
        path=None if item.path is None else compile_path(item.path),
        reader=None if item.reader is None else ITEM_READERS[item.reader],
        fields={str(name): _paths(spec) for name, spec in item.fields.items()},
        open_end_is_current=item.open_end_is_current,
        unless_listed=item.unless_listed,
        always_current=item.always_current,
    )


def _paths(spec: FieldPaths) -> Paths:
    return Paths(
        steps=tuple(compile_path(path) for path in spec.paths),
        join=spec.join,
        reader=None if spec.reader is None else VALUE_READERS[spec.reader],
    )

"""A mapping made ready for reading rows: paths compiled, variants merged, adapters resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from profiles.extraction import readers
from profiles.extraction.adapters import ITEM_READERS, VALUE_READERS, ItemReader
from profiles.extraction.json_path import Each, Step, column_of, compile_path
from profiles.extraction.paths import Paths, paths_of
from profiles.extraction.readers import Read
from profiles.extraction.shapes import AnyItems, FieldPaths, Shape
from profiles.standardization.companies import domain_key
from profiles.standardization.date_ranges import goes_on
from profiles.standardization.identifiers import company_reference

_NOTHING: Sequence[object] = ()
_LINES_OF_ROW: Final = (
    "full_name", "given_name", "family_name", "headline", "location", "country", "industry",
)  # fmt: skip
_LINES_OF_ITEM: Final = (
    "title", "company", "employment_type", "school", "degree", "degree_and_field", "field", "grade",
    "by",
)  # fmt: skip
_DATES_OF_ITEM: Final = ("start", "end", "dates")


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """How to read one list of jobs, studies, or entries of the section named by `kind`.

    `texts` and `dates` read each field that such an item may have, also those that the mapping
    leaves out.
    """

    kind: str
    path: tuple[Step, ...] | None
    reader: ItemReader | None
    fields: Mapping[str, Paths]
    texts: Mapping[str, Read[str]]
    dates: Mapping[str, Read[object]]
    is_current: Read[bool]
    open_end_is_current: bool
    unless_listed: bool
    always_current: bool
    split: bool


@dataclass(frozen=True, slots=True)
class RowPlan:
    """How to read the rows of one variant. `json_columns` must hold a JSON object or nothing.

    `members` are the names that some path looks for at the top of each JSON column, and `marks`
    each of them with its column: what the shape of a row is told by.
    """

    fields: Mapping[str, Paths]
    texts: Mapping[str, Read[str]]
    positions: tuple[ItemPlan, ...]
    education: tuple[ItemPlan, ...]
    sections: tuple[ItemPlan, ...]
    lower_cased: bool
    cut_phones: bool
    json_columns: frozenset[str]
    lists: frozenset[str]
    members: Mapping[str, frozenset[str]]
    marks: frozenset[tuple[str, str]]
    ignored: tuple[tuple[Step, ...], ...]

    def all(self, name: str, root: Mapping[str, object]) -> Sequence[object]:
        """Every value of a field of the row; nothing when the mapping does not have it."""
        paths = self.fields.get(name)
        return _NOTHING if paths is None else paths.all(root)

    def items(self) -> Iterator[ItemPlan]:
        """Every list that is read."""
        yield from self.positions
        yield from self.education
        yield from self.sections

    def row_paths(self) -> Iterator[tuple[Step, ...]]:
        """Every path that starts at the row."""
        for paths in self.fields.values():
            yield from paths.steps
        for item in self.items():
            if item.path is not None:
                yield item.path
            else:
                for paths in item.fields.values():
                    yield from paths.steps


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
    names = dict.fromkeys((*variant.sections, *common.sections))
    return Shape(
        fields=fields,
        positions=variant.positions + common.positions,
        education=variant.education + common.education,
        sections={
            name: variant.sections.get(name, ()) + common.sections.get(name, ()) for name in names
        },
        lower_cased=variant.lower_cased,
        cut_phones=variant.cut_phones,
        ignored=variant.ignored + common.ignored,
    )


def _row_plan(shape: Shape) -> RowPlan:
    fields: dict[str, Paths] = {name: _paths(spec) for name, spec in shape.fields.items()}
    members = _members(compile_path(path) for path in shape.paths())
    items = [(kind, _item_plan(kind, item)) for kind, item in shape.items()]
    return RowPlan(
        fields=fields,
        texts={
            **{name: readers.line_reader(fields.get(name)) for name in _LINES_OF_ROW},
            "country": readers.country_reader(fields.get("country")),
            "summary": readers.block_reader(fields.get("summary")),
        },
        positions=tuple(item for kind, item in items if kind == "positions"),
        education=tuple(item for kind, item in items if kind == "education"),
        sections=tuple(item for kind, item in items if kind not in ("positions", "education")),
        lower_cased=shape.lower_cased,
        cut_phones=shape.cut_phones,
        json_columns=frozenset(
            column_of(path) for path in shape.paths() if len(compile_path(path)) > 1
        ),
        lists=frozenset(
            column_of(path) for path in shape.paths() if compile_path(path)[1:2] == (Each(),)
        ),
        members=members,
        marks=frozenset((column, name) for column, names in members.items() for name in names),
        ignored=tuple(compile_path(path) for path in shape.ignored),
    )


def _members(paths: Iterable[tuple[Step, ...]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for steps in paths:
        if len(steps) > 1 and isinstance(steps[0], str) and isinstance(steps[1], str):
            found.setdefault(steps[0], set()).add(steps[1])
    return {column: frozenset(names) for column, names in found.items()}


def _item_plan(kind: str, item: AnyItems) -> ItemPlan:
    fields = {str(name): _paths(spec) for name, spec in item.fields.items()}
    return ItemPlan(
        kind=kind,
        path=None if item.path is None else compile_path(item.path),
        reader=None if item.reader is None else ITEM_READERS[item.reader],
        fields=fields,
        texts={
            **{name: readers.line_reader(fields.get(name)) for name in _LINES_OF_ITEM},
            "description": readers.block_reader(fields.get("description")),
            "location": readers.place_reader(fields.get("location")),
            "company_linkedin_id": readers.first_reader(
                fields.get("company_linkedin_id"), company_reference
            ),
            "company_domain": readers.first_reader(fields.get("company_domain"), domain_key),
        },
        dates={name: readers.date_reader(fields.get(name)) for name in _DATES_OF_ITEM},
        is_current=readers.first_reader(fields.get("is_current"), goes_on),
        open_end_is_current=item.open_end_is_current,
        unless_listed=item.unless_listed,
        always_current=item.always_current,
        split=item.split,
    )


def _paths(spec: FieldPaths) -> Paths:
    return paths_of(
        tuple(compile_path(path) for path in spec.paths),
        join=spec.join,
        reader=None if spec.reader is None else VALUE_READERS[spec.reader],
    )

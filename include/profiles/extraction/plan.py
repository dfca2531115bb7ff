"""A mapping made ready for reading rows: paths compiled, variants merged, adapters resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from profiles.extraction import facts, readers
from profiles.extraction.adapters import ITEM_READERS, VALUE_READERS, ItemReader
from profiles.extraction.holders import Holder, holders_of, inside_columns
from profiles.extraction.json_path import Each, Step, column_of, compile_path
from profiles.extraction.leftovers import LISTED, ListPaths, lists_of
from profiles.extraction.paths import Paths, paths_of
from profiles.extraction.readers import Note, Read
from profiles.extraction.shapes import FieldPaths, Positions, Shape, Studies
from profiles.extraction.unread import note_no_line, note_value
from profiles.standardization.companies import domain_key
from profiles.standardization.flags import goes_on
from profiles.standardization.linkedin import company_reference

_NOTHING: Sequence[object] = ()
_LINES_OF_ROW: Final = (
    "full_name", "given_name", "family_name", "headline", "location", "country", "industry",
)  # fmt: skip
_LINES_OF_ITEM: Final = (
    "title", "company", "employment_type", "school", "degree", "degree_and_field", "field", "grade",
)  # fmt: skip
_DATES_OF_ITEM: Final = ("start", "end", "dates")


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """How to read one list of jobs or studies.

    `texts` and `dates` read each field that a job or a study may have, also those that the mapping
    leaves out. `kind` is positions or education.
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
    holders: tuple[Holder, ...]


@dataclass(frozen=True, slots=True)
class RowPlan:
    """How to read the rows of one variant. `json_columns` must hold a JSON object or nothing."""

    fields: Mapping[str, Paths]
    texts: Mapping[str, Read[str]]
    positions: tuple[ItemPlan, ...]
    education: tuple[ItemPlan, ...]
    lower_cased: bool
    cut_phones: bool
    json_columns: frozenset[str]
    lists: tuple[ListPaths, ...]
    holders: tuple[Holder, ...]

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
    fields: dict[str, Paths] = {name: _paths(spec) for name, spec in shape.fields.items()}
    return RowPlan(
        fields=fields,
        texts={
            **{name: readers.line_reader(fields.get(name), name) for name in _LINES_OF_ROW},
            "summary": readers.block_reader(fields.get("summary"), "summary"),
        },
        positions=tuple(_item_plan("positions", item) for item in shape.positions),
        education=tuple(_item_plan("education", item) for item in shape.education),
        lower_cased=shape.lower_cased,
        cut_phones=shape.cut_phones,
        json_columns=frozenset(column_of(p) for p in paths if len(compile_path(p)) > 1),
        lists=lists_of(fields),
        holders=inside_columns(holders_of(_ways(shape, fields))),
    )


def _ways(shape: Shape, fields: Mapping[str, Paths]) -> Iterator[tuple[Step, ...]]:
    """The paths that start at the row, up to a list that is counted by itself."""
    for name, paths in fields.items():
        for steps in paths.steps:
            cut = steps.index(Each()) if name in LISTED and Each() in steps else len(steps)
            yield steps[:cut]
    items: list[Positions | Studies] = [*shape.positions, *shape.education]
    for item in items:
        if item.path is not None:
            yield compile_path(item.path)
        else:
            yield from (compile_path(path) for spec in item.fields.values() for path in spec.paths)


def _item_plan(kind: str, item: Positions | Studies) -> ItemPlan:
    fields = {str(name): _paths(spec) for name, spec in item.fields.items()}

    def text(name: str, convert: Callable[[object], str | None], note: Note) -> Read[str]:
        return readers.first_reader(fields.get(name), convert, f"{kind}.{name}", note)

    return ItemPlan(
        kind=kind,
        path=None if item.path is None else compile_path(item.path),
        reader=None if item.reader is None else ITEM_READERS[item.reader],
        fields=fields,
        texts={
            **{
                name: readers.line_reader(fields.get(name), f"{kind}.{name}")
                for name in _LINES_OF_ITEM
            },
            "description": readers.block_reader(fields.get("description"), f"{kind}.description"),
            "location": text("location", facts.place, note_no_line),
            "company_linkedin_id": text("company_linkedin_id", company_reference, note_value),
            "company_domain": text("company_domain", domain_key, note_value),
        },
        dates={name: readers.date_reader(fields.get(name)) for name in _DATES_OF_ITEM},
        is_current=readers.first_reader(
            fields.get("is_current"), goes_on, f"{kind}.is_current", note_value
        ),
        open_end_is_current=item.open_end_is_current,
        unless_listed=item.unless_listed,
        always_current=item.always_current,
        holders=()
        if item.path is None
        else holders_of((path for each in fields.values() for path in each.steps), f"{kind}: "),
    )


def _paths(spec: FieldPaths) -> Paths:
    return paths_of(
        tuple(compile_path(path) for path in spec.paths),
        join=spec.join,
        reader=None if spec.reader is None else VALUE_READERS[spec.reader],
    )

"""A mapping made ready for reading rows: paths compiled, variants merged, adapters resolved.

An item reader turns one vendor's list of jobs or studies into plain objects, whose members the
mapping then addresses by path. A value reader turns the values of a field into plain ones. A
mapping names them with `reader:`; they take whatever the row holds and never raise on data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from profiles.extraction import facts, linkedin, resume_lines, resumes, text_cells
from profiles.extraction.facts import Fact
from profiles.extraction.json_path import Each, Step, column_of, compile_path, values
from profiles.extraction.shapes import AnyItems, FieldPaths, Shape
from profiles.standardization.companies import domain_key
from profiles.standardization.date_ranges import goes_on
from profiles.standardization.identifiers import company_reference
from profiles.standardization.text import clean_block, fold
from profiles.standardization.words import words

Root = Mapping[str, object]
ItemReader = Callable[[object], Sequence[Root]]
ValueReader = Callable[[Sequence[object]], Sequence[object]]
Read = Callable[[Root], Fact | None]
"""Reads one fact of a row, or of one of its items."""

ITEM_READERS: Final[Mapping[str, ItemReader]] = {
    "linkedin_groups": linkedin.grouped_positions,
    "linkedin_components": linkedin.components,
    "lemlist_groups": text_cells.position_groups,
    "lemlist_numbered_jobs": partial(text_cells.numbered, "experience"),
    "lemlist_numbered_schools": partial(text_cells.numbered, "school"),
    "lemlist_numbered_languages": partial(text_cells.numbered, "language"),
    "unsaid_lines": text_cells.unsaid_lines,
    "weekday_experience": text_cells.experience_text,
    "weekday_education": text_cells.education_text,
    "affinda_items": resumes.affinda_items,
    "textkernel_languages": resumes.textkernel_languages,
    "pyresparser_lines": resume_lines.experience_lines,
    "pyresparser_jobs": partial(resumes.side_by_side, "company_names", "designation"),
    "pyresparser_studies": partial(resumes.side_by_side, "degree", "college_name"),
}
_NO_SKILL: Final = words("skills", "parser_word")
VALUE_READERS: Final[Mapping[str, ValueReader]] = {
    "affinda_names": resumes.affinda_names,
    "affinda_phones": resumes.affinda_phones,
    "keyword_groups": resumes.keyword_groups,
    "linkedin_profiles": resumes.linkedin_profiles,
    "skill_lines": resumes.skill_lines,
    "months": resumes.months,
    "parser_words": lambda found: [each for each in found if str(each).casefold() not in _NO_SKILL],
}

_LINES_OF_ROW: Final = (
    "full_name", "given_name", "family_name", "headline", "location", "industry",
)  # fmt: skip
_LINES_OF_ITEM: Final = (
    "title", "company", "employment_type", "school", "degree", "degree_and_field", "field", "grade",
    "by",
)  # fmt: skip
_DATES_OF_ITEM: Final = ("start", "end", "dates")


@dataclass(frozen=True, slots=True)
class Paths:
    """The compiled paths of a field in order of preference, and how their values are put
    together."""

    steps: tuple[tuple[Step, ...], ...] = ()
    join: bool = False
    reader: ValueReader | None = None

    def all(self, root: Root) -> Sequence[object]:
        """Every value of every path."""
        found = [value for steps in self.steps for value in values(steps, root)]
        return self.reader(found) if self.reader is not None and found else found

    def lists(self, root: Root) -> list[tuple[Sequence[object], bool]]:
        """The values of each path, and whether they are elements of a list rather than cells."""
        if self.reader is not None:
            return [(self.all(root), True)]
        return [(values(steps, root), Each in map(type, steps)) for steps in self.steps]

    def first(self, root: Root, convert: Callable[[object], Fact | None]) -> Fact | None:
        """The first usable value."""
        if self.reader is not None:
            facts_found = map(convert, self.all(root))
            return next((fact for fact in facts_found if fact is not None), None)
        for steps in self.steps:
            for value in values(steps, root):
                if (fact := convert(value)) is not None:
                    return fact
        return None

    def line(self, root: Root) -> str | None:
        """Joined values on one line, with commas between them; the last may repeat the others."""
        lines = [*dict.fromkeys(filter(None, map(facts.line, self.all(root))))]
        if len(lines) > 2 and _words(lines[-1]) == _words(*lines[:-1]):
            lines.pop()
        return ", ".join(lines) or None

    def block(self, root: Root) -> str | None:
        """The text of the first path that has some; several values become bullets."""
        is_one = self.join or self.reader is not None
        for found in [self.all(root)] if is_one else (values(each, root) for each in self.steps):
            parts = [part for part in found if isinstance(part, str) and part]
            if len(parts) > 1:
                parts = [part if "\n" in part else f"- {part}" for part in parts]
            block = clean_block("\n".join(parts)) if parts else None
            if block is not None:
                return block
        return None


def _words(*lines: str) -> set[str]:
    return set(fold(" ".join(lines)).split())


_NO_PATHS: Final = Paths()


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """Plan for reading one list of jobs, studies, or entries of the section named by `kind`.

    `texts` and `dates` read each field that such an item may have, also those that the mapping
    leaves out. `spec` says what is special about the list.
    """

    kind: str
    path: tuple[Step, ...] | None
    reader: ItemReader | None
    fields: Mapping[str, Paths]
    texts: Mapping[str, Read[str]]
    dates: Mapping[str, Read[object]]
    is_current: Read[bool]
    spec: AnyItems


@dataclass(frozen=True, slots=True)
class RowPlan:
    """Plan for reading the rows of one variant. `json_columns` must hold a JSON object or nothing.

    `marks` are the JSON columns with the names that some path looks for at their top: what the
    shape of a row is told by.
    """

    fields: Mapping[str, Paths]
    texts: Mapping[str, Read[str]]
    items: tuple[ItemPlan, ...]
    lower_cased: bool
    cut_phones: bool
    json_columns: frozenset[str]
    lists: frozenset[str]
    marks: frozenset[tuple[str, str]]
    ignored: tuple[tuple[Step, ...], ...]

    def __getitem__(self, name: str) -> Paths:
        """The paths of a field of the row; none when the mapping does not have it."""
        return self.fields.get(name, _NO_PATHS)


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
    paths = ((column_of(path), compile_path(path)) for _, path in shape.column_paths())
    inside = [(column, steps[1]) for column, steps in paths if len(steps) > 1]
    country, summary = fields.get("country", _NO_PATHS), fields.get("summary", _NO_PATHS)
    return RowPlan(
        fields=fields,
        texts={
            **{name: _line_reader(fields.get(name, _NO_PATHS)) for name in _LINES_OF_ROW},
            "country": country.line if country.join else _reader(country, facts.country),
            "summary": summary.block,
        },
        items=tuple(_item_plan(kind, item) for kind, item in shape.items()),
        lower_cased=shape.lower_cased,
        cut_phones=shape.cut_phones,
        json_columns=frozenset(column for column, _ in inside),
        lists=frozenset(column for column, step in inside if not isinstance(step, str)),
        marks=frozenset((column, step) for column, step in inside if isinstance(step, str)),
        ignored=tuple(compile_path(path) for path in shape.ignored),
    )


def _item_plan(kind: str, item: AnyItems) -> ItemPlan:
    fields = {str(name): _paths(spec) for name, spec in item.fields.items()}

    def of(name: str) -> Paths:
        return fields.get(name, _NO_PATHS)

    place = of("location")
    return ItemPlan(
        kind=kind,
        path=None if item.path is None else compile_path(item.path),
        reader=None if item.reader is None else ITEM_READERS[item.reader],
        fields=fields,
        texts={
            **{name: _line_reader(of(name)) for name in _LINES_OF_ITEM},
            "description": of("description").block,
            "location": (lambda root: facts.place(place.line(root)))
            if place.join
            else _reader(place, facts.place),
            "company_linkedin_id": _reader(of("company_linkedin_id"), company_reference),
            "company_domain": _reader(of("company_domain"), domain_key),
        },
        dates={name: _reader(of(name), facts.said) for name in _DATES_OF_ITEM},
        is_current=_reader(of("is_current"), goes_on),
        spec=item,
    )


def _line_reader(paths: Paths) -> Read[str]:
    return paths.line if paths.join else _reader(paths, facts.line)


def _reader(paths: Paths, convert: Callable[[object], Fact | None]) -> Read[Fact]:
    names = [str(steps[0]) for steps in paths.steps if len(steps) == 1]
    if not paths.steps:
        return lambda _: None
    if paths.reader is not None or len(names) < len(paths.steps):
        return partial(paths.first, convert=convert)

    # Most fields of an item are its own members.
    def read(root: Root) -> Fact | None:
        for name in names:
            value = root.get(name)
            if value is not None and (fact := convert(value)) is not None:
                return fact
        return None

    return read


def _paths(spec: FieldPaths) -> Paths:
    return Paths(
        tuple(compile_path(path) for path in spec.paths),
        spec.join,
        None if spec.reader is None else VALUE_READERS[spec.reader],
    )

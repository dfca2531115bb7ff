"""The parts of a source mapping: where a field is, what one element of a list is, one shape.

These models say what the YAML may hold; `mapping` puts them together and checks them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

RecordField = Literal[
    "full_name", "given_name", "family_name", "linkedin_id", "linkedin_member_ids", "emails",
    "phones", "headline", "summary", "location", "country", "industry", "skills",
    "years_experience", "months_experience",
]  # fmt: skip
PositionField = Literal[
    "title", "company", "company_linkedin_id", "company_domain", "start", "end", "dates",
    "is_current", "description", "location", "employment_type",
]  # fmt: skip
EducationField = Literal[
    "school", "degree", "degree_and_field", "field", "start", "end", "dates", "grade"
]  # fmt: skip
EntryField = Literal["title", "by", "start", "end", "dates", "description"]
SectionName = Annotated[str, Field(pattern=r"^[a-z][a-z_]{1,30}$")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldPaths(Strict):
    """Paths of a field. `join` concatenates all values instead of taking the first.

    `reader` names a code adapter that turns the values into plain ones.
    """

    paths: tuple[str, ...] = Field(min_length=1)
    join: bool = False
    reader: str | None = None


def _field_paths(value: object) -> object:
    if isinstance(value, str):
        return {"paths": [value]}
    if isinstance(value, list):
        return {"paths": value}
    if isinstance(value, dict) and "join" in value and "paths" not in value:
        return {**value, "paths": value["join"], "join": True}
    return value


FieldSpec = Annotated[FieldPaths, BeforeValidator(_field_paths)]


class Items(Strict):
    """A list of jobs, studies or entries of a section.

    `path` leads to the list; without it the row itself is one item. `reader` names a code adapter
    that turns the vendor's shape into a list of plain objects first. `open_end_is_current`: this
    vendor leaves the end of a running job empty. `unless_listed`: only when no earlier item names
    the employer. `always_current`: what stands here is the job that the person has now. `split`: a
    text in the place of the list is several items with commas between them.
    """

    path: str | None = None
    reader: str | None = None
    open_end_is_current: bool = False
    unless_listed: bool = False
    always_current: bool = False
    split: bool = False


class Positions(Items):
    """Jobs. With `path` the field paths start at one item, without it at the row."""

    fields: dict[PositionField, FieldSpec]


class Studies(Items):
    """Education. With `path` the field paths start at one item, without it at the row."""

    fields: dict[EducationField, FieldSpec]


class Entries(Items):
    """A section: what has a title, perhaps who gave it, when, and a text."""

    fields: dict[EntryField, FieldSpec] = Field(default_factory=dict)


AnyItems = Positions | Studies | Entries


def _as_list(value: object) -> object:
    return [value] if isinstance(value, dict) else value


ListsOfEntries = Annotated[tuple[Entries, ...], BeforeValidator(_as_list)]


class Shape(Strict):
    """The fields of one vendor's shape.

    `sections` are lists of anything else, by the name that the document shows. `lower_cased`: the
    vendor lower-cases names and places. `cut_phones`: its parser keeps ten digits of a number, so
    one that may have lost its end is no key. `ignored` are paths that are left out on purpose.
    """

    fields: dict[RecordField, FieldSpec] = Field(default_factory=dict)
    positions: Annotated[tuple[Positions, ...], BeforeValidator(_as_list)] = ()
    education: Annotated[tuple[Studies, ...], BeforeValidator(_as_list)] = ()
    sections: dict[SectionName, ListsOfEntries] = Field(default_factory=dict)
    lower_cased: bool = False
    cut_phones: bool = False
    ignored: tuple[str, ...] = ()

    def items(self) -> Iterator[tuple[str, AnyItems]]:
        """Every list with what it is a list of: positions, education, or the name of a section."""
        for job in self.positions:
            yield "positions", job
        for study in self.education:
            yield "education", study
        for name, lists in self.sections.items():
            for entries in lists:
                yield name, entries

    def specs(self) -> Iterator[tuple[str, FieldPaths, bool]]:
        """The place in the file of every field, its paths, and whether they start at a column."""
        for name, spec in self.fields.items():
            yield f"fields.{name}", spec, True
        for kind, item in self.items():
            for member, spec in item.fields.items():
                yield f"{kind}.fields.{member}", spec, item.path is None

    def column_paths(self) -> Iterator[tuple[str, str]]:
        """The place in the file and the path, for every path that starts at a column."""
        for place, spec, starts_at_column in self.specs():
            if starts_at_column:
                yield from ((place, path) for path in spec.paths)
        for kind, item in self.items():
            if item.path is not None:
                yield f"{kind}.path", item.path

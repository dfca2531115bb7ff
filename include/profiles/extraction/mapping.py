"""Schema of `include/sources/*.yaml`: which column or JSON path holds which fact.

A field takes the first usable value of its paths; a field of many values (mails, phones, member
ids, skills, certifications, languages) takes all of them. A variant is one vendor's shape of the
same table, picked by the discriminator column; its own paths go before the common ones.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import orjson
from pydantic import Field, model_validator

from profiles.extraction.json_path import column_of, compile_path
from profiles.extraction.plan import ITEM_READERS, VALUE_READERS, RowPlan, row_plans
from profiles.extraction.shapes import Shape, Strict


class ChildTable(Strict):
    """A table with any number of rows for one row of the source, found by `key`.

    `parent` is the column of the source that `key` holds a value of; default: the source's key.
    """

    table: str = Field(pattern=r"^[^.]+(\.[^.]+)?$")
    key: str
    parent: str | None = None


class SourceMapping(Shape):
    """One source table.

    `updated_at` orders what different rows claim; `updated_at_reliable` says that every write
    moves it, so that it can tell changed rows from unchanged ones. `children` are tables whose
    rows stand in the source's row as a column of objects, by the name of that column. The loader
    sets `rules`, the digest of the code that reads rows, and `lines`, the first line of each text
    of `file`.
    """

    source: str = Field(pattern=r"^[a-z][a-z0-9_]{0,30}$")
    table: str = Field(pattern=r"^[^.]+(\.[^.]+)?$")
    key: str
    updated_at: str | None = None
    updated_at_reliable: bool = False
    discriminator: str | None = None
    variants: dict[str, Shape] = Field(default_factory=dict)
    children: dict[str, ChildTable] = Field(default_factory=dict)
    rules: str = Field(default="", exclude=True)
    file: str = Field(default="", exclude=True)
    lines: dict[str, int] = Field(default_factory=dict, exclude=True, repr=False)

    @model_validator(mode="after")
    def _check(self) -> SourceMapping:
        problems = list(self._faults())
        if problems:
            raise ValueError(*problems)
        return self

    def _faults(self) -> Iterator[str]:
        if self.discriminator and not self.variants:
            yield "discriminator needs variants"
        if self.updated_at_reliable and not self.updated_at:
            yield "updated_at_reliable needs updated_at"
        if self.updated_at_reliable and self.children:
            yield "updated_at_reliable must be false: the rows of children change alone"
        for where, shape in self._shapes():
            yield from _shape_faults(where, shape)

    def _shapes(self) -> Iterator[tuple[str, Shape]]:
        yield "", self
        for name, variant in self.variants.items():
            yield f"variants.{name}.", variant

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every column this mapping reads, key first, each once."""
        return tuple(dict.fromkeys(column for _, column in self.places()))

    def places(self) -> Iterator[tuple[str, str]]:
        """Each place of the file that names a column, and the column."""
        for name in ("key", "updated_at", "discriminator"):
            if column := getattr(self, name):
                yield name, column
        for where, shape in self._shapes():
            for place, path in shape.column_paths():
                yield f"{where}{place}", column_of(path)

    @cached_property
    def plans(self) -> dict[str | None, RowPlan]:
        """Plan for reading the rows of each variant; under None for a table of one shape."""
        return row_plans(self, self.variants)

    @cached_property
    def json_columns(self) -> frozenset[str]:
        """The columns that some path goes into, so that they must hold JSON."""
        return frozenset().union(*(plan.json_columns for plan in self.plans.values()))

    @cached_property
    def lists(self) -> frozenset[str]:
        """The JSON columns that may hold a list: some path goes to each of its elements."""
        return frozenset().union(*(plan.lists for plan in self.plans.values()))

    @cached_property
    def members(self) -> dict[str, frozenset[str]]:
        """The names that some variant's path looks for at the top of each JSON column."""
        marks = frozenset[tuple[str, str]]().union(*(plan.marks for plan in self.plans.values()))
        return {
            column: frozenset(name for owner, name in marks if owner == column)
            for column in sorted(self.json_columns)
        }

    @cached_property
    def json_alone(self) -> frozenset[str]:
        """Those of them that are decoded in each variant, so that nothing reads them as text."""
        return frozenset.intersection(*(plan.json_columns for plan in self.plans.values()))

    @cached_property
    def extractor_version(self) -> str:
        """Digest of this mapping and of the reading rules; another one re-reads every row."""
        content = self.model_dump(mode="json")
        payload = orjson.dumps([content, self.rules], option=orjson.OPT_SORT_KEYS)
        return hashlib.blake2b(payload, digest_size=8).hexdigest()

    def line_of(self, text: str) -> str:
        """File and line of a path or of a path's column, for messages; empty when unknown."""
        for known, line in self.lines.items():
            if known == text or known.startswith((f"{text}.", f"{text}[")):
                return f"{self.file} line {line}"
        return self.file


def check_mapping(mapping: SourceMapping, columns: Mapping[str, str]) -> list[str]:
    """One sentence per fault of a mapping against its table's columns (name → SQL type).

    Each names table, column, the places of the file that use it, and the nearest existing column.
    An empty list means that every column exists and can hold what the mapping expects of it.
    """
    problems = []
    for column in mapping.columns:
        used = dict.fromkeys(place for place, name in mapping.places() if name == column)
        places = ", ".join(filter(None, [*list(used)[:3], mapping.line_of(column)]))
        if column not in columns:
            problems.append(
                f"{mapping.source}: table {mapping.table} has no column '{column}' "
                f"(named in {places}); {nearest(column, columns)}"
            )
        elif column in mapping.json_columns and not _may_hold_json(columns[column]):
            problems.append(
                f"{mapping.source}: column '{column}' of {mapping.table} is "
                f"{columns[column]}, but {places} reads JSON members of it; expected json, jsonb, "
                "text or an array"
            )
    return problems


READ_AS_JSON = frozenset({"row", "hstore"})
"""Types that Postgres writes as JSON when asked, and as text of its own otherwise."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The advice of a message about an unknown name."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f"nearest is '{close[0]}'"
    return f"known are {', '.join(names)}" if names else "there are none"


def _may_hold_json(sql_type: str) -> bool:
    """Arrays, rows and hstore are read as JSON."""
    texts = ("json", "text", "character", "citext", "name")
    return sql_type.startswith(texts) or sql_type in READ_AS_JSON or sql_type.endswith("[]")


def _shape_faults(where: str, shape: Shape) -> Iterator[str]:
    for place, spec, starts_at_column in shape.specs():
        for path in spec.paths:
            yield from _path_faults(f"{where}{place}", path, starts_at_column=starts_at_column)
        yield from _reader_faults(f"{where}{place}", spec.reader, VALUE_READERS)
    for kind, item in shape.items():
        if item.path is not None:
            yield from _path_faults(f"{where}{kind}.path", item.path, starts_at_column=True)
        yield from _reader_faults(f"{where}{kind}", item.reader, ITEM_READERS)


def _path_faults(place: str, path: str, *, starts_at_column: bool) -> Iterator[str]:
    try:
        if starts_at_column:
            column_of(path)
        else:
            compile_path(path)
    except ValueError as error:
        yield f"{place}: {error}"


def _reader_faults(place: str, reader: str | None, known: Mapping[str, Any]) -> Iterator[str]:
    if reader is not None and reader not in known:
        yield f"{place}: unknown reader '{reader}'; {nearest(reader, known)}"

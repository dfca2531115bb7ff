"""`profiles check --draft TABLE`: a first mapping of a table, to be read and corrected by a person.

A column or JSON member is taken for the field that the shipped mappings read from a path of its
name. No value of a row leaves this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml
from psycopg import Connection
from psycopg.rows import TupleRow

from profiles.errors import MappingError
from profiles.extraction.json_path import NOT_JSON, Each, compile_path, decode_json, path_text
from profiles.extraction.mapping import SourceMapping, nearest
from profiles.settings import INCLUDE_DIR
from profiles.steps.check_sources import time_columns
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from profiles.storage.source_tables import TableShape, sample_rows, table_names, table_shape

__all__ = ["draft"]

SAMPLE_ROWS = 200
_LISTS = ("positions", "education")


@dataclass(slots=True)
class _Known:
    """By place (the record, positions, education), which field each name was mapped to."""

    names: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)

    def add(self, place: str, path: str, target: str) -> None:
        steps = compile_path(path)
        # A member of each element is named within its list.
        name = path_text(steps[-1:]) if Each() not in steps else target
        self.names.setdefault(place, {}).setdefault(_folded(name), Counter())[target] += 1

    def target(self, place: str, name: str) -> str | None:
        found = self.names.get(place, {}).get(_folded(name))
        return found.most_common(1)[0][0] if found else None


def draft(database: Database, table: str) -> str:
    """The YAML of a mapping for `table`, which loads; what fits no field is named in comments.

    Raises:
        MappingError: there is no such table, or none of its columns identifies a row.
    """
    with database.connect() as connection:
        connection.execute("SET TRANSACTION READ ONLY")
        mapping, shape = _keyed(connection, table)
        rows = sample_rows(connection, mapping, shape, limit=SAMPLE_ROWS)
    known, content = _known_names(), mapping.model_dump(exclude_defaults=True)
    content["updated_at"] = next(iter(time_columns(shape.columns)), None)
    fields: dict[str, list[str]] = {}
    lists: dict[str, list[dict[str, Any]]] = {}
    unknown = []
    for column, sql_type in shape.columns.items():
        if column in (mapping.key, content["updated_at"]):
            continue
        if not _place(
            known, _path(column), column, [row.get(column) for row in rows], fields, lists
        ):
            unknown.append(f"#   {column} ({sql_type})")
    content |= {
        "fields": {name: paths if len(paths) > 1 else paths[0] for name, paths in fields.items()}
    }
    content |= lists
    head = (
        f"# Drafted from {table}: {len(shape.columns)} columns, {len(rows)} rows read. Read every "
        "line, save it in the folder\n# of PROFILES_SOURCES_DIR, then run `profiles check`. "
        "Fields: docs/sources.md.\n"
    )
    body = yaml.safe_dump(
        {k: v for k, v in content.items() if v}, sort_keys=False, allow_unicode=True
    )
    left = "\n# Fit no field by their names; map them, or list them under `ignored`:\n"
    return head + body + (left + "\n".join(unknown) + "\n" if unknown else "")


def _keyed(connection: Connection[TupleRow], table: str) -> tuple[SourceMapping, TableShape]:
    """A mapping without fields whose key is a unique column, and the table."""
    source = (
        re.sub(r"\W+", "_", table.rpartition(".")[2].lower()).strip("_0123456789")[:31] or "own"
    )
    first = table_shape(connection, SourceMapping(source=source, table=table, key=""))
    if first is None:
        raise MappingError(
            [f"there is no table {table}; {nearest(table, table_names(connection))}"]
        )
    for column in first.columns:
        mapping = SourceMapping(source=source, table=table, key=column)
        shape = table_shape(connection, mapping)
        if shape is not None and shape.key_is_unique:
            return mapping, shape
    key = next(iter(first.columns))
    return SourceMapping(source=source, table=table, key=key), first


def _known_names() -> _Known:
    known = _Known()
    for mapping in load_mappings(INCLUDE_DIR / "sources").values():
        for shape in (mapping, *mapping.variants.values()):
            for name, spec in shape.fields.items():
                for path in (name, *spec.paths):
                    known.add("", path, name)
            for kind, item in shape.items():
                if kind not in _LISTS or item.path is None:
                    continue
                known.add("lists", item.path, kind)
                for member, spec in item.fields.items():
                    for path in (str(member), *spec.paths):
                        known.add(kind, path, str(member))
    return known


def _place(
    known: _Known,
    path: str,
    name: str,
    values: Iterable[object],
    fields: dict[str, list[str]],
    lists: dict[str, list[dict[str, Any]]],
) -> bool:
    """Puts a column, or a member of one, where its name and its values say; whether it fits."""
    decoded = [value for value in map(_opened, values) if value not in (None, "")]
    objects = [value for value in decoded if isinstance(value, dict)]
    elements = [item for value in decoded if isinstance(value, list) for item in value]
    members = _members(item for item in elements if isinstance(item, dict))
    if members:
        kind = known.target("lists", name) or _likeliest(known, members)
        found: dict[str, list[str]] = {}
        for member in members:
            if target := known.target(kind, member):
                found.setdefault(target, []).append(_path(member))
        if found:
            lists.setdefault(kind, []).append({"path": path, "fields": found})
        return bool(found)
    if objects:
        return any(
            [
                _place(known, f"{path}.{_path(member)}", member, each, fields, lists)
                for member, each in _members(objects).items()
            ]
        )
    target = known.target("", name)
    if target is None:
        return False
    fields.setdefault(target, []).append(f"{path}[]" if elements else path)
    return True


def _likeliest(known: _Known, members: Mapping[str, object]) -> str:
    return max(
        _LISTS, key=lambda kind: sum(known.target(kind, name) is not None for name in members)
    )


def _members(objects: Iterable[dict[str, object]]) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for each in objects:
        for name, value in each.items():
            found.setdefault(name, []).append(value)
    return found


def _opened(value: object) -> object:
    decoded = decode_json(value) if isinstance(value, str) else value
    return value if decoded is NOT_JSON else decoded


def _path(name: str) -> str:
    return re.sub(r"([.\[\]\\])", r"\\\1", name)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())

"""`profiles check`: mappings and source tables as the next run would find them, without a run.

`--draft TABLE` makes a first mapping of a table, to be read and corrected by a person: a column or
JSON member is taken for the field that the shipped mappings read from a path of its name. No value
of a row leaves this module.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import yaml

from profiles.errors import MappingError
from profiles.extraction.json_path import Each, compile_path, decode_json, path_text
from profiles.extraction.mapping import SourceMapping
from profiles.settings import INCLUDE_DIR, load_settings
from profiles.steps.check_sources import UNREAD, WARNING, check_tables, noted, time_columns
from profiles.steps.stage import Counts
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from profiles.storage.source_tables import TableShape, no_table, sample_rows, table_shape
from profiles.storage.sql_files import Connection

DRAFT_ROWS = 200
_LISTS = ("positions", "education")


@dataclass(frozen=True, slots=True)
class MappingCheck:
    """Rows of each source, what stops a run or would be a warning, and unmapped paths."""

    rows: dict[str, int]
    problems: list[str]
    warnings: list[str]
    unread: list[str]


def check(database: Database) -> MappingCheck:
    """Read all mappings and the tables that they name; writes nothing and needs no schema."""
    settings, counts = load_settings(), Counts()
    try:
        mappings = list(load_mappings(settings.sources_dir).values())
    except MappingError as error:
        return MappingCheck({}, error.problems, [], [])
    with database.connect(snapshot=True) as connection:
        problems = check_tables(connection, mappings, counts, settings)
    names = {f"{each.source} ({each.table})": f"{each.source}.rows" for each in mappings}
    rows = {table: int(counts[name]) for table, name in names.items() if name in counts}
    return MappingCheck(rows, problems, list(noted(counts, WARNING)), list(noted(counts, UNREAD)))


def draft(database: Database, table: str) -> str:
    """The YAML of a mapping for `table`, which loads; what fits no field is named in comments."""
    with database.connect(snapshot=True) as connection:
        mapping, shape = _keyed(connection, table)
        rows = sample_rows(connection, mapping, shape, limit=DRAFT_ROWS)
    content = mapping.model_dump(exclude_defaults=True)
    content["updated_at"] = next(iter(time_columns(shape.columns)), None)
    drafted, unknown = _Draft(), []
    for column, sql_type in shape.columns.items():
        if column in (mapping.key, content["updated_at"]):
            continue
        if not drafted.place(_path(column), column, [row.get(column) for row in rows]):
            unknown.append(f"#   {column} ({sql_type})\n")
    content |= {"fields": _plain(drafted.fields), **drafted.lists}
    known = {name: value for name, value in content.items() if value}
    head = (
        f"# Drafted from {table}: {len(shape.columns)} columns, {len(rows)} rows read. Read every "
        "line, save it in the folder\n# of PROFILES_SOURCES_DIR, then run `profiles check`. "
        "Fields: docs/sources.md.\n"
    )
    if unknown:
        unknown.insert(0, "\n# Fit no field by their names; map them, or list them as `ignored`:\n")
    return head + yaml.safe_dump(known, sort_keys=False, allow_unicode=True) + "".join(unknown)


class _Draft:
    def __init__(self) -> None:
        self.fields: defaultdict[str, list[str]] = defaultdict(list)
        self.lists: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self._known: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for place, path, target in _shipped_paths():
            steps = compile_path(path)
            # A member of each element is named within its list.
            name = target if Each() in steps else path_text(steps[-1:])
            self._known[place, _folded(name)][target] += 1

    def place(self, path: str, name: str, values: Iterable[object]) -> bool:
        """Puts a column, or a member of one, where its name and values say; whether it fits."""
        decoded = [value for value in map(decode_json, values) if value not in (None, "")]
        elements = [item for value in decoded if isinstance(value, list) for item in value]
        if members := _members(elements):
            return self._add_list(path, name, list(members))
        if members := _members(decoded):
            below = [(f"{path}.{_path(member)}", member, each) for member, each in members.items()]
            return any([self.place(*each) for each in below])
        target = self._target("", name)
        if target is not None:
            self.fields[target].append(f"{path}[]" if elements else path)
        return target is not None

    def _add_list(self, path: str, name: str, members: list[str]) -> bool:
        by_kind = {kind: defaultdict[str, list[str]](list) for kind in _LISTS}
        for kind, member in product(_LISTS, members):
            if target := self._target(kind, member):
                by_kind[kind][target].append(_path(member))
        kind = self._target("lists", name) or max(_LISTS, key=lambda each: len(by_kind[each]))
        if by_kind[kind]:
            self.lists[kind].append({"path": path, "fields": _plain(by_kind[kind])})
        return bool(by_kind[kind])

    def _target(self, place: str, name: str) -> str | None:
        found = self._known.get((place, _folded(name)))
        return found.most_common(1)[0][0] if found else None


def _shipped_paths() -> Iterator[tuple[str, str, str]]:
    """(the record or the kind of list, path, field) of each path in the shipped mappings."""
    for mapping in load_mappings(INCLUDE_DIR / "sources").values():
        for shape in (mapping, *mapping.variants.values()):
            yield from (("", p, name) for name, spec in shape.fields.items() for p in spec.paths)
            yield from (("", name, name) for name in shape.fields)
            for kind, item in shape.items():
                if kind in _LISTS and item.path is not None:
                    yield "lists", item.path, kind
                    for name, spec in item.fields.items():
                        yield from ((kind, path, str(name)) for path in (str(name), *spec.paths))


def _keyed(connection: Connection, table: str) -> tuple[SourceMapping, TableShape]:
    """A mapping without fields whose key is a unique column, else the first, and the table."""
    name = re.sub(r"[^a-z0-9]+", "_", table.rpartition(".")[2].lower())
    source = name.strip("_0123456789")[:31] or "own"
    found = table_shape(connection, SourceMapping(source=source, table=table, key=""))
    if found is None:
        raise MappingError([no_table(connection, table)])
    key = next(iter((*found.unique, *found.columns)))
    return SourceMapping(source=source, table=table, key=key), found


def _plain(fields: dict[str, list[str]]) -> dict[str, Any]:
    return {name: paths if len(paths) > 1 else paths[0] for name, paths in fields.items()}


def _members(values: Iterable[object]) -> dict[str, list[object]]:
    found: defaultdict[str, list[object]] = defaultdict(list)
    for each in values:
        for name, value in each.items() if isinstance(each, dict) else ():
            found[name].append(value)
    return found


def _path(name: str) -> str:
    return re.sub(r"([.\[\]\\])", r"\\\1", name)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())

"""Definition and row addressing of a source table: columns, key, change token, deletions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import LiteralString

from psycopg import sql
from psycopg.rows import TupleRow

from profiles.errors import SourceError
from profiles.extraction.mapping import READ_AS_JSON, SourceMapping, nearest
from profiles.storage.sql_files import Connection, compose, execute, identifier, qualified

FEWEST_KNOWN_ROWS = 50
"""A source with fewer known rows may lose any share of them: one row of ten is no accident."""


@dataclass(frozen=True, slots=True)
class TableShape:
    """A table as the catalog has it: `columns` maps name to SQL type, of a domain the type below;
    `child_keys` has the type of the key of each child table, "" where it has none.

    `unreadable` names the columns that this login may not read, `hides_rows` says that row level
    security shows it some of the rows or none. A materialized view must be filled to be read.
    """

    columns: Mapping[str, str]
    has_row_versions: bool
    unique: Sequence[str]
    child_keys: Mapping[str, str]
    unreadable: Sequence[str] = ()
    hides_rows: bool = False
    is_filled: bool = True


def table_shape(connection: Connection, mapping: SourceMapping) -> TableShape | None:
    """The catalog's answer about the mapped table, None when there is no such table."""
    rows = _catalog(connection, mapping.table)
    if not rows:
        return None
    _, _, kind, _, _, may_read_all, hides_rows, is_filled = rows[0]
    children = {
        name: (table_columns(connection, child.table) or {}).get(child.key, "")
        for name, child in mapping.children.items()
    }
    return TableShape(
        columns={row[0]: row[1] for row in rows} | dict.fromkeys(children, "jsonb"),
        child_keys=children,
        # Views and foreign tables have no xmin, and a refreshed view changes all of them. The row
        # of a child may change while that of its parent stays, and a right to columns alone gives
        # none to the row version.
        has_row_versions=kind in ("r", "p") and may_read_all and not children,
        unique=[row[0] for row in rows if row[3]],
        unreadable=[row[0] for row in rows if not row[4]],
        hides_rows=bool(hides_rows),
        is_filled=bool(is_filled),
    )


def access_problems(mapping: SourceMapping, shape: TableShape, *, role: str) -> list[str]:
    """One sentence per right that the login lacks, and for rows that are hidden or not there."""
    missing = [name for name in mapping.columns if name in shape.unreadable]
    schema = mapping.table.rpartition(".")[0] or "…"
    problems = []
    if missing:
        problems.append(
            f"{mapping.source}: {role} may not read column {', '.join(map(repr, missing))} of "
            f"{mapping.table}; its owner runs GRANT USAGE ON SCHEMA {schema} TO {role}; "
            f"GRANT SELECT ON {mapping.table} TO {role}"
        )
    if not shape.is_filled:
        problems.append(
            f"{mapping.source}: {mapping.table} holds no rows yet; its owner runs REFRESH "
            f"MATERIALIZED VIEW {mapping.table}"
        )
    if shape.hides_rows:
        problems.append(
            f"{mapping.source}: row level security of {mapping.table} hides rows from {role}, so "
            f"people would be missing; an administrator runs ALTER ROLE {role} BYPASSRLS, or makes "
            "a view of all rows"
        )
    return problems


def table_columns(connection: Connection, table: str) -> dict[str, str] | None:
    """Column name → SQL type of any table, None when there is no such table."""
    return {row[0]: row[1] for row in _catalog(connection, table)} or None


def _catalog(connection: Connection, table: str) -> list[TupleRow]:
    schema, _, name = table.rpartition(".")
    bound = {"schema": schema or None, "table": name}
    return execute(connection, "extract/select_columns", **bound).fetchall()


def no_table(connection: Connection, table: str) -> str:
    """The fault that there is no such table, with the nearest readable one of the team's."""
    names = [str(row[0]) for row in execute(connection, "extract/select_tables")]
    return f"there is no table {table}; {nearest(table, names)}"


def count_gone(
    connection: Connection, mapping: SourceMapping, *, max_share: float
) -> tuple[int, int]:
    """The rows of a source known from earlier runs, and how many vanished; SourceError where more
    than `max_share` did."""
    known, gone = _figures(connection, "extract/count_gone", mapping)
    if known >= FEWEST_KNOWN_ROWS and gone > max_share * known:
        raise SourceError(
            f"{mapping.source}: {gone} of {known} known rows are gone from {mapping.table} "
            f"({gone / known:.1%}; at most {max_share:.1%} may go in one night). Restore the "
            "table, or set PROFILES_MAX_DELETE_SHARE higher for one run if they were meant to go."
        )
    return known, gone


def count_rows(
    connection: Connection, mapping: SourceMapping, shape: TableShape
) -> tuple[int, int]:
    """Rows of the table, and how many of them lack a key of their own."""
    # Counting different keys sorts the table, which a unique index makes needless.
    name = "extract/count_rows" if mapping.key in shape.unique else "extract/count_keys"
    rows, keys = _figures(connection, name, mapping)
    return rows, rows - keys


def sample_rows(
    connection: Connection, mapping: SourceMapping, shape: TableShape, *, limit: int
) -> list[dict[str, str | None]]:
    """The first `limit` rows with all their columns, column → text, as extract reads them."""
    readable = [name for name in shape.columns if name not in shape.unreadable]
    columns = [_value(name, shape.columns[name]) for name in readable]
    statement = compose(
        "extract/select_sample",
        rows=_rows(mapping, shape),
        columns=sql.SQL(", ").join(columns),
        **_identifiers(mapping),
    )
    rows = connection.execute(statement, {"limit": limit}).fetchall()
    return [dict(zip(readable, row, strict=True)) for row in rows]


def count_to_read(connection: Connection, mapping: SourceMapping) -> int:
    """About how many rows of a table are to be read: those that are not known, or known by other
    reading rules. Which of the known ones changed takes a look at each of them."""
    rows, known = _figures(connection, "extract/count_to_read", mapping)
    return max(0, rows - known)


def select_changed(mapping: SourceMapping, shape: TableShape) -> sql.Composed:
    """The statement that reads new and changed rows of a part: key, change token, hash of the
    stored record, then `mapping.columns`; those that every variant takes for JSON are of type
    varchar, so that a cursor can leave their text undecoded."""
    columns = [
        sql.SQL("{}::varchar").format(value) if name in mapping.json_alone else value
        for name in mapping.columns
        for value in (_value(name, shape.columns[name]),)
    ]
    return compose(
        "extract/select_changed",
        rows=_rows(mapping, shape),
        token=_token(mapping, shape),
        columns=sql.SQL(", ").join(columns),
        **_identifiers(mapping),
    )


def delete_gone(connection: Connection, mapping: SourceMapping) -> int:
    """Forgets the rows whose key is not in the table any more; returns how many. `candidate_source`
    keeps pointing at them: resolution sees that the record is gone."""
    (gone,) = _figures(connection, "extract/delete_gone", mapping)
    return gone


def _figures(connection: Connection, name: str, mapping: SourceMapping) -> tuple[int, ...]:
    """The only row of a statement about a source and its table."""
    values = {"source": mapping.source, "extractor_version": mapping.extractor_version}
    (row,) = connection.execute(compose(name, **_identifiers(mapping)), values).fetchall()
    return tuple(row)


def _token(mapping: SourceMapping, shape: TableShape) -> sql.Composable:
    """Change token of a row: the declared time, else its row version, else a digest of it."""
    fallback: sql.Composable = sql.SQL("t.xmin::text")
    if not shape.has_row_versions:
        # Columns one by one: `t` alone would be a column of that name, where there is one, and
        # needs a right to all of them.
        columns = [sql.SQL("{}::text").format(_column(name)) for name in mapping.columns]
        fallback = sql.SQL("md5(ROW({})::text)").format(sql.SQL(", ").join(columns))
    if not mapping.updated_at_reliable or mapping.updated_at is None:
        return fallback
    return sql.SQL("coalesce({}::text, {})").format(_column(mapping.updated_at), fallback)


_WHOLE = frozenset(("smallint", "integer", "bigint"))
_TEXT = frozenset(("text", "character varying"))
_JOINED = (_WHOLE, _TEXT | {"uuid"})
"""Types of keys that are joined with one another, so that an index on the child's key is used."""


def _join(child: str, parent: str) -> LiteralString:
    if parent == "uuid" and child in _TEXT:
        return "{key} = ANY (ARRAY[{parent}::text, upper({parent}::text)])"
    if child == "uuid" and parent in _TEXT:
        is_uuid = "{parent} ~* '^[0-9a-f]{{8}}(-?[0-9a-f]{{4}}){{3}}-?[0-9a-f]{{12}}$'"
        return "{key} = CASE WHEN " + is_uuid + " THEN {parent}::uuid END"
    return "{key} = {parent}"


def _rows(mapping: SourceMapping, shape: TableShape) -> sql.Composable:
    """The table, or its rows with those of each child table in a column of JSON objects."""
    table = qualified(mapping.table)
    if not mapping.children:
        return table
    lists = []
    for name, child in mapping.children.items():
        parent = child.parent or mapping.key
        joined = sql.SQL(_join(shape.child_keys[name], shape.columns[parent])).format(
            key=identifier("c", child.key), parent=identifier("p", parent)
        )
        lists.append(
            sql.SQL(
                "(SELECT jsonb_agg(to_jsonb(c.*) ORDER BY to_jsonb(c.*)::text) FROM {} AS c "
                "WHERE {}) AS {}"
            ).format(qualified(child.table), joined, identifier(name))
        )
    return sql.SQL("(SELECT p.*, {} FROM {} AS p)").format(sql.SQL(", ").join(lists), table)


def child_problems(connection: Connection, mapping: SourceMapping, shape: TableShape) -> list[str]:
    """One sentence per child table that is missing, or cannot be joined to its source."""
    own = shape.columns
    problems = []
    for name, child in mapping.children.items():
        columns = table_columns(connection, child.table)
        parent = child.parent or mapping.key
        place = f"{mapping.source}: children.{name}"
        if columns is None:
            problems.append(f"{place}: {no_table(connection, child.table)}")
        elif child.key not in columns:
            advice = nearest(child.key, columns)
            problems.append(f"{place}: table {child.table} has no column '{child.key}'; {advice}")
        elif parent not in own:
            problems.append(
                f"{place}: table {mapping.table} has no column '{parent}'; {nearest(parent, own)}"
            )
        elif columns[child.key] != own[parent] and not any(
            {columns[child.key], own[parent]} <= types for types in _JOINED
        ):
            problems.append(
                f"{place}: '{child.key}' of {child.table} is {columns[child.key]}, but '{parent}' "
                f"of {mapping.table} is {own[parent]}; give both one type, or name a view that does"
            )
    return problems


def _value(name: str, sql_type: str) -> sql.Composable:
    """A column as text; an array and what has members as JSON text."""
    is_json = sql_type.endswith("[]") or sql_type in READ_AS_JSON
    return sql.SQL("to_json({})::text" if is_json else "{}::text").format(_column(name))


def _identifiers(mapping: SourceMapping) -> dict[str, sql.Composable]:
    return {"table": qualified(mapping.table), "key": _column(mapping.key)}


def _column(name: str) -> sql.Identifier:
    return identifier("t", name)

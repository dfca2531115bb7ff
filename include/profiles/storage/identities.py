"""Reads and writes the identity graph: rows, keys, pairs and the candidates made of them.

Everything happens on one connection inside the caller's transaction, over the temporary tables that
`resolve/create_work_tables` makes. Streams are server-side cursors, writes are COPY, so memory does
not grow with the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from profiles.resolution.blocking import WEAK_KINDS
from profiles.resolution.decisions import Constraints
from profiles.resolution.quarantine import Corpus
from profiles.storage.decisions import constraints_in_force
from profiles.storage.sql_files import compose, load

FETCH_ROWS = 2_000

Item = TypeVar("Item")
Row = tuple[Any, ...]


class IdentityStore:
    """The identity tables as one resolve sees them."""

    def __init__(self, connection: psycopg.Connection[TupleRow], *, run_id: str) -> None:
        self._connection = connection
        self.run_id = run_id

    def execute(self, name: str, **values: object) -> int:
        """Runs block `name` of resolve.sql and returns how many rows it wrote."""
        bound = {"run_id": self.run_id, **values}
        statement = load(f"resolve/{name}")
        # Statements without placeholders may hold several commands, which binding forbids.
        parameters = bound if "%(" in statement else None
        return self._connection.execute(statement, parameters).rowcount

    def find_pairs(self, name: str, **values: object) -> int:
        """Fills the table pair by block `name` of resolve.sql; returns how many there are."""
        statement = compose(f"resolve/{name}", share_a_job=sql.SQL(load("resolve/share_a_job")))
        return self._connection.execute(statement, values).rowcount

    def stream(self, name: str, **values: object) -> Iterator[Row]:
        """The rows of block `name` of resolve.sql, fetched as they are used."""
        with self._connection.cursor(name=f"resolve_{name}") as cursor:
            cursor.itersize = FETCH_ROWS
            cursor.execute(load(f"resolve/{name}"), values or None)
            while rows := cursor.fetchmany(FETCH_ROWS):
                yield from rows

    def copy(self, statement: LiteralString, rows: Iterable[Sequence[object]]) -> int:
        """Writes rows with the given `COPY … FROM STDIN` and returns how many."""
        written = 0
        with self._connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
                written += 1
        return written

    def count(self, query: LiteralString) -> int:
        """The single number that `query` selects."""
        row = self._connection.execute(query).fetchone()
        return int(row[0]) if row else 0

    def analyze(self, *tables: LiteralString) -> None:
        """Fresh statistics: autovacuum cannot see inside this transaction."""
        for table in tables:
            self._connection.execute(f"ANALYZE {table}")

    @contextmanager
    def without(self, plan: LiteralString) -> Iterator[None]:
        """Statements are planned without `hashagg` or `hashjoin`.

        Keys lie in the order of their index after they were written again: following it takes no
        memory and no look at disk. The planner estimates far fewer keys than there are.
        """
        self._connection.execute(f"SET LOCAL enable_{plan} = off")
        yield  # an error ends the transaction, and the setting with it
        self._connection.execute(f"SET LOCAL enable_{plan} = on")

    def corpus(self) -> Corpus:
        """What the rows say of frequencies, and the strong keys in quarantine."""
        return read_corpus(self._connection)

    def read_constraints(self) -> Constraints:
        """The human decisions in force. Fills decided."""
        constraints = Constraints(constraints_in_force(self._connection))
        self.copy(
            "COPY decided (source, source_key, class) FROM STDIN",
            ((*ref, number) for ref, number in constraints.classes.items()),
        )
        self.analyze("decided")
        return constraints

    def reserve_ids(self, number: int) -> list[int]:
        """Fresh candidate ids, in order."""
        rows = self._connection.execute(load("resolve/reserve_candidate_ids"), {"n": number})
        return sorted(candidate_id for (candidate_id,) in rows)

    def features(self, row_ids: Iterable[int]) -> dict[int, str]:
        """The identity facts of the given rows, as JSON."""
        array = _array(row_ids)
        if array == "{}":
            return {}
        found: Iterable[tuple[int, str]] = self._connection.execute(
            load("resolve/select_features"), {"row_ids": array}
        )
        return dict(found)

    def work(self, row_ids: Sequence[int]) -> tuple[list[Row], list[Row]]:
        """Names of rows (row_id, source, source_key), and the accepted pairs (lo, hi, score,
        signals) that begin at them."""
        bound = {"row_ids": _array(row_ids)}
        return (
            self._connection.execute(load("resolve/select_work_rows"), bound).fetchall(),
            self._connection.execute(load("resolve/select_work_edges"), bound).fetchall(),
        )


def read_corpus(connection: psycopg.Connection[Any]) -> Corpus:
    """The corpus as the last resolve, or this one, counted it."""
    frequent = dict(
        connection.execute("SELECT term, frequency FROM synthesis.term_frequency").fetchall()
    )
    generic = connection.execute(
        "SELECT kind, value FROM synthesis.generic_key WHERE kind <> ALL (%s)", (list(WEAK_KINDS),)
    ).fetchall()
    return Corpus(frequent.pop("", 0), frequent, frozenset(generic))


def _array(numbers: Iterable[int]) -> str:
    """Numbers as the server reads an array: the driver takes seven times as long over a list."""
    return "{" + ",".join(map(str, numbers)) + "}"


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of at most `size` items."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch

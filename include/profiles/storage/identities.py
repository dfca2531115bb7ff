"""Reads and writes the identity graph and what people decided about it.

Resolve works over the temporary tables that `resolve/create_work_tables` makes. Streams are
server-side cursors, writes are COPY, so memory does not grow with the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, LiteralString, TypeVar

from psycopg import sql
from psycopg.types.string import ByteaBinaryLoader

from profiles.errors import DecisionError
from profiles.resolution.blocking import WEAK_KINDS
from profiles.resolution.decisions import Constraint, Constraints
from profiles.resolution.quarantine import Corpus
from profiles.storage.sql_files import Connection, compose, copy_rows, count, execute, load, record

FETCH_ROWS = 2_000

Item = TypeVar("Item")
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class IdentityStore:
    connection: Connection
    run_id: str

    def execute(self, name: str, parts: Mapping[str, str] = {}, **values: object) -> int:
        """Run a block of resolve.sql, with others as `parts`; return how many rows it wrote."""
        found = {place: sql.SQL(load(f"resolve/{part}")) for place, part in parts.items()}
        statement = compose(f"resolve/{name}", **found)
        # Statements without placeholders may hold several commands, which binding forbids.
        has_values = "%(" in statement.as_string()
        bound = {"run_id": self.run_id, **values} if has_values else None
        return self.connection.execute(statement, bound).rowcount

    def stream(self, name: str, **values: object) -> Iterator[Row]:
        """The rows of block `name` of resolve.sql, fetched as they are used; JSON as bytes."""
        with self.connection.cursor(name=f"resolve_{name}", binary=True) as cursor:
            cursor.adapters.register_loader("json", ByteaBinaryLoader)
            cursor.itersize = FETCH_ROWS
            cursor.execute(load(f"resolve/{name}"), values or None)
            yield from cursor

    def copy(self, statement: LiteralString, rows: Iterable[Sequence[object]]) -> int:
        return copy_rows(self.connection, statement, rows)

    def copy_lines(self, statement: LiteralString, lines: bytes | str) -> None:
        with self.connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write(lines)

    def count(self, query: LiteralString) -> int:
        return count(self.connection, query)

    def analyze(self, *tables: LiteralString) -> None:
        """Fresh statistics: autovacuum cannot see inside this transaction."""
        for table in tables:
            self.connection.execute(f"ANALYZE {table}")

    def read_constraints(self) -> Constraints:
        """The human decisions in force. Fills decided."""
        constraints = Constraints(constraints_in_force(self.connection))
        self.copy(
            "COPY decided (source, source_key, class) FROM STDIN",
            ((*ref, number) for ref, number in constraints.classes.items()),
        )
        self.analyze("decided")
        return constraints

    def reserve_ids(self, number: int) -> list[int]:
        rows = execute(self.connection, "resolve/reserve_candidate_ids", n=number)
        return sorted(candidate_id for (candidate_id,) in rows)

    def features(self, row_ids: Iterable[int]) -> dict[int, bytes]:
        with self.connection.cursor(binary=True) as cursor:
            cursor.adapters.register_loader("text", ByteaBinaryLoader)
            bound = {"row_ids": _array(row_ids)}
            return dict(execute(cursor, "resolve/select_features", **bound).fetchall())

    def work(self, row_ids: Sequence[int]) -> tuple[list[Row], list[Row]]:
        """Rows (row_id, source, source_key), and accepted pairs (lo, hi, score, signals)."""
        bound = {"row_ids": _array(row_ids)}
        return (
            execute(self.connection, "resolve/select_work_rows", **bound).fetchall(),
            execute(self.connection, "resolve/select_work_edges", **bound).fetchall(),
        )


def read_corpus(connection: Connection) -> Corpus:
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
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def lock_decisions(connection: Connection) -> None:
    """Waits until no other session decides: contradictions show only against all decisions. An
    advisory lock, because a resolve holds a lock on the table for as long as it runs."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('profiles:decide', 0))")


def constraints_in_force(connection: Connection) -> list[Constraint]:
    return [
        Constraint(decision_id, together, (left, left_key), (right, right_key))
        for decision_id, together, left, left_key, right, right_key in execute(
            connection, "decisions/select_constraints"
        )
    ]


def add_decision(
    connection: Connection, constraints: Iterable[Constraint], **decision: object
) -> int:
    """Records a decision with what it holds together and apart; returns its id."""
    ((decision_id,),) = execute(connection, "decisions/insert_decision", **decision).fetchall()
    copy_rows(
        connection,
        "COPY synthesis.identity_constraint "
        "(decision_id, relation, left_source, left_key, right_source, right_key) FROM STDIN",
        (
            (decision_id, "together" if item.together else "apart", *item.left, *item.right)
            for item in constraints
        ),
    )
    return int(decision_id)


def known_candidate(connection: Connection, candidate_id: int) -> dict[str, Any]:
    """The candidate with `current_id`, its id after a merge; DecisionError for an id that was never
    given out, or whose person was erased."""
    found = record(connection, "decisions/select_candidate", candidate_id=candidate_id)
    if found is None:
        raise DecisionError(
            f"there is no candidate {candidate_id}: the id was never given out, or its person was "
            "erased. `profiles explain` finds a person by e-mail address or LinkedIn URL"
        )
    return found

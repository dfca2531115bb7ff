"""Invariants of resolution on generated people, whatever the seed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from benchmarks.identity_people import accuracy, prepare, scramble
from tests.conftest import Databases

from profiles.params import RunParams
from profiles.steps import resolve_identities
from profiles.storage.connection import Database
from profiles.storage.runs import start_run

PEOPLE = 300
SEED = 523
RUN = "manual__1"
MOVE = 0.003


def resolve(database: Database) -> Mapping[str, float]:
    start_run(database, run_id=RUN, params=RunParams())
    return resolve_identities.run(database, run_id=RUN)


def partition(database: Database) -> set[frozenset]:
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT array_agg(source || ' ' || source_key) FROM synthesis.candidate_source "
            "GROUP BY candidate_id"
        ).fetchall()
    return {frozenset(group) for (group,) in rows}


def forget(database: Database) -> None:
    """As before the first night, but for the records."""
    with database.connect() as connection:
        connection.execute(
            "TRUNCATE synthesis.identity_row, synthesis.identity_key, synthesis.identity_edge, "
            "synthesis.generic_key, synthesis.candidate_source, synthesis.former_source"
        )


def extracted(database: Database, _: pytest.MonkeyPatch) -> int:
    """Records of 300 people; returns how many."""
    return prepare(database, people=PEOPLE, seed=SEED)


def test_pairs_are_precise_and_complete_also_without_what_a_mailbox_or_vanity_says(
    database: Database, databases: Databases
):
    rows = databases.fill(database, extracted)
    resolve(database)
    plain = accuracy(database)
    assert plain.precision >= 0.99
    assert plain.recall >= 0.95
    forget(database)
    assert scramble(database, seed=SEED) > rows * 0.8
    resolve(database)
    scrambled = accuracy(database)
    assert abs(scrambled.precision - plain.precision) <= MOVE
    assert abs(scrambled.recall - plain.recall) <= MOVE


def test_a_night_with_one_percent_of_new_rows_touches_their_neighbours_only(
    database: Database, databases: Databases
):
    rows = databases.fill(database, extracted)
    with database.connect() as connection:
        connection.execute(
            "CREATE TABLE bench.late AS SELECT * FROM synthesis.source_record "
            "ORDER BY md5(source_key) LIMIT %s",
            (rows // 100,),
        )
        connection.execute(
            "DELETE FROM synthesis.source_record AS r USING bench.late AS l "
            "WHERE l.source = r.source AND l.source_key = r.source_key"
        )
    resolve(database)
    with database.connect() as connection:
        connection.execute("INSERT INTO synthesis.source_record SELECT * FROM bench.late")
    counts = resolve(database)
    assert counts["read"] == counts["changed"] - counts["requarantined_rows"] == rows // 100
    with database.connect() as connection:
        neighbours = connection.execute(
            "SELECT count(*) FROM synthesis.candidate_source WHERE candidate_id IN (SELECT "
            "candidate_id FROM synthesis.candidate_source JOIN bench.late "
            "USING (source, source_key))"
        ).fetchone()[0]
    # A name or an employer that took a step of its frequency brings its own neighbours.
    near = 2 * neighbours + 4 * counts["reweighed_rows"]
    assert rows // 100 <= counts["affected"] <= near
    assert 2 * neighbours < rows / 5
    after_nights = partition(database)
    forget(database)
    resolve(database)
    assert partition(database) == after_nights

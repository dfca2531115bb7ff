"""A person's decision about identity holds in every later run, and can be withdrawn."""

from __future__ import annotations

import random

import pytest
from tests.factories import record
from tests.integration.test_resolve_identities import (
    mail,
    owner,
    owners,
    partition,
    put,
    remove,
    resolve,
    select,
)
from tests.integration.test_resolve_streams import check_invariants, random_record

from profiles.errors import DecisionError
from profiles.models import SourceRecord
from profiles.operations import candidate_actions
from profiles.storage.connection import Database
from profiles.storage.sql_files import load

WHO = "operator"


def ref(row: SourceRecord) -> tuple[str, str]:
    return (row.source, row.source_key)


def ids(database: Database, *rows: SourceRecord) -> list[int]:
    return [owner(database, row) for row in rows]


def merge(database: Database, *rows: SourceRecord) -> int:
    return candidate_actions.merge(database, *ids(database, *rows), decided_by=WHO)


def split(database: Database, *rows: SourceRecord) -> int:
    return candidate_actions.split(
        database, owner(database, rows[0]), [ref(row) for row in rows], decided_by=WHO
    )


def test_a_merge_joins_what_no_evidence_joins_and_stays(database: Database):
    ada, otto = record(**mail("ada")), record(full_name="Otto Oldowner", **mail("otto"))
    put(database, ada, otto)
    resolve(database)
    older, younger = sorted(ids(database, ada, otto))
    decision = merge(database, ada, otto)
    counts = resolve(database)
    assert (counts["decisions"], counts["merged"], counts["changed"]) == (1, 1, 0)
    assert set(owners(database).values()) == {older}
    assert select(database, "SELECT * FROM synthesis.candidate_redirect") == [(younger, older)]
    put(database, record(source_key=ada.source_key, **mail("other")))
    counts = resolve(database)
    assert (counts["decisions"], counts["merged"]) == (0, 0)
    assert set(owners(database).values()) == {older}
    check_invariants(database)
    candidate_actions.undo(database, decision, revoked_by=WHO)
    assert resolve(database)["revived"] == 1
    assert sorted(ids(database, ada, otto)) == [older, younger]
    check_invariants(database)


def test_an_undone_wrong_merge_gives_both_people_their_ids_back_and_stays(database: Database):
    ada = record(phones=("+12025550101",), **mail("ada"))
    otto = [record(phones=("+12025550102",)) for _ in range(2)]
    put(database, ada)
    resolve(database)
    put(database, *otto)
    resolve(database)
    before = ids(database, ada, *otto)
    bridge = record(phones=("+12025550102",), **mail("ada"))
    put(database, bridge)
    resolve(database)
    assert set(owners(database).values()) == {before[0]}
    split(database, *otto, bridge)
    resolve(database)
    assert ids(database, ada, *otto, bridge) == [*before, before[1]]
    check_invariants(database)
    put(database, record(phones=("+12025550102",), **mail("ada")))
    resolve(database)
    assert ids(database, ada, *otto) == before
    with database.connect() as connection:
        connection.execute(
            "TRUNCATE synthesis.identity_row, synthesis.identity_key, synthesis.identity_edge, "
            "synthesis.generic_key"
        )
    resolve(database)
    assert ids(database, ada, *otto) == before
    check_invariants(database)


def test_a_split_keeps_the_others_and_its_record_names_the_rows(database: Database):
    rows = [record(**mail("ada")) for _ in range(4)]
    put(database, *rows)
    resolve(database)
    kept = owner(database, rows[0])
    split(database, rows[2], rows[3])
    resolve(database)
    # Four rows fall into two and two: the oldest row keeps the id.
    assert ids(database, rows[0], rows[1]) == [kept, kept]
    new = owner(database, rows[2])
    assert new == owner(database, rows[3]) != kept
    found = select(
        database, "SELECT kind, candidate_id, other_id, detail FROM synthesis.identity_event"
    )
    moved = sorted([list(ref(rows[2])), list(ref(rows[3]))])
    assert found == [("split", kept, new, {"rows": moved, "revived": False})]


def test_a_decision_outlives_the_row_that_carries_it(database: Database):
    rows = [record(full_name=f"Ada Number{n}", **mail(n)) for n in "abc"]
    put(database, *rows)
    resolve(database)
    merge(database, rows[0], rows[1])
    resolve(database)
    merge(database, rows[0], rows[2])
    resolve(database)
    remove(database, rows[0])
    resolve(database)
    assert owner(database, rows[1]) == owner(database, rows[2])
    put(database, rows[0])
    resolve(database)
    assert len(partition(database)) == 1
    check_invariants(database)


def test_decisions_that_contradict_are_refused_and_leave_nothing(database: Database):
    rows = [record(full_name=f"Ada Number{n}", **mail(n)) for n in "abc"]
    put(database, *rows)
    resolve(database)
    first = merge(database, rows[0], rows[1])
    second = merge(database, rows[1], rows[2])
    resolve(database)
    with pytest.raises(DecisionError, match=f"contradicts decision {first}.*--undo {first}"):
        split(database, rows[0])
    candidate_actions.undo(database, first, revoked_by=WHO)
    candidate_actions.undo(database, second, revoked_by=WHO)
    third = split(database, rows[0])
    resolve(database)
    with pytest.raises(DecisionError, match=f"contradicts decision {third}"):
        merge(database, rows[0], rows[1])
    assert select(database, "SELECT count(*) FROM synthesis.identity_decision") == [(3,)]


def test_what_does_not_exist_cannot_be_decided(database: Database):
    rows = [record(**mail("ada")), record(**mail("ada")), record(**mail("otto"))]
    put(database, *rows)
    resolve(database)
    here, other = owner(database, rows[0]), owner(database, rows[2])
    for wrong, match in (
        (lambda: candidate_actions.merge(database, here, 999, decided_by=WHO), "no candidate 999"),
        (lambda: candidate_actions.merge(database, here, here, decided_by=WHO), "named twice"),
        (lambda: split(database, rows[0], rows[1]), "all 2 rows"),
        (lambda: split(database, rows[0], rows[2]), "does not have"),
        (lambda: candidate_actions.undo(database, 7, revoked_by=WHO), "no decision 7"),
    ):
        with pytest.raises(DecisionError, match=match):
            wrong()
    merge(database, rows[0], rows[2])
    resolve(database)
    gone, kept = max(here, other), min(here, other)
    with pytest.raises(DecisionError, match=f"{gone} was merged into {kept}"):
        candidate_actions.merge(database, kept, gone, decided_by=WHO)


def test_deciding_does_not_wait_for_a_resolve_under_way(database: Database):
    rows = [record(**mail("ada")), record(full_name="Otto Oldowner", **mail("otto"))]
    put(database, *rows)
    resolve(database)
    impatient = Database(f"{database.url}&options=-c%20lock_timeout%3D5s")
    with database.connect() as resolving:
        resolving.execute(load("resolve/create_work_tables"))
        resolving.execute(load("resolve/claim_decisions"))
        merge(impatient, *rows)
    assert resolve(database)["decisions"] == 1


@pytest.mark.parametrize("seed", range(2))
def test_a_stream_with_decisions_equals_a_full_run(database: Database, seed: int):
    rnd = random.Random(seed)
    alive: dict[int, SourceRecord] = {}
    made: list[int] = []
    for _ in range(4):
        for number in rnd.sample(range(30), 12):
            if number in alive and rnd.random() < 0.3:
                remove(database, alive.pop(number))
            else:
                alive[number] = random_record(rnd, number)
                put(database, alive[number])
        resolve(database)
        made += some_decisions(database, rnd)
        if made and rnd.random() < 0.4:
            candidate_actions.undo(database, made.pop(rnd.randrange(len(made))), revoked_by=WHO)
        resolve(database)
        check_invariants(database)
        check_decisions(database)
        incremental = partition(database)
        before = owners(database)
        with database.connect() as connection:
            connection.execute(
                "TRUNCATE synthesis.identity_row, synthesis.identity_key, "
                "synthesis.identity_edge, synthesis.generic_key"
            )
        resolve(database)
        assert partition(database) == incremental
        assert owners(database) == before


def some_decisions(database: Database, rnd: random.Random) -> list[int]:
    groups = sorted(partition(database), key=min)
    people = owners(database)
    made = []
    for group in rnd.sample(groups, 2):
        here, other = people[min(group)], people[min(rnd.choice(groups))]
        try:
            made.append(
                candidate_actions.split(database, here, [max(group)], decided_by=WHO)
                if len(group) > 1
                else candidate_actions.merge(database, here, other, decided_by=WHO)
            )
        except DecisionError:
            continue
    return made


def check_decisions(database: Database) -> None:
    """Every constraint in force holds between the rows that exist."""
    broken = """
        SELECT count(*)
        FROM synthesis.identity_constraint AS c
        JOIN synthesis.identity_decision AS d USING (decision_id)
        JOIN synthesis.candidate_source AS l
          ON (l.source, l.source_key) = (c.left_source, c.left_key)
        JOIN synthesis.candidate_source AS r
          ON (r.source, r.source_key) = (c.right_source, c.right_key)
        WHERE d.revoked_at IS NULL
          AND (l.candidate_id = r.candidate_id) <> (c.relation = 'together')"""
    assert select(database, broken) == [(0,)]

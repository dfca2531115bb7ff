"""Source rows become candidates whose ids stay; a night touches only what changed."""

from __future__ import annotations

import itertools

import pytest
from tests.factories import position, record

from profiles.models import Position, SourceRecord, record_json
from profiles.params import RunParams
from profiles.steps import resolve_identities
from profiles.steps.identity.identity_decisions import find_work
from profiles.storage.connection import Database
from profiles.storage.identities import IdentityStore
from profiles.storage.runs import start_run
from profiles.storage.sql_files import load

RUN = "manual__1"


def put(database: Database, *records: SourceRecord) -> None:
    """Stores records as extract would."""
    with database.connect() as connection:
        for item in records:
            encoded = record_json.encode(item)
            connection.execute(
                """INSERT INTO synthesis.source_record
                     (source, source_key, change_token, extractor_version, record_hash, record)
                   VALUES (%s, %s, '1', '1', %s, %s::jsonb)
                   ON CONFLICT (source, source_key) DO UPDATE
                   SET record_hash = excluded.record_hash, record = excluded.record""",
                (item.source, item.source_key, record_json.digest(encoded), encoded.decode()),
            )


def remove(database: Database, *records: SourceRecord) -> None:
    with database.connect() as connection:
        for item in records:
            connection.execute(
                "DELETE FROM synthesis.source_record WHERE source = %s AND source_key = %s",
                (item.source, item.source_key),
            )


def resolve(database: Database) -> dict:
    start_run(database, run_id=RUN, params=RunParams())
    return resolve_identities.run(database, run_id=RUN)


def owners(database: Database) -> dict[tuple[str, str], int]:
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT source, source_key, candidate_id FROM synthesis.candidate_source"
        ).fetchall()
    return {(source, source_key): candidate_id for source, source_key, candidate_id in rows}


def partition(database: Database) -> set[frozenset]:
    groups: dict[int, set] = {}
    for ref, candidate_id in owners(database).items():
        groups.setdefault(candidate_id, set()).add(ref)
    return {frozenset(group) for group in groups.values()}


def owner(database: Database, item: SourceRecord) -> int:
    return owners(database)[item.source, item.source_key]


def select(database: Database, query: str) -> list[tuple]:
    with database.connect() as connection:
        return connection.execute(query).fetchall()


def mail(name: str) -> dict:
    return {"emails": (f"{name}@mail-example.com",)}


def test_rows_with_a_shared_key_become_one_candidate_with_its_evidence(database: Database):
    rows = [record(**mail("ada")), record(source="resume", **mail("ada")), record(**mail("otto"))]
    put(database, *rows)
    counts = resolve(database)
    assert counts["candidates"] == 2
    assert owner(database, rows[0]) == owner(database, rows[1]) != owner(database, rows[2])
    found = dict(
        select(
            database,
            "SELECT source_key, (rule, evidence -> 0 ->> 'score') FROM synthesis.candidate_source",
        )
    )
    assert found[rows[0].source_key] == ("email", "14.7")
    assert found[rows[2].source_key] == ("single", None)


def test_a_key_with_signs_that_copy_reads_is_kept_as_it_is(database: Database):
    odd = "ada\\t\test\nwell\r"
    put(database, record(linkedin_id=odd))
    resolve(database)
    assert (odd,) in select(database, "SELECT value FROM synthesis.identity_key")


def test_a_second_run_changes_nothing(database: Database):
    put(database, record(**mail("ada")), record(**mail("ada")), record())
    resolve(database)
    before = select(database, "SELECT * FROM synthesis.candidate_source ORDER BY 1, 2")
    counts = resolve(database)
    assert (counts["read"], counts["changed"], counts["created"]) == (
        0,
        0,
        0,
    )
    assert select(database, "SELECT * FROM synthesis.candidate_source ORDER BY 1, 2") == before


def test_a_row_that_changed_nothing_about_identity_is_not_compared_again(database: Database):
    row = record(**mail("ada"))
    put(database, row)
    resolve(database)
    put(
        database,
        record(source_key=row.source_key, summary="Runs the payments team.", **mail("ada")),
    )
    counts = resolve(database)
    assert (counts["read"], counts["changed"]) == (1, 0)
    assert resolve(database)["read"] == 0


def test_a_night_touches_only_the_neighbourhood_of_what_changed(database: Database):
    put(
        database,
        *(record(full_name=f"Ada Number{chr(97 + n)}", **mail(f"m{n}")) for n in range(26)),
    )
    resolve(database)
    put(database, record(full_name="Ada Numbera", **mail("m0")))
    counts = resolve(database)
    assert (counts["read"], counts["affected"]) == (1, 2)


def test_a_merge_keeps_the_older_id_and_points_the_younger_at_it(database: Database):
    old, young = record(**mail("ada")), record(phones=("+12025550101",))
    put(database, old)
    resolve(database)
    put(database, young)
    resolve(database)
    first, second = owner(database, old), owner(database, young)
    assert first < second
    put(database, record(phones=("+12025550101",), **mail("ada")))
    resolve(database)
    assert set(owners(database).values()) == {first}
    assert select(
        database, "SELECT candidate_id, current_id FROM synthesis.candidate_redirect"
    ) == [(second, first)]
    events = select(database, "SELECT kind, candidate_id, other_id FROM synthesis.identity_event")
    assert events == [("merged", first, second)]


def test_a_split_keeps_the_id_with_the_majority(database: Database):
    rows = [record(**mail("ada")) for _ in range(3)]
    put(database, *rows)
    resolve(database)
    kept = owner(database, rows[0])
    put(database, record(source_key=rows[0].source_key, **mail("other")))
    resolve(database)
    assert owner(database, rows[1]) == owner(database, rows[2]) == kept
    assert owner(database, rows[0]) > kept
    assert select(
        database, "SELECT kind, candidate_id, other_id FROM synthesis.identity_event"
    ) == [("split", kept, owner(database, rows[0]))]


def test_a_candidate_without_rows_retires_and_returns_with_its_row(database: Database):
    row, other = record(**mail("ada")), record(**mail("otto"))
    put(database, row, other)
    resolve(database)
    candidate_id = owner(database, row)
    remove(database, row)
    counts = resolve(database)
    assert (counts["vanished"], counts["retired"], counts["candidates"]) == (1, 1, 1)
    assert (row.source, row.source_key) not in owners(database)
    put(database, row)
    counts = resolve(database)
    assert (counts["returned"], counts["candidates"]) == (1, 2)
    assert owner(database, row) == candidate_id
    assert select(database, "SELECT count(*) FROM synthesis.former_source") == [(0,)]


def test_a_row_returns_to_the_candidate_that_absorbed_its_own(database: Database):
    old, young, bridge = (
        record(**mail("ada")),
        record(phones=("+12025550101",)),
        record(phones=("+12025550101",), **mail("ada")),
    )
    for item in (old, young, bridge):
        put(database, item)
        resolve(database)
    kept = owner(database, old)
    remove(database, young)
    resolve(database)
    put(database, young)
    resolve(database)
    assert set(owners(database).values()) == {kept}


def test_lone_rows_without_a_key_that_links_are_counted_as_undecided(database: Database):
    put(
        database,
        record(full_name="Otto Oldowner", positions=(position("Tarn Media"),)),
        record(full_name="Nila Newowner", positions=()),
        record(full_name="Ada Testwell", **mail("ada")),
        record(full_name="Ria Pairwell", **mail("ria")),
        record(full_name="Ria Pairwell", **mail("ria")),
    )
    counts = resolve(database)
    assert (counts["undecided"], counts["undecided_without_employer"]) == (2, 1)


def test_a_key_that_becomes_generic_lets_go_of_everybody_and_takes_them_back(database: Database):
    phone = {"phones": ("+12025550101",)}
    pair = [record(full_name="Ada Testwell", **phone), record(full_name="Ada Testwell", **phone)]
    strangers = [record(full_name=name, **phone) for name in ("Otto Oldowner", "Nila Newowner")]
    put(database, *pair)
    resolve(database)
    kept = owner(database, pair[0])
    put(database, *strangers)
    counts = resolve(database)
    assert counts["generic_keys"] == 1
    assert len(partition(database)) == 4
    assert kept in {owner(database, row) for row in pair}
    remove(database, *strangers)
    resolve(database)
    assert owner(database, pair[0]) == owner(database, pair[1]) == kept


def test_ids_survive_the_loss_of_everything_derived(database: Database):
    put(database, *(record(**mail(f"m{n % 3}")) for n in range(7)))
    resolve(database)
    before = owners(database)
    with database.connect() as connection:
        connection.execute(
            "TRUNCATE synthesis.identity_row, synthesis.identity_key, synthesis.identity_edge, "
            "synthesis.generic_key"
        )
    resolve(database)
    assert owners(database) == before


def test_a_first_night_leaves_the_indexes_as_the_schema_made_them(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(resolve_identities, "REBUILD_FROM", 1)
    indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'synthesis' ORDER BY 1"
    before = select(database, indexes)
    put(database, record(**mail("ada")), record(**mail("ada")))
    assert resolve(database)["candidates"] == 1
    assert select(database, indexes) == before


def test_new_ids_are_given_in_the_order_of_rows_whatever_the_order_of_pairs(database: Database):
    """The pairs of a chain make one of two rows its root, as they come."""
    with database.connect() as connection:
        connection.execute(load("resolve/create_work_tables"))
        store = IdentityStore(connection, run_id=RUN)
        store.copy(
            "COPY synthesis.source_record (source, source_key, change_token, extractor_version, "
            "record_hash, record) FROM STDIN",
            (("resume", f"r-{n}", "1", "1", str(n), "{}") for n in range(1, 7)),
        )
        store.execute("find_unread", version="1")
        connection.execute(
            "INSERT INTO synthesis.identity_row OVERRIDING SYSTEM VALUE SELECT row_id, source, "
            "source_key, record_hash, '1', NULL, '' FROM unread"
        )
        connection.execute("INSERT INTO affected SELECT row_id, 0 FROM synthesis.identity_row")
        found = set()
        for pairs in itertools.permutations([(1, 4), (3, 4), (2, 5)]):
            connection.execute("TRUNCATE synthesis.identity_edge")
            store.copy(
                "COPY synthesis.identity_edge (lo, hi, score, signals) FROM STDIN",
                ((*pair, 9, "[]") for pair in pairs),
            )
            found.add(tuple(find_work(store).row_ids))
    assert found == {(1, 3, 4, 2, 5, 6)}


def test_ranges_cover_every_candidate_once(database: Database):
    assert resolve_identities.ranges(database, shards=4) == [{"lo": 0, "hi": 0}]
    put(database, *(record() for _ in range(10)))
    resolve(database)
    found = resolve_identities.ranges(database, shards=3)
    assert len(found) == 3
    covered = [candidate_id for part in found for candidate_id in range(part["lo"], part["hi"] + 1)]
    assert covered == sorted(set(covered))
    assert set(owners(database).values()) <= set(covered)


def test_ranges_hold_fewer_people_where_these_have_more_rows(database: Database):
    """Older candidates have: half of the people each kept one core busy 25 s longer than the
    other."""
    for number in range(4):
        put(database, *(record(**mail(f"rich{number}")) for _ in range(6)))
    resolve(database)
    put(database, *(record(**mail(f"poor{number}")) for number in range(8)))
    resolve(database)
    first, second = resolve_identities.ranges(database, shards=2)
    people = sorted(set(owners(database).values()))
    assert [first["lo"] <= known <= first["hi"] for known in people] == [True] * 4 + [False] * 8
    assert second["lo"] <= people[4]


def test_an_unreadable_record_is_counted_and_stays_alone(database: Database):
    put(database, record(), record())
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.source_record SET record = '{\"source\": 7}'")
    counts = resolve(database)
    assert (counts["unreadable"], counts["candidates"]) == (2, 2)


@pytest.mark.parametrize(
    ("one", "other", "pairs"),
    [
        (position(start="2019-03"), position(start="2019-06", title="Lead Engineer"), 1),
        (position(start="2019-03"), position(start="2019-10"), 0),
        (position(title="A B", start="2019-03"), position(title="B C", start="2019-04"), 1),
        (position(title="A B", start="2019-03"), position(title="B C", start="2019-05"), 0),
        (position(start="2019-03"), position(start="2019-04", title="Buyer"), 0),
        (position(start="2019-03"), position(start="2020"), 1),
        (position(start="2019-03"), position(start="2021"), 0),
        (position(start="2019"), position(start="2020", title="Buyer"), 0),
        (position(start="2019-03"), position(start=None, title="Senior Engineer"), 1),
        (position(start="2019-03"), position(start="2019-06", title=None), 1),
        (position(start=None), position(start=None, title=None), 0),
        (position(start=None), position(start=None, title="Buyer"), 0),
    ],
)
def test_namesakes_of_one_employer_are_compared_unless_their_jobs_there_contradict(
    database: Database, one: Position, other: Position, pairs: int
):
    rows = [record(positions=(one,)), record(full_name="Ada T.", positions=(other,))]
    put(database, rows[0])
    resolve(database)
    put(database, rows[1])
    assert resolve(database)["pairs"] == pairs
    put(database, *(record(source_key=row.source_key, positions=row.positions, **mail("ada"))
                    for row in rows))  # fmt: skip
    assert resolve(database)["pairs"] == 1, "another key makes a pair by itself"


def test_two_employers_in_common_make_a_pair_of_namesakes_whatever_the_jobs(database: Database):
    for start, title in (("2019-03", "Buyer"), (None, "Engineer")):
        jobs = (position("Tarn", start, title=title), position("Umbra", None, title=title))
        put(database, record(positions=jobs))
    assert resolve(database)["pairs"] == 1


def test_one_of_several_jobs_at_an_employer_is_enough_for_a_pair(database: Database):
    again = (position(start="2012-01", title="Buyer"), position(start="2019-03"))
    put(database, record(positions=again), record(positions=(position(start="2019-05"),)))
    assert resolve(database)["pairs"] == 1


def test_records_are_streamed_without_a_look_at_what_was_read_of_them(database):
    """The table incoming grows meanwhile: 100,000 records took minutes a thousand."""
    with database.connect() as connection:
        connection.execute(load("resolve/create_work_tables"))
        plan = connection.execute("EXPLAIN " + load("resolve/select_unread")).fetchall()
    assert any("source_record" in line for (line,) in plan)
    assert not any("incoming" in line for (line,) in plan), plan


def test_the_planner_knows_the_people_of_a_first_night_at_once(database):
    """Until autovacuum counted them, rendering planned to read every record for each batch."""
    with database.connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    put(database, *(record(source="resume", **mail(f"ann{n}")) for n in range(40)))
    resolve(database)
    counted = (
        "SELECT relname::text, reltuples::integer FROM pg_class WHERE relnamespace ="
        " 'synthesis'::regnamespace AND relname IN ('candidate', 'candidate_source')"
    )
    assert dict(select(database, counted)) == {"candidate": 40, "candidate_source": 40}

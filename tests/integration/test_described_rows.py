"""Identity facts go from extract to resolve, and are only ever a short cut."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from profiles.params import RunParams
from profiles.steps import extract_sources, resolve_identities
from profiles.steps.identity import identity_changes
from profiles.storage.connection import Database
from profiles.storage.identities import IdentityStore
from profiles.storage.mappings import load_mappings
from profiles.storage.runs import start_run
from sample_data import load_sample, write_sample

RUN = "manual__1"
DERIVED = "identity_row", "identity_key", "identity_edge", "generic_key"


@pytest.fixture(params=["working tables", "straight"])
def extracted(
    database: Database,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Database:
    """A database with generated people, read and not resolved; resolve takes their facts through
    working tables, or as on a first night of many rows."""
    if request.param == "straight":
        monkeypatch.setattr(identity_changes, "REBUILD_FROM", 1)
    write_sample(tmp_path, people=60, seed=23)
    load_sample(database, tmp_path)
    start_run(database, run_id=RUN, params=RunParams())
    for source in load_mappings():
        extract_sources.run(database, run_id=RUN, source=source)
    return database


def execute(database: Database, statement: str) -> int:
    with database.connect() as connection:
        return connection.execute(statement).rowcount  # type: ignore[call-overload]


def facts(database: Database) -> tuple[set, set, set]:
    """Rows and keys as resolution keeps them, and who is one person."""
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT source, source_key, record_hash, resolver_version, name, features "
            "FROM synthesis.identity_row"
        ).fetchall()
        keys = connection.execute(
            "SELECT source, source_key, kind, value, title_words, first_start, last_start "
            "FROM synthesis.identity_key JOIN synthesis.identity_row USING (row_id)"
        ).fetchall()
        people = connection.execute(
            "SELECT array_agg(source || ' ' || source_key ORDER BY source, source_key)::text "
            "FROM synthesis.candidate_source GROUP BY candidate_id"
        ).fetchall()
    assert len(set(keys)) == len(keys)
    return set(rows), set(keys), set(people)


def resolve_anew(database: Database) -> dict[str, int | float]:
    """Resolves as if never before; there are no facts of extract by now."""
    execute(database, f"TRUNCATE {', '.join(f'synthesis.{name}' for name in DERIVED)}")
    return resolve_identities.run(database, run_id=RUN)


def test_facts_from_extract_are_those_of_the_stored_records(extracted: Database) -> None:
    counts = resolve_identities.run(extracted, run_id=RUN)
    assert counts["described"] == counts["read"] == counts["new"] > 100
    taken = facts(extracted)
    assert execute(extracted, "SELECT FROM synthesis.described_row") == 0
    counts = resolve_anew(extracted)
    assert (counts["described"], counts["read"]) == (0, len(taken[0]))
    assert facts(extracted) == taken


@pytest.mark.parametrize("column", ["record_hash", "resolver_version"])
def test_facts_of_another_record_or_version_are_not_taken(extracted: Database, column: str) -> None:
    stale = "SET name = 'Nobody', features = '[]', keys = 'email nobody@example.org'"
    execute(
        extracted,
        f"UPDATE synthesis.described_row {stale}, {column} = 'old' WHERE source = 'linkedin'",
    )
    counts = resolve_identities.run(extracted, run_id=RUN)
    assert 0 < counts["described"] < counts["read"]
    taken = facts(extracted)
    resolve_anew(extracted)
    assert facts(extracted) == taken


def test_rows_that_are_known_already_keep_their_facts_beside_many_new_ones(
    extracted: Database,
) -> None:
    """Facts of a row that has not changed are left over where an extract was repeated."""
    execute(extracted, "CREATE TABLE late AS SELECT * FROM synthesis.source_record "
                       "WHERE source <> 'linkedin'")  # fmt: skip
    execute(extracted, "CREATE TABLE facts AS SELECT * FROM synthesis.described_row")
    execute(extracted, "DELETE FROM synthesis.source_record WHERE source <> 'linkedin'")
    known = resolve_identities.run(extracted, run_id=RUN)["read"]
    execute(extracted, "INSERT INTO synthesis.source_record SELECT * FROM late")
    execute(extracted, "INSERT INTO synthesis.described_row SELECT * FROM facts")
    execute(
        extracted,
        "UPDATE synthesis.source_record SET record_hash = 'read again' "
        "WHERE source = 'linkedin' AND hashtext(source_key) % 5 = 0",
    )
    again = execute(
        extracted,
        "UPDATE synthesis.described_row SET record_hash = 'read again' "
        "WHERE source = 'linkedin' AND hashtext(source_key) % 10 = 0",
    )
    counts = resolve_identities.run(extracted, run_id=RUN)
    assert counts["new"] > known / 2
    assert counts["read"] > counts["described"] == counts["new"] + again > counts["new"]
    assert counts["new"] == counts["changed"] - counts["requarantined_rows"]
    taken = facts(extracted)
    resolve_anew(extracted)
    assert facts(extracted) == taken


SHAPE = """
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid::regclass::text LIKE 'synthesis.%'
    UNION ALL
    SELECT conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'synthesis'::regnamespace ORDER BY 1, 2"""


def test_a_first_night_leaves_tables_as_the_migrations_made_them(extracted: Database) -> None:
    with extracted.connect() as connection:
        before = connection.execute(SHAPE).fetchall()
    resolve_identities.run(extracted, run_id=RUN)
    with extracted.connect() as connection:
        assert connection.execute(SHAPE).fetchall() == before


def test_a_first_night_that_dies_at_its_end_leaves_nothing_and_is_run_again(
    extracted: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    described = execute(extracted, "SELECT FROM synthesis.described_row")
    with extracted.connect() as connection:
        before = connection.execute(SHAPE).fetchall()

    def fail(store: IdentityStore, name: str, **values: object) -> int:
        if name == "empty_described":
            raise psycopg.OperationalError("the server closed the connection")
        return execute_statement(store, name, **values)

    execute_statement = IdentityStore.execute
    with monkeypatch.context() as patch:
        patch.setattr(IdentityStore, "execute", fail)
        with pytest.raises(psycopg.OperationalError):
            resolve_identities.run(extracted, run_id=RUN)
    with extracted.connect() as connection:
        assert connection.execute(SHAPE).fetchall() == before
    assert facts(extracted) == (set(), set(), set())
    assert execute(extracted, "SELECT FROM synthesis.described_row") == described
    counts = resolve_identities.run(extracted, run_id=RUN)
    assert counts["described"] == counts["read"] == described
    taken = facts(extracted)
    resolve_anew(extracted)
    assert facts(extracted) == taken


def test_an_extract_waits_while_its_facts_are_taken(
    extracted: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows and keys are taken one after the other: both have to see the same facts."""
    refused = []

    def execute_and_add(store: IdentityStore, name: str, **values: object) -> int:
        if name in ("take_described_keys", "create_described_key"):
            with pytest.raises(psycopg.errors.LockNotAvailable), extracted.connect() as other:
                other.execute("SET lock_timeout = '50ms'")
                other.execute(
                    "INSERT INTO synthesis.described_row SELECT * FROM synthesis.described_row"
                )
            refused.append(name)
        return execute_statement(store, name, **values)

    execute_statement = IdentityStore.execute
    monkeypatch.setattr(IdentityStore, "execute", execute_and_add)
    resolve_identities.run(extracted, run_id=RUN)
    assert refused


def test_a_row_read_twice_before_a_resolve_is_described_once(extracted: Database) -> None:
    execute(extracted, "UPDATE src.linkedin_profiles SET fetched_at = fetched_at + interval '9 d'")
    extract_sources.run(extracted, run_id=RUN, source="linkedin")
    counts = resolve_identities.run(extracted, run_id=RUN)
    assert counts["described"] == counts["read"]
    taken = facts(extracted)
    resolve_anew(extracted)
    assert facts(extracted) == taken

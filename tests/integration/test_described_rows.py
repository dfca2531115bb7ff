"""Identity facts go from extract to resolve, and are only ever a short cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.params import RunParams
from profiles.sample import load_sample, write_sample
from profiles.steps import extract_sources, resolve_identities
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from profiles.storage.runs import start_run

RUN = "manual__1"
DERIVED = "identity_row", "identity_key", "identity_edge", "generic_key"


@pytest.fixture
def extracted(database: Database, tmp_path: Path) -> Database:
    """A database with generated people, read and not resolved."""
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


def test_a_row_read_twice_before_a_resolve_is_described_once(extracted: Database) -> None:
    execute(extracted, "UPDATE src.linkedin_profiles SET fetched_at = fetched_at + interval '9 d'")
    extract_sources.run(extracted, run_id=RUN, source="linkedin")
    counts = resolve_identities.run(extracted, run_id=RUN)
    assert counts["described"] == counts["read"]
    taken = facts(extracted)
    resolve_anew(extracted)
    assert facts(extracted) == taken

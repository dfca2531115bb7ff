"""Publishing compares everybody with the serving table, at the cost of one look at each table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.integration.test_publish import answer, change_documents, publish_run
from tests.planned_runs import add_documents, one, plan, rows, use_scripted_engine

from profiles.steps import publish
from profiles.storage.connection import Database
from profiles.storage.sql_files import load

SERVED = (
    "SELECT candidate_id, full_name, summary, skills, domains, method, search, model, "
    "prompt_version, release_id, fingerprint, content_hash, synthesised_at "
    "FROM synthesis.candidate_synthesis ORDER BY candidate_id"
)


@pytest.fixture(autouse=True)
def scripted_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    use_scripted_engine(monkeypatch)


@pytest.fixture
def published(database: Database) -> Database:
    """Five published people, the last one with a thin document and all with a domain."""
    ids = add_documents(database, 5, thin=[4])
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.domain_tag "
            "SELECT id, 'banking', 12, 1.0, '{x}' FROM unnest(%s::bigint[]) AS id",
            (ids,),
        )
        connection.execute("UPDATE synthesis.document SET full_name = 'Ada Testwell'")
    plan(database, "one")
    answer(database, "one")
    assert publish_run(database, "one") == {"published": 5, "withdrawn": 0}
    return database


@pytest.mark.parametrize(
    ("statement", "counted"),
    [
        *(
            (f"UPDATE synthesis.candidate_synthesis SET {change} WHERE candidate_id = 2", (1, 0))
            for change in (
                "full_name = 'Somebody Else'",
                "full_name = NULL",
                "skills = '{}'",
                "skills = skills || 'More'::text",
                "domains = '{retail}'",
                "domains = '{}'",
                "method = NULL",
                "model = 'other'",
                "prompt_version = 'other'",
                "release_id = 'other'",
                "fingerprint = NULL",
                "content_hash = 'other'",
                "synthesised_at = synthesised_at - interval '1 second'",
            )
        ),
        ("DELETE FROM synthesis.candidate_synthesis WHERE candidate_id IN (2, 5)", (2, 0)),
        (
            "INSERT INTO synthesis.candidate_synthesis (candidate_id, content_hash, run_id) "
            "VALUES (77, 'x', 'y')",
            (0, 1),
        ),
        (
            "WITH gone AS (DELETE FROM synthesis.candidate_synthesis WHERE candidate_id = 2) "
            "INSERT INTO synthesis.candidate_synthesis (candidate_id, content_hash, run_id) "
            "VALUES (78, 'x', 'y')",
            (1, 1),
        ),
    ],
)
def test_what_somebody_changed_in_the_serving_table_is_mended_by_the_next_publish(
    published: Database, statement: str, counted: tuple[int, int]
):
    before = rows(published, SERVED)
    with published.connect() as connection:
        connection.execute(statement)
    assert rows(published, SERVED) != before

    counts = publish_run(published, "one")

    assert (counts["published"], counts["withdrawn"]) == counted
    assert rows(published, SERVED) == before
    assert publish_run(published, "one") == {"published": 0, "withdrawn": 0}


def test_the_share_that_decides_on_building_anew_is_of_the_rows_that_will_be_there(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(publish, "REBUILD_ROWS", 2)
    monkeypatch.setattr(publish, "REBUILD_SHARE", 0.5)
    ids = add_documents(database, 6)
    plan(database, "one")
    answer(database, "one")
    assert publish_run(database, "one")["rebuilt"] == 1
    for run_id, changed, rebuilt in (("1 of 6", 1, False), ("3 of 6", 3, False), ("4", 4, True)):
        change_documents(database, ids[:changed])
        with database.connect() as connection:
            connection.execute("UPDATE synthesis.release SET model_revision = %s", (run_id,))
            connection.execute(
                "UPDATE synthesis.candidate_synthesis SET fingerprint = 'x' "
                "WHERE candidate_id = ANY (%s)",
                (ids[:changed],),
            )
        counts = publish_run(database, "one")
        assert (counts["published"], "rebuilt" in counts) == (changed, rebuilt)
    # Of six rows one goes: three of the five that stay are more than a half.
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate SET retired_at = now() WHERE candidate_id = %s", (ids[5],)
        )
        connection.execute(
            "UPDATE synthesis.candidate_synthesis SET model = 'x' WHERE candidate_id = ANY (%s)",
            (ids[:2],),
        )
    assert publish_run(database, "one") == {"published": 2, "withdrawn": 1, "rebuilt": 1}
    assert one(database, "SELECT count(*) FROM synthesis.candidate_synthesis") == (5,)


def test_the_comparison_reads_each_table_once_and_sorts_no_texts(published: Database):
    with published.connect() as connection:
        connection.execute("ANALYZE")
        found = connection.execute(
            f"EXPLAIN (VERBOSE, FORMAT JSON) {load('publish/find_changes')}"
        ).fetchone()
    assert found is not None
    nodes = list(nodes_of(found[0][0]["Plan"]))
    read = Counter(node["Relation Name"] for node in nodes if "Relation Name" in node)
    # Who left a person since is looked up through the merged ids, which have an index of their own.
    redirected = read.pop("candidate")
    assert redirected == 1 + 3
    assert read == dict.fromkeys(
        ("completion", "document", "candidate_synthesis_rows", "domain_tag", "run", "release",
         "identity_event", "former_source"), 1,
    )  # fmt: skip
    sorted_columns = {
        column for node in nodes if "Sort" in node["Node Type"] for column in node["Output"]
    }
    assert not {column for column in sorted_columns if column.endswith((".skills", ".summary"))}


def test_a_night_without_changes_stores_nothing_on_the_way(published: Database):
    with published.connect() as connection:
        stored = connection.execute(load("publish/find_changes"))
        assert stored.rowcount == 0
        connection.rollback()


def test_no_query_of_a_publish_is_compiled(database: Database):
    with database.connect() as connection:
        connection.execute(load("publish/set_resources"))
        assert connection.execute("SHOW jit").fetchone() == ("off",)


def nodes_of(node: dict[str, Any]) -> Any:
    """A plan's steps, outermost first."""
    yield node
    for part in node.get("Plans", ()):
        yield from nodes_of(part)

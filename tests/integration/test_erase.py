"""An erased person is gone from every table, stays out, and nobody else is touched."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.conftest import Databases
from tests.factories import KEPT_TABLES
from tests.planned_runs import (
    attempt,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
)
from tests.source_rows import create_tables, insert, lead, linkedin, weekday

from profiles import erase
from profiles.cli import main
from profiles.errors import BusyError, SettingsError
from profiles.operations import candidate_actions
from profiles.params import RunParams
from profiles.settings import INCLUDE_DIR
from profiles.steps import (
    extract_sources,
    publish,
    render_profiles,
    resolve_identities,
    tag_domains,
)
from profiles.storage.connection import Database
from profiles.storage.runs import start_run
from profiles.storage.tombstones import read_tombstones

KEY = "a secret of the tombstones"
ADA = "ada.testwell@mail-example.com"
OTTO = "otto.oldowner@mail-example.com"
WORDS = (
    "Built billing services in Python for three regional teams and moved order data from a legacy "
    "warehouse to PostgreSQL without downtime. Introduced Kafka streams that replaced nightly file "
    "transfers, mentored junior engineers through design reviews and pair work, ran container "
    "platforms on Kubernetes across two data centres, cut cloud spending by resizing idle clusters "
    "every quarter and wrote integration suites that caught regressions before each release."
)


@pytest.fixture
def people(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Ada with three rows, one of them unreadable since and one with an unread item; Otto with
    one."""
    set_up(database, monkeypatch)
    insert_rows(database)
    return database


@pytest.fixture
def served(database: Database, databases: Databases, monkeypatch: pytest.MonkeyPatch) -> Database:
    """The same people after run `one`."""
    databases.fill(database, run_one)
    set_up(database, monkeypatch)
    return database


def run_one(database: Database, environment: pytest.MonkeyPatch) -> None:
    set_up(database, environment)
    insert_rows(database)
    run_all(database, "one")


def set_up(database: Database, environment: pytest.MonkeyPatch) -> None:
    use_scripted_engine(environment)
    environment.setenv("PROFILES_DATABASE_URL", database.url)
    environment.setenv("PROFILES_ERASURE_KEY", KEY)


def insert_rows(database: Database) -> None:
    create_tables(database)
    job = {"company": "Zyxwork", "title": "Engineer", "starts_at": "2019-01", "description": WORDS}
    raw = {"full_name": "Ada Zyxname", "summary": f"Zyxsummary. {WORDS}", "experiences": [job]}
    insert(
        database,
        "linkedin_profiles",
        [
            linkedin("zyx-1", raw={**raw, "personal_emails": [ADA], "skills": [7]}),
            linkedin(
                "other-1", raw={**raw, "full_name": "Otto Oldowner", "personal_emails": [OTTO]}
            ),
        ],
    )
    insert(database, "lemlist_leads", [lead("zyx-2", full_name="Ada Zyxname", email=ADA)])
    insert(database, "weekday_candidates", [weekday("zyx-3", name="Ada Zyxname", email=ADA)])


def run_all(database: Database, run_id: str, *, answered: bool = True) -> dict[str, Any]:
    """Extract to publish; returns the counts of the extracts."""
    start_run(database, run_id=run_id, params=RunParams())
    counts = {
        source: extract_sources.run(database, run_id=run_id, source=source)
        for source in ("linkedin", "weekday", "lemlist", "resume")
    }
    resolve_identities.run(database, run_id=run_id)
    render_profiles.run(database, run_id=run_id, lo=0, hi=10_000)
    plan(database, run_id)
    if answered:
        answer(database, run_id)
        finish(database, run_id)
    return counts


def answer(database: Database, run_id: str) -> None:
    while lease := lease_batch(database, run_id=run_id, lane=0, size=10, lease_seconds=60):
        answers = [attempt(item, summary="Zyxanswer", raw_text="Zyxanswer") for item in lease.items]
        persist_results(database, batch_id=lease.batch_id, attempts=answers)


def finish(database: Database, run_id: str) -> None:
    tag_domains.run(database, run_id=run_id)
    publish.run(database, run_id=run_id, planned=True, tagged=True)


def owner(database: Database, source_key: str) -> int:
    return one(
        database,
        "SELECT candidate_id FROM synthesis.candidate_source WHERE source_key = %s",
        source_key,
    )[0]


def tables(database: Database) -> dict[str, list[tuple[str, str]]]:
    """Table of schema synthesis → its columns and types, from the catalogue."""
    found: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in rows(
        database,
        "SELECT c.relname, a.attname, format_type(a.atttypid, NULL) FROM pg_class AS c "
        "JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
        "WHERE c.relnamespace = 'synthesis'::regnamespace AND c.relkind IN ('r', 'p') "
        "AND NOT c.relispartition",
    ):
        found.setdefault(table, []).append((column, kind))
    return found


def holding(database: Database, pattern: str) -> set[str]:
    """Tables of schema synthesis with a row whose text matches."""
    return {
        table
        for table in tables(database)
        if one(
            database,
            f"SELECT count(*) FROM synthesis.{table} AS t WHERE t::text ~* '{pattern}'",
        )[0]
    }


def call(capsys, *arguments: object) -> tuple[int, Any]:
    code = main([*map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_every_table_is_either_erased_or_named_with_the_reason_why_not(database):
    assert set(tables(database)) == erase.ERASED_TABLES | set(KEPT_TABLES)


def test_a_kept_table_has_no_candidate(database):
    for table, columns in tables(database).items():
        names = {name for name, _ in columns}
        if table in KEPT_TABLES:
            assert not names & {"candidate_id", "source_key", "row_id"}, table


def test_the_locks_are_those_that_the_steps_take():
    text = "".join(path.read_text() for path in (INCLUDE_DIR / "profiles/steps").rglob("*.py"))
    taken = {name for name in re.findall(r'database\.lock\(f?"([^"]+)"\)', text) if ":" not in name}
    assert taken == set(erase.STEP_LOCKS)


def test_a_person_is_gone_from_every_table_and_nobody_else_is(served, capsys):
    ada, otto = owner(served, "zyx-1"), owner(served, "other-1")
    assert owner(served, "zyx-2") == owner(served, "zyx-3") == ada != otto
    others = "other-1|oldowner"
    before = holding(served, others)
    assert {"document", "completion", "candidate_synthesis", "source_record"} <= holding(
        served, "zyx"
    )
    code, said = call(capsys, "erase", ADA, "--yes")
    assert (code, said["candidate_ids"], said["tombstones"]) == (0, [ada], 4)
    assert said["source_rows"] == ["lemlist:zyx-2", "linkedin:zyx-1", "weekday:zyx-3"]
    assert said["rows_removed"]["completion"] == said["rows_removed"]["candidate_synthesis"] == 1
    left = f"zyx-|zyxname|{ADA}"
    assert holding(served, left) == set()
    for table, columns in tables(served).items():
        if "candidate_id" in {name for name, _ in columns}:
            found = rows(served, f"SELECT candidate_id FROM synthesis.{table}")
            assert (ada,) not in found, table
    assert holding(served, others) == before
    assert rows(served, "SELECT candidate_id FROM synthesis.candidate_synthesis") == [(otto,)]
    ids, by, removed, tombstones = one(
        served,
        "SELECT candidate_ids, erased_by, rows_removed, tombstones FROM synthesis.erasure_log",
    )
    assert (ids, removed, tombstones) == ([ada], said["rows_removed"], 4)
    assert by.startswith("postgres (")


def test_the_person_stays_out_also_under_another_id(served, capsys):
    assert call(capsys, "erase", ADA, "--yes")[0] == 0
    raw = {"full_name": "Ada Zyxname", "personal_emails": [ADA]}
    insert(served, "linkedin_profiles", [linkedin("zyx-9", raw=raw)])
    counts = run_all(served, "two")
    assert counts["linkedin"]["erased"] == 2
    assert counts["weekday"]["erased"] == counts["lemlist"]["erased"] == 1
    assert holding(served, f"zyx-|zyxname|{ADA}") == set()
    stage = one(
        served,
        "SELECT counts FROM synthesis.run_stage WHERE run_id = 'two' AND part = 'linkedin'",
    )[0]
    assert stage["erased"] == 2


def test_a_row_that_takes_the_erased_address_leaves_its_record(served, capsys):
    call(capsys, "erase", ADA, "--yes")
    with served.connect() as connection:
        connection.execute(
            "UPDATE src.linkedin_profiles SET raw = raw || %s, fetched_at = now() "
            "WHERE id = 'other-1'",
            (json.dumps({"personal_emails": [ADA]}),),
        )
    assert run_all(served, "two")["linkedin"]["erased"] == 2
    assert rows(served, "SELECT source_key FROM synthesis.source_record") == []


def test_an_address_of_two_people_names_both_and_erases_nobody(people, capsys):
    insert(people, "lemlist_leads", [lead("x-4", full_name="Otto Oldowner", email=ADA)])
    run_all(people, "one")
    ada, otto = owner(people, "zyx-1"), owner(people, "x-4")
    assert ada != otto
    code, said = call(capsys, "erase", ADA, "--yes")
    assert (code, said["error"]) == (2, "ErasureError")
    assert all(str(found) in said["message"] for found in (ada, otto))
    code, said = call(capsys, "erase", ada, "--yes")
    assert (code, said["shared_keys"], said["tombstones"]) == (0, 1, 3)
    run_all(people, "two")
    assert owner(people, "x-4") == otto


def test_without_yes_nothing_is_erased_and_the_counts_are_shown(served, capsys):
    code, said = call(capsys, "erase", ADA)
    assert (code, said["erased"], said["rows_to_remove"]["document"]) == (2, False, 1)
    assert "zyxname" in str(rows(served, "SELECT full_name FROM synthesis.document")).lower()
    assert one(served, "SELECT count(*) FROM synthesis.tombstone") == (0,)


def test_answers_that_come_after_the_erasure_are_dropped_and_the_run_still_adds_up(people):
    run_all(people, "one", answered=False)
    lease = lease_batch(people, run_id="one", lane=0, size=10, lease_seconds=60)
    ada, otto = owner(people, "zyx-1"), owner(people, "other-1")
    assert {item.candidate_id for item in lease.items} == {ada, otto}
    erase.erase(people, ada, asked_by="test")
    persist_results(
        people, batch_id=lease.batch_id, attempts=[attempt(item) for item in lease.items]
    )
    assert rows(people, "SELECT candidate_id FROM synthesis.completion") == [(otto,)]
    assert one(people, "SELECT state FROM synthesis.batch") == ("done",)
    finish(people, "one")
    assert rows(people, "SELECT candidate_id FROM synthesis.candidate_synthesis") == [(otto,)]


def test_erasing_waits_for_steps_that_write_about_people(people):
    run_all(people, "one", answered=False)
    ada = owner(people, "zyx-1")
    for lock in (*erase.STEP_LOCKS, "extract:linkedin"):
        with people.lock(lock), pytest.raises(BusyError, match=f"'{lock}'; nothing was erased"):
            erase.erase(people, ada, asked_by="test")
    assert one(people, "SELECT count(*) FROM synthesis.tombstone") == (0,)


def test_records_that_no_resolve_has_read_are_found_by_their_keys(served):
    insert(served, "lemlist_leads", [lead("zyx-7", full_name="Ada Zyxname", email=ADA)])
    extract_sources.run(served, run_id="one", source="lemlist")
    erase.erase(served, owner(served, "zyx-1"), asked_by="test")
    assert holding(served, "zyx-7") == set()


def test_a_decision_about_others_stays_without_its_note(people, capsys):
    insert(
        people,
        "lemlist_leads",
        [lead(f"x-{n}", full_name="Ida Elsewhere", email="ida@mail-example.com") for n in "ab"],
    )
    run_all(people, "one")
    ada, ida = owner(people, "zyx-1"), owner(people, "x-a")
    merged = candidate_actions.merge(people, ada, ida, decided_by="test", note="Zyxnote")
    candidate_actions.undo(people, merged, revoked_by="test")
    candidate_actions.split(people, ada, [("lemlist", "zyx-2")], decided_by="test", note="Zyxnote")
    erase.erase(people, ada, asked_by="test")
    assert holding(people, "zyxnote|zyx-") == set()
    found = rows(people, "SELECT candidate_id, other_id, note FROM synthesis.identity_decision")
    assert found == [] or found == [(ida, None, "")]
    run_all(people, "two")


def test_an_erased_id_says_so_and_an_unknown_one_too(served, capsys):
    ada = owner(served, "zyx-1")
    call(capsys, "erase", ada, "--yes")
    code, said = call(capsys, "erase", ada, "--yes")
    assert (code, said["error"]) == (1, "ErasureError")
    assert "was erased on" in said["message"]
    assert call(capsys, "erase", 99_999, "--yes")[1]["error"] == "DecisionError"


def test_without_a_secret_nothing_is_erased_and_no_erased_person_is_read(served, monkeypatch):
    ada = owner(served, "zyx-1")
    monkeypatch.delenv("PROFILES_ERASURE_KEY")
    with pytest.raises(SettingsError, match="no secret for tombstones"):
        erase.erase(served, ada, asked_by="test")
    monkeypatch.setenv("PROFILES_ERASURE_KEY", "short")
    with pytest.raises(SettingsError, match="shorter than 16"):
        erase.erase(served, ada, asked_by="test")
    assert owner(served, "zyx-1") == ada
    monkeypatch.setenv("PROFILES_ERASURE_KEY", KEY)
    erase.erase(served, ada, asked_by="test")
    monkeypatch.setenv("PROFILES_ERASURE_KEY", "quite another secret")
    with pytest.raises(SettingsError, match="secrets of tombstones are missing"):
        extract_sources.run(served, run_id="one", source="linkedin")
    monkeypatch.setenv("PROFILES_ERASURE_KEY", f"quite another secret, {KEY}")
    counts = extract_sources.run(served, run_id="one", source="linkedin")
    assert counts["erased"] == 1


def test_a_missing_secret_is_said_before_anything_is_waited_for_or_looked_up(
    people, monkeypatch, capsys
):
    monkeypatch.delenv("PROFILES_ERASURE_KEY")
    lacks = "PROFILES_ERASURE_KEY is not set and the Airflow Connection 'profiles_erasure'"
    with people.lock("publish"), pytest.raises(SettingsError, match=lacks):
        erase.erase(people, 99_999, asked_by="test")
    with pytest.raises(SettingsError, match=lacks):
        erase.preview(people, 99_999)
    monkeypatch.setenv("PROFILES_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    for whom in ("nobody@example.org", "99999"):
        code, said = call(capsys, "erase", whom)
        assert (code, said["error"]) == (1, "SettingsError")
        assert "set PROFILES_ERASURE_KEY or the password of Connection" in said["message"]


def test_the_connection_gives_the_secret(people, monkeypatch):
    monkeypatch.delenv("PROFILES_ERASURE_KEY")
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_ERASURE", "generic://:a%20secret%20in%20a%20field@")
    run_all(people, "one")
    erase.erase(people, owner(people, "zyx-1"), asked_by="test")
    with people.connect() as connection:
        assert read_tombstones(connection).secrets == (b"a secret in a field",)


def test_jobs_of_a_render_that_ends_meanwhile_are_erased_too(served):
    ada = owner(served, "zyx-1")
    with served.connect() as render, ThreadPoolExecutor(1) as pool:
        render.execute(
            "INSERT INTO synthesis.experience (candidate_id, n, is_current) VALUES (%s, 99, false)",
            (ada,),
        )
        render.execute(
            "UPDATE synthesis.document SET rendered_at = now() WHERE candidate_id = %s", (ada,)
        )
        erasing = pool.submit(erase.erase, served, ada, asked_by="test")
        while not one(served, "SELECT count(*) FROM pg_locks WHERE NOT granted")[0]:
            assert not erasing.done()
        render.commit()
        erasing.result()
    for table in ("experience", "untagged"):
        held = one(served, f"SELECT count(*) FROM synthesis.{table} WHERE candidate_id = %s", ada)
        assert held == (0,)

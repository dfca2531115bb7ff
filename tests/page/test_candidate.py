"""The view of candidates: who is found, what each source says, why a summary stands or not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from profiles import erase
from profiles.models import Check, Outcome, Provenance, Skill
from profiles.operations import apply_migrations, candidate_actions
from profiles.storage.connection import Database
from tests.integration.test_erase import ADA, owner, run_all, served
from tests.integration.test_roles import become
from tests.page.conftest import make_client
from tests.planned_runs import (
    add_documents,
    attempt,
    lease_batch,
    persist_results,
    plan,
    use_scripted_engine,
    write_document,
)

__all__ = ["served"]


@pytest.fixture
def ada(served: Database) -> int:
    return owner(served, "zyx-1")


def answered(database: Database, run_id: str, **values: object) -> None:
    plan(database, run_id)
    while lease := lease_batch(database, run_id=run_id, lane=0, size=50, lease_seconds=60):
        answers = [attempt(item, **values) for item in lease.items]
        persist_results(database, batch_id=lease.batch_id, attempts=answers)


def name(database: Database, names: dict[int, str]) -> None:
    with database.connect() as connection:
        for candidate_id, full_name in names.items():
            connection.execute(
                "UPDATE synthesis.document SET full_name = %s WHERE candidate_id = %s",
                (full_name, candidate_id),
            )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("test", [0, 1]),
        ("jose", [0]),
        ("JOSÉ test", [0]),
        ("O'Brien", [2]),
        ("brie", [2]),
        ("a' & ! | :* \\", [1, 3]),
        ("nobody", []),
        ("'", []),
        ("张", [3]),
    ],
)
def test_people_are_found_by_the_beginnings_of_words_of_their_name(database, get, text, wanted):
    ids = add_documents(database, 4)
    names = ("José Testwell", "Ada Testwell", "Pat O'Brien", "张伟 Alder")
    name(database, dict(zip(ids, names, strict=True)))
    found = get("/api/candidates", q=text, by="name")
    assert [line["candidate_id"] for line in found["candidates"]] == [ids[n] for n in wanted]


def test_a_long_list_is_paged_without_gaps_or_repeats(database, get):
    ids = add_documents(database, 60)
    name(database, dict.fromkeys(ids, "Ada Testwell"))
    seen, after = [], 0
    while after is not None:
        page = get("/api/candidates", q="testwell", after=after)
        seen += [line["candidate_id"] for line in page["candidates"]]
        after = page["next"]
    assert seen == ids


def test_an_id_finds_its_person_also_after_a_merge(served, ada, get):
    otto = owner(served, "other-1")
    candidate_actions.merge(served, ada, otto, decided_by="test")
    run_all(served, "two")
    older, younger = sorted((ada, otto))
    for asked in (older, younger):
        found = get("/api/candidates", q=str(asked))
        assert (found["by"], [line["candidate_id"] for line in found["candidates"]]) == (
            "id",
            [older],
        )
    view = get(f"/api/candidates/{younger}")
    assert (view["asked_id"], view["candidate_id"], view["absorbed"]) == (younger, older, [younger])
    assert view["decisions"][0]["decided_by"] == "test"
    assert view["events"][0]["kind"] == "merged"
    assert get("/api/candidates", q="999999999999999999999")["candidates"] == []


def test_a_skill_is_found_under_any_of_its_names(served, ada, get):
    for text in ("python", "Python"):
        found = get("/api/candidates", q=text)
        assert (found["by"], found["skill"]) == ("skill", "Python")
        assert ada in [line["candidate_id"] for line in found["candidates"]]


def test_sources_stand_side_by_side_with_their_evidence_and_the_field_winners(served, ada, get):
    view = get(f"/api/candidates/{ada}")
    assert {(row["source"], row["source_key"]) for row in view["rows"]} == {
        ("linkedin", "zyx-1"),
        ("lemlist", "zyx-2"),
        ("weekday", "zyx-3"),
    }
    assert all(row["row_id"] for row in view["rows"])
    (linkedin,) = (row for row in view["rows"] if row["source"] == "linkedin")
    assert linkedin["positions"][0]["company"] == "Zyxwork"
    assert linkedin["summary_characters"] > 100
    signals = [with_ for row in view["rows"] for with_ in row["evidence"]]
    assert any(name == "email" for one in signals for name, _ in one["signals"])
    named = {field["field"]: field for field in view["fields"]}
    assert named["full_name"]["value"] == "Ada Zyxname"
    assert named["full_name"]["reason"]


def test_no_contact_leaves_the_server(served, ada, client):
    with served.connect() as connection:
        connection.execute(
            "UPDATE synthesis.source_record SET record = jsonb_set(record::jsonb, '{headline}', %s)"
            "::json",
            ('"Engineer, mail me at ada.else@mail-example.com"',),
        )
    text = client.get(f"/api/candidates/{ada}").text
    assert "Engineer" in text
    assert "ada.else" not in text
    assert ADA not in text


def test_each_skill_shows_the_lines_that_ground_it(database, get, monkeypatch):
    use_scripted_engine(monkeypatch)
    (candidate_id,) = add_documents(database, 1)
    skills = (
        Skill("Python", Provenance.BOTH),
        Skill("Kubernetes", Provenance.DOCUMENT),
        Skill("Beekeeping", Provenance.MODEL),
    )
    answered(database, "one", skills=skills)
    publish_all(database, "one")
    found = {skill["name"]: skill for skill in get(f"/api/candidates/{candidate_id}")["skills"]}
    assert found["Python"]["provenance"] == "both"
    assert (
        "- Built billing services in Python for three regional teams." in found["Python"]["lines"]
    )
    assert all("Kubernetes" in line for line in found["Kubernetes"]["lines"])
    assert found["Beekeeping"]["lines"] == []


def publish_all(database: Database, run_id: str) -> None:
    from profiles.steps import publish

    publish.run(database, run_id=run_id, planned=True, tagged=True)


def test_states_tell_fresh_from_stale_refused_thin_and_never(database, get, monkeypatch):
    use_scripted_engine(monkeypatch)
    fresh, stale, thin = add_documents(database, 3, thin=[2])
    answered(database, "one")
    publish_all(database, "one")
    (never,) = add_documents(database, 1)
    with database.connect() as connection:
        write_document(connection, stale, "# Ada Testwell\nAnother document, with other words.")
    states = {
        candidate_id: get(f"/api/candidates/{candidate_id}")["state"]
        for candidate_id in (fresh, stale, thin, never)
    }
    assert states == {fresh: "fresh", stale: "stale", thin: "too_thin", never: "never"}


def test_a_refused_answer_stays_visible_beside_the_older_summary_that_is_served(
    database, get, monkeypatch
):
    use_scripted_engine(monkeypatch)
    (candidate_id,) = add_documents(database, 1)
    answered(database, "one", summary="The first summary.")
    publish_all(database, "one")
    with database.connect() as connection:
        write_document(
            connection, candidate_id, "# Ada Testwell\nBilling services in Python. " * 30
        )
    answered(
        database,
        "two",
        outcome=Outcome.REJECTED,
        reason="ungrounded",
        summary="An invented summary.",
        checks=(Check("grounding", passed=False, detail="unknown=3"),),
    )
    publish_all(database, "two")
    view = get(f"/api/candidates/{candidate_id}")
    assert (view["state"], view["state_reason"]) == ("rejected", "ungrounded")
    assert view["served"]["summary"] == "The first summary."
    refused, served = view["versions"]
    assert (refused["outcome"], refused["reason"], refused["summary"], refused["is_served"]) == (
        "rejected",
        "ungrounded",
        "An invented summary.",
        False,
    )
    assert refused["checks"] == [{"name": "grounding", "passed": False, "detail": "unknown=3"}]
    assert (served["outcome"], served["is_served"]) == ("valid", True)
    from profiles.operations.candidate_actions import retry

    retry(database, candidate_ids=[candidate_id])
    assert "opened again for the next run" in get(f"/api/candidates/{candidate_id}")["state_reason"]


def test_domains_come_with_the_companies_that_gave_them(database, get):
    (candidate_id,) = add_documents(database, 1)
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.domain_tag (candidate_id, domain, months, weight, employers) "
            "VALUES (%s, 'Banking', 30, 0.7, '{Northvale Bank}')",
            (candidate_id,),
        )
    (domain,) = get(f"/api/candidates/{candidate_id}")["domains"]
    assert (domain["domain"], domain["months"], domain["employers"]) == (
        "Banking",
        30,
        ["Northvale Bank"],
    )


def test_an_erased_person_and_an_unknown_id_are_not_found_and_say_why(served, ada, client):
    erase.erase(served, ada, asked_by="test")
    answer = client.get(f"/api/candidates/{ada}")
    assert answer.status_code == 404
    assert f"was erased on {datetime.now(UTC):%Y-%m-%d}" in answer.json()["detail"]
    answer = client.get("/api/candidates/4711")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "Candidate 4711 was never given out."


@pytest.mark.parametrize("bad", ["0", "-1", "x", str(2**63)])
def test_what_is_no_id_is_refused(client, bad):
    assert client.get(f"/api/candidates/{bad}").status_code == 422


def test_the_role_of_the_page_suffices(served, ada):
    apply_migrations.run(served)
    page = become(served, "profiles_page")
    try:
        client = make_client(page.url)
        for path in (f"/api/candidates/{ada}", "/api/candidates?q=zyx", "/api/candidates?q=python"):
            assert client.get(path).status_code == 200, path
        assert client.get("/api/search?q=billing").status_code == 200
        assert client.get(f"/api/candidates/{ada}").json()["rows"]
    finally:
        from profile_runs.database import close_pools

        close_pools()


def test_an_outage_is_an_error_and_no_empty_list():
    client = make_client("postgresql://nobody@127.0.0.1:1/none")
    for path in ("/api/candidates?q=ada", "/api/candidates/1", "/api/search?q=ada"):
        answer = client.get(path)
        assert answer.status_code == 503, path
        assert "does not answer" in answer.json()["what"]

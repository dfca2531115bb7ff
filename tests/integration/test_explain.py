"""`profiles explain` answers why rows are one person; merge and split are taken back by number."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace
from tests.factories import position, record
from tests.integration.test_resolve_identities import mail, owner, owners, put, resolve

from profiles.cli import main
from profiles.models import SourceRecord
from profiles.operations import candidate_actions
from profiles.resolution.quarantine import MAX_BLOCK_ROWS
from profiles.steps import render_profiles
from profiles.storage.connection import Database


@pytest.fixture
def call(database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Runs a command on the test's database; returns exit code and parsed output."""
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)

    def run(*arguments: object) -> tuple[int, Any]:
        code = main([*map(str, arguments), "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run


def shared(*names: str, phone: str = "+12025550101") -> list:
    return [record(full_name=name, phones=(phone,)) for name in names]


def test_a_candidate_is_explained_by_rows_keys_pairs_and_neighbours(database, call):
    linkedin = record(location="Pune", linkedin_id="ada-t", phones=("+12025550101",), **mail("ada"))
    resume = record(source="resume", location="Pune, India", **mail("ada"))
    stranger = record(full_name="Otto Oldowner", phones=("+12025550101",))
    put(database, linkedin, resume, stranger)
    resolve(database)
    render_profiles.run(database, run_id="manual__1", lo=0, hi=100)
    here, other = owner(database, linkedin), owner(database, stranger)
    code, said = call("explain", here)
    assert (code, said["candidate_id"], said["asked_id"]) == (0, here, here)
    assert [(row["source"], row["rule"]) for row in said["rows"]] == [
        ("linkedin", "email"),
        ("resume", "email"),
    ]
    keys = {(key["kind"], key["value"]) for row in said["rows"] for key in row["keys"]}
    assert ("linkedin", "ada-t") in keys
    (pair,) = said["pairs"]
    assert pair["score"] >= said["accept_score"]
    assert pair["score"] == sum(weight for _, weight in pair["signals"])
    (near,) = said["near"]
    assert (near["candidate_id"], near["verdict"]) == (other, "refused")
    assert near["score"] < said["accept_score"]
    (place,) = (choice for choice in said["fields"] if choice["field"] == "location")
    assert (place["value"], place["source"]) == ("Pune, India", "resume")
    assert [(loser["value"], loser["source"]) for loser in place["losers"]] == [
        ("Pune", "linkedin")
    ]
    for name in ("ada@mail-example.com", "https://www.linkedin.com/in/Ada-T/"):
        assert call("explain", name)[1]["candidate_id"] == here
    assert call("explain", "+12025550101")[0] == 1


def test_a_quarantined_key_is_shown_with_its_reason(database, call):
    put(database, *shared("Ada Testwell", "Otto Oldowner", "Nila Newowner"))
    resolve(database)
    _, said = call("explain", min(owners(database).values()))
    phones = [key for key in said["rows"][0]["keys"] if key["kind"] == "phone"]
    assert [key["quarantined"] for key in phones] == ["names"]
    assert said["near"] == []


def test_an_unknown_id_is_an_error_and_a_merged_one_says_into_which(database, call):
    code, said = call("explain", 999)
    assert (code, said["error"]) == (1, "DecisionError")
    assert "no candidate 999" in said["message"]
    assert "erased" in said["message"]
    assert call("explain", "nobody@mail-example.com")[0] == 1
    rows = [record(**mail("ada")), record(full_name="Otto Oldowner", **mail("otto"))]
    put(database, *rows)
    resolve(database)
    left, right = (owner(database, row) for row in rows)
    code, said = call("merge", left, right, "--note", "same person, asked her")
    assert code == 0
    decision = said["decision_id"]
    resolve(database)
    code, said = call("explain", max(left, right))
    assert (code, said["candidate_id"]) == (0, min(left, right))
    assert said["absorbed"] == [max(left, right)]
    assert [event["kind"] for event in said["history"]] == ["merged"]
    (decided,) = said["decisions"]
    assert (decided["decision_id"], decided["note"]) == (decision, "same person, asked her")
    assert {row["own_id"] for row in said["rows"]} == {None, max(left, right)}
    assert call("decisions", "--undo", decision) == (0, {"revoked": decision})
    assert call("decisions", "--undo", decision)[0] == 1
    resolve(database)
    assert call("explain", max(left, right))[1]["candidate_id"] == max(left, right)
    assert call("decisions")[1][0]["revoked_by"]


def test_a_split_by_command_shows_what_was_cut(database, call):
    rows = [record(**mail("ada")) for _ in range(3)]
    put(database, *rows)
    resolve(database)
    here = owner(database, rows[0])
    code, _ = call("split", here, f"{rows[2].source}:{rows[2].source_key}")
    assert code == 0
    resolve(database)
    _, said = call("explain", here)
    assert {pair["verdict"] for pair in said["near"]} == {"cut"}
    assert [event["kind"] for event in said["history"]] == ["split"]
    assert len(said["rows"]) == 2


def test_people_read_the_same_facts(database, call, monkeypatch, capsys):
    rows = [record(phones=("+12025550101",), **mail("ada")), record(**mail("ada"))]
    put(database, *rows, record(full_name="Otto Oldowner", phones=("+12025550101",)))
    resolve(database)
    here = owner(database, rows[0])
    candidate_actions.split(
        database, here, [(rows[1].source, rows[1].source_key)], decided_by="operator", note="why"
    )
    assert main(["explain", str(here)]) == 0
    said = capsys.readouterr().out
    for part in (f"candidate_id: {here}", "kind: email", "refused", "[email, 11.5]", "note: why"):
        assert part in said
    assert main(["decisions"]) == 0
    assert "applied_at: null" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["split", str(here), "no-colon"])
    assert "SOURCE:KEY" in capsys.readouterr().err


def unmade(headline: str, *titles: str, town: str | None = None) -> list[SourceRecord]:
    """Namesakes at one employer whose titles and starts differ: no pair is made of them."""
    return [
        record(
            headline=headline,
            location=town,
            positions=(position(title=title, start=f"2020-0{1 + 2 * n}"),),
        )
        for n, title in enumerate(titles)
    ]


NAMESAKES = [record() for _ in range(MAX_BLOCK_ROWS["name"])]
"""So many that a name alone makes no pair."""


def test_a_pair_that_the_join_never_made_is_not_called_cut(database, call):
    """Nor refused, although no accepted pair is stored either: nobody compared the two."""
    rows = unmade("Builds long bridges", "Engineer", "Auditor", town="Pune, India")
    put(database, *rows, *NAMESAKES)
    assert resolve(database)["pairs"] == 0
    here, other = (owner(database, row) for row in rows)
    _, said = call("explain", here)
    (near,) = said["near"]
    assert near["score"] >= said["accept_score"]
    assert (near["candidate_id"], near["verdict"]) == (other, "not compared")


def test_a_pair_that_was_never_made_is_not_compared_whatever_its_score(database, call):
    rows = unmade("", "Engineer", "Auditor")
    rows[1] = replace(rows[1], positions=(position(title="Auditor", start="2016-01"),))
    put(database, *rows, *NAMESAKES)
    assert resolve(database)["pairs"] == 0
    _, said = call("explain", owner(database, rows[0]))
    assert [near["verdict"] for near in said["near"]] == ["not compared"]
    assert said["near"][0]["score"] < said["accept_score"]


def test_a_pair_that_another_key_made_is_refused_or_cut(database, call):
    """A phone makes the pair which name and employer alone would not."""
    rows = [
        replace(row, phones=("+12025550101",))
        for row in unmade("Builds long bridges", "Engineer", "Auditor")
    ]
    put(database, *rows)
    resolve(database)
    here = owner(database, rows[0])
    assert here == owner(database, rows[1])
    assert call("split", here, f"{rows[1].source}:{rows[1].source_key}")[0] == 0
    resolve(database)
    (near,) = call("explain", here)[1]["near"]
    assert near["verdict"] == "cut"


def test_what_was_cut_is_shown_before_what_was_not_compared(database, call, monkeypatch):
    """Also where more pairs share a key than are read."""
    rows = unmade("Builds long bridges", *["Engineer", "Auditor", "Welder", "Surveyor"])
    rows[3] = replace(rows[3], **mail("ada"))
    cut = record(source="resume", **mail("ada"))
    put(database, *rows, cut)
    resolve(database)
    here = owner(database, cut)
    assert call("split", here, f"{cut.source}:{cut.source_key}")[0] == 0
    resolve(database)
    monkeypatch.setattr("profiles.operations.explain._MAX_NEAR_READ", 1)
    _, said = call("explain", owner(database, rows[3]))
    assert [near["verdict"] for near in said["near"]] == ["cut"]
    assert said["near_left_out"] == 3

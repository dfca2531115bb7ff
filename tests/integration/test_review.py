"""Review sheets: a blind sample out, every fault named on the way in, agreement at the end."""

from __future__ import annotations

import csv
import json
import stat
from pathlib import Path

import pytest
from tests.planned_runs import (
    add_documents,
    attempt,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
)

from profiles.cli import main
from profiles.errors import ExportError, ReviewError
from profiles.models import Outcome
from profiles.operations import review
from profiles.steps import judge
from profiles.storage.connection import Database

PEOPLE = 24


@pytest.fixture
def answered(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A run of 24 answers, every fourth false and every eighth refused."""
    use_scripted_engine(monkeypatch)
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    add_documents(database, PEOPLE)
    plan(database, "r1")
    lease = lease_batch(database, run_id="r1", lane=0, size=100, lease_seconds=60)
    attempts = [
        attempt(
            item,
            summary=f"=SUM(A1) A {'false' if number % 4 == 0 else 'true'} story, told twice.",
            outcome=Outcome.REJECTED if number % 8 == 0 else Outcome.VALID,
            reason="ungrounded" if number % 8 == 0 else None,
        )
        for number, item in enumerate(lease.items)
    ]
    persist_results(database, batch_id=lease.batch_id, attempts=attempts)
    return database


def sheet(database: Database, path: Path, size: int = 100) -> list[dict[str, str]]:
    review.export(database, run_id="r1", size=size, seed=1, path=path, force=True)
    return read(path)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, lines: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys())
        writer.writeheader()
        writer.writerows(lines)
    return path


def filled(lines: list[dict[str, str]]) -> list[dict[str, str]]:
    """Verdicts of somebody who sees which stories are false."""
    return [
        line
        | {
            "faithful": "no" if "false" in line["summary"] else "Yes",
            "complete": "y",
            "useful": "1",
            "note": "seen",
        }
        for line in lines
    ]


def test_the_sheet_is_its_owners_alone_and_blind(answered, tmp_path):
    path = tmp_path / "sheet.csv"
    path.touch(mode=0o644)
    lines = sheet(answered, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(lines) == PEOPLE
    assert tuple(lines[0]) == review.COLUMNS
    assert not {"outcome", "reason", "checks", "method"} & set(lines[0])
    assert all(line[name] == "" for line in lines for name in (*review.VERDICTS, "note"))
    assert lines[0]["document"].startswith("# Ada Testwell")
    assert lines[0]["skills"] == "Python"


def test_no_cell_is_taken_for_a_formula(answered, tmp_path):
    lines = sheet(answered, tmp_path / "sheet.csv")
    assert all(line["summary"].startswith("'=SUM") for line in lines)
    for text in ("=1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "\n@x"):
        assert review.defused(text) == f"'{text}"
    assert review.defused("plain - text") == "plain - text"


def test_the_same_seed_draws_the_same_answers(answered, tmp_path):
    def drawn(seed: int) -> list[str]:
        path = tmp_path / f"{seed}.csv"
        review.export(answered, run_id="latest", size=6, seed=seed, path=path, force=True)
        return [line["candidate_id"] for line in read(path)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert len(drawn(1)) == 6


def test_a_sheet_that_may_hold_verdicts_is_not_overwritten(answered, tmp_path):
    path = tmp_path / "sheet.csv"
    sheet(answered, path)
    with pytest.raises(ExportError, match="--force"):
        review.export(answered, run_id="r1", size=5, seed=1, path=path)
    with pytest.raises(ExportError, match="no run 'r9'"):
        review.export(answered, run_id="r9", size=5, seed=1, path=tmp_path / "other.csv")


def test_labels_come_back_and_a_later_sheet_of_the_reviewer_wins(answered, tmp_path):
    path = tmp_path / "sheet.csv"
    lines = filled(sheet(answered, path))
    lines[0] |= dict.fromkeys(review.VERDICTS, "")
    write(path, lines)
    counts = review.import_sheet(answered, path=path, reviewer="mira")
    assert counts == {"labels": PEOPLE - 1, "left_empty": 1}
    lines[1]["useful"] = "no"
    review.import_sheet(answered, path=write(path, lines), reviewer="mira")
    stored = rows(
        answered,
        "SELECT count(*), count(*) FILTER (WHERE NOT is_useful), min(note) "
        "FROM synthesis.review_label",
    )
    assert stored == [(PEOPLE - 1, 1, "seen")]


def test_every_fault_is_named_and_nothing_is_stored(answered, tmp_path):
    path = tmp_path / "sheet.csv"
    lines = filled(sheet(answered, path))
    lines[0]["faithful"] = "A private remark"
    lines[1]["useful"] = ""
    lines[2]["candidate_id"] = "x"
    lines[9]["candidate_id"] = "9" * 30
    lines[3] = lines[4]
    with pytest.raises(ReviewError) as caught:
        review.import_sheet(answered, path=write(path, lines), reviewer="mira")
    said = str(caught.value)
    assert "row 2: faithful is not yes or no" in said
    assert "row 3: useful is not yes or no" in said
    assert "row 4: candidate_id is not an id" in said
    assert "row 11: candidate_id is not an id" in said
    assert "row 5: the same answer stands in another row too" in said
    assert "private" not in said
    assert one(answered, "SELECT count(*) FROM synthesis.review_label") == (0,)


def test_an_answer_that_is_not_there_any_more_is_named(answered, tmp_path):
    path = tmp_path / "sheet.csv"
    lines = filled(sheet(answered, path))
    lines[5]["candidate_id"] = "999999"
    with pytest.raises(ReviewError, match="row 7: there is no such answer"):
        review.import_sheet(answered, path=write(path, lines), reviewer="mira")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"run_id;candidate_id\n", "has no column"),
        (b"", "has no column run_id"),
        (b"\xff\xfe\x00", "cannot be read as CSV"),
    ],
)
def test_a_file_that_is_no_sheet_is_refused(content, said, answered, tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_bytes(content)
    with pytest.raises(ReviewError, match=said):
        review.import_sheet(answered, path=path, reviewer="mira")
    with pytest.raises(ReviewError, match=r"none.csv cannot be read \(No such file"):
        review.import_sheet(answered, path=tmp_path / "none.csv", reviewer="mira")


def test_gate_and_judge_are_measured_against_people_by_command(
    answered, tmp_path, monkeypatch, capsys
):
    path = tmp_path / "sheet.csv"
    assert main(["review", "export", "r1", "--csv", str(path), "--json"]) == 0
    assert "Personal data" in json.loads(capsys.readouterr().out)["notice"]
    write(path, filled(read(path)))
    assert main(["review", "import", str(path), "--reviewer", "mira", "--json"]) == 0
    capsys.readouterr()

    use_scripted_engine(monkeypatch, engine="tests.scoring_engine:ScoringEngine")
    judge.run(answered, run_id="r1", size=100)
    assert main(["review", "agreement", "r1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    gate = found["gate"]
    assert gate["labels"] == PEOPLE
    # Of six false stories the gate refused three, and nothing else.
    assert (gate["refused_and_not"], gate["accepted_and_not"]) == (3, 3)
    assert (gate["precision"], gate["recall"]) == (1.0, 0.5)
    (measured,) = found["judges"].values()
    assert measured["faithfulness"] == {"cases": 21, "kappa": 1.0, "auc": 1.0}
    # People called every answer complete, so that nothing tells the judge from a guess.
    assert measured["completeness"]["auc"] is None
    shown = {row["criterion"]: row for row in found["shown"]}
    assert shown["faithfulness"]["labels"] == "people"
    assert shown["faithfulness"]["mean_score"] is not None


def test_a_handful_of_labels_says_nothing_of_a_judge(answered, tmp_path, monkeypatch):
    path = tmp_path / "sheet.csv"
    review.import_sheet(
        answered, path=write(path, filled(sheet(answered, path, size=19))), reviewer="mira"
    )
    use_scripted_engine(monkeypatch, engine="tests.scoring_engine:ScoringEngine")
    judge.run(answered, run_id="r1", size=100)
    found = review.agreement(answered, run_id="r1")
    (measured,) = found["judges"].values()
    assert measured["faithfulness"]["kappa"] is None
    assert all(row["mean_score"] is None for row in found["shown"])


def test_the_command_says_what_it_needs(answered, capsys):
    assert main(["review", "export", "--json"]) == 1
    assert "needs RUN" in json.loads(capsys.readouterr().out)["message"]
    assert main(["review", "import", "--json"]) == 1
    assert "needs the FILE" in json.loads(capsys.readouterr().out)["message"]

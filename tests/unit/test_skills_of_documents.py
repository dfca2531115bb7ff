"""Skills that a document states: labelled CVs, and one small input for each kind of mistake."""

from __future__ import annotations

import json

import pytest
from benchmarks.skills import measure
from tests.paths import REPOSITORY

from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.document import Document
from profiles.validation.grounding import ground_skills

HEAD = "# Ada Quarles\n{head}\nLeeds\n\n## Experience\n### {job}\n2019 – Present\n- {line}\n"


def stated(line: str, job: str = "Clerk — Quarry Labs", head: str = "Clerk at Quarry Labs"):
    return load_vocabulary().stated(HEAD.format(head=head, job=job, line=line))


@pytest.mark.release
def test_labelled_cvs_keep_their_precision_and_recall():
    lines = (REPOSITORY / "tests/quality/skills.jsonl").read_text(encoding="utf-8").splitlines()
    result = measure([json.loads(line) for line in lines], load_vocabulary())
    assert result["cvs"] == 40
    assert result["precision"] >= 0.98, result["each"]
    assert result["recall"] >= 0.97, result["each"]


@pytest.mark.parametrize(
    ("line", "skills"),
    [
        ("Led M&A deals.", ("Mergers and Acquisitions",)),
        ("An MA opened the door.", ()),
        ("Sold to Penrose plc and repaired a plc board.", ()),
        ("Moved secrets into Azure Key Vault.", ("Azure Key Vault",)),
        ("Services on Spring Boot.", ("Spring Boot",)),
        ("Built CI/CD.", ("CI/CD",)),
        ("Rust on old rivets is a puzzle.", ()),
        ("Gestione del progetto con impresa e comune di Bologna.", ("Project Management",)),
        ("Ruby on Railsで予約システムを再設計。", ("Ruby on Rails",)),
        ("若手5名のコードレビューを担当。", ("Code Review",)),
    ],
)
def test_a_line_states_its_skills_and_no_others(line, skills):
    assert stated(line) == skills


def test_employers_and_schools_state_no_skills():
    document = HEAD.format(
        head="Clerk at Oracle Snowflake Museum", job="Clerk — Snowflake", line="Filed at Snowflake."
    )
    studies = "\n## Education\n- MA, Nursing — Scala School (2011–2014)\n"
    assert load_vocabulary().stated(document + studies) == ("Nursing",)


@pytest.mark.parametrize(
    "claimed",
    ["Staff Engineer", "Quarry Labs", "Kannada", "Programming Languages", "and reporting",
     "team of", "Sales Manager", "x", "Reports (monthly"],
)  # fmt: skip
def test_titles_employers_languages_categories_and_fragments_are_dropped(claimed):
    document = HEAD.format(
        head="Staff Engineer at Quarry Labs",
        job="Staff Engineer — Quarry Labs",
        line="Team of nine and reporting. Reports (monthly) x.",
    )
    grounded = ground_skills([claimed], Document(document, load_vocabulary()))
    assert (grounded.skills, grounded.inferred, grounded.dropped) == ((), (), 1)


def test_a_translated_skill_of_a_foreign_record_is_kept():
    document = HEAD.format(
        head="Leiter bei Wald",
        job="Leiter — Wald",
        line="Projektmanagement für den Umbau.",
    )
    grounded = ground_skills(["Project Management"], Document(document, load_vocabulary()))
    assert [skill.name for skill in grounded.skills] == ["Project Management"]

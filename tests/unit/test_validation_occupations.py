"""Whose the occupations are that a summary tells of, and which the document does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.validation.evidence import Evidence
from profiles.validation.roles import count_role_faults

QUALITY = Path(__file__).parents[1] / "quality"
EVIDENCE = Evidence(
    "# Thea Quarles\nStaff Engineer at Quarry Labs\n\n## Summary\n"
    "Engineer who runs payment services on K8s.\n\n## Experience\n"
    "### Staff Engineer — Quarry Labs\n- Led a team of 14 engineers.\n"
)

SENTENCES = (QUALITY / "occupations.txt").read_text().splitlines()
"""After a plus, the person is said to be what the document does not know; else somebody is."""


@pytest.mark.parametrize("summary", [text[2:] for text in SENTENCES if text[0] == "+"])
def test_invented_occupation_of_the_person_is_a_fault(summary):
    assert count_role_faults(summary, EVIDENCE) >= 1


@pytest.mark.parametrize("summary", [text[2:] for text in SENTENCES if text[0] == "-"])
def test_occupation_of_somebody_else_is_none(summary):
    assert count_role_faults(summary, EVIDENCE) == 0


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("Head Chef", "She worked as a chef and as a cook."),
        ("Content Marketing Manager", "She worked as a copywriter."),
        ("Front Office Executive", "She worked as a receptionist."),
        ("Accounts Executive", "She worked as an accounts payable clerk."),
        ("Care Assistant", "She worked as a care worker."),
        ("Production Planning Engineer", "She worked as a production planner."),
        ("Consultant, Cardiology", "She worked as a cardiologist."),
        ("Photography Lead", "She worked as a photographer."),
        ("Systems Administrator", "She worked for five years as a sysadmin."),
        ("Accounts Assistant", "A bookkeeper with a degree in finance."),
        ("Data Engineer", "She is a database engineer and ETL developer."),
    ],
)
def test_other_words_for_the_same_work_are_none(line, summary):
    evidence = Evidence(f"# Thea Quarles\n\n## Experience\n### {line} — Quarry Labs\n")
    assert count_role_faults(summary, evidence) == 0


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("Conducted interviews and surveys.", "She worked as a conductor."),
        ("Tailored offers to clients.", "She worked as a tailor."),
        ("Ran social media for a school.", "She worked as a social worker."),
        ("Nursed patients on the oncology unit.", "She worked as an oncologist."),
        ("Managed the lab and its assistant.", "She worked as a dental assistant."),
        ("Joined the team early.", "She worked as a joiner."),
    ],
)
def test_a_verb_or_a_field_of_the_document_shows_no_trade(line, summary):
    evidence = Evidence(
        f"# Thea Quarles\n\n## Experience\n### Staff Nurse — Quarry Labs\n- {line}\n"
    )
    assert count_role_faults(summary, evidence) == 1


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("Hired ten people to keep it going.", "She acted as a recruiter for the work."),
        (
            "Selected the vendor and signed the contract.",
            "She was the buyer who picked the vendor.",
        ),
    ],
)
def test_any_line_bears_out_a_role_that_was_played(line, summary):
    document = "# Thea Quarles\n\n## Experience\n### Staff Nurse — Quarry Labs\n- {}\n"
    assert count_role_faults(summary, Evidence(document.format(line))) == 0
    assert count_role_faults(summary, Evidence(document.format("Cared for patients."))) == 1


def test_an_employer_is_no_title():
    evidence = Evidence("# Thea Quarles\n\n## Experience\n### Analyst — Xandor Talent\n")
    assert count_role_faults("She worked as a recruiter.", evidence) == 1


def test_name_of_an_employer_evidences_no_field():
    evidence = Evidence(
        "# Thea Quarles\nRecruiter at Umbra Consulting\n\n## Experience\n"
        "### Recruiter — Umbra Consulting\n- Filled forty posts.\n"
    )
    assert count_role_faults("She was a consultant.", evidence) == 1
    assert count_role_faults("She was a recruiter at Umbra Consulting.", evidence) == 0


def test_title_of_the_same_root_needs_no_field():
    evidence = Evidence("# Thea Quarles\n\n## Experience\n### Lead Installer — Quarry Labs\n")
    assert count_role_faults("She worked as a photovoltaics fitter.", evidence) == 0
    evidence = Evidence("# Thea Quarles\n\n## Experience\n### Clerk — Quarry Labs\n- Fitted.\n")
    assert count_role_faults("She worked as a photovoltaics fitter.", evidence) == 1

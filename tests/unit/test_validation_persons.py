"""Which unknown names in a summary are those of people."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.standardization.skills import Vocabulary
from profiles.validation.claims import claim_faults
from profiles.validation.evidence import Evidence

QUALITY = Path(__file__).parents[1] / "quality"
VOCABULARY = Vocabulary.from_aliases(
    {
        "Kubernetes": ["K8s"],
        "Big Data": [],
        "Six Sigma": ["Lean Six Sigma"],
        "Agile": [],
        "Excel": ["MS Excel"],
    }
)
EVIDENCE = Evidence(
    "# Thea Quarles\nStaff Engineer at Quarry Labs\nPune, Maharashtra, India · 9 years\n\n"
    "## Summary\nEngineer who runs payment services on K8s.\n\n## Experience\n"
    "### Staff Engineer — Quarry Labs\n- Led a team of 14 engineers.\n\n"
    "## Languages\nEnglish, Hindi, Marathi, German\n"
)

SENTENCES = (QUALITY / "persons.txt").read_text().splitlines()
"""After a plus, somebody is named whom the document does not know."""


@pytest.mark.parametrize("sentence", [text[2:] for text in SENTENCES if text[0] == "+"])
def test_unknown_name_of_a_person_is_a_fault(sentence):
    summary = f"The candidate works hard. {sentence}"
    assert claim_faults(summary, EVIDENCE, VOCABULARY).people >= 1


@pytest.mark.parametrize("sentence", [text[2:] for text in SENTENCES if text[0] == "-"])
def test_own_name_and_other_capitals_are_none(sentence):
    summary = f"The candidate works hard. {sentence}"
    assert claim_faults(summary, EVIDENCE, VOCABULARY).people == 0

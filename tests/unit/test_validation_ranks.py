"""Leadership that a summary claims in many words, against a document without any."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.validation.evidence import Evidence
from profiles.validation.ranks import count_rank_faults

QUALITY = Path(__file__).parents[1] / "quality"
DOCUMENT = """\
# Thea Quarles
Data Engineer at Quarry Labs

## Experience
### Data Engineer — Quarry Labs
- Built pipelines in Airflow and dbt.
- Presented results to the leadership team.

## Skills
Airflow, SQL
"""
SENTENCES = (QUALITY / "ranks.txt").read_text().splitlines()
"""After a plus, somebody leads who does not."""


@pytest.mark.parametrize("summary", [text[2:] for text in SENTENCES if text[0] == "+"])
def test_leadership_that_the_document_does_not_have_is_a_fault(summary):
    assert count_rank_faults(summary, Evidence(DOCUMENT)) >= 1


@pytest.mark.parametrize("summary", [text[2:] for text in SENTENCES if text[0] == "-"])
def test_word_of_rank_that_gives_nobody_a_rank_is_none(summary):
    assert count_rank_faults(summary, Evidence(DOCUMENT)) == 0


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("Supervised the expansion of a plant.", "The candidate has held a supervisory post."),
        ("Led a team of five.", "The candidate has control of the unit."),
        ("Member of the executive committee.", "The candidate sits on the executive committee."),
        ("Set up a company with two friends.", "The candidate set up a company."),
    ],
)
def test_line_of_the_document_bears_leadership_out(line, summary):
    evidence = Evidence(DOCUMENT.replace("Built pipelines in Airflow and dbt.", line))
    assert count_rank_faults(summary, Evidence(DOCUMENT)) >= 1
    assert count_rank_faults(summary, evidence) == 0


@pytest.mark.parametrize("rank", ["Partner", "distinguished engineer"])
def test_rank_without_a_title_as_high_is_a_fault(rank):
    assert count_rank_faults(f"The candidate serves as {rank}.", Evidence(DOCUMENT)) >= 1


def test_partner_in_the_name_of_an_employer_is_no_rank():
    summary = "The candidate works at Quarry & Partner in Pune."
    assert count_rank_faults(summary, Evidence(DOCUMENT)) == 0

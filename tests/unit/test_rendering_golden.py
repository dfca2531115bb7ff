"""Whole people: records in, the expected document beside them, readable by eye."""

import json

import msgspec
import pytest
from tests.paths import REPOSITORY

from profiles.models import Candidate, FieldClaim, SourceRecord
from profiles.rendering.markdown import render
from profiles.standardization.skills import Vocabulary

GOLDEN = REPOSITORY / "tests" / "golden"
VOCABULARY = Vocabulary.from_aliases(
    {
        "Go": ["golang"],
        "Kubernetes": ["K8s"],
        "Apache Kafka": ["Kafka"],
        "Apache Spark": ["Spark", "PySpark"],
        "Power BI": ["PowerBI"],
    }
)
PEOPLE = sorted(path.stem for path in GOLDEN.glob("*.json"))


def read(name):
    content = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    records = tuple(msgspec.convert(record, SourceRecord) for record in content["records"])
    return Candidate(content["candidate_id"], records)


def test_there_are_people_to_compare():
    assert len(PEOPLE) >= 6


@pytest.mark.parametrize("name", PEOPLE)
def test_a_person_renders_to_the_expected_document(name):
    document = render(read(name), vocabulary=VOCABULARY)
    assert document.markdown == (GOLDEN / f"{name}.md").read_text(encoding="utf-8")


def test_the_newest_dated_source_names_the_current_job_and_the_other_is_still_shown():
    jobs = render(read("vendors_disagree"), vocabulary=VOCABULARY).experience
    assert [(job.employer, job.is_current) for job in jobs[:2]] == [
        ("Lohit Motors", True),
        ("Halden Group", True),
    ]


def test_who_won_a_field_and_who_said_otherwise_is_recorded():
    choices = {
        choice.field: choice
        for choice in render(read("three_views_of_one_job"), vocabulary=VOCABULARY).choices
    }
    start = choices["experience[1].start"]
    assert (start.value, start.source, start.reason) == ("2018-02", "resume", "most_precise")
    assert start.losers == (FieldClaim("2018", "linkedin", "li-1"),)
    assert choices["location"].reason == "most_complete"
    assert choices["experience[0].start"].reason == "most_records"

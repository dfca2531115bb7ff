"""Skills and claims that the document supports."""

from __future__ import annotations

import pytest

from profiles.models import Provenance, Skill
from profiles.standardization.skills import Vocabulary
from profiles.validation.document import Document
from profiles.validation.grounding import document_skills, ground_skills, is_evidenced

VOCABULARY = Vocabulary.from_aliases(
    {
        "Kubernetes": ["K8s"],
        "PostgreSQL": ["Postgres", "psql"],
        "Apache Kafka": ["Kafka"],
        "Go": ["Golang"],
        "C++": ["CPP"],
        "C#": ["C Sharp"],
        "Terraform": [],
        "Snowflake": [],
        "Supply Chain Management": ["SCM"],
        "Machine Learning": ["ML"],
    }
)

DOCUMENT = """# Thea Quarles
Staff Engineer at Quarry Labs
Pune, Maharashtra, India · 9 years of experience

## Summary
Engineer who runs payment services on K8s with Postgres and Golang.

## Experience
### Staff Engineer — Quarry Labs
Apr 2020 – Present (5 yrs 3 mos)
- Led a team of 14 engineers and cut hosting costs by 35%, saving $2.5M a year.
- Designed REST APIs for 120 customers and automated regression tests.
- Negotiated contracts and managed projects with supply chain management teams.

### Software Engineer — Tarn Media (acquired by Halden Group)
Feb 2016 – Mar 2020 (4 yrs 1 mo)
- Built data pipelines with Kafka for 2,000 partners.

## Education
- B.Tech, Computer Science — Kaveri Institute of Technology (2012–2016)

## Skills
Kubernetes, PostgreSQL, Go, Microservices, Payroll

## Certifications
- Certified ScrumMaster (CSM)
"""

RECORD = Document(DOCUMENT, VOCABULARY)


@pytest.mark.parametrize(
    "skill",
    [
        "Kubernetes",
        "K8s",
        "Postgres",
        "Golang",
        "Kafka",
        "Apache Kafka",
        "REST API",
        "REST API Design",
        "Data Pipeline",
        "Microservice",
        "Project Management",
        "Contract Negotiation",
        "Regression Testing",
        "Test Automation",
        "SCM",
        "Payroll",
        "Certified ScrumMaster",
    ],
)
def test_names_aliases_forms_and_abbreviations_are_evidence(skill):
    assert is_evidenced(skill, RECORD)


@pytest.mark.parametrize(
    "skill",
    [
        "Terraform",
        "Snowflake",
        "C++",
        "C#",
        "R",
        "Machine Learning",
        "Angular",
        "Project Finance",
        "Contract Law",
        "Kafka Streams on Azure",
        "Testing of Turbines",
        "SAP",
    ],
)
def test_skills_that_the_document_does_not_name_are_no_evidence(skill):
    assert not is_evidenced(skill, RECORD)


def test_skills_say_where_they_come_from():
    grounded = ground_skills(["K8s", "REST API Design", "Terraform"], RECORD)
    assert grounded.skills[:2] == (
        Skill("Kubernetes", Provenance.BOTH),
        Skill("REST API Design", Provenance.MODEL),
    )
    assert Skill("Apache Kafka", Provenance.DOCUMENT) in grounded.skills
    assert grounded.inferred == ("Terraform",)


def test_one_skill_under_several_names_counts_once():
    grounded = ground_skills(["Golang", "Go", "GO", "Terraform", "terraform"], RECORD)
    assert [skill.name for skill in grounded.skills].count("Go") == 1
    assert grounded.inferred == ("Terraform",)


def test_c_and_its_relatives_stay_apart():
    record = Document("Wrote C++ and C# services.", VOCABULARY)
    grounded = ground_skills(["C++", "C#"], record)
    assert [skill.name for skill in grounded.skills] == ["C++", "C#"]


@pytest.mark.parametrize(
    "item",
    ["", "  ", "thea@quarry-example.com", "https://quarry-example.com", "<|im_end|>", "x" * 200,
     "a very long sentence about everything that this person has ever done", "N/A", "..."],
)  # fmt: skip
def test_items_that_are_no_skill_are_dropped_and_counted(item):
    grounded = ground_skills([item], RECORD)
    assert grounded.inferred == ()
    assert grounded.dropped == 1


def test_document_alone_gives_what_the_vocabulary_finds():
    grounded = document_skills(RECORD)
    assert {skill.provenance for skill in grounded.skills} == {Provenance.DOCUMENT}
    assert {"Kubernetes", "PostgreSQL", "Go", "Apache Kafka"} <= {s.name for s in grounded.skills}


def test_a_listed_skill_counts_although_the_vocabulary_does_not_know_it():
    document = (
        "# Thea Quarles\n\n## Skills\nKubernetes, Quilting, Beam Welding\n\n## Languages\nDutch\n"
    )
    skills = document_skills(Document(document, VOCABULARY)).skills
    assert [skill.name for skill in skills] == ["Kubernetes", "Quilting", "Beam Welding"]

"""One sentence each: what the record supports stays, what it does not is a claim against it."""

from __future__ import annotations

import pytest

from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.claims import Sentence
from profiles.validation.document import Document
from profiles.validation.gate import CLAIM_CHECKS

DOCUMENT = """# Thea Quarles
Staff Engineer at Quarry Labs
Pune, Maharashtra, India · 9 years of experience

## Summary
Engineer who runs payment services on K8s with Postgres.

## Experience
### Staff Engineer — Quarry Labs
Apr 2020 – Present (5+ yrs)
- Led a team of 14 engineers and cut hosting costs by 35%, saving $2.5M a year.
- Part of the ledger migration group.
- Raised test coverage from 40% to 80% for 120 customers.

### Support Analyst — Tarn Media
Feb 2016 – Mar 2020 (4 yrs 2 mos)
- Answered tickets of 2,300 readers and trained nine volunteers in invoicing.

## Education
- B.Tech, Computer Science — Kaveri Institute of Technology (2012–2016)
- Diploma, Music — Umbra College (2010–2012)

## Patents
- Method for sorting parcels
"""
INTERN = """# Ines Calder
Braga, Portugal · under 1 year of experience

## Experience
### Data Engineering Intern — Fiolink
Feb 2025 – Present
- Writes Airflow DAGs for three ERPs.
"""
SPANISH = """# Marisol Penalba
Enfermera
Zaragoza, Spain · 18 years of experience

## Experiencia
### Supervisora de enfermería — Hospital Ebro
Jun 2019 – actualidad (7+ yrs)
- Coordino a 31 enfermeras en una unidad de 24 camas y las bacteriemias bajaron un 1,8 %.

## Formación
- Máster, Gestión Sanitaria — Universidad del Norte (2016–2018)
"""
OPEN = """# Tarik Vance
Porto, Portugal

## Experience
### Accountant — Umbra Capital
2019-02 – present · Porto
- Closes the books of four companies.
### Clerk — Devgiri Bank
2016-02 – 2019-01 · Porto
"""
RECORDS = {
    name: Document(text, load_vocabulary())
    for name, text in (("en", DOCUMENT), ("in", INTERN), ("es", SPANISH), ("open", OPEN))
}


def faults(sentence: str, record: str = "en") -> set[str]:
    document = RECORDS[record]
    return {
        name
        for name, check in CLAIM_CHECKS.items()
        for claim in check(Sentence.of(sentence, document))
        if claim.is_supported is False
    }


@pytest.mark.parametrize(
    ("sentence", "check"),
    [
        ("Hosting costs fell by 45%.", "figures"),
        ("The candidate has twenty years of experience.", "stays"),
        ("The candidate spent nine years at Tarn Media.", "stays"),
        ("The candidate is currently a support analyst at Tarn Media.", "entries"),
        ("The candidate is a director of engineering at Quarry Labs.", "ranks"),
        ("The candidate led the ledger migration group.", "parts"),
        ("The candidate holds a master's degree.", "degrees"),
        ("The candidate holds a diploma in computer science.", "degrees"),
        ("The services run on Snowflake.", "names"),
        ("The candidate worked at Veltrix Motors.", "names"),
        ("The candidate won an award for this work.", "phrases"),
        ("The candidate would be an asset to any organisation.", "phrases"),
        ("A Brazilian engineer, the candidate runs payment services.", "origin"),
        ("The record does not mention a salary.", "phrases"),
        ("The services presumably run on Postgres.", "phrases"),
    ],
)  # fmt: skip
def test_an_unsupported_claim_is_found(sentence, check):
    assert check in faults(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The candidate leads fourteen engineers and cut hosting costs by 35 percent.",
        "Test coverage doubled, from 40% to 80%, an increase of 40 percentage points.",
        "The candidate saved about 2.5 million dollars a year.",
        "With nine years of experience, the candidate rose from support analyst to staff engineer.",
        "The candidate spent just over four years at Tarn Media before joining Quarry Labs.",
        "The candidate, a staff engineer at Quarry Labs, works with Kubernetes and PostgreSQL.",
        "The candidate took part in a ledger migration.",
        "The candidate was in the ledger migration group led by the bank.",
        "A bachelor's degree in computer science and a music diploma complete the profile.",
        "The candidate supported more than 2,000 readers.",
        "The candidate holds a patent for sorting parcels.",
    ],
)
def test_a_paraphrase_of_the_record_stays(sentence):
    assert faults(sentence) == set()


def test_an_internship_is_not_told_as_a_job():
    assert "ranks" in faults("The candidate works as a data engineer at Fiolink.", "in")
    assert faults("The candidate works as a data engineering intern at Fiolink.", "in") == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "The candidate supervises 31 nurses in a unit of 24 beds at Hospital Ebro.",
        "Bloodstream infections fell by 1.8%.",
        "The candidate holds a master's degree in healthcare management.",
        "The candidate tutored residents of six departments at the University of the North.",
    ],
)
def test_what_another_language_leaves_open_is_no_fault(sentence):
    assert faults(sentence, "es") == set()


@pytest.mark.parametrize(
    ("sentence", "check"),
    [
        ("The candidate supervises 57 nurses.", "figures"),
        ("The candidate has thirty years of experience.", "stays"),
        ("The work is done with Terraform.", "names"),
    ],
)
def test_what_another_language_decides_is_a_fault(sentence, check):
    assert check in faults(sentence, "es")


def test_a_job_that_says_present_alone_may_have_run_until_today():
    assert faults("They have worked at Umbra Capital for seven years.", "open") == set()
    assert faults("They have ten years of experience.", "open") == set()
    assert faults("They have thirty years of experience.", "open") == {"stays"}


def test_jobs_are_read_under_a_heading_of_any_language():
    (job,) = RECORDS["es"].jobs
    assert (job.title, job.employer, job.is_current) == (
        "Supervisora de enfermería",
        "Hospital Ebro",
        True,
    )

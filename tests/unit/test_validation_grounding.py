"""Which skills and claims the document supports."""

from __future__ import annotations

import pytest

from profiles.models import Provenance, Skill
from profiles.standardization.skills import Vocabulary
from profiles.validation.amounts import amounts_of
from profiles.validation.claims import claim_faults
from profiles.validation.evidence import Evidence
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

EVIDENCE = Evidence(DOCUMENT)


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
    assert is_evidenced(skill, EVIDENCE, VOCABULARY)


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
    assert not is_evidenced(skill, EVIDENCE, VOCABULARY)


def test_skills_say_where_they_come_from():
    grounded = ground_skills(["K8s", "REST API Design", "Terraform"], EVIDENCE, VOCABULARY)
    assert grounded.skills[:2] == (
        Skill("Kubernetes", Provenance.BOTH),
        Skill("REST API Design", Provenance.MODEL),
    )
    assert Skill("Apache Kafka", Provenance.DOCUMENT) in grounded.skills
    assert grounded.inferred == ("Terraform",)


def test_one_skill_under_several_names_counts_once():
    grounded = ground_skills(["Golang", "Go", "GO", "Terraform", "terraform"], EVIDENCE, VOCABULARY)
    assert [skill.name for skill in grounded.skills].count("Go") == 1
    assert grounded.inferred == ("Terraform",)


def test_c_and_its_relatives_stay_apart():
    evidence = Evidence("Wrote C++ and C# services.")
    grounded = ground_skills(["C++", "C#"], evidence, VOCABULARY)
    assert [skill.name for skill in grounded.skills] == ["C++", "C#"]


@pytest.mark.parametrize(
    "item",
    ["", "  ", "thea@quarry-example.com", "https://quarry-example.com", "<|im_end|>", "x" * 200,
     "a very long sentence about everything that this person has ever done", "N/A", "..."],
)  # fmt: skip
def test_items_that_are_no_skill_are_dropped_and_counted(item):
    grounded = ground_skills([item], EVIDENCE, VOCABULARY)
    assert grounded.inferred == ()
    assert grounded.dropped == 1


def test_document_alone_gives_what_the_vocabulary_finds():
    grounded = document_skills(EVIDENCE, VOCABULARY)
    assert {skill.provenance for skill in grounded.skills} == {Provenance.DOCUMENT}
    assert {"Kubernetes", "PostgreSQL", "Go", "Apache Kafka"} <= {s.name for s in grounded.skills}


@pytest.mark.parametrize(
    "summary",
    [
        "She leads a team of 14 engineers at Quarry Labs and cut hosting costs by 35 percent.",
        "She saved 2.5 million dollars a year and serves over 100 customers.",
        "Thea Quarles has nine years of experience, first at Tarn Media, now Halden Group.",
        "Holds a bachelor's degree in computer science from Kaveri Institute of Technology.",
        "An Indian engineer who runs payment services on Kubernetes with PostgreSQL.",
        "Runs Kafka pipelines for about 2,000 partners and a Supply Chain Management project.",
        "Over four roles and three teams, the candidate grew from engineer to Staff Engineer.",
        "A Certified ScrumMaster who works with fourteen engineers across two companies.",
        "Experienced in REST APIs, Microservices and SCM; the work covers nearly 10 years.",
        "Today I'm with Quarry Labs, and I've led teams since I’d left Tarn Media.",
        "QuarryLabs relies on the candidate for payment services.",
    ],
)
def test_paraphrase_rounding_and_abbreviations_are_grounded(summary):
    faults = claim_faults(summary, EVIDENCE, VOCABULARY)
    assert faults.is_grounded, faults


@pytest.mark.parametrize(
    ("summary", "kind"),
    [
        ("The candidate worked at Veltrix Motors before that.", "organisations"),
        ("She studied at Umbra University and led teams.", "organisations"),
        ("He joined Wexmoor as an engineer.", "organisations"),
        ("Cut hosting costs by 45% with a small team.", "numbers"),
        ("Saved $7M a year for the company.", "numbers"),
        ("Led a team of 60 engineers in payments.", "numbers"),
        ("Has twenty-five years of experience in payments.", "numbers"),
        ("Holds a PhD in computer science.", "degrees"),
        ("She earned an MBA after her first job.", "degrees"),
        ("Has a master's degree in engineering.", "degrees"),
        ("The services run on Snowflake and are fast.", "technologies"),
        ("Deploys with Terraform on every release.", "technologies"),
        ("Knows Zanzibar, and also Timbuktu, and Xanadu well.", "names"),
    ],
)
def test_invented_employers_numbers_degrees_and_tools_are_not(summary, kind):
    faults = claim_faults(summary, EVIDENCE, VOCABULARY)
    assert not faults.is_grounded
    assert getattr(faults, kind) >= 1


def test_a_single_odd_capital_is_tolerated():
    assert claim_faults("Known for Pragmatism in teams.", EVIDENCE, VOCABULARY).is_grounded


def test_short_forms_of_degrees_count_inside_the_list_of_studies_only():
    assert "master" not in Evidence("## Summary\nMS Office, MA roads").degrees
    assert "master" in Evidence("## Education\n- MS, Statistics — Umbra University\n").degrees


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("35%", 35, "percent"),
        ("12.5 percent", 12.5, "percent"),
        ("$5M", 5e6, "money"),
        ("₹12 Cr", 12e7, "money"),
        ("3.5 million euros", 3.5e6, "money"),
        ("1,200 users", 1200, "count"),
        ("45,00,000 users", 4.5e6, "count"),
        ("250k", 250e3, "count"),
        ("twenty-five engineers", 25, "count"),
        ("two hundred stores", 200, "count"),
        ("eight years", 8, "years"),
        ("10-year career", 10, "years"),
        ("5 yrs", 5, "years"),
    ],
)
def test_numbers_are_read_with_scale_and_unit(text, value, kind):
    amounts = list(amounts_of(text))
    assert [(amount.value, amount.kind) for amount in amounts] == [(value, kind)]


@pytest.mark.parametrize("text", ["EC2 and B2B", "24/7 support", "IPv6, H264", "no numbers here"])
def test_digits_inside_words_are_no_numbers(text):
    assert list(amounts_of(text)) == []


@pytest.mark.parametrize(
    ("summary", "kind"),
    [
        ("The candidate is a civil engineer with a focus on payments.", "titles"),
        ("A former nurse, the candidate now runs payment services.", "titles"),
        ("Having started as a chef, the candidate moved to payments.", "titles"),
        ("The first job was that of a stonemason in payments.", "titles"),
        ("A stonemason by profession, the candidate runs payment services.", "titles"),
        ("As an aerospace engineer, she automated regression tests.", "titles"),
        ("She was promoted to vice president of engineering at Quarry Labs.", "ranks"),
        ("She is chairwoman of the board and a member of the executive board.", "ranks"),
        ("The managing partner runs payment services on Kubernetes.", "ranks"),
        ("The candidate has become a co-founder of a payments firm.", "ranks"),
        ("As department head she set the direction of payments.", "ranks"),
        ("As chief technology officer she set the direction of payments.", "ranks"),
        ("Marisol Trentham runs payment services on Kubernetes.", "people"),
        ("Tobias is an engineer who automated regression tests.", "people"),
        ("She leads nine engineers who run payment services.", "numbers"),
        ("The candidate has two decades of experience in payments.", "numbers"),
        ("The team tripled the number of payment customers.", "numbers"),
        ("In winter she guides climbers over glaciers and breeds racing horses.", "unsupported"),
    ],
)
def test_invented_roles_ranks_people_and_deeds_are_not(summary, kind):
    faults = claim_faults(summary, EVIDENCE, VOCABULARY)
    assert not faults.is_grounded
    assert getattr(faults, kind) >= 1


@pytest.mark.parametrize(
    "summary",
    [
        "She reports to the chief executive officer and supports a senior accountant.",
        "The software engineer became a staff engineer who leads a team of fourteen.",
        "With nearly a decade of experience, she presents results to the director of finance.",
        "She works closely with senior accountants and the head of legal.",
        "The founder of the company asked for these payment services.",
    ],
)
def test_other_peoples_titles_are_no_claim(summary):
    faults = claim_faults(summary, EVIDENCE, VOCABULARY)
    assert faults.is_grounded, faults


@pytest.mark.parametrize(
    "summary",
    [
        "The candidate is a natural leader, a problem solver and a strong communicator.",
        "As a lifelong learner and a team player, she is a valued mentor in payments.",
        "She was a key driver of payment services and a multiplier for her teams.",
        "An earlier role was Director of Payments, the first post was Engineer.",
        "An Indian engineer, she is a hands-on technologist and a bridge builder.",
        "The candidate is a cloud infrastructure engineer and a backend engineer.",
        "Questions of law are left to the company's solicitor.",
    ],
)
def test_praise_shares_in_the_work_and_others_are_no_occupations(summary):
    assert claim_faults(summary, EVIDENCE, VOCABULARY).titles == 0


def test_ownership_as_a_value_makes_no_founder():
    evidence = Evidence("# Thea Quarles\nAnalyst\n\n## Summary\nTeams that value ownership.\n")
    assert claim_faults("The candidate serves as founder.", evidence, VOCABULARY).ranks == 1


def test_studies_are_no_titles():
    evidence = Evidence("# Thea Quarles\nAnalyst\n\n## Education\n- BSc, Law — Umbra University\n")
    assert claim_faults("The candidate is a lawyer.", evidence, VOCABULARY).titles == 1


def test_praise_without_a_word_of_the_document_is_refused():
    summary = (
        "A results-driven professional with a proven track record of excellence. The candidate "
        "thrives in dynamic environments. With a passion for success, the candidate always goes "
        "the extra mile."
    )
    assert claim_faults(summary, EVIDENCE, VOCABULARY).unsupported == 1


def test_titles_in_other_languages_are_evidence():
    evidence = Evidence(
        "# Joost Hallerbach\nVertriebsleiter bei Quellmann Pumpen GmbH\n\n## Experience\n"
        "### Vertriebsleiter — Quellmann Pumpen GmbH\n- Leitung eines Teams von 14 Mitarbeitern.\n"
    )
    summary = "A sales manager, promoted to sales director, who leads a team of fourteen people."
    assert claim_faults(summary, evidence, VOCABULARY).is_grounded


def test_a_listed_skill_counts_although_the_vocabulary_does_not_know_it():
    document = (
        "# Thea Quarles\n\n## Skills\nKubernetes, Quilting, Beam Welding\n\n## Languages\nDutch\n"
    )
    skills = document_skills(Evidence(document), VOCABULARY).skills
    assert [skill.name for skill in skills] == ["Kubernetes", "Quilting", "Beam Welding"]

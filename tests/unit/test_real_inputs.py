"""Facts of real vendors' shapes reach the document: whole samples, and kinds in small."""

from __future__ import annotations

import json
from typing import Any

import pytest
from benchmarks import inputs
from benchmarks.jsonresume_made import made
from tests.source_rows import DATA, linkedin, resume, weekday

from profiles.extraction.reader import UNKNOWN_VARIANT, read_row
from profiles.models import RowRejection
from profiles.storage.mappings import load_mappings

SAMPLES, SMALLEST = (
    [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    for name in ("vendor_samples.jsonl", "input_cases.jsonl")
)


def document(source: str, row: dict[str, Any]) -> str:
    case = {"name": "c", "source": source, "input": row, "expected": [], "forbidden": []}
    (result,) = inputs.results([case])
    assert result.problem is None, result
    return result.document


def person(**raw: Any) -> str:
    return document("linkedin", linkedin("k", raw={"full_name": "Ada Testwell", **raw}))


@pytest.mark.parametrize("case", SAMPLES + SMALLEST, ids=lambda case: case["name"])
def test_every_fact_of_a_vendors_sample_is_kept(case: dict[str, Any]) -> None:
    (result,) = inputs.results([case])
    assert (result.problem, result.lost, result.found) == (None, (), ()), result.document


def test_the_samples_cover_every_variant() -> None:
    variants = {case["input"].get("vendor") or case["input"].get("parser") for case in SAMPLES}
    mappings = load_mappings()
    assert variants >= {*mappings["linkedin"].variants, *mappings["resume"].variants}


def test_files_with_every_member_of_the_json_resume_schema_lose_nothing() -> None:
    found = inputs.results(made(40, seed=3))
    facts, lost = sum(r.facts for r in found), sum(len(r.lost) for r in found)
    assert facts > 1_000
    assert lost / facts <= 0.01, [r for r in found if r.lost]
    assert not any(result.found for result in found)


def test_the_bench_fails_while_a_fact_is_lost_or_a_forbidden_text_found(tmp_path, capsys) -> None:
    file = tmp_path / "cases.jsonl"
    case = SAMPLES[0] | {"expected": ["Mira Solberg", "no such fact"], "forbidden": ["Bergen"]}
    file.write_text(json.dumps(case) + "\n")
    assert inputs.main([str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "kept 1 of 2 facts, 1 forbidden found"
    file.write_text(json.dumps(SAMPLES[0]) + "\n")
    assert inputs.main([str(file)]) == 0


@pytest.mark.parametrize(
    ("listed", "shown"),
    [
        (["AWS (EC2, Lambda)"], "Amazon Web Services (AWS), Amazon EC2, Lambda"),
        (["Customer Relationship Management (CRM)"], "CRM"),
        (["Certified ScrumMaster (CSM)"], "Certified ScrumMaster (CSM)"),
        (["Good knowledge of Redis", "Familiar with Solr"], "Redis, "),
        (["Databases: Redis, MySQL"], "Redis, MySQL"),
        (["Carving - Expert", "Java (5 years)", "Weaving: 3+ yrs"], "Carving, Java, Weaving"),
        (["Kiln Control 4 years", "Glazing (fortgeschritten)"], "Kiln Control, Glazing"),
        (["Other", "Technical Skills", "Python"], "Python"),
        (["Weaving (Twill, Plain (Tabby))"], "Weaving, Twill, Plain, Tabby"),
    ],
)  # fmt: skip
def test_skills_are_what_a_list_names(listed: list[str], shown: str) -> None:
    skills = person(skills=listed).split("## Skills\n")[1]
    assert skills.startswith(shown), skills


def test_levels_of_skills_are_facts_of_their_own() -> None:
    text = person(skills=["Woodturning - Expert", "Java (5 years)", "Weaving: 3+ yrs"])
    assert "## Skill levels\nWoodturning (Expert), Java (5 years), Weaving (3+ yrs)" in text


@pytest.mark.parametrize(
    ("raw", "whole"),
    [
        ("Led the move to a new\nplatform for payments.", "move to a new platform for payments."),
        ("- Built half of the\n  new line\n- Ran it", "- Built half of the new line\n"),
        ("Stieg am 3. Mai in die 2. Liga. Blieb.", "- Stieg am 3. Mai in die 2. Liga.\n"),
        ("Ca. 4 Mio. Euro, u. a. in Wien. Danach Graz.", "- Ca. 4 Mio. Euro, u. a. in Wien.\n"),
        ("Wzrost m.in. w woj. śląskim. Potem Kraków.", "- Wzrost m.in. w woj. śląskim.\n"),
        ("Trabajé p. ej. con la Sra. Ruiz. Luego no.", "- Trabajé p. ej. con la Sra. Ruiz.\n"),
        ("Ansvarade för bl.a. Volvo. Sedan Scania.", "- Ansvarade för bl.a. Volvo.\n"),
        ("Grew the team to 12. Led hiring.", "- Grew the team to 12.\n- Led hiring."),
    ],
)  # fmt: skip
def test_sentences_end_where_they_end(raw: str, whole: str) -> None:
    assert whole in person(experiences=[{"title": "Cook", "company": "Quay", "description": raw}])


def test_lines_that_are_a_list_stay_lines() -> None:
    text = "python\ngo\nrust"
    assert "- python\n- go\n- rust" in person(experiences=[{"title": "Cook", "description": text}])


def test_a_line_repeated_in_another_job_stays_there() -> None:
    line = "Answered the telephone of the whole harbour office."
    jobs = [{"title": "Clerk", "company": name, "description": line} for name in ("Quay", "Dock")]
    assert person(experiences=jobs).count(line) == 2


@pytest.mark.parametrize(
    ("company", "shown"),
    [
        ("HSBC UK", "HSBC UK"), ("Abbey Works (formerly Lithos)", "Abbey Works (formerly Lithos)"),
        ("NORTHVALE SYSTEMS", "Northvale Systems"), ("Quay Ltd", "Quay"),
    ],
)  # fmt: skip
def test_employers_keep_their_spelling(company: str, shown: str) -> None:
    assert (
        f"### Cook — {shown}\n"
        in person(experiences=[{"title": "Cook", "company": company}]) + "\n"
    )


def test_the_headline_names_a_job_only_as_a_last_resort_and_is_marked() -> None:
    alone = person(headline="Cook at Quay | Sailor")
    assert "### Cook — Quay\nPresent (start unknown) · named in the headline only" in alone
    listed = person(headline="Cook at Quay", experiences=[{"title": "Baker", "company": "Dock"}])
    assert "Quay" not in listed.split("## Experience")[1]


def test_a_shape_wins_over_a_label_that_is_another_vendors() -> None:
    raw = SAMPLES[6]["input"]["raw"]
    assert SAMPLES[6]["input"]["vendor"] == "people_data_labs"
    text = document("linkedin", linkedin("k", vendor="proxycurl", raw=raw))
    assert "IT Manager — MacDoyle's" in text
    assert "IT Manager — MacDoyle's" in document(
        "linkedin", linkedin("k", vendor="my vendor", raw=raw)
    )


def test_an_unknown_shape_is_named_with_its_nearest() -> None:
    row = resume("k", "sovrin", {"basics": {"name": "Ada"}, "lebenslauf": []})
    result = read_row(load_mappings()["resume"], row)
    assert isinstance(result, RowRejection)
    assert result.reason == UNKNOWN_VARIANT
    assert result.detail.endswith("nearest by its members is jsonresume")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("B.Tech, Physics, NIT Testpur (2013 - 2017)", "B.Tech, Physics — NIT Testpur (2013–2017)"),
        ("MBA, Institute of Trade, Pune (2019)", "MBA — Institute of Trade, Pune (2019)"),
        ("BSc, Halden University", "BSc — Halden University"),
    ],
)  # fmt: skip
def test_a_study_cell_tells_field_and_school_apart(cell: str, shown: str) -> None:
    assert f"- {shown}" in document("weekday", weekday("w", name="Ada Testwell", education=cell))

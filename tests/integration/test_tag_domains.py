"""Business domains come from employers' industries: matching, votes, weights, reruns."""

from __future__ import annotations

from typing import Any

import pytest

from profiles.errors import MappingError
from profiles.params import RunParams
from profiles.steps import tag_domains
from profiles.storage.connection import Database
from profiles.storage.runs import start_run
from profiles.storage.sql_files import load

_TABLE = """
CREATE SCHEMA src;
CREATE TABLE src.company_industry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, company_name text, company_domain text,
  company_linkedin_id text, company_linkedin_url text, industry text, industry_code text,
  taxonomy text, source text, is_primary boolean, updated_at timestamptz
)
"""


@pytest.fixture
def tagging(database: Database) -> Database:
    """A database with a run and an empty industry table."""
    with database.connect() as connection:
        connection.execute(_TABLE)
    start_run(database, run_id="tonight", params=RunParams())
    return database


def claim(database: Database, company_name: str | None = None, **columns: Any) -> None:
    """One vendor's row about a company."""
    columns["company_name"] = company_name
    names = ", ".join(columns)
    marks = ", ".join(f"%({name})s" for name in columns)
    with database.connect() as connection:
        connection.execute(f"INSERT INTO src.company_industry ({names}) VALUES ({marks})", columns)


def person(database: Database, *jobs: dict[str, Any], as_of: str = "2026-11") -> int:
    """A candidate with a document and jobs, newest first; returns the id."""
    with database.connect() as connection:
        row = connection.execute(
            "INSERT INTO synthesis.candidate (created_run) VALUES ('tonight') "
            "RETURNING candidate_id"
        ).fetchone()
        assert row is not None
        connection.execute(
            "INSERT INTO synthesis.document (candidate_id, markdown, content_hash, input_hash, "
            "word_count, token_estimate, renderer_version, as_of, too_thin) "
            "VALUES (%s, '', '', '', 0, 0, '1', %s, false)",
            (row[0], as_of),
        )
        for n, job in enumerate(jobs):
            values = {
                "employer": None, "employer_key": None, "company_linkedin_id": None,
                "company_domain": None, "end_month": None, "is_current": False, "months": 24,
            } | job  # fmt: skip
            connection.execute(
                "INSERT INTO synthesis.experience (candidate_id, n, employer, employer_key, "
                "company_linkedin_id, company_domain, end_month, is_current, months) VALUES "
                "(%(id)s, %(n)s, %(employer)s, %(employer_key)s, %(company_linkedin_id)s, "
                "%(company_domain)s, %(end_month)s, %(is_current)s, %(months)s)",
                values | {"id": row[0], "n": n},
            )
    return int(row[0])


def tags(database: Database, candidate_id: int) -> dict[str, float]:
    """Domain → weight."""
    with database.connect() as connection:
        return dict(
            connection.execute(
                "SELECT domain, weight FROM synthesis.domain_tag WHERE candidate_id = %s "
                "ORDER BY weight DESC, domain",
                (candidate_id,),
            ).fetchall()
        )


def unknown(database: Database) -> dict[tuple[str, str], int]:
    with database.connect() as connection:
        return {
            (kind, value): candidates
            for kind, value, candidates in connection.execute(
                "SELECT kind, value, candidates FROM synthesis.unknown_industry"
            )
        }


BANK = {"employer": "Halden Bank", "employer_key": "haldenbank", "is_current": True}
RETAILER = {"employer": "Umbra Retail", "employer_key": "umbraretail"}


def test_an_employer_is_matched_by_linkedin_id_slug_domain_or_name(tagging):
    claim(tagging, company_linkedin_id="4711", industry="Banking")
    claim(
        tagging,
        company_linkedin_url="https://www.linkedin.com/company/Tarn-Media/",
        industry="Broadcast Media",
    )
    claim(tagging, company_domain="https://www.umbra-example.com/", industry="Retail")
    claim(tagging, "QUARRY LABS PVT. LTD.", industry="Computer Software")
    people = {
        "banking": person(tagging, {"company_linkedin_id": "4711", "is_current": True}),
        "media-and-entertainment": person(tagging, {"company_linkedin_id": "tarn-media"}),
        "retail": person(tagging, {"company_domain": "umbra-example.com"}),
        "software": person(tagging, {"employer": "Quarry Labs", "employer_key": "quarrylabs"}),
    }

    tag_domains.run(tagging, run_id="tonight")

    assert {domain: list(tags(tagging, i)) for domain, i in people.items()} == {
        domain: [domain] for domain in people
    }


def test_labels_of_both_taxonomies_and_codes_give_one_domain(tagging):
    for n, columns in enumerate(
        (
            {"industry": "Hospital &amp; Health Care"},
            {"industry": "hospitals and health care"},
            {"industry": "Hospital and Health Care"},
            {"industry": "some vendor's own word", "industry_code": "14"},
            {"industry": None, "industry_code": "14"},
        )
    ):
        claim(tagging, f"Clinic {n}", **columns)
    people = [
        person(tagging, {"employer": f"Clinic {n}", "employer_key": f"clinic{n}"}) for n in range(5)
    ]

    tag_domains.run(tagging, run_id="tonight")

    assert [list(tags(tagging, i)) for i in people] == [["healthcare"]] * 5


def test_vendors_outvote_a_wrong_row(tagging):
    claim(tagging, "Halden Bank", industry="Retail", is_primary=True)
    claim(tagging, "Halden Bank Ltd", industry="Banking")
    claim(tagging, "HALDEN BANK", industry_code="41")
    who = person(tagging, BANK)

    tag_domains.run(tagging, run_id="tonight")

    assert tags(tagging, who) == {"banking": 1.0}


def test_a_company_of_the_same_name_with_another_id_does_not_vote(tagging):
    claim(tagging, "Halden Bank", company_linkedin_id="1", industry="Banking")
    for _ in range(3):
        claim(tagging, "Halden Bank", company_linkedin_id="2", industry="Restaurants")
    who = person(tagging, BANK | {"company_linkedin_id": "1"})

    tag_domains.run(tagging, run_id="tonight")

    assert list(tags(tagging, who)) == ["banking"]


def test_recent_and_long_jobs_weigh_more(tagging):
    claim(tagging, "Halden Bank", industry="Banking")
    claim(tagging, "Umbra Retail", industry="Retail")
    claim(tagging, "Tarn Media", industry="Newspapers")
    who = person(
        tagging,
        BANK | {"months": 60},
        RETAILER | {"end_month": "2021-11", "months": 60},
        {
            "employer": "Tarn Media",
            "employer_key": "tarnmedia",
            "end_month": "1998-01",
            "months": 12,
        },
    )

    tag_domains.run(tagging, run_id="tonight")

    found = tags(tagging, who)
    assert list(found) == ["banking", "retail"]
    assert found["banking"] > 1.5 * found["retail"]


def test_a_short_current_job_is_kept_beside_a_long_career(tagging):
    claim(tagging, "Halden Bank", industry="Banking")
    claim(tagging, "Umbra Retail", industry="Retail")
    who = person(
        tagging,
        BANK | {"months": 1},
        RETAILER | {"end_month": "2026-10", "months": 240},
    )

    tag_domains.run(tagging, run_id="tonight")

    assert list(tags(tagging, who)) == ["retail", "banking"]


def test_the_weights_do_not_depend_on_the_day_of_the_run(tagging):
    claim(tagging, "Halden Bank", industry="Banking")
    claim(tagging, "Umbra Retail", industry="Retail")
    jobs = (
        {"employer": "Halden Bank", "employer_key": "haldenbank", "end_month": "2001"},
        RETAILER | {"end_month": "1999-06"},
    )
    who = person(tagging, *jobs, as_of="2002-01")

    tag_domains.run(tagging, run_id="tonight")

    assert tags(tagging, who) == {"banking": 0.5717, "retail": 0.4283}


def test_a_second_run_changes_nothing_and_a_correction_changes_only_its_people(tagging):
    claim(tagging, "Halden Bank", industry="Banking")
    claim(tagging, "Umbra Retail", industry="Retail")
    banker = person(tagging, BANK)
    person(tagging, RETAILER)
    first = tag_domains.run(tagging, run_id="tonight")

    second = tag_domains.run(tagging, run_id="tonight")
    with tagging.connect() as connection:
        connection.execute(
            "UPDATE src.company_industry SET industry = 'Insurance' WHERE industry = 'Banking'"
        )
    third = tag_domains.run(tagging, run_id="tonight")

    assert (first["changed"], first["removed"]) == (2, 0)
    assert (second["changed"], second["removed"]) == (0, 0)
    assert (third["changed"], third["removed"]) == (1, 1)
    assert list(tags(tagging, banker)) == ["insurance"]


def test_tags_of_a_merged_person_go(tagging):
    claim(tagging, "Halden Bank", industry="Banking")
    older, younger = person(tagging, BANK), person(tagging, BANK)
    tag_domains.run(tagging, run_id="tonight")
    with tagging.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate SET merged_into = %s WHERE candidate_id = %s",
            (older, younger),
        )

    tag_domains.run(tagging, run_id="tonight")

    assert tags(tagging, older)
    assert not tags(tagging, younger)


def test_what_the_taxonomy_does_not_know_is_counted(tagging):
    claim(tagging, "Halden Bank", industry="Moon Mining")
    person(tagging, BANK)
    person(tagging, BANK, {"employer": "Nowhere Ltd", "employer_key": "nowhere"})

    counts = tag_domains.run(tagging, run_id="tonight")

    assert unknown(tagging) == {
        ("label", "moon mining"): 2,
        ("company", "Halden Bank"): 2,
        ("company", "Nowhere Ltd"): 1,
    }
    assert counts["unknown"] == 3

    claim(tagging, "Halden Bank", industry="Banking")
    tag_domains.run(tagging, run_id="tonight")

    assert ("company", "Halden Bank") not in unknown(tagging)


def test_rows_that_say_nothing_do_no_harm(tagging):
    claim(tagging, None)
    claim(
        tagging,
        "null",
        company_domain="n/a",
        company_linkedin_id="0",
        industry="",
        industry_code="",
    )
    claim(tagging, "Halden Bank", industry_code="99999", industry="-")
    who = person(tagging, BANK, {"employer": None})

    counts = tag_domains.run(tagging, run_id="tonight")

    assert tags(tagging, who) == {}
    assert counts["claims"] == 3


def test_each_element_of_a_list_of_industries_is_a_label(tagging):
    with tagging.connect() as connection:
        connection.execute(
            "ALTER TABLE src.company_industry ALTER industry TYPE text[] USING ARRAY[industry]"
        )
    claim(tagging, "Halden Bank", industry=["Moon Mining", "Banking"])
    who = person(tagging, BANK)

    assert tag_domains.run(tagging, run_id="tonight")["claims"] == 2
    assert len(tags(tagging, who)) == 1
    assert ("label", "moon mining") in unknown(tagging)


def test_a_missing_industry_table_names_the_setting(database):
    start_run(database, run_id="tonight", params=RunParams())

    with pytest.raises(MappingError, match="PROFILES_INDUSTRY_TABLE"):
        tag_domains.run(database, run_id="tonight")


def test_the_industry_table_is_named_as_it_is_written(tagging, monkeypatch):
    with tagging.connect() as connection:
        connection.execute('ALTER TABLE src.company_industry RENAME TO "Company Industry"')
    monkeypatch.setenv("PROFILES_INDUSTRY_TABLE", "src.Company Industry")
    assert tag_domains.run(tagging, run_id="tonight")["claims"] == 0

    monkeypatch.setenv("PROFILES_INDUSTRY_TABLE", "SRC.company_industry")
    with pytest.raises(MappingError, match="PROFILES_INDUSTRY_TABLE"):
        tag_domains.run(tagging, run_id="tonight")


def test_only_people_whose_jobs_changed_are_looked_at(tagging):
    claim(tagging, "Halden Bank", industry="Banking")
    claim(tagging, "Umbra Retail", industry="Retail")
    people = [person(tagging, BANK) for _ in range(12)]
    first = tag_domains.run(tagging, run_id="tonight")
    quiet = tag_domains.run(tagging, run_id="tonight")
    with tagging.connect() as connection:
        connection.execute(
            "UPDATE synthesis.experience SET employer = 'Umbra Retail', employer_key = "
            "'umbraretail' WHERE candidate_id = %s",
            people[:1],
        )
        connection.execute("DELETE FROM synthesis.experience WHERE candidate_id = %s", people[1:2])

    counts = tag_domains.run(tagging, run_id="tonight")

    assert (first["looked_at"], quiet["looked_at"], counts["looked_at"]) == (12, 0, 2)
    assert (counts["changed"], counts["removed"], counts["candidates"]) == (1, 2, 11)
    assert [list(tags(tagging, one)) for one in people[:3]] == [["retail"], [], ["banking"]]


def test_nights_of_changed_people_leave_what_a_night_of_everybody_leaves(tagging, monkeypatch):
    for n, industry in enumerate(("Banking", "Retail", "Moon Mining", "Insurance")):
        claim(tagging, f"Firm {n}", company_linkedin_id=f"{n + 1}", industry=industry)

    def jobs(n: int) -> list[dict[str, Any]]:
        named = {"employer": f"Firm {n % 4}", "employer_key": f"firm{n % 4}", "months": 10 + n}
        return [named, {"company_linkedin_id": f"{n % 3 + 1}", "end_month": "2019-05"}]

    for n in range(20):
        person(tagging, *jobs(n))
    tag_domains.run(tagging, run_id="tonight")
    for n in range(20, 24):
        person(tagging, *jobs(n))
    assert tag_domains.run(tagging, run_id="tonight")["looked_at"] == 4
    every_tag = "SELECT * FROM synthesis.domain_tag ORDER BY candidate_id, domain"
    with tagging.connect() as connection:
        night_by_night = connection.execute(every_tag).fetchall()
    monkeypatch.setattr(tag_domains, "TAGGING_VERSION", "other rules")

    counts = tag_domains.run(tagging, run_id="tonight")

    assert (counts["looked_at"], counts["changed"], counts["removed"]) == (24, 0, 0)
    with tagging.connect() as connection:
        assert connection.execute(every_tag).fetchall() == night_by_night


def test_the_planner_knows_that_most_jobs_have_an_employer_with_a_domain(tagging):
    for n in range(60):
        person(tagging, *({"employer_key": f"firm{(n + job) % 40}"} for job in range(5)))
    with tagging.connect() as connection:
        connection.execute("ANALYZE")
        for name in ("create_scope", "widen_scope", "create_company_claim", "create_employers"):
            connection.execute(load(f"tag/{name}"))
        connection.execute(
            "INSERT INTO company_claim (employer_key, domain, weight) "
            "SELECT employer_key, 'banking', 1 FROM employer"
        )
        connection.execute(load("tag/match_employers"))
        connection.execute(load("tag/choose_domains"))
        plan = connection.execute(
            f"EXPLAIN (FORMAT JSON) {load('tag/create_wanted_tags')}",
            {"half_life_years": 6, "unknown_months": 12, "min_share": 0.1, "max_domains": 6},
        ).fetchone()[0]

    assert sorts_of(plan[0]["Plan"])[-1] > 100


def sorts_of(plan):
    """Rows that the planner expects in each sort, outermost first."""
    own = [plan["Plan Rows"]] if "Sort" in plan["Node Type"] else []
    return own + [rows for part in plan.get("Plans", ()) for rows in sorts_of(part)]

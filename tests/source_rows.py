"""Source rows for tests: the handed cases, tables to put them in, and rows with overrides."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from psycopg import sql

from profiles.storage.connection import Database
from tests.paths import REPOSITORY

DATA = REPOSITORY / "tests" / "data"
SOURCES = {
    "linkedin_profiles": "linkedin",
    "weekday_candidates": "weekday",
    "parsed_resumes": "resume",
    "lemlist_leads": "lemlist",
}
JSON_COLUMNS = {"raw", "fields"}

Row = dict[str, Any]


def edge_cases() -> list[dict[str, Any]]:
    """{case, source (the table), row, expect, why} of every handed edge case."""
    return _lines("edge_cases.jsonl")


def reports() -> list[dict[str, Any]]:
    """{name, kind, input, expect} of every handed report."""
    return _lines("reports_shared.jsonl")


def weekday(key: str, **columns: Any) -> Row:
    """An ATS row; `work_experience` and the like may be given as values and become JSON text."""
    texts = {name: _text(value) for name, value in columns.items()}
    return {"id": key, "updated_at": "2026-05-01T00:00:00Z", **texts}


def linkedin(key: str, vendor: str = "proxycurl", raw: Any = None, **columns: Any) -> Row:
    """A LinkedIn row of one vendor's shape."""
    raw = {} if raw is None else raw
    return {
        "id": key, "vendor": vendor, "raw": raw, "fetched_at": "2026-10-01T00:00:00Z", **columns
    }  # fmt: skip


def resume(key: str, parser: str, raw: Any, **columns: Any) -> Row:
    """A parsed resume of one parser's shape."""
    return {
        "id": key, "parser": parser, "raw": raw, "parsed_at": "2026-03-01T00:00:00Z", **columns
    }  # fmt: skip


def lead(key: str, **columns: Any) -> Row:
    """A lemlist lead."""
    return {"id": key, "fields": {}, "created_at": "2026-06-01T00:00:00Z", **columns}


def create_tables(database: Database) -> None:
    """The four source tables in schema src, empty."""
    with database.connect() as connection:
        connection.execute((REPOSITORY / "include/sample/sources.sql").read_bytes())


def insert(database: Database, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Inserts rows; NUL is taken out, because no Postgres text can hold it."""
    with database.connect() as connection:
        for row in rows:
            values = {
                name: json.dumps(value) if name in JSON_COLUMNS else value
                for name, value in row.items()
            }
            statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
                sql.Identifier("src", table),
                sql.SQL(", ").join(map(sql.Identifier, values)),
                sql.SQL(", ").join(sql.Placeholder() * len(values)),
            )
            connection.execute(
                statement,
                [v.replace("\x00", "") if isinstance(v, str) else v for v in values.values()],
            )


def report_rows() -> list[tuple[str, Row]]:
    """The handed reports as (table, row); a row's key begins with the report's name.

    Each report is a person with a family name of its own: rows of one rare name with the same three
    employers would be one person, whatever their dates.
    """
    return [pair for report in reports() for pair in _rows_of(report["name"], report)]


def insert_handed_rows(database: Database) -> None:
    """The source tables with every handed edge case and report in them."""
    create_tables(database)
    rows: dict[str, list[Row]] = defaultdict(list)
    for case in edge_cases():
        rows[case["source"]].append(case["row"])
    for table, row in report_rows():
        rows[table].append(row)
    for table, of_table in rows.items():
        insert(database, table, of_table)


def _rows_of(name: str, report: dict[str, Any]) -> list[tuple[str, Row]]:
    given = report["input"]
    kind = report["kind"]
    person = f"Ada {name.replace('_', '').capitalize()}"
    if kind in ("date_range", "date", "months_total"):
        texts = given.get("texts") or given.get("ranges")
        jobs = [
            {"company": f"Kestrel {n}", "jobTitle": "T", "date": t}
            for n, t in enumerate(texts or [])
        ]
        if not jobs:
            dates = {"start": given["fields"]["startDate"], "end": given["fields"]["endDate"]}
            job = {"company": "Kestrel", "title": "T", **dates}
            return [("weekday_candidates", weekday(name, name=person, work_experience=[job]))]
        raw = {"profile": {"name": person}, "workExperiences": jobs}
        return [("parsed_resumes", resume(name, "openresume", raw))]
    if kind == "positions" and "positions" in given:
        raw = {"name": person, "experience": given["positions"]}
        return [("linkedin_profiles", linkedin(name, "brightdata", raw))]
    if kind == "positions":
        return [
            (
                "parsed_resumes",
                resume(
                    f"{name}-{n}",
                    "affinda",
                    {
                        "emails": part["emails"],
                        "phoneNumbers": part["phones"],
                        "location": {"countryCode": given["country"]},
                    },
                ),
            )
            for n, part in enumerate(given["merge"])
        ]
    return [
        _row_of(f"{name}-{n}", kind, value) for n, value in enumerate(_single_values(kind, given))
    ]


def _single_values(kind: str, given: dict[str, Any]) -> list[Any]:
    member = {
        "linkedin_id": "urls", "email": "emails", "phone": "rows", "name": "names",
        "json_store": "json_text", "text": "description",
    }[kind]  # fmt: skip
    value = given[member]
    return value if isinstance(value, list) else [value]


def _row_of(key: str, kind: str, value: Any) -> tuple[str, Row]:
    if kind == "linkedin_id":
        return "lemlist_leads", lead(key, linkedin_url=value)
    if kind == "email":
        return "weekday_candidates", weekday(key, email=value)
    if kind == "phone":
        return "lemlist_leads", lead(key, **value)
    if kind == "name":
        return "weekday_candidates", weekday(key, name=value)
    if kind == "json_store":
        return "weekday_candidates", weekday(key, work_experience=f"[{value}]")
    return "weekday_candidates", weekday(key, work_experience=[{"description": value}])


def _text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | dict) else value


def _lines(name: str) -> list[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]

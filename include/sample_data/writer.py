"""Writes sample tables as Postgres COPY text or JSON lines, and the truth beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Literal, TextIO

from sample_data.companies import industry_rows
from sample_data.industries import INDUSTRIES
from sample_data.pen import SourceRow
from sample_data.people import Person
from sample_data.population import Population
from sample_data.rows import rows_of
from sample_data.snapshot import Row, iso

Format = Literal["copy", "jsonl"]

COLUMNS: dict[str, tuple[str, ...]] = {
    table: tuple(names.split())
    for table, names in {
        "linkedin_profiles": """
            id vendor public_identifier linkedin_url member_id full_name raw fetched_at
        """,
        "weekday_candidates": """
            id name first_name last_name email alt_email phone linkedin_url resume_url
            current_title current_company location years_of_experience notice_period_days
            current_ctc expected_ctc skills work_experience education notes source created_at
            updated_at
        """,
        "parsed_resumes": """
            id parser file_name candidate_email raw raw_text parsed_at
        """,
        "lemlist_leads": """
            id contact_id email first_name last_name full_name company_name company_domain
            job_title phone linkedin_url linkedin_url_sales_nav location industry tagline summary
            skills languages timezone campaign_id campaign_name state is_unsubscribed icebreaker
            fields created_at
        """,
        "company_industry": """
            id company_name company_domain company_linkedin_id company_linkedin_url industry
            industry_code taxonomy source is_primary updated_at
        """,
    }.items()
}
"""Column order of each table, which is the order of COPY."""

_JSON_COLUMNS = {
    "linkedin_profiles": "raw",
    "parsed_resumes": "raw",
    "lemlist_leads": "fields",
}
_SHUFFLE_BUFFER = 2000
_TRUTH_COLUMNS = ("source", "row_id", "person_id", "li", "emails", "phones", "tags")


def write_sample(
    out: Path,
    *,
    people: int,
    seed: int = 7,
    start: int = 0,
    format: Format = "copy",
    truth: int = 0,
) -> dict[str, int]:
    """Writes five tables, `truth.tsv` and `truth_profiles.jsonl`; returns rows per table.

    Args:
        out: Folder, created when missing.
        people: How many persons, from number `start` on; person i depends on (seed, i) alone.
        format: `copy` is Postgres COPY text, columns in `COLUMNS` order; `jsonl` one object a line.
        truth: For how many of the first persons the whole truth is written.

    Rows of a table are shuffled in blocks, so that their order does not give identities away.
    """
    out.mkdir(parents=True, exist_ok=True)
    population = Population(seed)
    counts = dict.fromkeys(COLUMNS, 0)
    with ExitStack() as stack:

        def create(name: str) -> TextIO:
            return stack.enter_context((out / name).open("w", encoding="utf-8", newline=""))

        tables = {table: create(f"{table}.{format}") for table in COLUMNS}
        keys, profiles = create("truth.tsv"), create("truth_profiles.jsonl")
        keys.write("\t".join(_TRUTH_COLUMNS) + "\n")
        for _, row in industry_rows(population.companies, seed):
            tables["company_industry"].write(encode_row("company_industry", row, format))
            counts["company_industry"] += 1
        shuffled = {table: _Shuffled(tables[table]) for table in COLUMNS}
        order = Random(seed)
        for number in range(start, start + people):
            person, rows = rows_of(population, number)
            for source_row in rows:
                table = source_row.table
                shuffled[table].add(encode_row(table, source_row.values, format), order)
                counts[table] += 1
                keys.write(_truth_line(source_row, number))
            if number - start < truth:
                profiles.write(json.dumps(_truth(person), ensure_ascii=False) + "\n")
        for table in COLUMNS:
            shuffled[table].flush(order)
    return counts


class _Shuffled:
    """A file whose lines are shuffled in blocks."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._lines: list[str] = []

    def add(self, line: str, order: Random) -> None:
        self._lines.append(line)
        if len(self._lines) >= _SHUFFLE_BUFFER:
            self.flush(order)

    def flush(self, order: Random) -> None:
        order.shuffle(self._lines)
        self._file.writelines(self._lines)
        self._lines.clear()


def encode_row(table: str, row: Row, format: Format) -> str:
    """One line of the table's file, with its line end."""
    if format == "copy":
        return copy_line(row)
    values: dict[str, object] = dict(zip(COLUMNS[table], row, strict=True))
    column = _JSON_COLUMNS.get(table)
    if column is not None:
        values[column] = json.loads(str(values[column]))
    return json.dumps(values, ensure_ascii=False) + "\n"


def copy_line(fields: Iterable[str | None]) -> str:
    r"""Postgres COPY text format: tab between fields, `\N` for null."""
    return "\t".join(map(_escape, fields)) + "\n"


def _escape(value: str | None) -> str:
    if value is None:
        return "\\N"
    value = value.replace("\\", "\\\\").replace("\n", "\\n")
    return value.replace("\t", "\\t").replace("\r", "\\r")


def _truth_line(row: SourceRow, number: int) -> str:
    lists = (row.vanities, row.emails, row.phones, row.tags)
    fields = (row.table, row.key, f"P{number:07d}", *(",".join(items) for items in lists))
    return "\t".join(fields) + "\n"


def _truth(person: Person) -> dict[str, object]:
    """The person as nobody knows it: every job and skill, and the ideal document."""
    return {
        "person_id": f"P{person.number:07d}",
        "name": [person.given, person.family],
        "emails": [person.email, person.work_email],
        "phone": person.phone,
        "linkedin": [vanity for vanity in (person.vanity, person.old_vanity) if vanity],
        "tags": person.tags,
        "jobs": [
            {
                "title": job.title,
                "company": job.company.name,
                "company_domain": job.company.domain,
                "start": iso(job.start),
                "end": iso(job.end) if job.end is not None else None,
                "sentences": list(dict.fromkeys(job.sentences)),
            }
            for job in person.jobs
        ],
        "skills": [skill[0] for skill in person.skills],
        "education": [
            [study.school, study.degree[1], study.start, study.end] for study in person.studies
        ],
        "markdown": _truth_markdown(person),
    }


def _truth_markdown(person: Person) -> str:
    current = INDUSTRIES[person.jobs[0].company.industry][1]
    lines = [
        f"# {person.given[0]} {person.family[0]}",
        "",
        f"**{person.headline}**",
        "",
        f"- Location: {', '.join(part for part in person.city if part)}",
        f"- Email: {person.email}; {person.work_email}",
        f"- Phone: {person.phone}",
        f"- LinkedIn: https://www.linkedin.com/in/{person.vanity}",
        f"- Experience: {person.years} years",
        f"- Industry: {current}",
        "",
        "## Summary",
        "",
        person.about,
        "",
        "## Experience",
        "",
    ]
    for job in person.jobs:
        until = iso(job.end) if job.end is not None else "present"
        industry = INDUSTRIES[job.company.industry][1]
        lines += [f"### {job.title} — {job.company.name}", ""]
        lines += [
            f"{iso(job.start)} – {until} | {person.city[0]} | {job.employment} | {industry}",
            "",
        ]
        lines += [f"- {sentence}" for sentence in dict.fromkeys(job.sentences)]
        lines += [""]
    lines += ["## Education", ""]
    lines += [
        f"- {study.degree[1]}, {study.field} — {study.school} ({study.start}–{study.end})"
        for study in person.studies
    ]
    lines += ["", "## Skills", "", ", ".join(skill[0] for skill in person.skills)]
    if person.certificates:
        lines += ["", "## Certifications", ""]
        lines += [f"- {certificate}" for certificate in person.certificates]
    languages = ", ".join(language for language, _ in person.languages)
    return "\n".join([*lines, "", "## Languages", "", languages, ""])

"""The job of the pipeline as a plain script does it, to compare with: rows in, documents out.

    python -m benchmarks.plain_script --n 10000 --seed 11 --json out.json

pandas reads the four tables, dateutil the dates, markdownify the HTML; people are joined by equal
e-mail or LinkedIn address and written with f-strings. No change detection, no shared mailboxes, no
repair of text, everything in memory: what one afternoon gives, and no straw man either.

Starts a throwaway Postgres with generated people, unless PROFILES_DATABASE_URL names one that
has them.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
from dateutil import parser as dates
from markdownify import markdownify

from benchmarks.people import write_figures

TABLES = ("linkedin_profiles", "weekday_candidates", "parsed_resumes", "lemlist_leads")
_TAG = re.compile(r"</?(?:p|br|li|ul|ol|b|i|strong|em|div|span)\b[^>]*>")
_SLUG = re.compile(r"linkedin\.com/in/([^/?#]+)", re.IGNORECASE)
_NAMES = ("full_name", "fullName", "name")
_LISTS_OF_JOBS = (
    "experiences", "experience", "jobs", "work", "workExperiences", "workExperience", "positions",
    "positionGroups",
)  # fmt: skip
_LISTS_OF_STUDIES = ("education", "educations", "schools")
_TITLES = ("title", "position", "jobTitle", "job_title", "role")
_COMPANIES = ("company", "companyName", "company_name", "name", "organization", "organisation")
_TEXTS = ("description", "jobDescription", "summary", "description_html", "highlights")
_STARTS = ("starts_at", "start_date", "startDate", "jobStartedOn", "start", "from")
_ENDS = ("ends_at", "end_date", "endDate", "jobEndedOn", "end", "to")
_NEVER = datetime(1, 1, 1)  # noqa: DTZ001  dates here have no zone, as dateutil gives them

Job = tuple[datetime | None, datetime | None, str, str, str]
"""Start, end, title, company, description."""


@dataclass
class Row:
    """Fields that the script takes from one source row."""

    name: str = ""
    headline: str = ""
    summary: str = ""
    location: str = ""
    keys: set[str] = field(default_factory=set)
    jobs: list[Job] = field(default_factory=list)
    studies: list[str] = field(default_factory=list)
    skills: list[str] = field(default_factory=list)


def main() -> int:
    """Runs the script over generated people and prints what it took."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--n", type=int, default=10_000, help="people (default 10,000)")
    options.add_argument("--seed", type=int, default=11)
    options.add_argument("--json", type=Path, help="write the figures to this file, under --n")
    given = options.parse_args()

    from benchmarks.people import generated_people

    with generated_people(given.n, given.seed) as folder:
        figures = run(folder)
    sys.stdout.write(f"plain script: {figures}\n")
    if given.json:
        write_figures(given.json, given.n, {"plain_script": figures})
    return 0


def run(folder: Path) -> dict[str, float]:
    """From the source tables of this database to documents in `folder`; what it took."""
    from profiles.storage.connection import open_database

    started, cpu = time.monotonic(), time.process_time()
    engine = open_database().engine
    rows = [
        read({str(name): value for name, value in record.items()})
        for table in TABLES
        for record in pd.read_sql(f"SELECT * FROM src.{table}", engine).to_dict("records")
    ]
    people = join(rows)
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as out:
        for person in people:
            out.write(json.dumps({"markdown": document(person)}) + "\n")
    seconds = time.monotonic() - started
    return {
        "rows": len(rows),
        "documents": len(people),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
        "documents_per_second": round(len(people) / seconds, 1),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def read(record: dict[str, Any]) -> Row:
    """One source row of any vendor, by the first name of each thing that the row has."""
    raw = members(record.get("raw")) or members(record.get("fields"))
    raw = {**record, **raw, **members(raw.get("basics")), **members(raw.get("profile"))}
    raw |= members(raw.get("ResumeData"))
    row = Row(
        name=text(first(raw, *_NAMES)),
        headline=text(first(raw, "headline", "label", "tagline", "current_title", "job_title")),
        summary=prose(first(raw, "summary", "about", "ProfessionalSummary", "linkedinDescription")),
        location=text(first(raw, "location", "city", "addressWithCountry", "location_name")),
        skills=[text(skill) for skill in listed(first(raw, "skills", "topSkills"))],
    )
    row.keys |= set(mails(raw))
    row.keys |= {match[1].lower() for value in raw.values() if (match := _SLUG.search(str(value)))}
    for job in listed(first(raw, *_LISTS_OF_JOBS)):
        if isinstance(job, dict):
            row.jobs.extend(jobs(job))
    for study in listed(first(raw, *_LISTS_OF_STUDIES)):
        if isinstance(study, dict):
            school = text(first(study, "school", "schoolName", "institution", "organization"))
            degree = text(first(study, "degree", "degree_name", "studyType", "title"))
            row.studies.append(", ".join(filter(None, (degree, school))))
    return row


def jobs(job: dict[str, Any]) -> Iterator[Job]:
    """A job, or the roles of one employer."""
    roles = job.get("positions") or job.get("roles") or job.get("profilePositions") or [job]
    for role in map(members, roles if isinstance(roles, list) else [job]):
        merged = {**job, **role, **members(role.get("dates")), **members(role.get("date"))}
        yield (
            moment(first(merged, *_STARTS)),
            moment(first(merged, *_ENDS)),
            text(first(merged, *_TITLES)),
            text(first(merged, *_COMPANIES)),
            prose(first(merged, *_TEXTS)),
        )


def join(rows: list[Row]) -> list[list[Row]]:
    """Rows that share an e-mail or LinkedIn address, put together."""
    parent = list(range(len(rows)))

    def find(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    owner: dict[str, int] = {}
    for number, row in enumerate(rows):
        for key in row.keys:
            parent[find(number)] = find(owner.setdefault(key, number))
    people: dict[int, list[Row]] = defaultdict(list)
    for number, row in enumerate(rows):
        people[find(number)].append(row)
    return list(people.values())


def document(rows: list[Row]) -> str:
    """The markdown of one person."""
    best = max(rows, key=lambda row: len(row.summary))
    spells: dict[tuple[str, str, int | None], Job] = {}
    for row in rows:
        for start, end, title, company, about in row.jobs:
            key = (title.lower(), company.lower(), start.year if start else None)
            if key not in spells or len(about) > len(spells[key][4]):
                spells[key] = (start, end, title, company, about)
    ordered = sorted(spells.values(), key=lambda job: job[0] or _NEVER, reverse=True)
    lines = [f"# {best.name}", best.headline, best.location, "", "## Summary", best.summary, ""]
    lines.append("## Experience")
    for start, end, title, company, about in ordered:
        since, until = (f"{day:%b %Y}" if day else "" for day in (start, end))
        lines += [f"### {title} — {company}", f"{since} – {until or 'Present'}", about, ""]
    lines.append("## Education")
    lines += [f"- {study}" for study in dict.fromkeys(s for row in rows for s in row.studies)]
    skills = dict.fromkeys(skill for row in rows for skill in row.skills)
    return "\n".join([*lines, "", "## Skills", ", ".join(skills), ""])


def members(value: Any) -> dict[str, Any]:
    """An object, or nothing in place of anything else."""
    return value if isinstance(value, dict) else {}


def first(record: dict[str, Any], *names: str) -> Any:
    """The first of several members that is there."""
    return next((record[name] for name in names if record.get(name)), None)


def listed(value: Any) -> list[Any]:
    """A list, or the parts of a text with commas or of JSON in a text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return [part.strip() for part in value.split(",")]
    return value if isinstance(value, list) else []


def mails(raw: dict[str, Any]) -> Iterator[str]:
    """Every text of a row that looks like an e-mail address, in lower case."""
    for name, value in raw.items():
        if "mail" in name.lower() and value:
            for part in value if isinstance(value, list) else [value]:
                address = part.get("email") if isinstance(part, dict) else part
                if isinstance(address, str) and "@" in address:
                    yield address.strip().lower()


def text(value: Any) -> str:
    """A value as one line."""
    if isinstance(value, dict):
        value = first(value, "name", "raw", "Raw", "title", "formatted", "text", "city")
    return " ".join(str(value).split()) if value and not isinstance(value, list | dict) else ""


def prose(value: Any) -> str:
    """A text with its lines, HTML as markdown."""
    if isinstance(value, list):
        value = "\n".join(f"- {part}" for part in value)
    if not isinstance(value, str):
        return ""
    return str(markdownify(value)).strip() if _TAG.search(value) or "&" in value else value


def moment(value: Any) -> datetime | None:
    """A date in any shape that dateutil reads, or the usual object of year and month."""
    if isinstance(value, dict):
        year, month = value.get("year"), value.get("month")
        value = f"{year} {month or 1}" if year else first(value, "text", "Date", "date")
    if value is None or value == "":
        return None
    try:
        found: datetime = dates.parse(str(value), default=_NEVER, ignoretz=True)
    except (ValueError, OverflowError):
        return None
    return found


if __name__ == "__main__":
    sys.exit(main())

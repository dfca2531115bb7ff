"""Source tables, truth and noise kinds as files, in the column order of the source tables."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.second_people.linkedin import VENDORS, month_text, raw_profile
from benchmarks.second_people.people import Employer
from benchmarks.second_people.resumes import PARSERS, raw_resume
from benchmarks.second_people.seen import TABLES, SeenRow
from benchmarks.second_people.world import lists

__all__ = ["assign_shapes", "write_csv", "write_tables"]

NO_CONTACT = {"brightdata"}
NO_PHONE = {"apify_harvestapi", "phantombuster"}
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
VERSIONS = [
    "https://www.linkedin.com/in/{}",
    "https://www.linkedin.com/in/{}/",
    "linkedin.com/in/{}",
    "http://www.linkedin.com/in/{}?trk=people",
    "https://{cc}.linkedin.com/in/{}",
]


def assign_shapes(rows: list[SeenRow], seed: int) -> dict[str, str]:
    """Shape by row id; take from each row the fields that its shape cannot hold."""
    rng, shapes = random.Random(f"shapes-{seed}"), {}
    for row in rows:
        if row.table == "linkedin_profiles":
            shape = rng.choice(list(VENDORS))
            if shape in NO_CONTACT:
                row.mail = None
            if shape in NO_CONTACT | NO_PHONE:
                row.phone = None
            if shape == "phantombuster":
                row.jobs = row.jobs[:2]
        elif row.table == "parsed_resumes":
            shape = rng.choice(list(PARSERS))
            if shape == "pyresparser":
                row.vanity = row.place = None
        else:
            shape = row.table
        shapes[row.id] = shape
    return shapes


def _cell(value: Any) -> str:
    if value is None:
        return "\\N"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    return str(value).translate(ESCAPES)


def _stamp(rng: random.Random, month: int) -> str:
    year, index = divmod(month, 12)
    return f"{year}-{index + 1:02d}-{rng.randrange(1, 28):02d}T{rng.randrange(24):02d}:00:00Z"


def _url(rng: random.Random, row: SeenRow, code: str) -> str | None:
    if row.vanity is None:
        return None
    return rng.choice(VERSIONS).format(quote(row.vanity), cc=code.lower())


def _phone(rng: random.Random, phone: str | None) -> str | None:
    """The number as people type it: with the country code, spaced, or national."""
    if phone is None:
        return None
    code = next(c for c in ("+971", *lists("world")["dial"].values()) if phone.startswith(c))
    rest = phone[len(code) :]
    forms = [phone, f"{code} {rest}", f"{code}-{rest[:5]}-{rest[5:]}", phone[1:]]
    return rng.choice([*forms, rest] if code in ("+91", "+1") else forms[:3])


def _linkedin(rng: random.Random, row: SeenRow, shape: str, place: dict[str, str]) -> list[Any]:
    raw = raw_profile(shape, row, place)
    urls = [row.vanity, _url(rng, row, place["code"]), row.member_id]
    return [row.id, shape, *urls, row.name.full, raw, _stamp(rng, row.month)]


def _resume(rng: random.Random, row: SeenRow, shape: str, place: dict[str, str]) -> list[Any]:
    raw = raw_resume(shape, row, place)
    mail = row.mail if rng.random() < 0.6 else None
    file_name = f"resume_{rng.randrange(100_000)}.pdf"
    return [row.id, shape, file_name, mail, raw, None, _stamp(rng, row.month)]


def _weekday(rng: random.Random, row: SeenRow, shape: str, place: dict[str, str]) -> list[Any]:
    jobs = [
        {
            "company": job.employer_text,
            "title": job.title,
            "start": month_text(job.start, row.year_only),
            "end": "Present" if job.current else month_text(job.end, row.year_only),
        }
        for job in row.jobs
    ]
    skills = lists("world")["skills"][row.person.field]
    first = row.jobs[0] if row.jobs else None
    name = [row.name.full, row.name.first, row.name.last]
    contact = [row.mail, row.alt_mail, _phone(rng, row.phone), _url(rng, row, place["code"]), None]
    town = f"{row.place}, {place['country']}" if row.place else None
    work = [first.title if first else None, first.employer_text if first else None, town]
    education = (
        f"{row.person.degree}, {row.school} ({row.person.graduated})" if row.school else None
    )
    shown = None if "thin" in row.kinds else ", ".join(skills[: rng.randrange(1, 6)])
    history = json.dumps(jobs, ensure_ascii=False) if "thin" not in row.kinds else None
    stamps = [_stamp(rng, row.month), _stamp(rng, row.month + 1)]
    return [row.id, *name, *contact, *work, None, None, None, None, shown, history, education,
            None, None, *stamps]  # fmt: skip


def _lead(rng: random.Random, row: SeenRow, shape: str, place: dict[str, str]) -> list[Any]:
    def part(month: int | None) -> dict[str, int]:
        if month is None:
            return {}
        return {"year": month // 12} | ({} if row.year_only else {"month": month % 12 + 1})

    groups = [
        {
            "company": {"name": job.employer_text},
            "profilePositions": [
                {
                    "title": job.title,
                    "companyName": job.employer_text,
                    "date": {"start": part(job.start), "end": part(job.end)},
                }
            ],
        }
        for job in row.jobs
    ]
    first = row.jobs[0] if row.jobs else None
    number = rng.randrange(60)
    domain = first.employer.domain if first and rng.random() < 0.5 else None
    company = [first.employer_text if first else None, domain, first.title if first else None]
    fields = {} if "thin" in row.kinds else {"positionGroups": groups}
    return [row.id, f"ctc_{row.id[4:]}", row.mail, row.name.first, row.name.last, row.name.full,
            *company, _phone(rng, row.phone), _url(rng, row, place["code"]), None, row.place, None,
            None, None, None, None, None, f"cam_{number:05d}", f"Campaign {number}", "emailsSent",
            False, None, fields, _stamp(rng, row.month)]  # fmt: skip


LINES = dict(zip(TABLES, (_linkedin, _weekday, _resume, _lead), strict=True))


def write_tables(
    folder: Path, rows: list[SeenRow], employers: list[Employer], shapes: dict[str, str], seed: int
) -> None:
    """Write the five COPY files."""
    folder.mkdir(parents=True, exist_ok=True)
    rng, world = random.Random(f"files-{seed}"), lists("world")
    lines: dict[str, list[str]] = {table: [] for table in TABLES}
    for row in rows:
        code = row.person.country
        place = {"code": code, "country": world["countries"][code]}
        cells = LINES[row.table](rng, row, shapes[row.id], place)
        lines[row.table].append("\t".join(map(_cell, cells)) + "\n")
    rest = [None, "v2", "manual", True, "2026-06-01T00:00:00Z"]
    lines["company_industry"] = [
        "\t".join(map(_cell, [number, e.name, e.domain, None, None, e.name.split()[1], *rest]))
        + "\n"
        for number, e in enumerate(employers, 1)
    ]
    for table, texts in lines.items():
        (folder / f"{table}.copy").write_text("".join(texts), encoding="utf-8")


def write_csv(path: Path, header: str, rows: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header.split(","))
        writer.writerows(rows)

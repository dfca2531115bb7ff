"""Values that a handed case states, and differences of a person of the pipeline."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from profiles.models import SourceRecord
from profiles.standardization.companies import employer_key
from profiles.standardization.identifiers import canonical_email
from profiles.storage.connection import Database
from profiles.storage.taxonomy import load_vocabulary

HEADINGS = {"## Summary", "## Experience", "## Education", "## Certifications", "## Skills"}
"""Markup that our renderer may open; anything else came out of somebody's text."""

Job = tuple[str, str, str | None, str | None, bool]


@dataclass(frozen=True)
class Person:
    """Rows in the database about the person that a source row belongs to."""

    markdown: str
    published: str
    jobs: tuple[Job, ...]


def people(database: Database) -> dict[tuple[str, str], Person]:
    """(source, key) of every row that belongs to somebody → the person."""
    with database.connect() as connection:
        jobs: dict[int, list[Job]] = {}
        for candidate_id, *job in connection.execute(
            "SELECT candidate_id, coalesce(employer, ''), coalesce(title, ''), start_month, "
            "end_month, is_current FROM synthesis.experience ORDER BY candidate_id, n"
        ):
            jobs.setdefault(candidate_id, []).append(tuple(job))  # type: ignore[arg-type]
        return {
            (source, key): Person(
                markdown or "", f"{summary} {skills}", tuple(jobs.get(candidate_id, []))
            )
            for source, key, candidate_id, markdown, summary, skills in connection.execute(
                "SELECT o.source, o.source_key, o.candidate_id, d.markdown, s.summary, s.skills "
                "FROM synthesis.candidate_source AS o "
                "LEFT JOIN synthesis.document AS d USING (candidate_id) "
                "LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)"
            )
        }


def faults(
    expect: Mapping[str, Any], record: SourceRecord | None, person: Person | None
) -> Iterator[str]:
    """One sentence for each stated value that the row or its person does not have."""
    if record is None or person is None:
        if expect.get("document") is not False:
            yield "no document"
        return
    yield from _record_faults(expect, record)
    yield from _job_faults(expect, record, person)
    yield from _text_faults(expect, person)


def _record_faults(expect: Mapping[str, Any], record: SourceRecord) -> Iterator[str]:
    if "name" in expect and record.full_name != expect["name"]:
        yield f"name {record.full_name!r}"
    # A mail is stored as the key of its mailbox, in which Gmail's dots do not count.
    stated_mails = [canonical_email(mail) for mail in expect.get("emails", record.emails)]
    if list(record.emails) != stated_mails:
        yield f"emails {record.emails}"
    if list(record.phones) != expect.get("phones", list(record.phones)):
        yield f"phones {record.phones}"
    if "linkedin" in expect and [record.linkedin_id] != expect["linkedin"]:
        yield f"linkedin {record.linkedin_id!r}"
    if "skills" in expect:
        vocabulary = load_vocabulary()
        found = list(dict.fromkeys(vocabulary.canonical(skill) for skill in record.skills))
        # One case names a skill differently from the vocabulary: Excel is Microsoft Excel there.
        if found != [vocabulary.canonical(skill) for skill in expect["skills"]]:
            yield f"skills {found}"


def _job_faults(expect: Mapping[str, Any], record: SourceRecord, person: Person) -> Iterator[str]:
    # Another row of the same person may add an employer that this one does not know.
    known = {employer_key(job.company) for job in record.positions}
    jobs = [job for job in person.jobs if employer_key(job[0]) in known]
    if "jobs" in expect and len(jobs) != expect["jobs"]:
        yield f"{len(jobs)} jobs"
    for job in expect.get("job", []):
        if not any(_is(job, found) for found in person.jobs):
            yield f"no job {job} among {person.jobs}"


def _is(stated: Mapping[str, Any], found: Job) -> bool:
    company, title, start, end, is_current = found
    return (
        company.startswith(stated.get("company", ""))
        and stated.get("title", title) == title
        and stated.get("start", start) == start
        and stated.get("end", end) == end
        and stated.get("current", is_current) == is_current
    )


def _text_faults(expect: Mapping[str, Any], person: Person) -> Iterator[str]:
    markdown = person.markdown
    if not markdown:
        yield "an empty document"
    yield from (f"lacks {text!r}" for text in expect.get("contains", []) if text not in markdown)
    for text in expect.get("not_contains", []):
        if text in markdown or text in person.published:
            yield f"holds {text!r}"
    if len(markdown) > expect.get("max_md_chars", len(markdown)):
        yield f"{len(markdown)} characters"
    if expect.get("no_control") and any(
        unicodedata.category(character) in ("Cc", "Cs") and character != "\n"
        for character in markdown
    ):
        yield "control characters"
    if expect.get("no_extra_headings"):
        lines = [line for line in markdown.splitlines() if line.startswith(("## ", "```"))]
        if not set(lines) <= HEADINGS or len(lines) != len(set(lines)):
            yield f"headings {lines}"

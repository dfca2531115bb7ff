"""The truth of invented people, as far as their rendered documents show it."""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from profiles.extraction.reader import read_row
from profiles.models import Candidate, SourceRecord
from profiles.rendering.markdown import render
from profiles.storage.mappings import load_mappings
from profiles.storage.taxonomy import load_vocabulary
from sample_data import write_sample
from sample_data.careers import CAREERS

_YEARS = re.compile(r"· (\d+) years? of experience")
TABLES = {
    "linkedin_profiles": "linkedin",
    "weekday_candidates": "weekday",
    "parsed_resumes": "resume",
    "lemlist_leads": "lemlist",
}
SPELLINGS = {spellings[0]: spellings for career in CAREERS for spellings in career.skills}


@dataclass(frozen=True, slots=True)
class Facts:
    """Part of the truth in a person's document; `all_skills` are those of the truth itself."""

    name: str
    years: int
    jobs: tuple[tuple[str, str, tuple[str, ...]], ...]
    skills: tuple[str, ...]
    all_skills: tuple[str, ...]
    studies: tuple[tuple[str, str], ...]
    document: str


def people_of(folder: Path) -> Iterator[tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]]:
    """The truth of each person in `folder` and the person's (table, row)s."""
    owner = {}
    with (folder / "truth.tsv").open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            table, key, person, *_ = line.split("\t")
            owner[table, key] = person
    rows = defaultdict(list)
    for table in TABLES:
        with (folder / f"{table}.jsonl").open(encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                rows[owner[table, row["id"]]].append((table, row))
    with (folder / "truth_profiles.jsonl").open(encoding="utf-8") as lines:
        for truth in map(json.loads, lines):
            yield truth, rows[truth["person_id"]]


@cache
def facts_of(people: int, seed: int) -> tuple[Facts, ...]:
    """The truth of invented people as far as their rendered documents show it."""
    return tuple(_facts_of(people, seed))


def _facts_of(people: int, seed: int) -> Iterator[Facts]:
    vocabulary, mappings = load_vocabulary(), load_mappings()
    with tempfile.TemporaryDirectory(prefix="profiles-benchmark-") as name:
        folder = Path(name)
        write_sample(folder, people=people, seed=seed, truth=people, format="jsonl")
        for number, (truth, rows) in enumerate(people_of(folder), 1):
            records = [read_row(mappings[TABLES[table]], row) for table, row in rows]
            kept = tuple(record for record in records if isinstance(record, SourceRecord))
            document = render(Candidate(number, kept), vocabulary=vocabulary)
            if document is None or document.word_count < 60:
                continue
            facts = _facts(truth, document.markdown)
            if len(facts.jobs) >= 1 and len(facts.skills) >= 2:
                yield facts


def _facts(truth: dict[str, Any], document: str) -> Facts:
    years = _YEARS.search(document)
    headings = [line for line in document.splitlines() if line.startswith("### ")]
    jobs = tuple(
        (
            job["title"],
            job["company"],
            tuple(text for text in job["sentences"] if text.rstrip(".") in document),
        )
        for job in truth["jobs"]
        if f"### {job['title']} — {job['company']}" in headings
    )
    listed = document.partition("## Skills\n")[2].partition("\n## ")[0]
    items = {item.strip().casefold() for item in listed.split(",")}
    return Facts(
        name=document.partition("\n")[0].removeprefix("# "),
        years=int(years[1]) if years else 0,
        jobs=jobs,
        skills=tuple(skill for skill in truth["skills"] if skill.casefold() in items),
        all_skills=tuple(truth["skills"]),
        studies=tuple(
            (school, degree.split(" - ")[0])
            for school, degree, *_ in truth["education"]
            if school in document
        ),
        document=document,
    )

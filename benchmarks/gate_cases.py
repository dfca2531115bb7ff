"""Labelled outputs for the gate: written from the truth of invented people, then spoilt on purpose.

A good summary says only what the person's rendered document says, in other words where it can:
years as decades, percent spelt out, skills under another of their spellings. A bad one is a good
one with one fault of one kind put in. Both are added to the files made by hand in tests/quality.
Everything follows from the seed.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.gate_faults import FAULTS
from benchmarks.people import REPOSITORY
from benchmarks.rendering import TABLES, people_of
from profiles.extraction.reader import read_row
from profiles.models import Candidate, SourceRecord
from profiles.rendering.markdown import render
from profiles.storage.mappings import load_mappings
from profiles.storage.taxonomy import load_vocabulary
from sample_data import write_sample
from sample_data.careers import CAREERS

HAND_MADE = REPOSITORY / "tests" / "quality"
_YEARS = re.compile(r"· (\d+) years? of experience")
_PERCENT = re.compile(r"(\d+)%")
SPELLINGS = {spellings[0]: spellings for career in CAREERS for spellings in career.skills}
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled output. `check` names what a bad one breaks; None: good for all of `checks`.

    `is_tuning` says whether it belongs to the half that thresholds are tuned on, `is_new` whether
    it was written after a reported half had been seen.
    """

    key: str
    document: str
    summary: str
    check: str | None
    checks: frozenset[str] | None = None
    is_tuning: bool = True
    is_new: bool = False

    def concerns(self, check: str) -> bool:
        """Whether the label says anything about that check."""
        if self.check is not None:
            return self.check == check
        return self.checks is None or check in self.checks


@dataclass(frozen=True, slots=True)
class Facts:
    """What a person's document says of the truth; `all_skills` are those of the truth itself."""

    name: str
    years: int
    jobs: tuple[tuple[str, str, tuple[str, ...]], ...]
    skills: tuple[str, ...]
    all_skills: tuple[str, ...]
    studies: tuple[tuple[str, str], ...]
    document: str


def hand_made() -> Iterator[Case]:
    """The cases written by hand that served tuning."""
    for file in ("good", "bad"):
        yield from _read(file)


def hand_made_seen() -> Iterator[Case]:
    """The cases of a reported half that has been looked at, and serves tuning since."""
    yield from _read("seen")


def hand_made_anew() -> Iterator[Case]:
    """The cases written by hand for the reported half alone."""
    for case in _read("reported"):
        yield replace(case, is_tuning=False, is_new=True)


def _read(file: str) -> Iterator[Case]:
    documents = {
        path.stem: path.read_text() for path in sorted((HAND_MADE / "documents").glob("*.md"))
    }
    for number, line in enumerate((HAND_MADE / f"{file}.jsonl").read_text().splitlines(), 1):
        row = json.loads(line)
        yield Case(
            key=f"{file}-{number}",
            document=documents[row["document"]],
            summary=row["summary"],
            check=row.get("check"),
            checks=frozenset(row["only"]) if "only" in row else None,
        )


def generated(people: int, seed: int, *, is_tuning: bool = True) -> Iterator[Case]:
    """One good summary of each person, and one bad one for each check."""
    everyone = facts_of(people, seed)
    for number, facts in enumerate(everyone):
        stranger = everyone[number - 1]
        good = write_summary(facts, Random(f"{seed}/{number}/good"))
        yield Case(f"{seed}/{number}/good", facts.document, good, None, is_tuning=is_tuning)
        for check, spoil in FAULTS.items():
            stream = Random(f"{seed}/{number}/{check}")
            bad = spoil(write_summary(facts, stream), facts, stranger, stream)
            if bad is not None:
                key = f"{seed}/{number}/{check}"
                yield Case(key, facts.document, bad, check, is_tuning=is_tuning)


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


def write_summary(facts: Facts, stream: Random) -> str:
    """Prose that the document supports."""
    title, company, _ = facts.jobs[0]
    sentences = [_opening(facts, title, company, stream)]
    for position, (role, employer, told) in enumerate(_spells(facts)[:4]):
        sentences += _spell(role, employer, told, stream, is_first=position == 0)
    skills = [_spelling(skill, stream) for skill in facts.skills[:6]]
    sentences.append(
        stream.choice(("Core skills are {}.", "The toolset covers {}.", "Well versed in {}."))
        .format(_listed(skills))
    )  # fmt: skip
    if facts.studies:
        school, degree = facts.studies[0]
        sentences.append(
            stream.choice(("Studies at {1} led to a {0}.", "Holds a {0} from {1}.")).format(
                _degree(degree), school
            )
        )
    if len(facts.jobs) > 1:
        sentences.append(
            stream.choice((
                f"The path led from {facts.jobs[-1][0]} to {title}.",
                f"Having begun as {facts.jobs[-1][0]}, the candidate is now {title}.",
                f"Over {_SMALL[min(12, len(facts.jobs))]} roles, responsibility grew.",
            ))
        )  # fmt: skip
    return " ".join(sentences)


def _opening(facts: Facts, title: str, company: str, stream: Random) -> str:
    who = stream.choice((facts.name, "The candidate", "This professional"))
    years = _years(facts.years, stream)
    if years is None:
        return f"{who} works at {company} as {title}."
    return stream.choice((
        f"{who} is a {title} at {company} with {years} of experience.",
        f"With {years} of experience, {who[0].lower() + who[1:] if who[0] == 'T' else who}"
        f" works as {title} at {company}.",
        f"{who} brings {years} of practice and works for {company} as {title}.",
    ))  # fmt: skip


def _years(years: int, stream: Random) -> str | None:
    if years < 2:
        return None
    forms = [f"{years} years", f"more than {years - 1} years", f"about {years} years"]
    if years <= 12:
        forms.append(f"{_SMALL[years]} years")
    if 10 <= years <= 13:
        forms += ["over a decade", "more than ten years"]
    if 18 <= years <= 19:
        forms.append("nearly two decades")
    if 20 <= years <= 24:
        forms.append("over two decades")
    return stream.choice(forms)


def _spells(facts: Facts) -> list[tuple[str, str, tuple[str, ...]]]:
    """The jobs, two of one title at one employer told once."""
    return list({(role, employer): (role, employer, told)
                 for role, employer, told in facts.jobs}.values())  # fmt: skip


def _spell(
    role: str, employer: str, told: tuple[str, ...], stream: Random, *, is_first: bool
) -> Iterator[str]:
    picked = distinct(stream.sample(told, len(told)))[:3]
    if not is_first:
        yield stream.choice((
            f"Before that, the work at {employer} was that of {role}.",
            f"An earlier role was {role} with {employer}.",
            f"{employer} employed the candidate as {role}.",
        ))  # fmt: skip
    for text in picked:
        clause = text.partition(";")[0].rstrip(".")
        clause = clause[0].lower() + clause[1:] if clause[1:2].islower() else clause
        if stream.random() < 0.5:
            clause = _PERCENT.sub(r"\1 percent", clause)
        yield stream.choice((
            f"The candidate {clause}.",
            f"At {employer}, the candidate {clause}.",
            f"In this role the candidate {clause}.",
        ))  # fmt: skip


def distinct(texts: list[str]) -> list[str]:
    """The texts without those that say in the same words what an earlier one says."""
    kept: list[str] = []
    said: set[tuple[str, ...]] = set()
    for text in texts:
        words = text.partition(";")[0].split()
        phrases = set(zip(words, words[1:], words[2:], strict=False))
        if len(phrases & said) <= len(phrases) // 4:
            kept.append(text)
            said |= phrases
    return kept


def _spelling(skill: str, stream: Random) -> str:
    return stream.choice(SPELLINGS.get(skill, (skill,)))


def _degree(degree: str) -> str:
    if degree.startswith("Bachelor"):
        return "bachelor's degree"
    if degree == "Master of Business Administration":
        return "MBA"
    return "master's degree" if degree.startswith("Master") else "doctorate"


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"

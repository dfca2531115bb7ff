"""Short summaries in several manners of writing, and what a document says, for gate_made.py."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.gate_cases import Facts, distinct

__all__ = [
    "SENTENCE_END",
    "Job",
    "achievements",
    "has_first",
    "jobs_of",
    "listed",
    "put",
    "slots_of",
    "written",
]

# Manners of writing: what is said of the present job, of achievements, of skills and of studies.
MANNERS = (
    (
        ("{who} works as {now} at {company}.", "{who} is with {company} as {now}."),
        ("The candidate {clause}.", "Also {clause}."),
        ("Skills: mainly {skills}.", "Works with {skills}."),
        ("Studied at {school}.",),
    ),
    (
        (
            "{who} brings {years} years of experience to the role of {now} at {company}.",
            "Bringing {years} years of experience, {inner} serves {company} as {now}.",
        ),
        ("One nice example: the candidate {clause}.", "The candidate also {clause}."),
        ("The candidate feels at home with {skills}.", "Everyday companions are {skills}."),
        ("Studies at {school} laid the foundation.",),
    ),
    (
        (
            "{who} is a professional with {years} years of experience, serving as {now} at"
            " {company}.",
            "{who} currently serves as {now} at {company}, with {years} years of experience.",
        ),
        ("At {employer}, the candidate {clause}.", "As {title}, the candidate {clause}."),
        ("Core competencies include {skills}.", "Areas of expertise include {skills}."),
        ("The candidate's academic background includes {school}.",),
    ),
    (
        (
            "{who} has {years} years' experience and is employed by {company} as {now}.",
            "{who} is in post as {now} with {company}.",
        ),
        (
            "Whilst at {employer}, the candidate {clause}.",
            "On top of that, the candidate {clause}.",
        ),
        ("The candidate is conversant with {skills}.", "Tools of the trade are {skills}."),
        ("The candidate read for a degree at {school}.",),
    ),
    (
        (
            "{who} is having {years} years of experience and is working with {company} as {now}.",
            "{who} is presently associated with {company} as {now}.",
        ),
        (
            "With {employer}, the candidate {clause}.",
            "In another assignment, the candidate {clause}.",
        ),
        ("The candidate is well versed with {skills}.", "Good exposure to {skills} is there."),
        ("The candidate has done studies from {school}.",),
    ),
)

# No end is the point of an initial: "M. Iyengar".
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)\s+")
_HEADING = re.compile(
    r"^### (.+?) — (.+)\n(?:(\w{3} \d{4}) – (\w{3} \d{4}|Present))?", re.MULTILINE
)
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
_PLACE = re.compile(r"^([^,·\n]+), [^·\n]+ · \d+ years? of experience", re.MULTILINE)
_LANGUAGES = re.compile(r"^## Languages\n(\w+)", re.MULTILINE)
_NOW = 2026 * 12 + 6


@dataclass(frozen=True, slots=True)
class Job:
    """A job as the document dates it; months are counted, and are 0 where it gives none."""

    title: str
    company: str
    start: int
    end: int

    @property
    def is_current(self) -> bool:
        return self.end == _NOW


def written(facts: Facts, stream: Random, *, has_skills: bool = True) -> str:
    """A short summary in one manner of writing, which the document supports."""
    openings, doings, listings, studies = stream.choice(MANNERS)
    jobs = jobs_of(facts.document)
    now = next((job for job in jobs if job.is_current), None)
    who = stream.choice((facts.name, "The candidate"))
    if now is None or facts.years < 2:
        text = f"{who} has worked for {jobs[0].company} as {jobs[0].title}."
    else:
        text = stream.choice(openings).format(
            who=who,
            inner="the candidate" if who == "The candidate" else who,
            now=now.title,
            company=now.company,
            years=facts.years,
        )
    sentences = [text]
    told = achievements(facts)
    told = stream.sample(told, min(3, len(told)))
    for number, (title, employer, clause) in enumerate(told):
        frame = doings[min(number, 1)]
        sentences.append(frame.format(title=title, employer=employer, clause=clause))
    if has_skills:
        sentences.append(stream.choice(listings).format(skills=listed(facts.skills[:5])))
    if facts.studies:
        sentences.append(stream.choice(studies).format(school=facts.studies[0][0]))
    return " ".join(sentences)


def put(summary: str, text: str, stream: Random) -> str:
    """The summary with that sentence after one of its own."""
    sentences = SENTENCE_END.split(summary)
    sentences.insert(stream.randint(1, len(sentences)), text)
    return " ".join(sentences)


def achievements(facts: Facts) -> list[tuple[str, str, str]]:
    """Title, employer and achievement, as it stands after a subject; none in another's words."""
    told = [
        (title, company, text.partition(";")[0].rstrip("."))
        for title, company, texts in facts.jobs
        for text in texts
        if not text.startswith("Responsible") and "{" not in text
    ]
    kept = set(distinct([clause for _, _, clause in told]))
    return [
        (title, company, clause[0].lower() + clause[1:])
        for title, company, clause in told
        if clause in kept
    ]


def listed(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}"


def jobs_of(document: str) -> list[Job]:
    return [
        Job(title, company, _month(start), _month(end))
        for title, company, start, end in _HEADING.findall(document)
    ]


def _month(text: str) -> int:
    if text == "Present":
        return _NOW
    month, _, year = text.partition(" ")
    return int(year) * 12 + _MONTHS.index(month) // 3 if year else 0


def has_first(jobs: list[Job], years: int) -> bool:
    """Whether the oldest job of the document is the first one, as the years of experience go."""
    if not all(job.start for job in jobs):
        return False
    return (_NOW - min(job.start for job in jobs)) // 12 >= years - 1


def slots_of(facts: Facts) -> dict[str, str]:
    """What the document says, by the name of the slot that takes it."""
    slots = {"full": facts.name, "skill": facts.skills[0], "skill_two": facts.skills[1]}
    given, *_, family = facts.name.split() if " " in facts.name else ("", "")
    if min(len(given), len(family.strip("."))) > 1:
        slots |= {"first": given, "last": family, "initial": given[0]}
    jobs = jobs_of(facts.document)
    current = [job for job in jobs if job.is_current]
    former = [
        job
        for job in jobs
        if current
        and 0 < job.start <= job.end <= current[0].start
        and job.company not in {now.company for now in current}
    ]
    if current:
        slots |= {"company": current[0].company, "now": current[0].title}
    if former:
        slots |= {"past": former[0].company, "past_title": former[0].title}
    if facts.studies:
        slots["school"] = facts.studies[0][0]
    if place := _PLACE.search(facts.document):
        slots["city"] = place[1]
    if spoken := _LANGUAGES.search(facts.document):
        slots["language"] = spoken[1]
    return slots

"""Outputs in the wordings of the half before last: titles, people, ranks and repetition.

They were held out, have been reported once, and tune since. A good output says only what the
person's document says: another name of a title is used in the tense that the dates allow, other
people's work is told where the document has it. All follows from the seed. A good output is
labelled for its one check, because it says nothing of the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from string import Formatter

from benchmarks.gate_cases import Case, Facts, distinct, facts_of, write_summary
from benchmarks.gate_seen_people import NAMED_RIGHTLY, NAMED_WRONGLY, STRANGERS
from benchmarks.gate_seen_ranks import (
    AGAIN,
    ALIKE,
    DOUBTED_BY_TITLE,
    IN_CHARGE,
    LOOPS,
    PADDED_WITH,
    PADDING,
    RANKS,
    RANKS_BORNE_OUT,
    RECITALS,
    RETOLD,
    SAID_OF_RANK,
    SKILLS_RANKED,
)
from benchmarks.gate_seen_roles import (
    HELD_EARLIER,
    HELD_EVER,
    HELD_FIRST,
    HELD_NOW,
    OCCUPATIONS,
    OFFICE_OCCUPATIONS,
    OTHER_NAMES,
    OTHER_PEOPLE,
    ROLES_PLAYED,
    SAID_OF_OCCUPATION,
)

__all__ = ["HELD_OUT", "held_out"]

HELD_OUT = ("repetition", "titles", "seniority", "other_candidate")

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_HEADING = re.compile(
    r"^### (.+?) — (.+)\n(?:(\w{3}) (\d{4}) – (\w{3} \d{4}|Present))?", re.MULTILINE
)
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
_PLACE = re.compile(r"^([^,·\n]+), [^·\n]+ · \d+ years? of experience", re.MULTILINE)
_LANGUAGES = re.compile(r"^## Languages\n(\w+)", re.MULTILINE)
_SKILLS = re.compile(r"^## Skills\n(.+)", re.MULTILINE)
_OPENERS = {"The", "This", "At", "In", "With", "An", "Before", "Having", "Over", "Studies", "Core"}


@dataclass(frozen=True, slots=True)
class _Job:
    """A job as the document dates it; `start` counts months, and is 0 where it gives none."""

    title: str
    company: str
    start: int
    is_current: bool


def held_out(people: int, seed: int) -> Iterator[Case]:
    """One good and one bad output of each person for each check, where there is one to make.

    Args:
        people: How many people are invented; those with thin documents give none.
        seed: Decides people and outputs.
    """
    everyone = facts_of(people, seed)
    for number, facts in enumerate(everyone):
        stranger = everyone[number - 1]
        for check, makers in _MAKERS.items():
            for maker, label in zip(makers, (None, check), strict=True):
                key = f"held-out/{seed}/{number}/{check}/{'bad' if label else 'good'}"
                stream = Random(key)
                text = maker(write_summary(facts, stream), facts, stranger, stream)
                if text is not None:
                    text = re.sub(r"\b([Aa]) (?=[aeio]|un(?!i))", r"\1n ", text)
                    yield Case(
                        key=key,
                        document=facts.document,
                        summary=text,
                        check=label,
                        checks=frozenset({check}),
                        is_tuning=False,
                        is_new=True,
                    )


def _put(summary: str, text: str, stream: Random) -> str:
    sentences = _SENTENCE_END.split(summary)
    sentences.insert(stream.randint(1, len(sentences)), text)
    return " ".join(sentences)


def _inner(sentence: str) -> str:
    """The sentence as it stands after a comma."""
    is_opener = sentence.split()[0] in _OPENERS
    return sentence[0].lower() + sentence[1:] if is_opener else sentence


def _jobs(document: str) -> list[_Job]:
    return [
        _Job(
            title,
            company,
            int(year) * 12 + _MONTHS.index(month) // 3 if year else 0,
            end == "Present",
        )
        for title, company, month, year, end in _HEADING.findall(document)
    ]


def _other_name(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """A title under another name, or other people's work that the document tells of."""
    pool = OTHER_PEOPLE if stream.random() < 0.6 else ROLES_PLAYED
    told = [text for needle, text in pool if re.search(needle, facts.document)]
    jobs = _jobs(facts.document)
    said: list[tuple[tuple[str, ...], str]] = []
    for part, name in OTHER_NAMES:
        held = [job for job in jobs if _is_called(job.title, part)]
        if not held:
            continue
        said.append((HELD_EVER, name))
        if any(job.is_current for job in held):
            said += [(HELD_NOW, name)] * 2
        elif all(job.start for job in held):
            said += [(HELD_EARLIER, name)] * 2
        if all(job.start for job in jobs) and min(jobs, key=lambda job: job.start) in held:
            said += [(HELD_FIRST, name)] * 2
    if told and (not said or stream.random() < 0.5):
        return _put(summary, stream.choice(told), stream)
    if not said:
        return None
    frames, name = stream.choice(said)
    return _put(summary, stream.choice(frames).format(name), stream)


def _is_called(title: str, part: str) -> bool:
    """Whether the title has that part; an intern has no other name than intern."""
    is_intern = "Intern" in title.split()
    return is_intern == (part == "Intern") and re.search(rf"\b{part}\b", title) is not None


def _invented_role(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    pool = OFFICE_OCCUPATIONS if stream.random() < 0.4 else OCCUPATIONS
    free = [name for name, doubts in pool if not re.search(doubts, facts.document, re.IGNORECASE)]
    frame = stream.choice(SAID_OF_OCCUPATION)
    return _put(summary, frame.format(stream.choice(free)), stream)


def _rightly_named(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """Forms of the person's own name, and names of employers, schools, places and skills."""
    slots = _slots(facts)
    fitting = [frame for frame in NAMED_RIGHTLY if _names(frame) <= slots.keys()]
    for frame in stream.sample(fitting, 2):
        summary = _put(summary, frame.format(**slots), stream)
    return summary


def _names(frame: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(frame) if name}


def _slots(facts: Facts) -> dict[str, str]:
    """What the document says, by the name of the slot that takes it."""
    slots = {"full": facts.name, "skill": facts.skills[0], "skill_two": facts.skills[1]}
    given, *_, family = facts.name.split() if " " in facts.name else ("", "")
    if min(len(given), len(family.strip("."))) > 1:
        slots |= {"first": given, "last": family, "initial": given[0]}
    jobs = _jobs(facts.document)
    current = [job for job in jobs if job.is_current]
    former = [
        job for job in jobs if job.start and job.company not in {now.company for now in current}
    ]
    if current:
        slots |= {"company": current[0].company, "now": current[0].title}
    if current and former:
        slots |= {"past": former[0].company, "past_title": former[0].title}
    if facts.studies:
        slots["school"] = facts.studies[0][0]
    if place := _PLACE.search(facts.document):
        slots["city"] = place[1]
    if spoken := _LANGUAGES.search(facts.document):
        slots["language"] = spoken[1]
    return slots


def _wrongly_named(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """Somebody else in the candidate's place or company, at times the person of another record."""
    given, _, family = stranger.name.partition(" ")
    if min(len(given), len(family)) < 3 or stream.random() < 0.6:
        given, family = stream.choice(STRANGERS)
    words = set(re.findall(r"\w{3,}", facts.document.casefold()))
    if words & set(re.findall(r"\w{3,}", f"{given} {family}".casefold())):
        return None
    title, company, _ = facts.jobs[0]
    text = stream.choice(NAMED_WRONGLY).format(
        name=f"{given} {family}",
        first=given,
        last=family,
        title=title,
        company=company,
        skill=facts.skills[0],
    )
    return _put(summary, text[0].upper() + text[1:], stream)


def _rank_borne_out(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """Words of rank that the document bears out, or that rank no one."""
    ordered = stream.sample(RANKS_BORNE_OUT, len(RANKS_BORNE_OUT))
    borne_out = {needle: text for needle, text in ordered if re.search(needle, facts.document)}
    told = list(borne_out.values())
    listed = _SKILLS.search(facts.document)
    if listed:
        told.append(stream.choice(SKILLS_RANKED).format(listed[1].split(",")[0].strip()))
    for text in stream.sample(told, min(2, len(told))):
        summary = _put(summary, text, stream)
    return summary if told else None


def _invented_rank(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    titles = facts.document.partition("## Experience")[0] + " ".join(
        job.title for job in _jobs(facts.document)
    )
    free = [
        ranks
        for level, (doubts, ranks) in RANKS.items()
        if not re.search(
            doubts, titles if level in DOUBTED_BY_TITLE else facts.document, re.IGNORECASE
        )
    ]
    if not free:
        return None
    ranks = stream.choice(free)
    if not ranks:
        return _put(summary, stream.choice(IN_CHARGE), stream)
    return _put(summary, stream.choice(SAID_OF_RANK).format(stream.choice(ranks)), stream)


def _alike(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    opening = _SENTENCE_END.split(summary)[0]
    if stream.random() < 0.4:
        jobs = dict.fromkeys((title, company) for title, company, _ in facts.jobs)
        frame = stream.choice(RECITALS)
        return " ".join([opening, *(frame.format(title=t, company=c) for t, c in jobs)])
    told = [
        (title, company, text.partition(";")[0].rstrip("."))
        for title, company, texts in facts.jobs
        for text in texts
        if not text.startswith("Responsible")
    ]
    kept = set(distinct([clause for _, _, clause in told]))
    frame = stream.choice(ALIKE)
    sentences = [
        frame.format(title=title, company=company, clause=clause[0].lower() + clause[1:])
        for title, company, clause in told
        if clause in kept
    ]
    return " ".join([opening, *dict.fromkeys(sentences[:8])]) if sentences else None


def _repeated(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    kind = stream.randrange(5)
    sentences = _SENTENCE_END.split(summary)
    if kind == 0:
        frame = stream.choice(PADDING)
        names = dict.fromkeys((*facts.skills[:4], *stream.sample(PADDED_WITH, 3)))
        padding = [frame.format(skill=name) for name in names]
        return " ".join([sentences[0], *(text[0].upper() + text[1:] for text in padding)])
    if kind == 1:
        again = stream.choice([text for text in sentences if text.count(" ") >= 6] or sentences)
        return f"{summary} {stream.choice(AGAIN).format(_inner(again))}"
    if kind == 2:
        loop = stream.choice(LOOPS).format(a=facts.skills[0], b=facts.skills[1])
        return f"{summary} The profile offers {loop}."
    if kind == 3:
        who = stream.choice(RETOLD)
        retold = " ".join(text.replace("The candidate", who) for text in sentences)
        return f"{summary} To conclude: {retold}"
    doubled = [f"{text} This means that {_inner(text)}" for text in sentences[:3]]
    return " ".join([*doubled, *sentences[3:]])


_Maker = Callable[[str, Facts, Facts, Random], str | None]
_MAKERS: dict[str, tuple[_Maker, _Maker]] = {
    "repetition": (_alike, _repeated),
    "titles": (_other_name, _invented_role),
    "seniority": (_rank_borne_out, _invented_rank),
    "other_candidate": (_rightly_named, _wrongly_named),
}
"""Makers of good and of bad outputs, by check."""

"""Outputs for the reported half alone: titles, people, ranks and repetition in wordings held out.

No wording here served tuning or stood in an earlier half. A good output says only what the person's
document says: another name of a title is used in the tense that the dates allow, other people's
work is told where the document has it. All follows from the seed. A good output is labelled for its
one check, because it says nothing of the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from unicodedata import combining, normalize

from benchmarks.gate_cases import Case, Facts, facts_of
from benchmarks.gate_heldout_people import NAMED_RIGHTLY, NAMED_WRONGLY, STRANGERS
from benchmarks.gate_heldout_ranks import (
    AGAIN,
    ALIKE,
    DOUBTED_BY_TITLE,
    IN_CHARGE,
    LISTED_TWICE,
    LOOPS,
    PADDED_WITH,
    PADDING,
    RAISED,
    RANKS,
    RANKS_BORNE_OUT,
    RECITALS,
    RETOLD,
    SAID_OF_RANK,
    SKILLS_RANKED,
    TOLD_TWICE,
    USUAL,
)
from benchmarks.gate_heldout_roles import (
    HELD_EARLIER,
    HELD_EVER,
    HELD_FIRST,
    HELD_NOW,
    OCCUPATIONS,
    OFFICE_OCCUPATIONS,
    OTHER_NAMES,
    OTHER_PEOPLE,
    OWN_TITLES,
    ROLES_PLAYED,
    SAID_OF_OCCUPATION,
)
from benchmarks.gate_heldout_writing import (
    achievements,
    has_first,
    jobs_of,
    listed,
    slots_of,
    slotted,
    written,
)

__all__ = ["HELD_OUT", "held_out"]

HELD_OUT = ("repetition", "titles", "seniority", "other_candidate")

_SENTENCE_END = re.compile(r"(?<=[\w%)]{2}[.!?])\s+(?=[^\W\d_a-z])")
_SKILLS = re.compile(r"^## Skills\n(.+)", re.MULTILINE)
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeio]|[AEIO][a-z]|HR |un(?!i))")


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
                text = maker(written(facts, stream), facts, stranger, stream)
                if text is not None:
                    text = _ARTICLE.sub(r"\1n ", text)
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


def _inner(sentence: str, facts: Facts) -> str:
    """The sentence as it stands after a comma."""
    names = {facts.name, *facts.skills, *(job.company for job in jobs_of(facts.document))}
    is_name = any(sentence.startswith(name) for name in names)
    return sentence if is_name else sentence[0].lower() + sentence[1:]


def _other_name(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """A title under another name, or other people's work that the document tells of."""
    pool = OTHER_PEOPLE if stream.random() < 0.6 else ROLES_PLAYED
    told = [text for needle, text in pool if re.search(needle, facts.document)]
    jobs = jobs_of(facts.document)
    now = [job for job in jobs if job.is_current]
    said: list[tuple[tuple[str, ...], str]] = []
    for part, name in OTHER_NAMES:
        held = [job for job in jobs if _is_called(job.title, part)]
        if not held:
            continue
        said.append((HELD_EVER, name))
        if any(job.is_current for job in held):
            said += [(HELD_NOW, name)] * 2
        elif now and all(0 < job.end <= now[0].start for job in held):
            said += [(HELD_EARLIER, name)] * 2
        if has_first(jobs, facts.years) and min(jobs, key=lambda job: job.start) in held:
            said += [(HELD_FIRST, name)] * 2
    if stream.random() < 0.2:
        summary = _put(summary, slotted(OWN_TITLES, facts, stream), stream)
    if told and (not said or stream.random() < 0.45):
        return _put(summary, stream.choice(told), stream)
    if not said:
        return None
    frames, name = stream.choice(said)
    return _put(summary, stream.choice(frames).format(name), stream)


def _is_called(title: str, part: str) -> bool:
    """Whether the title has that part; an intern has no other name than an intern's."""
    return ("Intern" in title) == ("Intern" in part) and bool(re.search(rf"\b{part}\b", title))


def _invented_role(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    pool = OFFICE_OCCUPATIONS if stream.random() < 0.65 else OCCUPATIONS
    free = [name for name, doubts in pool if not re.search(doubts, facts.document, re.IGNORECASE)]
    text = slotted(SAID_OF_OCCUPATION, facts, stream, stream.choice(free))
    return _put(summary, text, stream)


def _rightly_named(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """Forms of the person's own name, and names of employers, schools, places and skills."""
    for text in {slotted(NAMED_RIGHTLY, facts, stream): None for _ in range(2)}:
        summary = _put(summary, text, stream)
    return summary


def _wrongly_named(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """Somebody else in the candidate's place or company, at times the person of another record."""
    given, _, family = stranger.name.partition(" ")
    is_near = bool(_plain_words(facts.document) & _plain_words(stranger.name))
    if is_near or min(len(given), len(family)) < 3 or stream.random() < 0.6:
        given, family = stream.choice(STRANGERS)
    if facts.name in summary and stream.random() < 0.4:
        return summary.replace(facts.name, f"{given} {family}")
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


def _plain_words(text: str) -> set[str]:
    """The words without case and accents."""
    letters = (letter for letter in normalize("NFKD", text.casefold()) if not combining(letter))
    return set(re.findall(r"\w{3,}", "".join(letters)))


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
        job.title for job in jobs_of(facts.document)
    )
    free = [
        level
        for level, (doubts, _) in RANKS.items()
        if not re.search(
            doubts, titles if level in DOUBTED_BY_TITLE else facts.document, re.IGNORECASE
        )
        and (level != RAISED or "now" in slots_of(facts))
    ]
    if not free:
        return None
    usual = [level for level in free if level in USUAL]
    ranks = RANKS[stream.choice(usual if usual and stream.random() < 0.5 else free)][1]
    if not ranks:
        return _put(summary, slotted(IN_CHARGE, facts, stream), stream)
    rank = stream.choice(ranks).format(**slots_of(facts))
    return _put(summary, slotted(SAID_OF_RANK, facts, stream, rank), stream)


def _alike(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    opening = _SENTENCE_END.split(summary)[0]
    jobs = [
        (title, company)
        for title, company in dict.fromkeys((title, company) for title, company, _ in facts.jobs)
        if title not in opening or company not in opening
    ]
    if jobs and stream.random() < 0.4:
        frames = stream.sample(RECITALS, stream.choice((1, 2)))
        told = [
            frames[number % len(frames)].format(title=title, company=company)
            for number, (title, company) in enumerate(jobs[:5])
        ]
    else:
        frames = stream.sample(ALIKE, stream.choice((1, 3)))
        told = [
            frames[number % len(frames)].format(title=title, company=company, clause=clause)
            for number, (title, company, clause) in enumerate(
                achievements(facts)[: 3 if len(frames) == 1 else 6]
            )
        ]
    return " ".join([opening, *told]) if told else None


def _repeated(summary: str, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    kind = stream.randrange(6)
    sentences = _SENTENCE_END.split(summary)
    told = achievements(facts)
    if kind == 0:
        frame = stream.choice(PADDING)
        names = dict.fromkeys((*facts.skills[:4], *stream.sample(PADDED_WITH, 3)))
        return " ".join([sentences[0], *(frame.format(skill=name) for name in names)])
    if kind == 1:
        again = stream.choice([text for text in sentences if text.count(" ") >= 6] or sentences)
        return f"{summary} {stream.choice(AGAIN).format(_inner(again, facts))}"
    if kind == 2:
        loop = stream.choice(LOOPS).format(a=facts.skills[0], b=facts.skills[1])
        return f"{summary} The candidate offers {loop}."
    if kind == 3 or (kind == 4 and len(facts.skills) < 4) or not told:
        who = stream.choice(RETOLD)
        retold = re.sub(rf"The candidate|{re.escape(facts.name)}", who, summary)
        retold = retold.replace("the candidate", who.lower())
        return f"{summary} Summing up the profile: {_inner(retold, facts)}"
    plain = _SENTENCE_END.split(written(facts, stream, has_skills=False))
    if kind == 4:
        first, second = stream.choice(LISTED_TWICE)
        skills = listed(facts.skills[:6])
        return " ".join([plain[0], first.format(skills), *plain[1:], second.format(skills)])
    title, company, clause = stream.choice(told)
    first, second = (
        frame.format(title=title, company=company, clause=clause)
        for frame in stream.choice(TOLD_TWICE)
    )
    between = [text for text in plain[1:] if clause not in text]
    return " ".join([plain[0], first, *between, second])


_Maker = Callable[[str, Facts, Facts, Random], str | None]
_MAKERS: dict[str, tuple[_Maker, _Maker]] = {
    "repetition": (_alike, _repeated),
    "titles": (_other_name, _invented_role),
    "seniority": (_rank_borne_out, _invented_rank),
    "other_candidate": (_rightly_named, _wrongly_named),
}
"""Makers of good and of bad outputs, by check."""

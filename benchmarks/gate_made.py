"""Outputs made of a round's wordings, for the checks that err most: good ones and bad ones.

A good output says only what the person's document says: another name of a title is used in the
tense that the dates allow, other people's work is told where the document has it. A bad one has one
fault of one kind. Everything follows from the seed. A good output is labelled for its one check,
because it says nothing of the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from unicodedata import combining, normalize

from benchmarks.gate_cases import Case, Facts, facts_of
from benchmarks.gate_repeated import alike, repeated
from benchmarks.gate_rounds import Wordings, slots_in
from benchmarks.gate_writing import SENTENCE_END, Job, has_first, jobs_of, put, slots_of, written

__all__ = ["MADE", "made"]

MADE = ("repetition", "titles", "seniority", "other_candidate", "language")

_SKILLS = re.compile(r"^## Skills\n(.+)", re.MULTILINE)
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeioAEIO]|[Uu]n(?!i)|[Uu]p|[FHLMNRSX][A-Z]{1,3}\b)")
_OF_TITLES = ("manager", "senior", "raised")
"""Levels that only a title can give; the others may follow from any line."""
_RAISED = "raised"
"""The level whose names are the present title with a rank put before or after it."""
_USUAL = (_RAISED, "in charge")
"""Levels that models invent most often."""


def made(people: int, seed: int, name: str, *, is_tuning: bool) -> Iterator[Case]:
    """One good and one bad output of each person for each check, where there is one to make.

    Args:
        people: How many people are invented; those with thin documents give none.
        seed: Decides people and outputs.
        name: The round that the wordings are of.
        is_tuning: Whether the round has been seen.
    """
    wordings = Wordings.of_round(name)
    everyone = facts_of(people, seed)
    for number, facts in enumerate(everyone):
        stranger = everyone[number - 1]
        for check, makers in _MAKERS.items():
            for maker, label in zip(makers, (None, check), strict=True):
                key = f"{name}/{seed}/{number}/{check}/{'bad' if label else 'good'}"
                stream = Random(key)
                text = maker(wordings, facts, stranger, stream)
                if text is not None:
                    if check != "language":
                        text = _ARTICLE.sub(r"\1n ", text)
                    yield Case(
                        key=key,
                        document=facts.document,
                        summary=text,
                        check=label,
                        checks=frozenset({check}),
                        is_tuning=is_tuning,
                        is_new=True,
                    )


def _with(facts: Facts, stream: Random, *texts: str | None) -> str | None:
    """A true summary with these sentences in it; None where there are none."""
    told = [text for text in texts if text]
    summary = written(facts, stream)
    for text in told:
        summary = put(summary, text[0].upper() + text[1:], stream)
    return summary if told else None


def _other_name(wordings: Wordings, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """A title under another name, or other people's work that the document tells of."""
    own = None
    if stream.random() < 0.2:
        own = wordings.fill("own_titles", slots_of(facts), stream)
    pool = wordings.every("other_people" if stream.random() < 0.6 else "roles_played")
    told = [(needle, text) for needle, text in pool if re.search(needle, facts.document)]
    jobs = jobs_of(facts.document)
    names = [
        (part, name)
        for part, name in wordings.every("other_names")
        if any(_is_called(job.title, part) for job in jobs)
    ]
    if told and (not names or stream.random() < 0.45):
        return _with(facts, stream, own, wordings.take(told, stream)[1])
    if not names:
        return _with(facts, stream, own)
    part, name = wordings.take(names, stream)
    held = [job for job in jobs if _is_called(job.title, part)]
    return _with(facts, stream, own, _held(wordings, held, jobs, facts, name, stream))


def _held(
    wordings: Wordings, held: list[Job], jobs: list[Job], facts: Facts, name: str, stream: Random
) -> str | None:
    """A sentence that says of these jobs, under that name, what their dates allow."""
    lists = ["held_ever"]
    now = [job for job in jobs if job.is_current]
    if any(job.is_current for job in held):
        lists.append("held_now")
    elif now and all(0 < job.end <= now[0].start for job in held):
        lists.append("held_earlier")
    if has_first(jobs, facts.years) and min(jobs, key=lambda job: job.start) in held:
        lists.append("held_first")
    frames = [frame for which in lists for frame in wordings.every(which)]
    return wordings.take(frames, stream).format(name, name) if frames else None


def _is_called(title: str, part: str) -> bool:
    """Whether the title has that part; an intern has no other name than an intern's."""
    return ("Intern" in title) == ("Intern" in part) and bool(re.search(rf"\b{part}\b", title))


def _invented_role(wordings: Wordings, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    free = [
        (name, doubts)
        for name, doubts in wordings.occupations()
        if not re.search(doubts, facts.document, re.IGNORECASE)
    ]
    if not free:
        return None
    name, _ = wordings.take(free, stream)
    said = wordings.fill("said_of_occupation", slots_of(facts), stream, name)
    return _with(facts, stream, said)


def _rightly_named(wordings: Wordings, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """Forms of the person's own name, and names of employers, schools, places and skills."""
    told = [wordings.fill("named_rightly", slots_of(facts), stream) for _ in range(2)]
    return _with(facts, stream, *dict.fromkeys(told))


def _wrongly_named(wordings: Wordings, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """Somebody else in the candidate's place or company, at times the person of another record."""
    if not wordings.has("named_wrongly", "strangers"):
        return None
    given, _, family = stranger.name.partition(" ")
    is_near = bool(_plain_words(facts.document) & _plain_words(stranger.name))
    if is_near or min(len(given), len(family)) < 3 or stream.random() < 0.7:
        given, family = wordings.take(wordings.every("strangers"), stream)
    title, company, _ = facts.jobs[0]
    slots = {
        "name": f"{given} {family}",
        "first": given,
        "last": family,
        "title": title,
        "company": company,
        "skill": facts.skills[0],
    }
    summary = written(facts, stream)
    if facts.name in summary and stream.random() < 0.2:
        return summary.replace(facts.name, slots["name"])
    return _with(facts, stream, wordings.fill("named_wrongly", slots, stream))


def _plain_words(text: str) -> set[str]:
    """The words without case and accents."""
    letters = (letter for letter in normalize("NFKD", text.casefold()) if not combining(letter))
    return set(re.findall(r"\w{3,}", "".join(letters)))


def _rank_borne_out(
    wordings: Wordings, facts: Facts, stranger: Facts, stream: Random
) -> str | None:
    """Words of rank that the document bears out, or that rank no one."""
    fitting = [
        (needle, text)
        for needle, text in wordings.every("ranks_borne_out")
        if re.search(needle, facts.document)
    ]
    told = [wordings.take(fitting, stream)[1]] if fitting else []
    others = [text for needle, text in fitting if text not in told]
    listed = _SKILLS.search(facts.document)
    if listed and wordings.has("skills_ranked") and stream.random() < 0.3:
        first = listed[1].split(",")[0].strip()
        told.append(wordings.take(wordings.every("skills_ranked"), stream).format(first))
    elif others:
        told.append(stream.choice(others))
    return _with(facts, stream, *told)


def _invented_rank(wordings: Wordings, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    slots = slots_of(facts)
    titles = facts.document.partition("## Experience")[0] + " ".join(
        job.title for job in jobs_of(facts.document)
    )
    free = {
        level: names
        for level, (doubts, names) in wordings.ranks().items()
        if not re.search(doubts, titles if level in _OF_TITLES else facts.document, re.IGNORECASE)
        and (level != _RAISED or "now" in slots)
    }
    if not free:
        return None
    usual = [level for level in free if level in _USUAL]
    level = stream.choice(usual if usual and stream.random() < 0.5 else list(free))
    names = [name for name in free[level] if slots_in(name) <= slots.keys()]
    if not names:
        return _with(facts, stream, wordings.fill("in_charge", slots, stream))
    rank = wordings.take(names, stream).format(**slots)
    return _with(facts, stream, wordings.fill("said_of_rank", slots, stream, rank))


def _with_foreign_words(
    wordings: Wordings, facts: Facts, stranger: Facts, stream: Random
) -> str | None:
    said = wordings.fill("english_with_foreign", slots_of(facts), stream)
    return _with(facts, stream, said)


def _in_another_language(
    wordings: Wordings, facts: Facts, stranger: Facts, stream: Random
) -> str | None:
    """A summary that leaves English after its first sentence, or has none."""
    slots = slots_of(facts)
    fitting = [
        text["sentences"]
        for text in wordings.every("foreign")
        if slots_in(" ".join(text["sentences"])) <= slots.keys()
    ]
    if not fitting:
        return None
    told = [sentence.format(**slots) for sentence in wordings.take(fitting, stream)]
    if stream.random() < 1 / 3:
        return " ".join(told)
    opening = SENTENCE_END.split(written(facts, stream))[0]
    return " ".join([opening, *told[: stream.randint(1, len(told))]])


_Maker = Callable[[Wordings, Facts, Facts, Random], str | None]
_MAKERS: dict[str, tuple[_Maker, _Maker]] = {
    "repetition": (alike, repeated),
    "titles": (_other_name, _invented_role),
    "seniority": (_rank_borne_out, _invented_rank),
    "other_candidate": (_rightly_named, _wrongly_named),
    "language": (_with_foreign_words, _in_another_language),
}
"""Makers of good and of bad outputs, by check."""

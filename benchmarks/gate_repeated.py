"""Outputs for the check of repetition, of a round's wordings: alike and honest, or told again."""

from __future__ import annotations

import re
from random import Random

from benchmarks.gate_cases import Facts
from benchmarks.gate_rounds import Wordings
from benchmarks.gate_writing import SENTENCE_END, achievements, jobs_of, listed, written

__all__ = ["alike", "repeated"]

_LONG = 6
_FEWEST_LISTED = 4


def alike(wordings: Wordings, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """One frame around several achievements or jobs."""
    opening = SENTENCE_END.split(written(facts, stream))[0]
    jobs = [
        (title, company)
        for title, company in dict.fromkeys((title, company) for title, company, _ in facts.jobs)
        if title not in opening or company not in opening
    ]
    if jobs and wordings.has("recitals") and stream.random() < 0.4:
        frames = _several(wordings, "recitals", stream.choice((1, 2)), stream)
        told = [
            frames[number % len(frames)].format(title=title, company=company)
            for number, (title, company) in enumerate(jobs[:5])
        ]
    elif wordings.has("alike"):
        frames = _several(wordings, "alike", stream.choice((1, 3)), stream)
        told = [
            frames[number % len(frames)].format(title=title, company=company, clause=clause)
            for number, (title, company, clause) in enumerate(
                achievements(facts)[: 3 if len(frames) == 1 else 6]
            )
        ]
    else:
        return None
    return " ".join([opening, *told]) if told else None


def _several(wordings: Wordings, name: str, number: int, stream: Random) -> list[str]:
    """So many different wordings of that list, or all."""
    left = wordings.every(name)
    taken: list[str] = []
    while left and len(taken) < number:
        taken.append(wordings.take(left, stream))
        left.remove(taken[-1])
    return taken


def repeated(wordings: Wordings, facts: Facts, stranger: Facts, stream: Random) -> str | None:
    """A summary that says something again; wordings of all kinds are taken in turn."""
    told = achievements(facts)
    kinds = {
        "padding": wordings.has("padding", "padded_with"),
        "again": True,
        "loops": True,
        "retold": True,
        "listed_twice": len(facts.skills) >= _FEWEST_LISTED,
        "told_twice": bool(told),
    }
    every = [
        (kind, wording)
        for kind, is_fitting in kinds.items()
        for wording in wordings.every(kind)
        if is_fitting
    ]
    if not every:
        return None
    kind, wording = wordings.take(every, stream)
    summary = written(facts, stream)
    sentences = SENTENCE_END.split(summary)
    if kind == "padding":
        soft = wordings.every("padded_with")
        names = (*facts.skills[:4], *stream.sample(soft, min(3, len(soft))))
        return " ".join(
            [sentences[0], *(wording.format(skill=name) for name in dict.fromkeys(names))]
        )
    if kind == "again":
        again = stream.choice([text for text in sentences if text.count(" ") >= _LONG] or sentences)
        return f"{summary} {wording.format(_inner(again, facts))}"
    if kind == "loops":
        loop = wording.format(a=facts.skills[0], b=facts.skills[1])
        return f"{summary} The candidate offers {loop}."
    if kind == "retold":
        retold = re.sub(rf"The candidate|{re.escape(facts.name)}", wording, summary)
        retold = retold.replace("the candidate", wording[0].lower() + wording[1:])
        return f"{summary} Summing up the profile: {_inner(retold, facts)}"
    plain = SENTENCE_END.split(written(facts, stream, has_skills=False))
    if kind == "listed_twice":
        skills = listed(facts.skills[:6])
        first, second = (frame.format(skills) for frame in wording)
        return " ".join([plain[0], first, *plain[1:], second])
    title, company, clause = stream.choice(told)
    first, second = (frame.format(title=title, company=company, clause=clause) for frame in wording)
    between = [text for text in plain[1:] if clause not in text]
    return " ".join([plain[0], first, *between, second])


def _inner(sentence: str, facts: Facts) -> str:
    """The sentence as it stands after a comma."""
    names = {facts.name, *facts.skills, *(job.company for job in jobs_of(facts.document))}
    is_name = any(sentence.startswith(name) for name in names)
    return sentence if is_name else sentence[0].lower() + sentence[1:]

"""Labelled outputs in wording of its own for repetition, titles and seniority, good and bad.

Every wording below belongs to one half by a hash of its text: the tuning half never shows the
wording that the reported half is made of, and each half has its own people. All follows from the
seed. A good output is labelled for its one check, because it says nothing of the others.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from random import Random

from benchmarks.gate_cases import Case, Facts, distinct, facts_of, write_summary
from benchmarks.gate_wording import (
    AGAIN,
    ALIKE,
    LEADING,
    LOOPS,
    NO_RANKS,
    OCCUPATIONS,
    OTHERS_ROLES,
    PADDERS,
    PADDING,
    RANKS,
    RECITALS,
    SAID_OF_RANK,
    SAID_OF_ROLE,
    SYNONYMS,
)

__all__ = ["DRAWN", "drawn"]

DRAWN = ("repetition", "titles", "seniority")
_SALT = "drawn-anew/"

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def drawn(people: int, seed: int, *, is_tuning: bool) -> Iterator[Case]:
    """One good and one bad output of each person for each check, where there is one to make.

    Args:
        people: How many people are invented; those with thin documents give none.
        seed: Decides people and outputs.
        is_tuning: Which half of the wordings is used.
    """
    for number, facts in enumerate(facts_of(people, seed)):
        for check, makers in _MAKERS.items():
            for maker, label in zip(makers, (None, check), strict=True):
                key = f"{seed}/{number}/{check}/{'bad' if label else 'good'}"
                stream = Random(f"drawn/{key}")
                text = maker(write_summary(facts, stream), facts, stream, is_tuning)
                if text is not None:
                    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
                    yield Case(
                        key=f"drawn/{key}",
                        document=facts.document,
                        summary=text,
                        check=label,
                        checks=frozenset({check}),
                        is_tuning=is_tuning,
                        is_new=True,
                    )


def _half(pool: Sequence[str], is_tuning: bool) -> list[str]:
    return [
        text for text in pool if (zlib.crc32((_SALT + text).encode()) % 2 == 0) == is_tuning
    ]  # fmt: skip


def _put(summary: str, text: str, stream: Random) -> str:
    sentences = _SENTENCE_END.split(summary)
    sentences.insert(stream.randint(1, len(sentences)), text)
    return " ".join(sentences)


def _alike(summary: str, facts: Facts, stream: Random, is_tuning: bool) -> str | None:
    opening = _SENTENCE_END.split(summary)[0]
    if stream.random() < 0.4:
        jobs = list(dict.fromkeys((title, company) for title, company, _ in facts.jobs))
        frame = stream.choice(_half(RECITALS, is_tuning))
        told = [frame.format(title=title, company=company) for title, company in jobs]
        # The rest of the summary would tell the same jobs again.
        return " ".join([opening, *told])
    frame = stream.choice(_half(ALIKE, is_tuning))
    clauses = [
        (title, company, text.partition(";")[0].rstrip("."))
        for title, company, texts in facts.jobs
        for text in texts[:3]
    ]
    kept = set(distinct([clause for _, _, clause in clauses]))
    told = [
        frame.format(title=title, company=company, clause=clause[0].lower() + clause[1:])
        for title, company, clause in clauses
        if clause in kept
    ]
    return " ".join([opening, *dict.fromkeys(told[:8])])


def _repeated(summary: str, facts: Facts, stream: Random, is_tuning: bool) -> str | None:
    kind = stream.randrange(4)
    sentences = _SENTENCE_END.split(summary)
    if kind == 0:
        frame = stream.choice(_half(PADDING, is_tuning))
        names = list(dict.fromkeys((*facts.skills[:4], *stream.sample(PADDERS, 3))))
        return " ".join([sentences[0], *(frame.format(skill=name) for name in names)])
    if kind == 1:
        long = [text for text in sentences if text.count(" ") >= 6]
        again = stream.choice(long or sentences)
        frame = stream.choice(_half(AGAIN, is_tuning))
        return f"{summary} {frame.format(again)}"
    if kind == 2:
        names = [*facts.skills[:3], "planning"]
        loop = stream.choice(_half(LOOPS, is_tuning))
        return f"{summary} There is experience {loop.format(a=names[0], b=names[1], c=names[2])}."
    subject = "This professional" if is_tuning else "This person"
    retold = " ".join(text.replace("The candidate", subject) for text in sentences)
    return f"{summary} {retold}"


def _other_name(summary: str, facts: Facts, stream: Random, is_tuning: bool) -> str | None:
    titles = " ".join(title for title, _, _ in facts.jobs)
    wanted = set(_half([f"{a}/{b}" for a, b in SYNONYMS], is_tuning))
    names = [b for a, b in SYNONYMS if f"{a}/{b}" in wanted and a in titles]
    others = stream.choice(_half(OTHERS_ROLES, is_tuning))
    if not names or stream.random() < 0.3:
        return _put(summary, others, stream)
    frame = stream.choice(_half(SAID_OF_ROLE, is_tuning))
    return _put(summary, frame.format(stream.choice(names)), stream)


def _invented_role(summary: str, facts: Facts, stream: Random, is_tuning: bool) -> str | None:
    document = facts.document.casefold()
    free = [
        role
        for role in _half(OCCUPATIONS, is_tuning)
        if role.split()[0][:6] not in document or role.split()[-1][:6] not in document
    ]
    frame = stream.choice(_half(SAID_OF_ROLE, is_tuning))
    return _put(summary, frame.format(stream.choice(free)), stream)


def _no_rank(summary: str, facts: Facts, stream: Random, is_tuning: bool) -> str | None:
    for text in stream.sample(_half(NO_RANKS, is_tuning), 2):
        summary = _put(summary, text, stream)
    return summary


def _invented_rank(summary: str, facts: Facts, stream: Random, is_tuning: bool) -> str | None:
    free = [
        name
        for name, (words, _) in RANKS.items()
        if not re.search(words, facts.document, re.IGNORECASE)
    ]
    if not free:
        return None
    _, ranks = RANKS[stream.choice(free)]
    if not ranks:
        return _put(summary, stream.choice(_half(LEADING, is_tuning)), stream)
    frame = stream.choice(_half(SAID_OF_RANK, is_tuning))
    return _put(summary, frame.format(stream.choice(_half(ranks, is_tuning))), stream)


_MAKERS = {
    "repetition": (_alike, _repeated),
    "titles": (_other_name, _invented_role),
    "seniority": (_no_rank, _invented_rank),
}
"""Makers of good and of bad outputs, by check."""

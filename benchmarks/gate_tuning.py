"""Labelled outputs of the tuning half alone: who the candidate is said to be, and who others are.

Each wording of benchmarks/gate_tuning_wording.py is put into true summaries, with occupations and
names that the document does not have (bad), or with the person's own titles and name, or said of
somebody else (good). All follows from the seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

from benchmarks.gate_cases import Case, Facts, facts_of, write_summary
from benchmarks.gate_tuning_wording import (
    CLAIMS,
    NAME_CLAIMS,
    NAMES,
    NO_NAMES,
    OCCUPATIONS,
    ONE_NAME_CLAIMS,
    ONE_NAMES,
    OTHERS,
    PLURALS,
    PRAISE,
)

__all__ = ["tuned"]

_PER_PERSON = 5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_LETTERS = 6


def tuned(people: int, seed: int) -> Iterator[Case]:
    """Outputs of each person, good and bad, for `titles` and `other_candidate`."""
    turn = count()
    for number, facts in enumerate(facts_of(people, seed)):
        for part in range(_PER_PERSON):
            stream = Random(f"tuned/{seed}/{number}/{part}")
            for check, label, text in _texts(facts, next(turn), stream):
                summary = write_summary(facts, stream)
                yield Case(
                    key=f"tuned/{seed}/{number}/{part}/{check}/{label}",
                    document=facts.document,
                    summary=_put(summary, text, stream),
                    check=check if label == "bad" else None,
                    checks=frozenset({check}),
                    is_new=True,
                )


def _texts(facts: Facts, turn: int, stream: Random) -> Iterator[tuple[str, str, str]]:
    strange = stream.sample(_free(facts), 3)
    titles = [title for title, _, _ in facts.jobs]
    own = [titles[(turn + step) % len(titles)] for step in range(3)]
    name = _of(NAMES, turn)
    yield "titles", "bad", _say(_of(CLAIMS, turn), strange)
    yield "titles", "of others", _say(_of(OTHERS, turn), strange)
    yield "titles", "own", _say(_of(CLAIMS, turn), own)
    yield "titles", "plural", _say(_of(PLURALS, turn), strange)
    yield "titles", "praise", _of(PRAISE, turn)
    yield "other_candidate", "bad", _of(NAME_CLAIMS, turn // 3).format(n=name)
    yield "other_candidate", "own", _of(NAME_CLAIMS, turn).format(n=facts.name)
    yield "other_candidate", "no name", _of(NO_NAMES, turn)
    if turn % 2:
        one = _of(ONE_NAMES, turn // 2)
        yield "other_candidate", "bad", _of(ONE_NAME_CLAIMS, turn // 2 + turn // 9).format(n=one)


def _of(pool: Sequence[str], turn: int) -> str:
    return pool[turn % len(pool)]


def _free(facts: Facts) -> list[str]:
    document = facts.document.casefold()
    return [
        role
        for role in OCCUPATIONS
        if role.split()[0][:_LETTERS] not in document or role.split()[-1][:_LETTERS] not in document
    ]


def _say(frame: str, roles: Sequence[str]) -> str:
    a, b, c = roles
    text = frame.format(a=a, b=b, c=c)
    text = re.sub(r"\b([Aa]) (?=[aeiouAEIOU])", r"\1n ", text)
    return text[0].upper() + text[1:]


def _put(summary: str, text: str, stream: Random) -> str:
    sentences = _SENTENCE_END.split(summary)
    sentences.insert(stream.randint(1, len(sentences)), text)
    return " ".join(sentences)

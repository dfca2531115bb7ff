"""Names as they stand in prose: capitalised words that follow each other. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from profiles.standardization.text import split_sentences

__all__ = ["JOINERS", "PARTICLES", "STARTERS", "Name", "names_of"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STARTERS = _words("""
    the a an as it that in at with during having currently previously known his her their
    its she he they this these over since before after while by for from on to through
    across under within both also another other earlier later most throughout beyond besides
    skilled proficient experienced working here there who what when where and but or if i we
    you my our more all each every alongside beside despite unlike like according
    introducing being recommended few anyone today together about why how because meet thanks
""")
JOINERS = _words("of as & de du des la le")
PARTICLES = _words(
    "van von der den ter ten zu zur bin ibn bint al el di da do dos das del della y af av de la le"
    " du des"
)
"""Small words inside the names of people."""
_POINTED = re.compile(r"(?:[^\W\d_]\.)+\Z|(?:Mrs?|Ms|Dr|Prof|St|Sr|Jr)\.\Z")
_PREFIXED = re.compile(r"(?:al|el|bin|d|l|n)[-'’][^\W\d_]|(?:ka|de|di|la|le|du|mac)[A-Z][a-z]")
_TOKEN = re.compile(r"\S+")
_FIRST_PERSON = re.compile(r"I(?:['’](?:m|ve|d|ll))?\Z")
_LOOK_BACK = 60
_WORDS_BEFORE = 5
_LOOK_AHEAD = 40
_EDGE = "\"'“”‘’()[]{}<>.,;:!?…*_"


@dataclass(frozen=True, slots=True)
class Name:
    """Capitalised words that follow each other, the words just before them, the one after, how
    the text goes on, and whether they are a possessive or end at a comma."""

    words: tuple[str, ...]
    before: str
    after: str
    is_owner: bool
    ends_clause: bool = False
    rest: str = ""


def names_of(text: str) -> Iterator[Name]:
    """All names of a text, in order."""
    for sentence in split_sentences(text):
        yield from _names_in(sentence)


def _names_in(sentence: str) -> Iterator[Name]:
    run: list[str] = []
    start = 0
    tokens = list(_TOKEN.finditer(sentence))
    for position, token in enumerate(tokens):
        word = _stripped(token[0])
        if run and token[0][0] in "([":
            yield from _name(run, sentence, tokens, start)
            run = []
        if _is_capitalised(word):
            if not run:
                start = position
            run.append(word)
        elif run and _is_joiner(word) and _continues(tokens, position):
            run.append(word)
            continue
        elif run:
            yield from _name(run, sentence, tokens, start)
            run = []
        if run and token[0][-1] in ',;:.!?)”"' and not _goes_on(tokens, position):
            yield from _name(run, sentence, tokens, start)
            run = []
    if run:
        yield from _name(run, sentence, tokens, start)


def _continues(tokens: Sequence[re.Match[str]], position: int) -> bool:
    """Whether a capitalised word follows, after further small words or not."""
    following = (_stripped(token[0]) for token in tokens[position + 1 : position + 3])
    first, second = next(following, ""), next(following, "")
    return _is_capitalised(first) or (first in PARTICLES and _is_capitalised(second))


def _goes_on(tokens: Sequence[re.Match[str]], position: int) -> bool:
    """Whether the word's point ends an initial or a form of address, inside a name."""
    return _POINTED.match(tokens[position][0]) is not None and position + 1 < len(tokens)


def _is_joiner(word: str) -> bool:
    return word in JOINERS or word in PARTICLES


def _name(
    run: Sequence[str], sentence: str, tokens: Sequence[re.Match[str]], start: int
) -> Iterator[Name]:
    """The run as a name. The first word of a sentence is capitalised anyway: it counts only when
    the next one is, too, and it is no ordinary beginning."""
    words = tuple(run)
    is_cased = words[0].lower() != words[0].upper()
    if start == 0 and is_cased and (len(words) == 1 or words[0].lower() in STARTERS):
        words, start = words[1:], 1
    words = tuple(word for word in words if not _FIRST_PERSON.match(word))
    if words:
        position = tokens[start].start()
        looked_at = sentence[max(0, position - _LOOK_BACK) : position]
        told = looked_at.split()
        while told and told[-1] in PARTICLES:
            # "The strengths of van der Meer".
            told.pop()
        before = " ".join(told[-_WORDS_BEFORE:])
        end = start + len(words)
        yield Name(
            words=words,
            before=before,
            after=_stripped(tokens[end][0]) if end < len(tokens) else "",
            is_owner=tokens[end - 1][0].endswith(("'s", "’s")),
            ends_clause=tokens[end - 1][0].endswith(","),
            rest=_rest(sentence, tokens[end - 1]),
        )


def _rest(sentence: str, last: re.Match[str]) -> str:
    """How the text goes on after a name, from its punctuation on."""
    word = last[0].rstrip(",:")
    return sentence[last.start() + len(word) :][:_LOOK_AHEAD].lstrip()


def _stripped(token: str) -> str:
    word = token.strip(_EDGE)
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    return word


def _is_capitalised(word: str) -> bool:
    """Whether a word may be of a name; scripts without capitals always are."""
    if not word:
        return False
    first = word[0]
    if first.isascii():
        is_capital = first.isupper() or (first in ".@" and word[1:2].isupper())
        return is_capital or (
            _PREFIXED.match(word) is not None and word.rstrip("s") != word.lower()
        )
    return first.isalpha() and not first.islower()

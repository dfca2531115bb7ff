"""Counts of words in any script, and words of natural languages as data. Pure.

Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without spaces, and a Korean word holds
what English says in two or three: there a run of letters counts as so many words as its length
makes up on average.

`include/words/*.csv` is read once; a line is a section, a language or nothing, and words. They
belong to the rules as their code does, and no deployment configures them; that is why a module of
the core may read them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uff66-\uff9f]+")
_THAI: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
_HANGUL: Final = re.compile("[\uac00-\ud7af]+")
_SPACED: Final = bytes({*range(256)} - {0xE0, 0xE1, *range(0xE3, 0xEE), 0xEF})
"""First bytes of letters that are not among these, and of few others; bytes are searched ten times
as fast as text."""
_RUNS: Final = ((_HAN, 2), (_HANGUL, 3), (_THAI, 5))
_MARKS: Final = re.compile("[“”„«»‘’–—…•·¡¿]")
_NOT_A_LETTER: Final = bytes(
    code if code >= 0x80 or chr(code).isalnum() else 0x20 for code in range(256)
)
_NO_LETTER: Final = bytes(
    code if code < 0x80 and chr(code).isalpha() else 0x20 for code in range(256)
)
_ASCII: Final = bytes(range(0x80))
_ASCII_AS_SPACE: Final = b" " * 0x80 + bytes(range(0x80, 0x100))
_MOST_KNOWN: Final = 65_536
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_PLAIN: Final[set[bytes]] = set()
"""Words that were seen and are not `rare`: texts share most words, and to take one set from another
is far faster than any test of each."""


def count_words(text: str) -> int:
    """Words with a letter or digit; those of scripts without spaces by their letters.

    >>> count_words("Leads 3 teams ."), count_words("経理部長として勤務")
    (3, 5)
    >>> count_words("물류 센터를 운영했습니다")
    4
    """
    words = [word for word in text.split() if word.isalnum() or any(map(str.isalnum, word))]
    return len(words) + count_unspaced(text.encode("utf-8", "surrogatepass"))


def count_unspaced(text: bytes, other: bytes | None = None) -> int:
    """Words that a count of spaces misses in a text in UTF-8; `other` is what of it, and perhaps of
    more, is not ASCII, where the caller knows it."""
    if not (text if other is None else other).translate(None, _SPACED):
        return 0
    missed = 0
    written = b" ".join(text.translate(_ASCII_AS_SPACE).split()).decode("utf-8", "surrogatepass")
    for pattern, letters in _RUNS:
        for match in pattern.finditer(written):
            missed += max(0, -(-len(match[0]) // letters) - 1)
    return missed


class Words(set[bytes]):
    """The words of a text, the text in small letters of ASCII, and what of it is not ASCII; `rare`
    are words of more than letters of ASCII or digits, and those that end like a street."""

    lower: bytes
    other: bytes
    rare: list[bytes]


def plain_words(text: bytes) -> set[bytes]:
    """The words of a text in UTF-8 at a fifth of the cost; only ASCII gets small letters."""
    return set(text.lower().translate(_NOT_A_LETTER).split())


def word_set(text: str) -> Words:
    """The words of a text in small letters and UTF-8; of "mp3" and "200€/day" also the letters.

    Text lacks whatever it has no word of: one set spares most searches of a person's texts.

    >>> sorted(word_set("Rate it 5/5"))
    [b'5', b'it', b'rate']
    """
    # Bytes take a tenth of the time of text outside Latin 1. They are lowered first, which leaves
    # letters outside ASCII to those few words that have one.
    lower = text.encode("utf-8", "surrogatepass").lower()
    found = Words(lower.translate(_NOT_A_LETTER).split())
    rare = list(filter(_is_rare, unknown := found - _PLAIN))
    if len(_PLAIN) > _MOST_KNOWN:
        _PLAIN.clear()
    _PLAIN.update(unknown.difference(rare))
    found.lower, found.other = lower, b"".join(rare).translate(None, _ASCII)
    if rare:
        other = _MARKS.sub(" ", b" ".join(rare).decode("utf-8", "surrogatepass").lower())
        rare += encoded((*other.split(), *_LETTERS.findall(other)))
        found.update(rare)
    found.rare = rare
    return found


def _is_rare(word: bytes) -> bool:
    return not (word.isalpha() or word.isdigit()) or word.endswith(_STREET_ENDS)


def has_one_of_each(text: str, groups: Iterable[Iterable[bytes]]) -> bool:
    """Return whether a text has one of the words of each group, each between spaces."""
    data = only_letters(text)
    # `in` would raise and drop an exception before it looks at bytes.
    return all(any([data.find(word) >= 0 for word in found]) for found in groups)


def only_letters(text: str) -> bytes:
    """A text between spaces in small letters of ASCII: a byte, a space for most, of each other
    character."""
    return b" %b " % text.encode("ascii", "replace").lower().translate(_NO_LETTER)


def encoded(found: Iterable[str]) -> frozenset[bytes]:
    """Words as `word_set` has them."""
    return frozenset([word.lower().encode("utf-8", "surrogatepass") for word in found])


FOLDER: Final = Path(__file__).resolve().parents[2] / "words"


def words(file: str, section: str) -> frozenset[str]:
    """The words of a section, those of all its lines together."""
    return frozenset(word for line in rows(file, section) for word in line)


def rows(file: str, section: str) -> Iterator[list[str]]:
    """The words of each line of a section, in the order of the file."""
    found = [line for name, _, *line in _content(file) if name == section]
    if not found:
        raise KeyError(f"{file}.csv has no section '{section}'")
    yield from found


def labels(file: str, section: str) -> dict[str, str]:
    """The words of a section with the label of their line."""
    found = [line for line in _content(file) if line[0] == section]
    return {word: label for _, label, *line in found for word in line}


def alternatives(found: Iterable[str]) -> str:
    """A pattern that matches one of the words, the longest first."""
    longest_first = sorted(found, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


@cache
def _content(file: str) -> list[list[str]]:
    with (FOLDER / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        read = csv.reader(line for line in lines if not line.startswith("#"))
        return [line for line in read if line]


_STREET_ENDS: Final = tuple(
    encoded(words("contacts", "street_compound") | words("contacts", "street_weak_compound"))
)

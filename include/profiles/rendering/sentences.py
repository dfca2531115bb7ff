"""The sentences of several texts, each said once.

Two sentences are the same when they fold to the same letters and digits. A sentence that is the
beginning of another one (a vendor cut it) says nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from profiles.standardization.contacts import private_spans, without_spans
from profiles.standardization.sentences import split_sentences
from profiles.standardization.text import fold
from profiles.standardization.words import Words, words

MAX_SENTENCE_CHARS: Final = 1_200
_MIN_BEGINNING_CHARS: Final = 12
"""Shorter beginnings may be sentences of their own ("Led audits" and "Led audits in Pune")."""
_OWN_WORDS: Final = 4
"""A sentence with fewer words may rightly be said of two employers."""
_LABELS: Final = words("sentences", "label")
_END_MARKS: Final = frozenset(".!?…。！？)")
_CLOSING: Final = frozenset(".!?:;…。！？")
_WHOLE: Final = re.compile(r"(?<!\d)[.!?。！？]\Z")
"""End of a whole sentence that may begin another whole one; "WCAG 2." is cut before a digit."""
_LEFTOVER: Final = re.compile(
    r"(?<=[a-z)%][.!?])(?:\d{1,2}\.|\s?&(?:lt?|gt?|n(?:b(?:sp?)?)?|am?p?|quo?t?)?)\Z"
    r"|&#\d{0,4}\Z"
)
"""Rest of the next list item or tag where a vendor cut: "… of weeks.3.", "… of weeks.&l"."""
_LONGEST_LEFTOVER: Final = len("&nbsp.")
_LOWER: Final = bytes(range(256)).lower()
_DELETED: Final = bytes(code for code in range(128) if not chr(code).isalnum() and code != 10)
_MARKS: Final = "#>*|`~ "
"""Characters that would make a line a heading, quote, list or fence."""


class Line(Struct, frozen=True, gc=False):
    """A sentence and the folded key that it is compared by."""

    key: str
    text: str
    is_cut: bool = False
    """The last of its text, without the full stop that the others have."""


def lines_by_text(
    texts: Iterable[str], region: str | None = None, words: Words | None = None
) -> dict[str, tuple[Line, ...]]:
    """The contact-free sentences of each of the texts of a person, () for an empty one.

    `region` is the person's country, which national phone numbers are read with, `words` those of
    all texts, where the caller knows them.
    """
    other = None if words is None else words.other
    sentences = {text: list(split_sentences(text, other)) for text in dict.fromkeys(texts)}
    # One search over all texts: its fixed cost is that of a text.
    spans = private_spans("\n".join(sentences), region, words)
    begin = 0
    for text, found in sentences.items() if spans else ():
        end = begin + len(text)
        own = [(a - begin, b - begin) for a, b in spans if a < end and b > begin]
        if own:
            sentences[text] = list(_without_contacts(text, found, own, region))
        begin = end + 1
    every = [sentence for found in sentences.values() for sentence in found]
    letters = None if other is None else map(str.isalnum, other.decode("utf-8", "surrogatepass"))
    keys = iter(line_keys(every, is_latin=letters is not None and not any(letters)))
    return {text: _lines(found, keys) for text, found in sentences.items()}


def _lines(sentences: Sequence[str], keys: Iterator[str]) -> tuple[Line, ...]:
    found = [
        Line(key, text.lstrip(_MARKS))
        for text, key in zip(sentences, keys, strict=False)
        if key and key not in _LABELS
    ]
    if not found:
        return ()
    last = found[-1].text
    if ("&" in last[-_LONGEST_LEFTOVER:] or last[-2:-1].isdigit()) and (
        leftover := _LEFTOVER.search(last)
    ):
        last = last[: leftover.start()]
        found[-1] = Line(line_keys([last])[0], last)
    if len(found) > 1 and last[-1:] not in _END_MARKS and found[-2].text[-1:] in _END_MARKS:
        found[-1] = replace(found[-1], is_cut=True)
    return tuple(found)


def line_keys(sentences: Sequence[str], *, is_latin: bool = False) -> list[str]:
    """Letters and digits of each sentence in lower case: what two spellings of it share.

    `is_latin`: none has letters or digits outside ASCII.
    """
    text = b"\n".join([sentence.encode("ascii", "ignore") for sentence in sentences])
    keys = text.translate(_LOWER, _DELETED).decode("ascii").split("\n")
    if is_latin:
        return keys
    return [
        key
        if sentence.isascii() or not any(char.isalnum() for char in sentence if char > "\x7f")
        else fold(sentence).replace(" ", "")
        for sentence, key in zip(sentences, keys, strict=False)
    ]


def _without_contacts(
    text: str, sentences: Sequence[str], spans: Sequence[tuple[int, int]], region: str | None
) -> Iterator[str]:
    """The sentences of `text` without what stands at its `spans`; "" for one of little else."""
    position = 0
    for sentence in sentences:
        start = text.find(sentence, position)
        if start < 0:
            own = private_spans(sentence, region)
        else:
            position = end = start + len(sentence)
            own = [
                (max(a, start) - start, min(b, end) - start)
                for a, b in spans
                if a < end and b > start
            ]
        rest = without_spans(sentence, own)
        is_enough = rest.count(" ") >= _OWN_WORDS and 2 * len(rest) > len(sentence)
        yield rest if is_enough or rest == sentence else ""


def union(groups: Iterable[Sequence[Line]]) -> tuple[Line, ...]:
    """All lines of `groups` in order of first appearance, repeats and cut ones removed."""
    kept: dict[str, Line] = {}
    last: Sequence[Line] = ()
    for group in groups:
        # Vendors that copy one another share the very tuple.
        if group is not last:
            for line in group:
                kept.setdefault(line.key, line)
            last = group
    if len(kept) > 1:
        for key in _beginnings(kept):
            del kept[key]
    return tuple(kept.values())


class SaidBefore:
    """Remembers what newer jobs of a person already said.

    `jobs` are the lines of all jobs: a sentence that a vendor cut says nothing beside a whole one
    that begins alike, be it an older job's.
    """

    def __init__(self, jobs: Iterable[Sequence[Line]]) -> None:
        self._cut = _cut_beginnings(jobs)
        self._anywhere: set[str] = set()
        self._of_employer: dict[str | None, set[str]] = {}

    def new(self, lines: Sequence[Line], employer: str | None) -> tuple[str, ...]:
        """The texts of those `lines` that no newer job at that employer has; remembers them."""
        fresh = []
        of_employer = self._of_employer.setdefault(employer, set())
        for line in lines:
            key = line.key
            if key in of_employer or key in self._cut:
                continue
            of_employer.add(key)
            if line.text.count(" ") >= _OWN_WORDS - 1:
                self._anywhere.add(key)
            fresh.append(line.text)
        return tuple(fresh)

    def quotes(self, line: Line) -> bool:
        """Return whether `line` repeats a job's sentence, labelled or not ("Most proud of: …")."""
        if line.key in self._anywhere:
            return True
        label, colon, rest = line.text.partition(": ")
        return (
            bool(colon) and label.count(" ") < _OWN_WORDS and line_keys([rest])[0] in self._anywhere
        )


def within(sentences: Sequence[str], budget: int) -> tuple[str, ...]:
    """The first sentences that fit `budget` characters; the first one always, cut if need be."""
    if sum(map(len, sentences)) + 3 * len(sentences) <= min(budget, MAX_SENTENCE_CHARS):
        return tuple(sentences)
    kept: list[str] = []
    used = 0
    for sentence in sentences:
        text = shorten(sentence)
        used += len(text) + 3
        if kept and used > budget:
            break
        kept.append(text)
    return tuple(kept)


def shorten(sentence: str, most: int = MAX_SENTENCE_CHARS) -> str:
    """An endless sentence cut at a word."""
    return sentence if len(sentence) <= most else sentence[: most - 1].rsplit(" ", 1)[0] + "…"


def closed(sentence: str) -> str:
    """A sentence with an end, so that the next one does not run into it."""
    return sentence if sentence[-1:] in _CLOSING else f"{sentence}."


def _cut_beginnings(jobs: Iterable[Sequence[Line]]) -> frozenset[str]:
    lines = [line for job in jobs for line in job]
    cut = {line.key for line in lines if line.is_cut}
    if not cut:
        return frozenset()
    whole = {line.key for line in lines if not line.is_cut}
    cut -= whole
    ordered = sorted(cut | whole)
    return frozenset(
        key for key, following in pairwise(ordered) if key in cut and following.startswith(key)
    )


def _beginnings(kept: dict[str, Line]) -> list[str]:
    # Sorted, a key that begins another one stands right before one that it begins.
    ordered = sorted(kept)
    return [
        key
        for key, following in pairwise(ordered)
        if following.startswith(key)
        and (kept[key].is_cut or len(key) >= _MIN_BEGINNING_CHARS)
        and not _WHOLE.search(kept[key].text)
    ]

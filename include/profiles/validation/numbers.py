"""Numbers of a text in any notation: digits, scales, percentages, durations, number words. Pure.

    "1,8 %", "18.000", "R$ 145 milhões", "₹5 Cr", "12 lakh", "three and a half years", "百万"

A separator that may mean two things gives both readings: "1.900" is 1,900 and 1.9.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from profiles.validation.wording import number_words, unit_pattern

__all__ = ["Amount", "Magnitude", "amounts_of", "magnitudes_of", "plain"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with each value that it may have; `unit` is percent, year, month or ""."""

    values: tuple[float, ...]
    unit: str
    start: int
    end: int
    is_word: bool
    is_about: bool
    is_points: bool = False
    """Whether it is a difference of percentages."""

    @property
    def value(self) -> float:
        """Its usual reading."""
        return self.values[0]

    def agrees(self, other: Amount) -> bool:
        """Whether both may be the same number; a rounded claim may miss by a tenth."""
        if self.unit == "percent" and other.unit not in ("percent", "") and other.is_word:
            return False
        tolerance = 0.1 if self.is_about else 0.0005
        return any(
            abs(mine - theirs) <= tolerance * max(abs(theirs), 1e-9) + 1e-9
            for mine in self.values
            for theirs in other.values
        )


@dataclass(frozen=True, slots=True)
class Magnitude:
    """A number that is not told: "several hundred", "dozens of"."""

    low: float
    high: float
    start: int


_DASHES = str.maketrans("‐‑‒–−’", "-----'")
_NUMBER = (
    r"\d{1,3}(?:[ ]\d{3})+(?![\d])(?:[.,]\d{1,2}(?!\d))?|\d{1,3}(?:'\d{3})+"
    r"|\d+(?:[.,]\d+)*"
)
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_DIGIT = re.compile(r"\d+")
_LATIN = "A-Za-zÀ-ɏ"
_ABOUT_WIDTH = 28
_MORE_OR_LESS = frozenset(
    ("more than", "less than", "fewer than", "up to", "at least", "close to", "just over",
     "just under", "well over", "excess of")
)  # fmt: skip
_POINTS_WIDTH = 21
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|/7\b|[- ]degree\b|\.0\b", re.IGNORECASE)
_HALF = re.compile(r"\s+and\s+a\s+half\b", re.IGNORECASE)
_JOIN = re.compile(r"(?:[\s-]{1,9}|\s{1,9}and\s+)\Z", re.IGNORECASE)


def plain(text: str) -> str:
    """The text in one notation: compatibility forms, dashes, and digits of all scripts."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).translate(_DASHES)
    return _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)


def amounts_of(text: str, *, is_foreign: bool = False) -> list[Amount]:
    """The numbers of a plain text; number words of other languages only where it may have them.

    >>> [(a.value, a.unit) for a in amounts_of("cut costs by 12% and saved $5M in three years")]
    [(12.0, 'percent'), (5000000.0, ''), (3.0, 'year')]
    """
    found = list(_in_digits(text, is_foreign=is_foreign)) if any(map(str.isdigit, text)) else []
    found.extend(_in_words(text, is_foreign=is_foreign))
    return sorted(found, key=lambda amount: amount.start)


def magnitudes_of(text: str) -> Iterator[Magnitude]:
    """The numbers that a text only hints at."""
    if not any(word in text for word in _HINTS):
        return
    for match in _VAGUE.finditer(text):
        word = (match[1] or match[2] or match[3]).lower().removesuffix("s")
        size = {"dozen": 12.0, "ten": 10.0}.get(word) or number_words()["scale"][word]
        yield Magnitude(size, size * 12, match.start())


_HINTS = ("dozen", "hundred", "thousand", "million", "ens of")
_VAGUE = re.compile(
    r"\b(?:(?:several|many|a few|multiple)\s+(dozen|hundred|thousand|million)s?"
    r"|(dozens|hundreds|thousands|millions|tens)\s+of(?!\s+(?:thousands|millions))"
    r"|tens\s+of\s+(thousands|millions))\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _digits() -> re.Pattern[str]:
    words = number_words()
    scales = [word for word in words["scale"] if word[0].isascii() or word[0].isalpha()]
    latin = "|".join(sorted((re.escape(word) for word in scales), key=len, reverse=True))
    percent = "|".join(map(re.escape, words["percent"])) + "|per cent"
    return re.compile(
        rf"(?<![{_LATIN}\d_])(?<!\d[.,/])(?P<number>{_NUMBER})"
        rf"(?:\s?-?(?P<scale>{latin})(?![{_LATIN}])\.?)?(?P<plus>\+)?"
        rf"(?:\s*(?P<percent>{percent})|[\s-]*(?P<year>{_units('year')})\b"
        rf"|[\s-]*(?P<month>{_units('month')})\b)?",
        re.IGNORECASE,
    )


def _units(unit: str) -> str:
    return "|".join(sorted(number_words()[unit], key=len, reverse=True))


def _is_about(text: str, start: int) -> bool:
    """Whether words before a number round it: "about", "more than", "over $"."""
    words = text[max(0, start - _ABOUT_WIDTH) : start].split()
    while words and (not words[-1][-1].isalnum() or words[-1].isupper() or words[-1] in "an"):
        words.pop()
    last = [word.lower() for word in words[-2:]]
    return bool(last) and (last[-1] in number_words()["about"] or " ".join(last) in _MORE_OR_LESS)


def _in_digits(text: str, *, is_foreign: bool) -> Iterator[Amount]:
    end = 0
    for digit in _DIGIT.finditer(text):
        match = _digits().match(text, digit.start()) if digit.start() >= end else None
        if match is None:
            continue
        end = match.end()
        if _ORDINAL.match(text, match.end("number")):
            continue
        scale = number_words()["scale"].get((match["scale"] or "").lower(), 1.0)
        unit = next((name for name in ("percent", "year", "month") if match[name]), "")
        if is_foreign and not unit:
            unit = _unit_abroad(text, match.end())
        values = tuple(value * scale for value in _readings(match["number"]))
        half = _HALF.match(text, match.end())
        if half:
            values = (values[0] + 0.5, *values)
        is_about = bool(match["plus"]) or _is_about(text, match.start())
        is_points = "points" in text[match.end() : match.end() + _POINTS_WIDTH].lower()
        yield Amount(values, unit, match.start(), match.end(), False, is_about, is_points)


def _unit_abroad(text: str, place: int) -> str:
    return next((unit for unit in ("year", "month") if unit_pattern(unit).match(text, place)), "")


def _readings(number: str) -> tuple[float, ...]:
    if number.isdigit():
        return (float(number),)
    number = number.replace(" ", "").replace("'", "")
    marks = [char for char in number if char in ".,"]
    if not marks:
        return (float(number),)
    bare = number.replace(".", "").replace(",", "")
    last = number.rfind(marks[-1])
    decimal = float(number[:last].replace(".", "").replace(",", "") + "." + number[last + 1 :])
    if len(set(marks)) == 2:
        return (decimal,)
    if len(marks) > 1:
        return (float(bare),)
    if len(number) - last - 1 == 3:
        return (float(bare), decimal) if marks[0] == "," else (decimal, float(bare))
    return (decimal,)


@lru_cache(maxsize=2)
def _words(is_foreign: bool) -> tuple[re.Pattern[str], dict[str, float]]:
    words = number_words()
    values = dict(words["en"]) | ({**words["other"], **words["en"]} if is_foreign else {})
    either = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    scales = "|".join(w for w in words["scale"] if len(w) > 3 and w.isascii())
    return (
        re.compile(
            rf"(?<![{_LATIN}\d])(?P<word>{either}|a(?=\s+(?:hundred|thousand|decade)))(?![{_LATIN}])"
            rf"|(?P<scale>(?<=[\s-])(?:{scales})s?)(?![{_LATIN}])"
            r"|(?P<decade>\bdecades?\b)",
            re.IGNORECASE,
        ),
        values,
    )


@lru_cache(maxsize=2)
def _number_starts(is_foreign: bool) -> frozenset[str]:
    words, scale = _words(is_foreign)[1], number_words()["scale"]
    singular = {*(word.split()[0] for word in words), *scale, "a", "decade", "decades"}
    return frozenset(singular | {f"{word}s" for word in scale})


def _number_words_of(
    text: str, pattern: re.Pattern[str], *, is_foreign: bool
) -> Iterator[re.Match[str]]:
    """The matches of a pattern of number words, which is tried where one begins."""
    if not text.isascii() and _UNSPACED.search(text):
        yield from pattern.finditer(text)
        return
    starts, end = _number_starts(is_foreign), 0
    for word in _LETTERS.finditer(text.lower()):
        if word[0] in starts and word.start() >= end:
            match = pattern.match(text, word.start())
            if match is not None:
                end = match.end()
                yield match


_UNSPACED = re.compile("[\u2e80-\U0003ffff]")
_LETTERS = re.compile(r"[^\W\d_]+")
_AFTER = re.compile(
    r"\s{0,9}(?P<percent>percent|per cent|%)"
    r"|[\s-]{0,9}(?:full\s+|working\s+)?(?P<year>years?|yrs?)\b"
    r"|[\s-]{0,9}(?P<month>months?)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Run:
    """Number words in a row, such as "twenty-five thousand"."""

    start: int
    end: int
    whole: float = 0
    part: float = 0

    @property
    def value(self) -> float:
        return self.whole + self.part


def _in_words(text: str, *, is_foreign: bool) -> Iterator[Amount]:
    pattern, values = _words(is_foreign)
    run: _Run | None = None
    for match in _number_words_of(text, pattern, is_foreign=is_foreign):
        if run is not None and not _JOIN.match(text[run.end : match.start()]):
            yield _amount(text, run, is_foreign=is_foreign)
            run = None
        if match["word"]:
            value = values.get(match["word"].lower(), 1.0)
            if (
                run is not None
                and (run.part % 100 or (run.part == 0 and not run.whole))
                and not (20 <= run.part < 100 and value < 10)
            ):
                yield _amount(text, run, is_foreign=is_foreign)
                run = None
            run = run or _Run(match.start(), match.end())
            run.part += value
        elif run is not None:
            word = (match["scale"] or match["decade"]).lower()
            scale = number_words()["scale"].get(word) or number_words()["scale"].get(
                word.rstrip("s")
            )
            if match["decade"]:
                yield Amount((run.value * 10,), "year", run.start, match.end(), True, True)
                run = None
                continue
            run.part *= scale or 1
            if scale and scale >= 1000:
                run.whole, run.part = run.whole + run.part, 0
        if run is not None:
            run.end = match.end()
    if run is not None:
        yield _amount(text, run, is_foreign=is_foreign)


def _amount(text: str, run: _Run, *, is_foreign: bool) -> Amount:
    half = _HALF.match(text, run.end)
    end = half.end() if half else run.end
    after = _AFTER.match(text, end)
    unit = next((name for name in ("percent", "year", "month") if after and after[name]), "")
    if is_foreign and not unit:
        unit = _unit_abroad(text, end)
    values = (run.value + 0.5, run.value) if half else (run.value,)
    return Amount(
        values, unit, run.start, after.end() if after else end, True, _is_about(text, run.start)
    )

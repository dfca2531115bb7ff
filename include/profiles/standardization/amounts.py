"""Numbers of a text in any notation: digits, scales, percentages, durations, number words. Pure.

    "1,8 %", "18.000", "R$ 145 milhões", "₹5 Cr", "12 lakh", "three and a half years", "百万"

A separator that may mean two things gives both readings: "1.900" is 1,900 and 1.9.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from babel.units import format_unit

from profiles.standardization.characters import decimal_numerals
from profiles.standardization.words import alternatives, labels, words


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with each value that it may have; `unit` is percent, year, month or "". `rounded` is
    None, or how its text rounds it: "about", "below" for "almost", "above" for "over"."""

    values: tuple[float, ...]
    unit: str
    start: int
    end: int
    is_word: bool
    rounded: str | None

    @property
    def value(self) -> float:
        """Its usual reading."""
        return self.values[0]

    def agrees(self, other: Amount) -> bool:
        """Return whether both may be the same number; a rounded claim may miss by a tenth."""
        if self.unit == "percent" and other.unit not in ("percent", "") and other.is_word:
            return False
        tolerance = 0.1 if self.rounded else 0.0005
        return any(
            abs(mine - theirs) <= tolerance * theirs + 1e-9
            for theirs in other.values
            for mine in self.values
        )


_DASHES = str.maketrans("‐‑‒–−’", "-----'")
_LOOKALIKE = re.compile(r"(?<=\d)[АВЕКМНОРСТХ](?!\w)")
_LATIN_LOOK = str.maketrans("АВЕКМНОРСТХ", "ABEKMHOPCTX")
"""Cyrillic capitals behind a digit: 1С is 1C."""
_NUMBER = (
    r"\d{1,3}(?:[ ]\d{3})+(?![\d])(?:[.,]\d{1,2}(?!\d))?|\d{1,3}(?:'\d{3})+"
    r"|\d+(?:[.,]\d+)*"
)
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_NUMERALS = re.compile("[〇零一二三四五六七八九十百千两兩]{2,}|[一二三四五六七八九](?=[万萬億亿])")
_DIGIT = re.compile(r"\d+")
_LATIN = "A-Za-zÀ-ɏ"
_ABOUT_WIDTH = 28
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|/7\b|[- ]degree\b|\.0\b", re.IGNORECASE)
_HALF = re.compile(r"\s+and\s+a\s+half\b", re.IGNORECASE)
_HALF_OF = re.compile(r"\bhalf a \Z")
_PARTS = ("third", "fifth", "tenth", "quarter", "half", "halv", "doubl", "tripl")
_JOIN = re.compile(r"(?:[\s-]{1,9}|\s{1,9}and\s+)\Z", re.IGNORECASE)
_UNSPACED = re.compile("[\u2e80-\U0003ffff]")
_TO = re.compile(r"\W{0,4}[^\W\d_]{0,3}\W{0,4}")
"""What may stand between the numbers of a range: "3,2 a 7,8 milioni"."""
_LETTERS = re.compile(r"[^\W\d_]+")
_UNITS = ("percent", "year", "month")
_COUNTS = (1, 2, 3, 7, 20, 1.5)
"""Counts that between them take every plural form of CLDR."""


@cache
def _values(section: str) -> dict[str, float]:
    return {word: float(value) for word, value in labels("numbers", section).items()}


_RATIO = alternatives(_values("part").keys() - {"half", "quarter", "doubled", "tripled"})
_FRACTION = re.compile(
    rf"\b(?:(?P<count>a|{alternatives(_values('en'))})[ -](?P<part>{_RATIO}s?"
    r"|(?<=three )quarters|(?<=by a )quarter|(?<=than a )quarter)"
    r"|(?:by (?:a |one )?|than )half|halved|(?P<verb>doubled|tripled))\b",
    re.IGNORECASE,
)
_ROUNDING = "|".join(
    f"(?P<{how}>{alternatives(words('numbers', how))})" for how in ("about", "below", "above")
)
_ABOUT = re.compile(
    rf"\b(?:{_ROUNDING})\s+(?:an?\s+|[a-z]{{1,4}}\s?)?[^\w\s]{{0,3}}\s?\Z",
    re.IGNORECASE,
)
_DIGITS = re.compile(
    rf"(?<![{_LATIN}\d_])(?<!\d[.,/])(?P<number>{_NUMBER})"
    rf"(?:\s?-?(?!(?<=\s)(?-i:[a-z])(?!\w))(?P<scale>{alternatives(_values('scale'))})"
    rf"(?![{_LATIN}²³]|(?<=m)[23]\b)\.?)?(?P<plus>\+)?",
    re.IGNORECASE,
)
_PERCENT, _YEAR, _MONTH = (alternatives(words("numbers", unit)) for unit in _UNITS)
_AFTER = re.compile(
    rf"\s{{0,9}}(?P<percent>{_PERCENT}|per cent)"
    rf"|[\s-]{{0,9}}(?:full\s+|working\s+)?(?:(?P<year>{_YEAR})|(?P<month>{_MONTH}))\b",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """The text in one notation: compatibility forms, dashes, and digits of all scripts."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).translate(_DASHES)
    text = _LOOKALIKE.sub(lambda match: match[0].translate(_LATIN_LOOK), text)
    text = _NUMERALS.sub(decimal_numerals, text)
    return _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)


def amounts_of(text: str, *, is_foreign: bool = False) -> list[Amount]:
    """The numbers of a plain text; number words of other languages only where it may have them.

    >>> [(a.value, a.unit) for a in amounts_of("cut costs by 12% and saved $5M in three years")]
    [(12.0, 'percent'), (5000000.0, ''), (3.0, 'year')]
    """
    lowered = text.lower()
    found = _in_digits(text, is_foreign=is_foreign)
    found += _in_words(text, lowered, is_foreign=is_foreign)
    if any([part in lowered for part in _PARTS]):
        parts = list(_fractions(text))
        inside = {place for part in parts for place in range(part.start, part.end)}
        found = [*parts, *(amount for amount in found if amount.start not in inside)]
    return sorted(found, key=lambda amount: amount.start)


def _fractions(text: str) -> Iterator[Amount]:
    """Parts of a whole in words, as percent: "two thirds", "by half"."""
    for match in _FRACTION.finditer(text):
        name = (match["part"] or match["verb"] or "half").lower()
        count = _values("en").get((match["count"] or "one").lower(), 1.0)
        value = count * 100 / _values("part")[name.rstrip("s")]
        yield Amount((value,), "percent", match.start(), match.end(), True, "about")


@cache
def _unit(unit: str) -> re.Pattern[str]:
    """A unit of time behind a number, in each language that babel knows."""
    found: set[str] = set()
    for locale in words("numbers", "locales"):
        for count in _COUNTS:
            shown = format_unit(count, f"duration-{unit}", "long", locale=locale)
            found.update(word for word in shown.split() if word[0].isalpha())
            found.update(_LETTERS.findall(shown))
    either = alternatives(found)
    return re.compile(rf"[\s-]{{0,3}}{either}[a-zà-ž]{{0,2}}(?![A-Za-zà-ž])", re.IGNORECASE)


def _in_digits(text: str, *, is_foreign: bool) -> list[Amount]:
    """The numbers in digits; the first of a range may mean the scale of the second."""
    found: list[Amount] = []
    end = 0
    for digit in _DIGIT.finditer(text):
        match = _DIGITS.match(text, digit.start()) if digit.start() >= end else None
        if match is None:
            continue
        end = match.end()
        if not _ORDINAL.match(text, match.end("number")):
            values = _scaled(match)
            last = found[-1] if found and match["scale"] else None
            if last and not last.unit and _TO.fullmatch(text, last.end, digit.start()):
                scale = _values("scale").get(match["scale"].lower(), 1.0)
                found[-1] = replace(last, values=(*last.values, last.value * scale))
            while (match["scale"] or "a") > "\u2e80" and (further := _DIGITS.match(text, end)):
                # 3億2,000万: parts of one number, without a space.
                values, end, match = [values[0] + _scaled(further)[0]], further.end(), further
            start = digit.start()
            amount = _amount(text, start, end, tuple(values), is_word=False, is_foreign=is_foreign)
            end = amount.end
            found.append(amount)
    return found


def _scaled(match: re.Match[str]) -> list[float]:
    readings, unit = _readings(match["number"]), (match["scale"] or "").lower()
    scale = _values("scale").get(unit, 1.0)
    values = [round(value * scale, 6) for value in readings]
    return [*values, *readings] if unit == "l" else values


def _readings(number: str) -> tuple[float, ...]:
    number = number.replace(" ", "").replace("'", "")
    *groups, last = re.split("[.,]", number)
    bare, decimal = float("".join([*groups, last])), float(f"{''.join(groups)}.{last}")
    marks = {char for char in number if char in ".,"}
    if len(marks) == 2 or (len(groups) == 1 and len(last) != 3):
        return (decimal,)
    if len(groups) != 1:
        return (bare,)
    return (bare, decimal) if "," in marks else (decimal, bare)


@cache
def _words(is_foreign: bool) -> tuple[re.Pattern[str], dict[str, float], frozenset[str]]:
    """A pattern of number words, their values, and the words with which they begin."""
    scale = _values("scale")
    values = {**_values("other"), **_values("en")} if is_foreign else _values("en")
    large = alternatives(word for word in scale if len(word) > 3 and word.isascii())
    pattern = re.compile(
        rf"(?<![{_LATIN}\d])(?P<word>{alternatives(values)})(?![{_LATIN}])"
        rf"|(?P<scale>(?<=[\s-]){large}s?)(?![{_LATIN}])|(?P<decade>\bdecades?\b)"
    )
    firsts = {*(word.split()[0] for word in values), *scale, "decade", "decades"}
    return pattern, values, frozenset(firsts | {f"{word}s" for word in scale})


def _in_words(text: str, lowered: str, *, is_foreign: bool) -> Iterator[Amount]:
    """Number words in a row are one number, such as "twenty-five thousand"."""
    pattern, values, firsts = _words(is_foreign)
    is_spaced = text.isascii() or not _UNSPACED.search(text)
    if is_spaced and firsts.isdisjoint(_LETTERS.findall(lowered)):
        return
    run: list[re.Match[str]] = []
    for match in pattern.finditer(lowered if len(lowered) == len(text) else text):
        if run and not _goes_on(run[-1], match, values):
            yield _of_words(text, run, values, is_foreign=is_foreign)
            run = []
        if run or match["word"] or text.endswith("a ", 0, match.start()):
            run.append(match)
    if run:
        yield _of_words(text, run, values, is_foreign=is_foreign)


def _goes_on(last: re.Match[str], match: re.Match[str], values: dict[str, float]) -> bool:
    """Return whether a number word goes on with one: "twenty" with "five", not "four"."""
    if not _JOIN.match(match.string[last.end() : match.start()]) or last["decade"]:
        return False
    if not (last["word"] and match["word"]):
        return True
    tens, ones = values[last[0].lower()], values[match[0].lower()]
    return (10 <= tens < 100 and ones < 10) or (tens >= 100 and tens % 100 == 0)


def _of_words(
    text: str, run: list[re.Match[str]], values: dict[str, float], *, is_foreign: bool
) -> Amount:
    scales = _values("scale")
    start, end = run[0].start(), run[-1].end()
    whole, part = 0.0, 0.0
    if half := None if run[0]["word"] else _HALF_OF.search(text, max(0, start - 8), start):
        start, part = half.start(), 0.5
    for match in run:
        word = match[0].lower()
        if match["word"]:
            part += values[word]
        elif match["decade"]:
            return Amount((10 * (part or 1),), "year", start, end, True, "about")
        else:
            scale = scales.get(word) or scales[word.removesuffix("s")]
            part = (part or 1) * scale
            whole, part = (whole + part, 0.0) if scale >= 1000 else (whole, part)
    return _amount(text, start, end, (whole + part,), is_word=True, is_foreign=is_foreign)


def _amount(
    text: str,
    start: int,
    end: int,
    values: tuple[float, ...],
    *,
    is_word: bool,
    is_foreign: bool,
) -> Amount:
    """The number with a half and the unit behind it, and what rounds it."""
    rounded = "above" if text[end - 1] == "+" else rounded_before(start, text)
    if half := _HALF.match(text, end):
        values, end = (values[0] + 0.5, *values), half.end()
    after = _AFTER.match(text, end)
    unit = next((name for name in _UNITS if after and after[name]), "")
    if is_foreign and not unit:
        unit = next((name for name in _UNITS[1:] if _unit(name).match(text, end)), "")
    return Amount(values, unit, start, after.end() if after else end, is_word, rounded)


def rounded_before(start: int, text: str) -> str | None:
    """How the words before a number round it."""
    found = _ABOUT.search(text, max(0, start - _ABOUT_WIDTH), start)
    return found.lastgroup if found else None

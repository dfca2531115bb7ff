"""Jobs and studies in cells of text, in groups and in numbered columns: ATS exports and lemlist;
and what the text of a resume says beside its parsed values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Final

import orjson

from profiles.extraction.facts import WRAPPED, members, objects
from profiles.standardization.contacts import private_spans
from profiles.standardization.contacts.pay import pay_spans
from profiles.standardization.sentences import is_ended, join_wrapped, split_sentences
from profiles.standardization.text import fold_once
from profiles.standardization.words import plain_words, word_set

_TRAILING_PARENTHESIS: Final = re.compile(r"(?<!\s)\s*\((?P<inside>[^()]*)\)\s*\Z")
_PARENTHESIS: Final = re.compile(r"\(([^()]{4,60})\)(?:\s?[-–—:,]\s|\W{0,3}\Z)")
_PERIOD: Final = re.compile(r"(?:19|20)\d\d\s?(?:[-–—]|to\b)")
_BEFORE_EMPLOYER: Final = re.compile(r"(?:,\s|\s[-–—]\s|\s@\s?)(?![a-zß-ÿ])")
_DATES: Final = re.compile(r"\d{4}|present|current|till|date|now|\?", re.IGNORECASE)
_AT: Final = re.compile(r"(?<!\s)\s+(?:@|at)\s+", re.IGNORECASE)
_RANGE: Final = re.compile(r"(?<!\s)\s+(?:-|–|—|to)\s+", re.IGNORECASE)
_STUDY_SEPARATOR: Final = re.compile(r"(?:(?<!\s)\s+)?[;\n]\s*")
_SCHOOL: Final = re.compile(
    r"(?i:univ|colle|instit|school|schule|acad|escola|escuela|[eé]cole|facult|polit[eé]c)"
    r"|\b[A-Z]{3,}\b"
)
"""Pattern that matches the name of a school, but not that of a field of study."""
_YEARS: Final = re.compile(
    r"(?P<first>(?:19|20)\d\d)(?:\s*(?:-|–|—|to)\s*(?P<last>(?:19|20)\d\d))?"
)
_NUMBERED: Final = re.compile(r"(experience|school|language)(\d{1,2})_?([A-Za-z]\w*)?")

_PIECES: Final = re.compile(r"[\t|]|\s{2,}|(?<=[.;])\s(?=[^\s:]{1,30}(?:\s[^\s:]{1,30})?:)")
_LABEL: Final = re.compile(r"[^:：]{1,40}[:：](?P<value>[^,;、，]*)")
_PRIVATE: Final = re.compile(
    r"(?<!\d)\d{1,2}\s?([./-])\s?\d{1,2}\s?\1\s?\d{2,4}(?!\d)|(?<!\d)\d{4}([./-])\d{1,2}\2\d{1,2}(?!\d)"
    r"|(?<![\d/])\d{1,2}(?:\.|st|nd|rd|th)?[\s-]{1,2}(?:de\s)?[^\s\d/]{3,12},?[\s-]{1,2}(?:de\s)?\d{4}(?!\d)"
    r"|(?i:\b(?:jan|feb|ma[ry]|apr|ju[nl]|aug|sep|oct|nov|dec)[a-z]{0,6})\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}(?!\d)"
    r"|\b[A-Z]{1,3}\d{6,9}\b|(?:\d[ -]?){9}|\d[A-Za-z]?,\s(?!(?:19|20)\d\d\s)\d{4,5}\s[^\W\d_]"
    r"|[^\W\d_]{3}[ -]{1,3}\d{5,6}\W?\Z|\d\s?[日일]"
)
"""A date with its day, mostly of birth; a document's number; a post code beside a house or town."""
_HEADER_LINES: Final = 10
_NAME_LINES: Final = 3
_HEADER_GAP: Final = 3
_LONGEST_HEADER: Final = 80
_NO_HEADING: Final = re.compile(r"[\d,;]")
_HEADING_WORDS: Final = 4
_LONGEST_UNSPACED_HEADING: Final = 6
_LONGEST_LINE: Final = 240
_SHORTEST_WORD: Final = 3
_FEWEST_TELLING: Final = 2
_FEWEST_BEHIND: Final = 3
_SAID: Final = 0.8
_MOST_UNSAID: Final = 1_500
_FIRST_UNSPACED: Final = "\u2e80"


def unsaid_lines(row: object) -> list[Mapping[str, object]]:
    """The lines of a resume's text that the parsed values do not say, as far as there is room.

    Left out: the header with name and contacts, headings, dates with a day, numbers of documents,
    and a label with a word or two (`Religion: none`).
    """
    if not isinstance(row, dict) or not isinstance(text := row.get("raw_text"), str):
        return []
    text = text.encode(errors="replace").decode()
    try:
        parsed = orjson.dumps(row.get("raw"))
    except TypeError:  # A number of more than 64 bits, half of a surrogate pair.
        parsed = repr(row.get("raw")).encode(errors="replace")
    # Some parsers keep the text among their values.
    parsed = parsed.replace(orjson.dumps(text.strip())[1:-1], b"").replace(rb"\n", b" ")
    # Most words of most texts are among the values: plain words tell that at the least cost.
    new = plain_words(text.encode()) - plain_words(parsed)
    if sum(len(word) >= _SHORTEST_WORD for word in new) < _FEWEST_TELLING:
        return []
    said = _telling(parsed.decode())
    left = _MOST_UNSAID
    found: dict[str, None] = {}
    for line in _lines(text, new):
        telling = _telling(line)
        is_said = len(telling & said) >= _SAID * len(telling)
        if is_said or len(telling) < _FEWEST_TELLING or _PRIVATE.search(line):
            continue
        if len(line) <= left:
            left -= len(line)
            found[line] = None
    return [{"raw_text": line} for line in found]


def _telling(text: str) -> set[str]:
    """Words of three letters and numbers; pairs of letters where no spaces are written."""
    words = word_set(text)
    found = {word.decode() for word in words if word.isascii()}
    if words.other:
        other = b" ".join(word for word in words if not word.isascii())
        for word in fold_once(other.decode("utf-8", "surrogatepass")).split():
            is_unspaced = max(word) >= _FIRST_UNSPACED
            found.update([word[n : n + 2] for n in range(len(word) - 1)] if is_unspaced else [word])
    return {
        word
        for word in found
        if len(word) >= _SHORTEST_WORD or not word.isascii() or word.isdecimal()
    }


def _lines(text: str, new: Set[bytes]) -> Iterator[str]:
    """The lines below the header with a new word, without headings and labels with little behind
    them; of a long line its sentences."""
    lines = [*map(str.strip, join_wrapped(text).splitlines()), "", ""]
    filled = [n for n, line in enumerate(lines) if line]
    for n in filled[_header([lines[n] for n in filled]) :]:
        # The last line of a list is not the heading of what follows.
        below = lines[n + 1] or ("" if lines[n - 1] else lines[n + 2])
        if new.isdisjoint(plain_words(lines[n].encode())) or _is_heading(lines[n], below):
            continue
        pieces = [piece.strip() for piece in _PIECES.split(lines[n])]
        joint = " | " if "|" in lines[n] else " "
        line = joint.join(piece for piece in pieces if piece and not _says_little(piece))
        yield from [line] if len(line) <= _LONGEST_LINE else split_sentences(line)


def _says_little(piece: str) -> bool:
    label = _LABEL.fullmatch(piece)
    if label is None or len(label["value"].split()) > _FEWEST_BEHIND:
        return False
    return sum(map(str.isalpha, _telling(label["value"]))) < _FEWEST_BEHIND


def _header(lines: Sequence[str]) -> int:
    """The number of lines at the top with the name and what stands under it, and those up to the
    contact or other private data close below."""
    top = [line if len(line) <= _LONGEST_HEADER else "." for line in lines[:_HEADER_LINES]]
    names = 0
    while names < len(top[:_NAME_LINES]) and not (
        ":" in top[names] or is_ended(top[names]) or _YEARS.search(top[names])
    ):
        names += 1
    end = names
    for n, line in enumerate(top[names:], names + 1):
        # Wishes for pay stand at the end of a short text.
        private = _PRIVATE.search(line) or private_spans(line) != [*pay_spans(line, word_set(line))]
        end = n if private and n <= end + _HEADER_GAP else end
    return end


def _is_heading(line: str, below: str) -> bool:
    if _NO_HEADING.search(line) or line.count(" ") >= _HEADING_WORDS:
        return False
    if min(line) >= _FIRST_UNSPACED and len(line) <= _LONGEST_UNSPACED_HEADING:
        return True
    # Many scripts have no capitals.
    is_word = " " not in line and max(line) < _FIRST_UNSPACED
    is_upper = line.isupper() or (is_word and line == line.upper())
    is_short = line.count(" ") < _HEADING_WORDS - 1
    return line.endswith(":") or is_upper or (is_short and below.count(" ") >= _HEADING_WORDS)


def experience_text(value: object) -> list[Mapping[str, object]]:
    """Jobs of a work-experience cell.

    A JSON list gives its objects. Free text gives one job per line that reads `Title @ Company
    (start - end)` or `Title, Company (start - end): text`; other lines describe the job above them,
    or stand alone as a job of unknown title and employer, so that no line is lost.
    """
    return _objects_of_texts(value, _jobs_of_lines)


def education_text(value: object) -> list[Mapping[str, object]]:
    """Studies of an education cell: a JSON list, or `Degree, School (year); Degree, School`."""
    parts = _STUDY_SEPARATOR.split
    return _objects_of_texts(value, lambda text: [*map(_study, filter(str.strip, parts(text)))])


def _objects_of_texts(
    value: object, read: Callable[[str], list[Mapping[str, object]]]
) -> list[Mapping[str, object]]:
    """The objects of a cell, each text in place of one read."""
    found: list[Mapping[str, object]] = []
    for each in objects(value):
        text = each.get(WRAPPED)
        found += read(text) if isinstance(text, str) else [each]
    return found


def _jobs_of_lines(text: str) -> list[Mapping[str, object]]:
    jobs: list[dict[str, object]] = []
    for line in filter(str.strip, text.splitlines()):
        job = _job(line)
        if job is None and jobs:
            earlier = jobs[-1].get("description")
            jobs[-1]["description"] = f"{earlier}\n{line}" if earlier else line
        else:
            jobs.append(job or {"description": line})
    return list(jobs)


def _job(line: str) -> dict[str, object] | None:
    head, dates = _without_parenthesis(line)
    if dates is None or not _DATES.search(dates):
        head, dates = line, None
    parts = _AT.split(head, maxsplit=1)
    # Without dates and the unambiguous @ a sentence such as "Worked at scale" would be a job.
    if len(parts) != 2 or (dates is None and "@" not in head):
        return _dated_job(line) if line.strip()[0].isalnum() else None  # no bullet
    job: dict[str, object] = {"title": parts[0], "company": parts[1]}
    ends = _RANGE.split(dates, maxsplit=1) if dates else []
    if len(ends) == 2:
        job.update(start=ends[0], end=ends[1])
    elif dates:
        job["dates"] = dates
    return job


def _dated_job(line: str) -> dict[str, object] | None:
    """The job of a line with its title, employer and period in parentheses, and what follows."""
    for match in _PARENTHESIS.finditer(line):
        parts = _BEFORE_EMPLOYER.split(line[: match.start()].strip(), maxsplit=1)
        if len(parts) == 2 and _PERIOD.search(match[1]):
            job: dict[str, object] = {"title": parts[0], "company": parts[1], "dates": match[1]}
            rest = line[match.end() :].strip()
            return {**job, "description": rest} if rest else job
    return None


def _study(text: str) -> Mapping[str, object]:
    """`Degree, School`, `Degree, Field, School`, or `Degree, School, Town`, with years or none."""
    before, inside = _without_parenthesis(text)
    years = _YEARS.search(inside or "")
    degree, *rest = (before if years else text).split(",")
    names_field = len(rest) > 1 and not _SCHOOL.search(rest[0])
    first, last = (years["first"], years["last"]) if years else (None, None)
    return {
        "degree": degree,
        "field": rest[0] if names_field else None,
        "school": ",".join(rest[1:] if names_field else rest) or None,
        "start": first if last else None,
        "end": last or first,
    }


def _without_parenthesis(text: str) -> tuple[str, str | None]:
    """The text before a parenthesis at its end, and what stands inside."""
    match = _TRAILING_PARENTHESIS.search(text)
    if match is None or not match.start():
        return text, None
    return text[: match.start()], match["inside"]


def position_groups(value: object) -> list[Mapping[str, object]]:
    """Jobs of `positionGroups`: an employer with one or more `profilePositions`.

    Each job gets the group's `company` or `name`; a lone job without dates gets the group's, and a
    group without positions stands for one job without a title.
    """
    jobs: list[Mapping[str, object]] = []
    for group in objects(value):
        company = group.get("company") or {"name": group.get("name")}
        roles = members(group.get("profilePositions")) or [{}]
        for role in roles:
            date = role.get("date")
            if len(roles) == 1 and not (isinstance(date, dict) and any(date.values())):
                date = group.get("date") or date
            jobs.append({**role, "company": company, "date": date})
    return jobs


def numbered(name: str, value: object) -> list[Mapping[str, object]]:
    """Items of the columns `name1`, `name2`, …, each one text or object; an object of those in
    `name1Title`, `name1Company`, …"""
    if not isinstance(value, dict):
        return []
    found: dict[int, object] = {}
    for key in value:
        match = _NUMBERED.fullmatch(key)
        if match is None or match[1] != name:
            continue
        if not match[3]:
            found[int(match[2])] = value[key]
        elif isinstance(parts := found.setdefault(int(match[2]), {}), dict):
            parts[match[3][0].lower() + match[3][1:]] = value[key]
    items = [found[number] for number in sorted(found)]
    if name == "experience":
        return [job for each in items for job in experience_text(each)]
    return [each if isinstance(each, dict) else {WRAPPED: each} for each in items]

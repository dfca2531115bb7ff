"""Part of the truth that the source rows of an invented person show, read without the pipeline.

Texts are compared by their letters and digits alone: case, accents, punctuation and white space
are folded away. A job is shown by a row that names its title and its employer, seen no earlier
than the job began; a skill by a row that lists it under one of its spellings; a sentence by a row
whose text contains it in full.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sample_data.careers import CAREERS

_TAG = re.compile(r"<[^<>]*>")
_PIECES = re.compile(r"\n| @ | \(|\)")
_ITEMS = re.compile(r"[,|•;\n]")
_NO_PROSE_KEY = re.compile(
    r"(?i)(?:^|_)(?:id|urn|uid|guid|timezone|state|vendor|parser|source|version|type|status)$"
    r"|(?:id|url|urls|urn|link|link1|pic|image|photo|slug|username)$|^(?:at|x-|logo|file_name)"
)
_URL = re.compile(r"(?i)^(?:https?:|www\.|mailto:|urn:)|^\S+@\S+$|^\S+\.[a-z]{2,}(?:/\S*)?$")
_INSTANT = re.compile(r"^\d{4}-\d\d-\d\dT[\d:.]+Z?$")
_LEGAL = re.compile(
    r" (?:inc|llc|ltd|limited|plc|pvt ltd|private limited|gmbh(?: co kg)?|ag|sas|sa|s l|s a|ltda)$"
)
_TITLE_TAIL = re.compile(r" (?:full time|team lead|contract|individual contributor)$")
_TITLE_WORDS = (
    ("sde 2", "software engineer 2"),
    ("sse", "senior software engineer"),
    ("software developer", "software engineer"),
    ("developering", "engineering"),
    ("sr", "senior"),
    ("mgr", "manager"),
    ("ii", "2"),
)
_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad") | set(map(chr, range(0x300, 0x370)))
_BEFORE_ITEMS = re.compile(r"(?i)^skills:\s*")


def folded(text: str) -> str:
    """Lower-case letters and digits of a text, words one space apart."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    shown = (char for char in decomposed if char not in _INVISIBLE)
    kept = (char if char.isalnum() else " " for char in shown)
    return " ".join("".join(kept).split())


def letters(text: str) -> str:
    """Lower-case letters and digits of a text and nothing else."""
    return folded(text).replace(" ", "")


@cache
def title(text: str) -> str:
    """A title without a vendor's short forms and appendix."""
    plain = f" {_TITLE_TAIL.sub('', folded(text))} "
    for short, long in _TITLE_WORDS:
        plain = plain.replace(f" {short} ", f" {long} ")
    return plain.strip()


@cache
def employer(text: str) -> str:
    """An employer's name without legal form and spaces."""
    return _LEGAL.sub("", folded(text)).replace(" ", "")


@cache
def skill(text: str) -> str:
    """The first spelling of a skill that the generator knows, or the text itself; folded."""
    key = re.sub(r"[^\w+#]", "", text.casefold())
    return _spellings().get(key, key)


@cache
def _spellings() -> dict[str, str]:
    names: dict[str, str] = {}
    for career in CAREERS:
        for spellings in career.skills:
            first = re.sub(r"[^\w+#]", "", spellings[0].casefold())
            for text in spellings:
                names.setdefault(re.sub(r"[^\w+#]", "", text.casefold()), first)
    return names


@dataclass
class Row:
    """One source row: the texts that a person could read, and what they show."""

    as_of: str
    texts: list[str] = field(default_factory=list)
    pieces: Counter[str] = field(default_factory=Counter)
    employers: set[str] = field(default_factory=set)
    skills: set[str] = field(default_factory=set)
    letters: str = ""
    names: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, row: dict[str, Any]) -> Row:
        """The row as `write_sample` writes it, JSON columns decoded or not."""
        seen = [row.get(name) for name in ("fetched_at", "updated_at", "parsed_at", "created_at")]
        read = cls(as_of=next(value[:7] for value in seen if value))
        for path, text in strings(row):
            read.texts.append(text)
            if "skill" in path.lower():
                items = _ITEMS.split(_BEFORE_ITEMS.sub("", text))
                read.skills.update(filter(None, map(skill, items)))
            for piece in _PIECES.split(text) if len(text) < 400 or " @ " in text else ():
                read.pieces[title(piece)] += 1
                read.employers.add(employer(piece))
            read.names.update(letters(item) for item in [text, *_ITEMS.split(text)])
        read.letters = "\n".join(letters(without_markup(text)) for text in read.texts)
        return read


def strings(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a row that a person could read, with the path of its keys; JSON in texts too.

    Left out: ids, addresses of the web and of mailboxes, times and file names.
    """
    if isinstance(value, dict):
        for name, member in value.items():
            if not _NO_PROSE_KEY.search(name):
                yield from strings(member, f"{path}/{name}")
    elif isinstance(value, list):
        for member in value:
            yield from strings(member, path)
    elif isinstance(value, str):
        yield from _texts(value.strip(), path)


def _texts(text: str, path: str) -> Iterator[tuple[str, str]]:
    if text[:1] in ("[", "{", '"'):
        try:
            decoded = json.loads(text)
        except ValueError:
            decoded = text
        if decoded != text:
            yield from strings(decoded, path)
            return
    # "Node.js" is a skill, not a site.
    no_text = _INSTANT.match(text) or ("skill" not in path.lower() and _URL.search(text))
    if any(map(str.isalnum, text)) and not no_text:
        yield path, text


def without_markup(text: str) -> str:
    """A text without tags and entities, also where they were escaped twice."""
    for _ in range(3):
        text = _TAG.sub(" ", html.unescape(text))
    return text


@dataclass
class Shown:
    """The part of one person's truth that at least one of the rows shows."""

    jobs: list[dict[str, Any]]
    sentences: dict[str, str]
    skills: set[str]
    listed_skills: set[str]
    texts: str
    names: set[str]


def shown(truth: dict[str, Any], rows: list[Row]) -> Shown:
    """Facts that `rows` together show of `truth`, a line of truth_profiles.jsonl."""
    best: dict[int, None] = {}
    for row in rows:
        best.update(dict.fromkeys(_jobs(truth["jobs"], row)))
    text = "\n".join(row.letters for row in rows)
    known = {letters(sentence): sentence for job in truth["jobs"] for sentence in job["sentences"]}
    listed = set().union(*(row.skills for row in rows))
    return Shown(
        jobs=[truth["jobs"][number] for number in sorted(best)],
        sentences={key: sentence for key, sentence in known.items() if key in text},
        skills=listed & set(map(skill, truth["skills"])),
        listed_skills=listed,
        texts=text,
        names=set().union(*(row.names for row in rows)),
    )


def _jobs(jobs: list[dict[str, Any]], row: Row) -> Iterator[int]:
    """Numbers of the jobs that a row shows; a title named once shows one job, the newest."""
    left = Counter(row.pieces)
    begun = [job["start"] <= row.as_of for job in jobs]
    for number, job in enumerate(jobs):
        name = title(job["title"])
        # A row from before the first job shows what the person did since.
        has_begun = begun[number] or not any(begun)
        if has_begun and left[name] and employer(job["company"]) in row.employers:
            left[name] -= 1
            yield number

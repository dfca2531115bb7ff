"""Parts of a profile document that may state skills, and their language. Pure.

People, places, employers, schools and dates state none. The form of a line tells what it is, in
every language: `### title — employer`, `- degree, field — school (years)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from profiles.standardization.skills.forms import TOKEN, UNSPACED
from profiles.standardization.text import fold

_JOB: Final = re.compile(r"^### .* — (.+)$", re.MULTILINE)
_STUDY: Final = re.compile(r"\A(?=.*\d{4})- (.+?) — [^(]{0,300}\(")
_STUDIES: Final = "## Education"
_SHORTEST_EMPLOYER: Final = 3
_LONGEST_ITEM: Final = 60
_LAST_WORD: Final = re.compile(r"(?:\s+\S+)?\s*\Z")


class SkillText(NamedTuple):
    """`prose` with titles as `###` lines; `items` each a name on its own; `fields` of study."""

    prose: str
    items: tuple[str, ...]
    fields: tuple[str, ...]


def skill_text(document: str) -> SkillText:
    """The parts of a document that may state skills."""
    employers = {name for name in _JOB.findall(document) if len(name) >= _SHORTEST_EMPLOYER}
    prose: list[str] = []
    items: list[str] = []
    fields: list[str] = []
    section, line_of_head = "", 0
    for line in document.split("\n"):
        if line.startswith("## "):
            section, line_of_head = line, 0
        elif line.startswith("# "):
            line_of_head = 1
        elif line_of_head:
            if line_of_head == 1:
                prose.append(f"### {_title_of(line, employers)}")
            line_of_head += 1
        elif line.startswith("### "):
            prose.append(line.rpartition(" — ")[0] or line)
        elif line.startswith("- "):
            if section == _STUDIES or _STUDY.match(line):
                fields.extend(line[2:].partition(" — ")[0].split(", ")[1:])
                continue
            prose.append(line)
            items.append(line[2:])
        else:
            prose.append(line)
    text = "\n".join(prose)
    for name in sorted(employers, key=len, reverse=True):
        text = text.replace(name, "…")
    return SkillText(text, tuple(i for i in items if len(i) <= _LONGEST_ITEM), tuple(fields))


def _title_of(head: str, employers: set[str]) -> str:
    """The title of "Title at Employer", with whichever word the language has for "at"."""
    for name in employers:
        if head.endswith(name):
            return _LAST_WORD.sub("", head[: -len(name)].rstrip())
    return head.partition(" at ")[0]


_HEAD: Final = 4
"""Letters of a label's first word by which it is looked up."""
_OPEN: Final = "~"
_KATAKANA: Final = re.compile(r"[\u30a1-\u30fa\u30fc]")
_SPLIT: Final = re.compile(r"[\s\-/'’]+")
_GAP: Final = re.compile(r"[ \t\u00a0]?[-/'’]?[ \t\u00a0]?\Z")


class _Word(NamedTuple):
    beginning: str
    is_open: bool

    def matches(self, word: str) -> bool:
        return word == self.beginning or (self.is_open and word.startswith(self.beginning))


class _Label(NamedTuple):
    words: tuple[_Word, ...]
    canonical: str


class Labels:
    """Labels by language; `names` has each as written, for names that stand alone."""

    def __init__(
        self,
        by_language: Mapping[str, Iterable[tuple[str, str]]],
        small_words: Mapping[str, frozenset[str]],
    ) -> None:
        self.small_words = small_words
        self.names: dict[str, str] = {}
        self._spaced: dict[str, dict[str, list[_Label]]] = {}
        self._unspaced: list[tuple[str, str]] = []
        for language, labels in by_language.items():
            table = self._spaced.setdefault(language, {})
            for written, canonical in labels:
                name = written.replace(_OPEN, "")
                self.names.setdefault(name, canonical)
                if UNSPACED.search(name):
                    self._unspaced.append((name, canonical))
                    continue
                words = tuple(map(_word, _SPLIT.split(written)))
                table.setdefault(words[0].beginning[:_HEAD], []).append(_Label(words, canonical))
        for table in self._spaced.values():
            for options in table.values():
                options.sort(key=lambda label: -sum(len(word.beginning) for word in label.words))
        self._unspaced.sort(key=lambda label: -len(label[0]))

    def find(self, line: str, language: str) -> list[str]:
        """The canonical names of the labels in a line of that language."""
        found = self._find_unspaced(line) if UNSPACED.search(line) else []
        table = self._spaced.get(language)
        if not table:
            return found
        spans = [match.span() for match in TOKEN.finditer(line)]
        words = [fold(line[start:end]).replace(" ", "") for start, end in spans]
        position = 0
        for index in range(len(words)):
            if index < position:
                continue
            for label in table.get(words[index][:_HEAD], ()):
                end = index + len(label.words)
                taken = words[index:end]
                if (
                    len(taken) == len(label.words)
                    and all(
                        part.matches(word) for part, word in zip(label.words, taken, strict=True)
                    )
                    and all(
                        _GAP.match(line[spans[at][1] : spans[at + 1][0]])
                        for at in range(index, end - 1)
                    )
                ):
                    found.append(label.canonical)
                    position = end
                    break
        return found

    def _find_unspaced(self, line: str) -> list[str]:
        taken: dict[int, str] = {}
        for name, canonical in self._unspaced:
            start = line.find(name)
            if start < 0:
                continue
            end = start + len(name)
            # A katakana word ends where the katakana do.
            if any(
                _KATAKANA.match(inner) and _KATAKANA.match(outer)
                for inner, outer in (
                    (name[0], line[start - 1 : start]),
                    (name[-1], line[end : end + 1]),
                )
            ):
                continue
            taken[start] = canonical
            line = line[:start] + "\0" * len(name) + line[end:]
        return [taken[start] for start in sorted(taken)]


def _word(written: str) -> _Word:
    beginning, mark, _ = written.partition(_OPEN)
    return _Word(fold(beginning).replace(" ", ""), bool(mark))


def language_of(
    words: frozenset[str], small_words: Mapping[str, frozenset[str]], *, default: str
) -> str:
    """The language with most of its small words among `words`; `default` where none leads."""
    best, most = default, len(words & small_words.get(default, frozenset()))
    for language, small in small_words.items():
        count = len(words & small)
        if count > most:
            best, most = language, count
    return best

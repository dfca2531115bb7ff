"""Which parts of a profile document may state skills, and in which language. Pure.

People, places, employers, schools and dates state none. The form of a line tells what it is, in
every language: `### title — employer`, `- degree, field — school (years)`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["SkillText", "skill_text"]

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

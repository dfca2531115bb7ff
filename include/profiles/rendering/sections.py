"""Sections beside jobs, studies and skills: what sources list under a name, each entry once.

    ## Projects
    - Tidepool Planner — Sable Works (2020–2022): Route planner used by 40,000 sailors. Elixir.

One mechanism serves every section. A section that `ORDER` does not know follows those that it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from profiles.models import Entry, Section
from profiles.rendering.sentences import Line, closed, shorten
from profiles.rendering.spans import years_span
from profiles.standardization.contacts import contact_free_name
from profiles.standardization.text import fold

ORDER: Final = (
    "study_details", "projects", "volunteering", "awards", "publications", "patents", "courses",
    "test_scores", "organisations",
)  # fmt: skip
"""Sections between education and skills."""
CERTIFICATIONS, LANGUAGES, SKILL_LEVELS = "certifications", "languages", "skill_levels"
ADDITIONAL: Final = "additional"
ON_ONE_LINE: Final = frozenset((LANGUAGES, SKILL_LEVELS, "interests", "courses", "former_names"))
"""Entries of a word or two, shown side by side with what else is known in parentheses."""

MAX_ENTRIES: Final = 40
MAX_ENTRY_CHARS: Final = 600
MAX_ENTRIES_READ: Final = 200
"""Entries looked at per record; only a row made to be slow has more."""

_ADDING: Final = frozenset(("study_details", SKILL_LEVELS))
_ASIDE: Final = re.compile(r"\s*(?:\(|\s[-–—]\s|:\s).*$", re.DOTALL)
_PROFICIENCY: Final = re.compile(r" (?:working )?proficiency$", re.IGNORECASE)


def unite_sections(
    stated: Iterable[Sequence[Entry]],
    lines: Mapping[str, tuple[Line, ...]],
    *,
    shown: Iterable[str | None] = (),
) -> tuple[Section, ...]:
    """The sections that records state, the newest first, in the order of the document.

    `shown` are names that the document has elsewhere: an entry of nothing but such a name is left
    out, and so is one that an earlier section has.
    """
    sections: dict[str, dict[str, list[Entry]]] = {}
    for entries in stated:
        for entry in map(_contact_free, entries[:MAX_ENTRIES_READ]):
            if key := _key(entry):
                _add(sections.setdefault(entry.section, {}).setdefault(key, []), entry)
    seen = {fold(name) for name in shown if name}
    found = []
    for name in sorted(sections, key=_place):
        texts = []
        for key, merged in sections[name].items():
            for entry in merged:
                text = entry_text(entry, lines)
                # Such an entry only adds to another one, and has nothing to add.
                is_bare = entry.section in _ADDING and not entry.text
                if text and not (key in seen and fold(text) == key) and not is_bare:
                    texts.append(text)
            seen.add(key)
        if texts:
            found.append(Section(name, tuple(texts)))
    return tuple(found)


def entry_text(entry: Entry, lines: Mapping[str, tuple[Line, ...]]) -> str:
    """An entry on one line: "Navigator — Port Academy (2020): Two years of evenings."

    In a section of short entries "German (Elementary)".
    """
    sentences = [line.text for line in lines.get(entry.text or "", ())]
    title = entry.title or entry.by or (sentences.pop(0) if sentences else "")
    years = years_span(entry.start, entry.end, is_current=entry.is_current)
    if entry.section in ON_ONE_LINE:
        asides = [_PROFICIENCY.sub("", each) for each in (entry.by, years, *sentences) if each]
        name = title[:1].upper() + title[1:]
        return f"{name} ({'; '.join(asides)})" if title and asides else name
    text = f"{title} — {entry.by}" if entry.by and fold(entry.by) != fold(title) else title
    if years:
        text = f"{text} ({years})"
    if not sentences:
        return text
    text = f"{text}:" if entry.title or entry.by else closed(text)
    return shorten(f"{text} {' '.join(map(closed, sentences))}", MAX_ENTRY_CHARS)


def _key(entry: Entry) -> str:
    name = entry.title or entry.by or entry.text or ""
    if entry.section in ON_ONE_LINE and not name.isalpha():
        name = _ASIDE.sub("", name) or name
    return fold(name)


def _add(entries: list[Entry], entry: Entry) -> None:
    """Adds an entry, or what only it states to the one that it repeats."""
    for n, known in enumerate(entries):
        if known.by and entry.by and fold(known.by) != fold(entry.by):
            continue
        if known.end and entry.end and known.end.year != entry.end.year:
            continue
        title = entry.title if known.title and known.title.islower() else known.title
        entries[n] = replace(
            known,
            title=title or known.title or entry.title,
            by=known.by or entry.by,
            start=known.start or entry.start,
            end=known.end or entry.end,
            text=known.text or entry.text,
        )
        return
    entries.append(entry)


def _contact_free(entry: Entry) -> Entry:
    title, by = (text and (contact_free_name(text) or None) for text in (entry.title, entry.by))
    return replace(entry, title=title, by=by)


def _place(name: str) -> tuple[int, str]:
    """Unknown sections follow the known ones; the last one is the first that is trimmed."""
    last = len(ORDER) + (name == ADDITIONAL)
    return (ORDER.index(name) if name in ORDER else last, name)

"""Education of several records, each study once; and plain lists (skills, languages) united.

"Bachelor of Technology - BTech", "B.Tech", "b.tech in Economics"   one degree, "btech"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from profiles.models import Education, FieldChoice, SourceRecord
from profiles.rendering.choosing import Reason, account, spelling
from profiles.rendering.spans import gap, years_span
from profiles.standardization.contacts import contact_free_name
from profiles.standardization.text import fold
from profiles.standardization.words import labels

T = TypeVar("T")
MAX_STUDIES_READ: Final = 100
"""Studies looked at per record; only a row made to be slow has more."""
_NEAR_MONTHS: Final = 12
"""Vendors state the end of one study up to a year apart."""


def _degrees() -> dict[str, re.Pattern[str]]:
    forms: dict[str, list[str]] = {}
    for name, code in labels("titles", "degree").items():
        end = "" if name.endswith("~") else r"\b"
        forms.setdefault(code, []).append(rf"\b{re.escape(name.removesuffix('~'))}{end}")
    return {code: re.compile("|".join(patterns)) for code, patterns in forms.items()}


_DEGREES: Final = _degrees()
"""Pattern of each degree by its code, in the order of checking."""
_SHORT_FORM: Final = re.compile(r" - (?<=\w{3} - )[A-Z][A-Za-z.]{0,5}$")
"""LinkedIn appends it: "Bachelor of Technology - BTech"."""
_IN_FIELD: Final = re.compile(r"\s+in\s+", re.IGNORECASE)


@lru_cache(maxsize=65_536)
def degree_code(degree: str) -> str | None:
    """A code for the degree named in a text, None when it names no known one."""
    folded = fold(degree)
    return next((code for code, pattern in _DEGREES.items() if pattern.search(folded)), None)


def unite_education(
    records: Iterable[SourceRecord],
) -> tuple[tuple[Education, ...], tuple[FieldChoice, ...]]:
    """All studies of all records, which come newest first: the same study once, newest study
    first, and the account of every part on which records differ."""
    merged: list[Education] = []
    stated: list[list[tuple[Education, SourceRecord]]] = []
    for record in records:
        taken: set[int] = set()
        for study in map(_contact_free, record.education[:MAX_STUDIES_READ]):
            if not (study.school or study.degree or study.field):
                continue
            place = _place(merged, study, taken)
            if place is None:
                place = len(merged)
                merged.append(study)
                stated.append([])
            else:
                merged[place] = _completed(merged[place], study)
            stated[place].append((study, record))
            taken.add(place)
    order = sorted(range(len(merged)), key=lambda place: _newest_first(merged[place]))
    choices = (
        replace(choice, field=f"education[{n}].{choice.field}")
        for n, place in enumerate(order)
        if len(stated[place]) > 1
        for choice in _choices(merged[place], stated[place])
    )
    return tuple(merged[place] for place in order), tuple(choices)


def _choices(
    study: Education, stated: Sequence[tuple[Education, SourceRecord]]
) -> Iterator[FieldChoice]:
    """The contested parts of a merged study. A value that is not the newest was better made."""
    for part, (same, better) in _PARTS.items():
        read = attrgetter(part)
        values = [value for other, _ in stated if (value := read(other)) is not None]
        if len(values) < 2 or values.count(values[0]) == len(values):
            continue
        if (value := read(study)) in values:
            winner = values.index(value)
            records = [record for other, record in stated if read(other) is not None]
            why = Reason.NEWEST if winner == 0 else better
            choice = account(part, values, records, list(map(same, values)), winner, why, str)
            if choice.losers:
                yield choice


_PARTS: dict[str, tuple[Callable[[Any], Hashable], Reason]] = {
    "school": (fold, Reason.BEST_SPELLED),
    "degree": (lambda degree: degree_code(degree) or fold(degree), Reason.BEST_SPELLED),
    "field": (fold, Reason.BEST_SPELLED),
    "start": (str, Reason.NEWEST),
    "end": (str, Reason.MOST_PRECISE),
    "grade": (fold, Reason.NEWEST),
}
"""By part: the key by which two claims agree, and why an older claim may win."""


def unite(
    groups: Iterable[Sequence[str]], *, named: Callable[[str], tuple[str, str]]
) -> tuple[str, ...]:
    """Values of all records in canonical form, each once.

    `named` gives what the spellings of a value share ("" for nothing to show) and its form.
    What more records name comes first, then the order of the newest record that names it.
    """
    names: dict[str, str] = {}
    votes: dict[str, int] = {}
    for group in groups:
        in_group = set()
        for value in group:
            identity, name = named(value)
            if not identity:
                continue
            kept = names.setdefault(identity, name)
            if kept is not name and kept == kept.lower() != name:
                names[identity] = name
            if identity not in in_group:
                in_group.add(identity)
                votes[identity] = votes.get(identity, 0) + 1
    # A stable sort: among as many votes the order of the newest record stays.
    return tuple([names[key] for key in sorted(names, key=votes.__getitem__, reverse=True)])


def skill_key(name: str) -> str:
    """Key that the spellings of a skill share; C, C++ and C# stay three."""
    return _NO_SKILL_SIGN.sub("", name.casefold()) or name


_NO_SKILL_SIGN: Final = re.compile(r"[^\w+#]")


def study_text(study: Education) -> str:
    """A study on one line: "BTech, Economics — Halden University (2015–2019)"."""
    parts = [_SHORT_FORM.sub("", study.degree)] if study.degree else []
    if study.field and not (study.degree and fold(study.field) in fold(study.degree)):
        parts.append(study.field)
    text = ", ".join(parts)
    if study.school:
        text = f"{text} — {study.school}" if text else study.school
    years = years_span(study.start, study.end)
    if years:
        text = f"{text} ({years})"
    return f"{text}, grade {study.grade}" if study.grade else text


def _contact_free(study: Education) -> Education:
    texts = [study.school, study.degree, study.field, study.grade]
    free = [text and (contact_free_name(text) or None) for text in texts]
    if free == texts:
        return study
    school, degree, field, grade = free
    return replace(study, school=school, degree=degree, field=field, grade=grade)


def _place(merged: Sequence[Education], study: Education, taken: set[int]) -> int | None:
    best, most = None, 0
    for place, other in enumerate(merged):
        # One record lists a study twice only when it repeats itself word for word.
        if place not in taken or other == study:
            points = _same_study(other, study)
            if points > most:
                best, most = place, points
    return best


def _same_study(first: Education, second: Education) -> int:
    """Points for two claims being one study; 0 when they are not."""
    school = _agree(first.school, second.school)
    if school is False:
        return 0
    apart = gap(first.end, second.end)
    if apart is not None and apart > _NEAR_MONTHS:
        return 0
    degree = _degrees_agree(first, second)
    if degree is False:
        return 0
    # A school alone, or a degree alone with its year, is enough; so is a degree ("B.Tech in
    # Economics") where one side has no school and no other field.
    is_same = school or (degree and apart is not None)
    if degree and not is_same and not (first.school and second.school):
        is_same = _agree(first.field, second.field) is not False
    return 4 * bool(school) + 2 * bool(degree) + (apart is not None) if is_same else 0


def _agree(first: str | None, second: str | None) -> bool | None:
    if not first or not second:
        return None
    return fold(first) == fold(second)


def _degrees_agree(first: Education, second: Education) -> bool | None:
    if not first.degree or not second.degree:
        return None
    one, other = degree_code(first.degree), degree_code(second.degree)
    if one is None or other is None:
        return fold(first.degree) == fold(second.degree) or None
    if one == other:
        return True
    vague = {"master", "bachelor"} & {one, other}
    return None if vague and one[0] == other[0] else False


def _completed(kept: Education, other: Education) -> Education:
    return Education(
        school=_better(kept.school, other.school, spelling),
        degree=_better_degree(kept.degree, other.degree),
        field=_better(kept.field, other.field, spelling),
        start=kept.start or other.start,
        end=_better(kept.end, other.end, lambda end: end.month is not None),
        grade=kept.grade or other.grade,
    )


def _better(kept: T | None, other: T | None, quality: Callable[[T], int]) -> T | None:
    if kept is None or other is None:
        return kept or other
    return other if quality(other) > quality(kept) else kept


def _better_degree(kept: str | None, other: str | None) -> str | None:
    if kept is None or other is None:
        return kept or other
    # "B.Tech in Economics" says the field a second time.
    plain = [name for name in (kept, other) if not _IN_FIELD.search(name)]
    if len(plain) == 1:
        return plain[0]
    return other if kept == kept.lower() != other else kept


def _newest_first(study: Education) -> tuple[int, int, str, str, str]:
    end = study.end or study.start
    start = study.start or study.end
    return (
        -(end.last_month if end else 0),
        -(start.first_month if start else 0),
        study.school or "",
        study.degree or "",
        study.field or "",
    )

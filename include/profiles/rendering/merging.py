"""All records of one person merged into one profile, the same for any order of the records.

Records are ranked newest first by `observed_at`, then by source and key. Everything is counted
as of the newest `observed_at`, never as of today. Contact details and pay are taken out here, so
that nothing after this module sees them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Final

from msgspec.structs import replace

from profiles.models import (
    Candidate,
    Entry,
    FieldChoice,
    MergedProfile,
    PartialDate,
    Position,
    SourceRecord,
)
from profiles.rendering.choosing import Reason, choose, spelling
from profiles.rendering.claims import Claim
from profiles.rendering.jobs import Job, merge_spell
from profiles.rendering.sections import SKILL_LEVELS, unite_sections
from profiles.rendering.sentences import Line, SaidBefore, lines_by_text, union
from profiles.rendering.spans import months_once
from profiles.rendering.spells import group, seen_at
from profiles.rendering.studies import skill_key, unite, unite_education
from profiles.standardization.companies import employer_key
from profiles.standardization.contacts import contact_free_name, redact_contacts
from profiles.standardization.contacts.phones import region_of
from profiles.standardization.skills import Vocabulary
from profiles.standardization.skills.list_items import forms
from profiles.standardization.text import fold
from profiles.standardization.words import Words

MAX_CHOICES: Final = 200
"""Fields whose choice is kept: the person, then contested parts of jobs, newest first, studies."""

FROM_HEADLINE: Final = "named in the headline only"
"""Mark of such a job in the document."""
_HEADLINE_JOB: Final = re.compile(
    r"\A(?P<title>[^|•·@]{2,80}?)\s+(?:at|@|bei|chez|presso|bij|w|в)\s+(?P<company>[^|•·@,]{2,80}?)"
    r"\s*(?:[|•·,].*)?\Z"
)
_FAR_FUTURE: Final = 10**6

_Lines = Mapping[str, tuple[Line, ...]]
"""The lines of each text of one person; vendors copy one another."""


def merge(
    candidate: Candidate, vocabulary: Vocabulary, words: Words | None = None
) -> MergedProfile:
    """Merge the records of `candidate` into one profile; `words` are those of all their texts."""
    records = ranked(candidate.records)
    as_of = seen_at(records[0]) if records else None
    listed = [[forms(skill, vocabulary) for skill in record.skills] for record in records]
    levels = [
        Entry(SKILL_LEVELS, form.names[0], text=form.level)
        for form in chain.from_iterable(listed)
        if form.level and form.names
    ]
    places = (region_of(record.location, record.country) for record in records)
    region = next(filter(None, places), None)
    lines = lines_by_text(_texts(records, levels), region, words)
    summary = union([lines[record.summary or ""] for record in records])
    jobs = _jobs(records, lines, as_of)
    earlier = SaidBefore(job.lines for job in jobs)
    experience = tuple(
        (replace(job.experience, n=n), earlier.new(job.lines, job.experience.employer_key))
        for n, job in enumerate(jobs)
    )
    choices, fields = _fields(records)
    education, study_choices = unite_education(records)
    choices += tuple(
        replace(choice, field=f"experience[{n}].{choice.field}")
        for n, job in enumerate(jobs)
        for choice in job.choices
    )
    choices += study_choices
    return MergedProfile(
        candidate_id=candidate.candidate_id,
        full_name=fields["full_name"],
        headline=fields["headline"],
        location=fields["location"],
        country=region,
        summaries=tuple(line.text for line in summary if not earlier.quotes(line)),
        experience=experience,
        education=education,
        skills=unite(
            ([name for form in skills for name in form.names] for skills in listed),
            named=partial(_skill, vocabulary),
        ),
        sections=unite_sections(
            [*(record.entries for record in records), levels],
            lines,
            shown=[study.school for study in education],
        ),
        total_months=_total_months(jobs, records),
        as_of=as_of,
        choices=choices[:MAX_CHOICES],
    )


def ranked(records: Sequence[SourceRecord]) -> tuple[SourceRecord, ...]:
    """The records newest first; ties go by source and key, so that input order never counts."""
    if len(records) < 2:
        return tuple(records)
    by_key = sorted(records, key=lambda record: (record.source, record.source_key))
    return tuple(sorted(by_key, key=lambda record: record.observed_at or "", reverse=True))


def _texts(records: Sequence[SourceRecord], levels: Sequence[Entry]) -> Iterator[str]:
    for entry in levels:
        yield entry.text or ""
    for record in records:
        yield record.summary or ""
        for position in record.positions:
            yield position.description or ""
        for entry in record.entries:
            yield entry.text or ""


def _jobs(records: Sequence[SourceRecord], lines: _Lines, as_of: PartialDate | None) -> list[Job]:
    claims = _claims(records, lines)
    newest_rank = min((claim.rank for claim in claims if claim.position.start), default=0)
    merged = [merge_spell(spell, as_of=as_of, newest_rank=newest_rank) for spell in group(claims)]
    return sorted(merged, key=_newest_first)


def _claims(records: Sequence[SourceRecord], lines: _Lines) -> list[Claim]:
    keys = {text: frozenset([line.key for line in found]) for text, found in lines.items()}
    claims = []
    for rank, record in enumerate(records):
        for position in record.positions:
            text = position.description or ""
            employer = employer_key(position.company) if position.company else None
            claims.append(Claim(position, record, rank, employer, lines[text], keys[text]))
    return claims or list(_headline_claims(records))


def _headline_claims(records: Sequence[SourceRecord]) -> Iterator[Claim]:
    """The job that the newest headline of the form "Cook at Quay" names, when nothing lists one."""
    for rank, record in enumerate(records):
        stated = _HEADLINE_JOB.match(record.headline or "")
        if stated is not None:
            position = Position(
                title=stated["title"],
                company=stated["company"],
                is_current=True,
                employment_type=FROM_HEADLINE,
            )
            yield Claim(position, record, rank, employer_key(position.company), (), frozenset())
            return


def _newest_first(job: Job) -> tuple[int, int, int, str, str]:
    """Running jobs first, then by end, then by start; jobs without any date last."""
    spell = job.experience
    end = spell.end or spell.start
    if spell.is_current:
        last = _FAR_FUTURE if spell.start else _FAR_FUTURE - 1
    else:
        last = end.last_month if end else -1
    first = spell.start or spell.end
    return (
        -last,
        -(first.first_month if first else 0),
        -len(job.lines),
        spell.employer or "",
        spell.title or "",
    )


def _total_months(jobs: Sequence[Job], records: Sequence[SourceRecord]) -> int | None:
    """Months with at least one job, or what the newest record states when no job has dates."""
    if spans := [job.period for job in jobs if job.period]:
        return months_once(spans)
    stated = next(filter(None, (record.years_experience for record in records)), None)
    return round(stated * 12) if stated else None


def _fields(
    records: Sequence[SourceRecord],
) -> tuple[tuple[FieldChoice, ...], dict[str, str | None]]:
    """Name, headline and location with the account of each."""
    choices: list[FieldChoice] = []
    values: dict[str, str | None] = {}
    for field, (quality, reason) in _CHOSEN.items():
        shown = [_contact_free(getattr(record, field)) for record in records]
        values[field], choice = choose(
            field,
            shown,
            records,
            quality=quality,
            reason=reason,
            same=fold,
            vote=field == "full_name",
        )
        choices += [choice] if choice else []
    return tuple(choices), values


@lru_cache(maxsize=8_192)
def _contact_free(value: str | None) -> str | None:
    return value and (redact_contacts(value).strip(" ,;:|-–·") or None)


_MARKS = re.compile("[-'’]|[a-z][A-Z]").search


def _name_quality(name: str) -> int:
    """More for whole words in normal capitals, then for accents, then for hyphens, apostrophes and
    capitals within a word, which many sources leave out."""
    words = name.replace(".", "").split()
    ends = {words[0], words[-1]} if len(words) > 1 else set()
    is_cut = "?" in name or any(len(word) == 1 and word.lower() != word.upper() for word in ends)
    return 4 * (1 + spelling(name) - is_cut) + 2 * (not name.isascii()) + bool(_MARKS(name))


def _place_quality(location: str) -> int:
    return min(location.count(","), 2) + spelling(location)


_CHOSEN: Final[dict[str, tuple[Callable[[Any], int], Reason]]] = {
    "full_name": (_name_quality, Reason.MOST_COMPLETE),
    "headline": (spelling, Reason.BEST_SPELLED),
    "location": (_place_quality, Reason.MOST_COMPLETE),
}


@lru_cache(maxsize=65_536)
def _skill(vocabulary: Vocabulary, value: str) -> tuple[str, str]:
    """The key and the name of a skill by how a record writes it."""
    name = contact_free_name(vocabulary.canonical(value))
    return skill_key(name), name

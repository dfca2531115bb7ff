"""A person: the source rows that resolution put together, and what merging made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from profiles.models.source import Education, PartialDate, SourceRecord


@dataclass(frozen=True, slots=True)
class Candidate:
    """One person and the records that describe them, newest first."""

    candidate_id: int
    records: tuple[SourceRecord, ...]


@dataclass(frozen=True, slots=True)
class FieldClaim:
    value: str
    source: str
    source_key: str


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """The value of a field, the record that states it, and why it won.

    `losers` are the claims that differ, newest record first, at most `choosing.MAX_LOSERS`;
    `more` counts those left out.
    """

    field: str
    value: str
    source: str
    source_key: str
    reason: str
    losers: tuple[FieldClaim, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Experience:
    """One job spell of a candidate after merging, newest first by `n` from 0.

    `employer_key` is the normalised name that joins `company_industry`.
    """

    n: int
    employer: str | None
    employer_key: str | None
    company_linkedin_id: str | None
    company_domain: str | None
    title: str | None
    start: PartialDate | None
    end: PartialDate | None
    is_current: bool
    months: int | None
    sources: tuple[str, ...] = ()
    employment_type: str | None = None
    """Only what differs from a full-time job: Contract, Internship, ..."""
    location: str | None = None


class Section(NamedTuple):
    """A section of a merged profile: its name and the text of each entry."""

    name: str
    texts: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The name as the document shows it."""
        return self.name.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class MergedProfile:
    """What all records of a candidate say together; the input of rendering."""

    candidate_id: int
    full_name: str | None
    headline: str | None
    location: str | None
    country: str | None
    summaries: tuple[str, ...]
    experience: tuple[tuple[Experience, tuple[str, ...]], ...]
    """Each spell with its description sentences or bullets, repeats removed."""
    education: tuple[Education, ...]
    skills: tuple[str, ...]
    sections: tuple[Section, ...]
    total_months: int | None
    as_of: PartialDate | None
    choices: tuple[FieldChoice, ...] = ()

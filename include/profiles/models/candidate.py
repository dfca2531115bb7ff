"""A person: source rows that resolution put together, the merged profile, the document."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from profiles.models.source import Education, PartialDate, SourceRecord


class Candidate(Struct, frozen=True, gc=False):
    """One person and the records that describe them, newest first."""

    candidate_id: int
    records: tuple[SourceRecord, ...]


class FieldClaim(Struct, frozen=True, gc=False):
    value: str
    source: str
    source_key: str


class FieldChoice(Struct, frozen=True, gc=False):
    """The value of a field, the record that states it, and why it won. `losers` are the claims that
    differ, newest record first, at most `choosing.MAX_LOSERS`; `more` counts those left out."""

    field: str
    value: str
    source: str
    source_key: str
    reason: str
    losers: tuple[FieldClaim, ...] = ()
    more: int = 0


class Experience(Struct, frozen=True, gc=False):
    """One job spell of a candidate after merging, newest first by `n` from 0. `employer_key` is the
    normalised name that joins `company_industry`."""

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
    name: str
    texts: tuple[str, ...]

    @property
    def heading(self) -> str:
        return self.name.replace("_", " ").capitalize()


class MergedProfile(Struct, frozen=True, gc=False):
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


class ReaderText(Struct, frozen=True, gc=False):
    """A field that addresses a reader, and how many sentences or values were cut out of it."""

    source: str
    source_key: str
    field: str
    cuts: int


class SearchFacts(Struct, frozen=True, gc=False):
    """Columns of the serving table; `country` is an ISO 3166 code."""

    title: str | None = None
    employer: str | None = None
    place: str | None = None
    country: str | None = None
    years_of_experience: int | None = None


class ProfileDocument(Struct, frozen=True, gc=False):
    """Markdown about one person, byte-for-byte the same for the same records.

    `content_hash` covers the markdown alone. `token_estimate` is derived from bytes; the lane
    counts exactly where it decides trimming. `trimmed` names the sections that the size rules
    shortened. `is_thin` documents get no model call. `full_name` and `facts` become columns of the
    serving table. `reader_text` says what was cut out of the records.
    """

    candidate_id: int
    markdown: str
    content_hash: str
    word_count: int
    token_estimate: int
    renderer_version: str
    as_of: str | None
    experience: tuple[Experience, ...]
    choices: tuple[FieldChoice, ...] = ()
    trimmed: tuple[str, ...] = ()
    full_name: str | None = None
    is_thin: bool = False
    reader_text: tuple[ReaderText, ...] = ()
    facts: SearchFacts = SearchFacts()

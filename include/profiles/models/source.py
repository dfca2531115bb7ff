"""Content of one source row, in one shape for every vendor."""

from __future__ import annotations

from msgspec import Struct


class PartialDate(Struct, frozen=True, gc=False):
    """A year, or a year and a month. No day: no source states one that can be trusted.

    >>> str(PartialDate(2019, 3)), str(PartialDate(2019))
    ('2019-03', '2019')
    """

    year: int
    month: int | None = None

    def __str__(self) -> str:
        return f"{self.year:04d}" if self.month is None else f"{self.year:04d}-{self.month:02d}"

    def __lt__(self, other: PartialDate) -> bool:
        return (self.year, self.month or 0) < (other.year, other.month or 0)

    def __le__(self, other: PartialDate) -> bool:
        return not other < self

    @property
    def first_month(self) -> int:
        """Months since year 0 of the first month this date may mean."""
        return self.year * 12 + (self.month or 1) - 1

    @property
    def last_month(self) -> int:
        """Months since year 0 of the last month this date may mean."""
        return self.year * 12 + (self.month or 12) - 1


class Position(Struct, frozen=True, gc=False):
    """One job spell. `is_current` only when the source says so: an unknown end is none."""

    title: str | None = None
    company: str | None = None
    company_linkedin_id: str | None = None
    company_domain: str | None = None
    start: PartialDate | None = None
    end: PartialDate | None = None
    is_current: bool = False
    description: str | None = None
    location: str | None = None
    employment_type: str | None = None


class Education(Struct, frozen=True, gc=False):
    school: str | None = None
    degree: str | None = None
    field: str | None = None
    start: PartialDate | None = None
    end: PartialDate | None = None
    grade: str | None = None


class Entry(Struct, frozen=True, gc=False):
    """One entry of a section: a project, a certificate, an award, a language. `by` is who gave or
    published it or where it was, `text` what else the source says of it."""

    section: str
    title: str | None = None
    by: str | None = None
    start: PartialDate | None = None
    end: PartialDate | None = None
    is_current: bool = False
    text: str | None = None


class SourceRecord(Struct, frozen=True, gc=False):
    """One source row after parsing and cleaning.

    Texts are clean Unicode, `emails` and LinkedIn ids canonical (`standardization.identifiers`),
    `phones` E.164. `observed_at` is the ISO-8601 UTC time at which the source saw the person; it
    orders conflicting claims. `name_beside` holds further names that stood in parentheses.
    """

    source: str
    source_key: str
    observed_at: str | None = None
    full_name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    linkedin_id: str | None = None
    linkedin_member_ids: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    headline: str | None = None
    summary: str | None = None
    location: str | None = None
    country: str | None = None
    industry: str | None = None
    positions: tuple[Position, ...] = ()
    education: tuple[Education, ...] = ()
    skills: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    years_experience: float | None = None
    name_beside: str | None = None

    @property
    def is_empty(self) -> bool:
        """True when the row says nothing about a person: no name, key, job, school or skill."""
        keys = (self.linkedin_id, self.linkedin_member_ids, self.emails, self.phones)
        parts = (self.headline, self.summary, self.positions, self.education, self.skills)
        return not any((self.full_name, *keys, *parts))


class RowRejection(Struct, frozen=True, gc=False):
    """A source row that could not be read. `reason` is a short stable code, `detail` says what was
    expected, without quoting the row."""

    source: str
    source_key: str
    reason: str
    detail: str

"""The records of an invented person: who, where they worked, what they studied and know."""

from __future__ import annotations

from dataclasses import dataclass, field

from sample_data.careers import CAREERS, Career
from sample_data.companies import Company, slug
from sample_data.locales import LOCALES, City, Locale, NamePart


@dataclass(slots=True)
class Job:
    """One true job spell; months as in `snapshot`, `end` None for the current one."""

    company: Company
    title: str
    start: int
    end: int | None
    sentences: list[str]
    employment: str
    remote: bool


@dataclass(frozen=True, slots=True)
class Study:
    """One study; `degree` is (short, long), years are calendar years."""

    school: str
    degree: tuple[str, str]
    field: str
    start: int
    end: int
    grade: str | None


@dataclass(slots=True)
class Person:
    """One invented human. `tags` name the traps this person carries."""

    number: int
    locale_key: str
    given: NamePart
    family: NamePart
    middle: str
    email: str
    phone: str
    vanity: str
    old_vanity: str | None
    member_id: str
    urn: str
    tags: list[str]
    career: Career = CAREERS[0]
    jobs: list[Job] = field(default_factory=list)
    city: City = ("", "", "")
    work_email: str = ""
    skills: list[tuple[str, ...]] = field(default_factory=list)
    studies: list[Study] = field(default_factory=list)
    certificates: list[str] = field(default_factory=list)
    languages: list[tuple[str, str]] = field(default_factory=list)
    years: int = 0
    headline: str = ""
    about: str = ""
    took_vanity: bool = False

    @property
    def locale(self) -> Locale:
        """The locale's names, cities and phones."""
        return LOCALES[self.locale_key]

    @property
    def latin_slugs(self) -> tuple[str, str]:
        """Given and family name in ASCII, as URLs and mailboxes use them."""
        return slug(self.given[1]), slug(self.family[1])

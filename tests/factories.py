"""Records for tests, with overrides: `record(full_name="Ada Testwell")` says only what matters."""

from __future__ import annotations

import itertools
from typing import Any

from profiles.models import Education, Entry, PartialDate, Position, SourceRecord

_numbers = itertools.count(1)


def date(text: str | None) -> PartialDate | None:
    """ "2019-03" or "2019" as a PartialDate."""
    if text is None:
        return None
    year, _, month = text.partition("-")
    return PartialDate(int(year), int(month) if month else None)


def position(
    company: str | None = "Northvale Systems",
    start: str | None = "2020-01",
    end: str | None = None,
    **overrides: Any,
) -> Position:
    """A job; `start` and `end` as "YYYY-MM" or "YYYY"."""
    values: dict[str, Any] = {
        "title": "Engineer",
        "company": company,
        "start": date(start),
        "end": date(end),
        "is_current": end is None,
    }
    return Position(**(values | overrides))


def education(school: str | None = "Halden University", **overrides: Any) -> Education:
    """A study."""
    return Education(**({"school": school} | overrides))


def record(**overrides: Any) -> SourceRecord:
    """A record that says nothing but its name, with a key of its own."""
    values: dict[str, Any] = {
        "source": "linkedin",
        "source_key": f"row-{next(_numbers):06}",
        "observed_at": "2026-05-01T00:00:00Z",
        "full_name": "Ada Testwell",
    }
    return SourceRecord(**(values | overrides))


def entries(section: str, *titles: str) -> tuple[Entry, ...]:
    """Entries of a section with nothing but titles."""
    return tuple(Entry(section, title) for title in titles)


KEPT_TABLES = {
    "search_name": "spellings of the vocabulary and counts of people, no person",
    "search_term": "frequencies of words over all people, no person",
    "batch": "sizes and times of leases",
    "coverage": "numbers of people by state, source, domain and skill",
    "erasure_log": "the audit itself: numbers, and ids that point at nothing any more",
    "judge": "a model and the digest of a rubric",
    "judge_agreement": "sums over a labelled set",
    "lane": "hosts, cards and counters; errors name ids and counts alone",
    "release": "prompts and settings, the same for everybody",
    "run": "choices and sums of a run; Params may name an id that points at nothing any more",
    "run_metric": "measurements of lanes, batches and cards",
    "run_stage": "counts and seconds; errors name ids and counts alone",
    "schema_migration": "names of migrations",
    "tagged_by": "a digest of the industry table and the taxonomy",
    "term_frequency": "how many rows hold a name or an employer, counted again by each run",
    "tombstone": "what keeps the person out; says nothing without the secret",
}
"""Tables that an erasure leaves alone, and why they hold no person."""

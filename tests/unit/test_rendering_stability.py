"""The same records give the same bytes: in any order, on any day."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.factories import education, position, record

from profiles.models import Candidate, PartialDate
from profiles.rendering.markdown import render
from profiles.rendering.spans import months_once, span
from profiles.standardization.skills import Vocabulary

VOCABULARY = Vocabulary.from_aliases({"Go": ["golang"]})

months = st.tuples(st.integers(2005, 2025), st.none() | st.integers(1, 12)).map(
    lambda pair: PartialDate(*pair)
)
positions = st.builds(
    lambda company, title, start, end, current, text: position(
        company, None, None, title=title, description=text
    ).__class__(
        title=title,
        company=company,
        start=start,
        end=None if current else end,
        is_current=current,
        description=text,
    ),
    st.sampled_from(["Northvale Systems", "NORTHVALE", "Halden Bank Ltd", None]),
    st.sampled_from(["Engineer", "Senior Engineer", "Sr. Engineer", "Lead", None]),
    st.none() | months,
    st.none() | months,
    st.booleans(),
    st.sampled_from(
        ["Built the billing service.", "Built the bill", "Led 4 people. Wrote docs.", None]
    ),
)
records = st.builds(
    lambda name, jobs, skills, seen, number: record(
        full_name=name,
        positions=tuple(jobs),
        skills=tuple(skills),
        observed_at=seen,
        source_key=f"k{number}",
        education=(education(degree="BSc"),),
    ),
    st.sampled_from(["Ada Testwell", "ADA TESTWELL", "Ada T.", None]),
    st.lists(positions, max_size=4),
    st.lists(st.sampled_from(["Go", "golang", "C", "C++", "SQL"]), max_size=3),
    st.sampled_from(["2024-01-01T00:00:00Z", "2025-06-01T00:00:00Z", None]),
    st.integers(0, 10**9),
)


def bytes_of(people):
    document = render(Candidate(1, tuple(people)), vocabulary=VOCABULARY)
    return document and (document.markdown, document.choices, document.experience)


@settings(max_examples=150, deadline=None)
@given(st.lists(records, min_size=1, max_size=5, unique_by=lambda r: r.source_key), st.randoms())
def test_the_order_of_records_never_shows(people, shuffler: random.Random):
    shuffled = list(people)
    shuffler.shuffle(shuffled)
    assert bytes_of(shuffled) == bytes_of(people)


@settings(max_examples=100, deadline=None)
@given(st.lists(records, min_size=1, max_size=4, unique_by=lambda r: r.source_key))
def test_no_spell_is_negative_and_no_job_of_a_record_is_lost(people):
    document = render(Candidate(1, tuple(people)), vocabulary=VOCABULARY)
    if document is None:
        return
    for job in document.experience:
        assert job.months is None or job.months > 0
        if job.start and job.end:
            assert job.end.last_month >= job.start.first_month
    most = max(len({repr(p) for p in person.positions}) for person in people)
    assert len(document.experience) >= min(most, 1)


def test_rendering_on_two_dates_a_year_apart_gives_the_same_bytes(monkeypatch):
    import time

    person = record(positions=(position(start="2019-03"),), observed_at="2026-05-01T00:00:00Z")
    first = bytes_of([person])
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    assert bytes_of([person]) == first
    assert "Mar 2019 – Present (7+ yrs)" in first[0]


def test_being_seen_again_next_month_changes_no_byte():
    seen = [
        bytes_of([record(positions=(position(start="2019-03"),), observed_at=observed)])[0]
        for observed in ("2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z")
    ]
    assert seen[0] == seen[1]


def test_overlapping_jobs_count_their_months_once():
    jobs = (
        position("Kaveri Health", "2018-01", "2021-12"),
        position("Umbra Retail", "2019-06", "2020-06"),
        position("Tarn Media", "2023-01", "2023-12"),
    )
    document = render(Candidate(1, (record(positions=jobs),)), vocabulary=VOCABULARY)
    assert "5 years of experience" in document.markdown


def test_total_months_agree_with_counting_every_month():
    shuffler = random.Random(7)
    for _ in range(200):
        spans = [
            (first, first + shuffler.randrange(30))
            for first in (shuffler.randrange(24_000, 24_200) for _ in range(shuffler.randrange(8)))
        ]
        counted = {month for first, last in spans for month in range(first, last + 1)}
        assert months_once(spans) == len(counted)


def test_two_ranges_sum_to_78_months():
    first = span(PartialDate(2019, 3), PartialDate(2021, 2), None)
    second = span(PartialDate(2022, 6), None, PartialDate(2026, 11))
    assert months_once([first, second]) == 78

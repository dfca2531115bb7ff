"""The record of who won a field: the value, its row, the reason, and what the others said."""

from __future__ import annotations

import itertools

import pytest
from tests.factories import date, education, position, record

from profiles.models import Candidate, FieldChoice, FieldClaim, SourceRecord
from profiles.rendering.choosing import MAX_LOSERS, MAX_VALUE_CHARS
from profiles.rendering.markdown import render
from profiles.rendering.merging import MAX_CHOICES
from profiles.standardization.skills import Vocabulary

VOCABULARY = Vocabulary.from_aliases({})


def choices(*records: SourceRecord) -> dict[str, FieldChoice]:
    document = render(Candidate(1, records), vocabulary=VOCABULARY)
    assert document is not None
    return {choice.field: choice for choice in document.choices}


def row(key: str, **overrides) -> SourceRecord:
    return record(source_key=key, observed_at=f"2026-0{key[-1]}-01T00:00:00Z", **overrides)


def test_conflicting_rows_show_both_values():
    new = row("new-2", headline="Staff Engineer at Tarn", location="Pune")
    old = row("old-1", headline="Engineer at Umbra", location="Pune, Maharashtra, India")
    found = choices(old, new)
    assert found["headline"] == FieldChoice(
        "headline",
        "Staff Engineer at Tarn",
        "linkedin",
        "new-2",
        "newest",
        (FieldClaim("Engineer at Umbra", "linkedin", "old-1"),),
    )
    place = found["location"]
    assert (place.value, place.source_key, place.reason) == (
        "Pune, Maharashtra, India",
        "old-1",
        "most_complete",
    )
    assert place.losers == (FieldClaim("Pune", "linkedin", "new-2"),)


@pytest.mark.parametrize(
    ("best", "other"),
    [
        ("Zażółcia Gęślą", "Zazolcia Gesla"),
        ("Łucja Żak", "Łucja Ż."),
        ("Ines Ferrand", "I. Ferrand"),
        ("Ines O'Keeffe", "Ines Okeeffe"),
        ("Anne-Ines Ferrand", "Anne Ines Ferrand"),
        ("Ian MacLeod", "Ian Macleod"),
        ("Ines Ferrand", "In?s Ferrand"),
        ("李 明", "李 明"),
    ],
)
def test_the_best_spelled_name_wins_over_newer_and_more_rows(best: str, other: str):
    old = row("old-1", full_name=best)
    newer = [row(f"new-{n}", full_name=other) for n in (2, 3)]
    document = render(Candidate(1, (old, *newer)), vocabulary=VOCABULARY)
    assert document is not None
    assert document.full_name == best


def test_titles_and_dates_of_one_job_show_both_values():
    new = row("new-2", positions=(position(title="Sr. Engineer", start="2019", end="2021-05"),))
    old = row("old-1", positions=(position(title="Data Engineer", start="2019-03", end="2021-04"),))
    found = choices(new, old)
    start = found["experience[0].start"]
    assert (start.value, start.reason) == ("2019-03", "most_precise")
    assert start.losers == (FieldClaim("2019", "linkedin", "new-2"),)
    end = found["experience[0].end"]
    assert (end.value, end.reason) == ("2021-05", "newest")
    assert end.losers == (FieldClaim("2021-04", "linkedin", "old-1"),)


def test_a_job_that_one_row_ended_and_a_newer_one_runs_shows_the_end():
    new = row("new-2", positions=(position(start="2019-03"),))
    old = row("old-1", positions=(position(start="2019-03", end="2021-04"),))
    end = choices(new, old)["experience[0].end"]
    assert (end.value, end.source_key, end.reason) == ("present", "new-2", "newest")
    assert end.losers == (FieldClaim("2021-04", "linkedin", "old-1"),)


def test_parts_of_a_study_show_both_values():
    new = row("new-2", education=(education(degree="BSc", field="Physics", end=date("2014")),))
    old = row("old-1", education=(education(degree="B.Sc.", field="Maths", end=date("2014-06")),))
    found = choices(new, old)
    assert "education[0].degree" not in found
    assert found["education[0].field"].losers == (FieldClaim("Maths", "linkedin", "old-1"),)
    end = found["education[0].end"]
    assert (end.value, end.source_key, end.reason) == ("2014-06", "old-1", "most_precise")


def test_the_record_is_bounded_and_says_how_much_it_left_out():
    rows = [
        record(source_key=f"row-{n}", headline=f"Engineer {chr(97 + n)} {'x' * 200}")
        for n in range(MAX_LOSERS + 4)
    ]
    found = choices(*rows)["headline"]
    assert (len(found.losers), found.more) == (MAX_LOSERS, 3)
    assert {len(claim.value) for claim in found.losers} == {MAX_VALUE_CHARS}
    jobs = [
        tuple(
            position(f"Employer {n}", f"{1900 + n}-01", end, title=f"Kind {n}")
            for n in range(MAX_CHOICES)
        )
        for end in ("2001-01", "2002-02")
    ]
    many = [row(f"row-{n + 1}", positions=positions) for n, positions in enumerate(jobs)]
    assert len(choices(*many)) <= MAX_CHOICES


def test_no_contact_detail_is_kept_with_a_losing_value():
    new = row("new-2", headline="Engineer", positions=(position(title="Engineer"),))
    old = row(
        "old-1",
        headline="Writer, ada@mail-example.com",
        positions=(position(title="Engineer ada@mail-example.com"),),
    )
    assert "@" not in str(choices(new, old))


def test_the_record_is_the_same_for_any_order_of_the_rows():
    rows = [
        row("a-1", headline="Engineer", location="Pune", positions=(position(start="2019"),)),
        row("b-1", headline="Writer", location="Oslo", positions=(position(start="2019-02"),)),
        row("c-2", headline="Editor", location="Pune, India"),
    ]
    first, *others = (choices(*order) for order in itertools.permutations(rows))
    assert all(list(other.items()) == list(first.items()) for other in others)

"""Estimated end of a run and its basis: the best estimate that there is, or none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from profile_runs.progress import Rate, night_of, progress_of
from profile_runs.progress import rate_of as best_rate

NOW = datetime(2026, 3, 2, 1, tzinfo=UTC)


def rate_of(recent, measured_seconds, working, past=None, past_lanes=0, *, lanes):
    return best_rate(
        recent=recent,
        measured_seconds=measured_seconds,
        working=working,
        past=past,
        past_lanes=past_lanes,
        lanes=lanes,
    )


def test_the_last_minutes_count_once_there_are_so_many():
    lanes = [(600, 600), (300, 600)]
    assert rate_of(500, 600, lanes, lanes=2) == Rate(
        1.5, "mean of 2 running lanes since their first question"
    )
    assert rate_of(500, 4000, lanes, lanes=2) == Rate(
        500 / 900, "500 documents ended in the last 15 minutes"
    )


def test_a_handful_of_documents_is_no_rate_of_the_last_minutes():
    found = rate_of(3, 4000, [(100, 1000)], lanes=1)
    assert found is not None
    assert found.documents_per_second == 0.1


def test_lanes_that_still_load_are_judged_by_earlier_runs():
    found = rate_of(0, None, [(0, 0), (0, 5)], 0.5, 12, lanes=2)
    assert found is not None
    assert found.documents_per_second == 1.0
    assert "median of 12 lanes of the same model in 30 days" in found.basis


def test_without_any_measurement_there_is_no_end():
    assert rate_of(0, None, [], lanes=2) is None
    progress = progress_of(planned=10, deferred=0, missing=10, rate=None, now=NOW)
    assert progress.ends_at is None
    assert progress.basis == "no rate yet: no lane has ended a document"
    assert night_of(stop_at=NOW, missing=10, rate=None, now=NOW) is None


def test_the_parts_of_the_night_add_up():
    rate = Rate(2.0, "measured")
    progress = progress_of(planned=1000, deferred=100, missing=600, rate=rate, now=NOW)
    assert progress.done + progress.deferred + progress.open == progress.planned
    assert progress.ends_at == NOW + timedelta(seconds=300)

    night = night_of(stop_at=NOW + timedelta(seconds=200), missing=600, rate=rate, now=NOW)
    assert night is not None
    assert (night.fits, night.left_over) == (400, 200)
    closed = night_of(stop_at=NOW - timedelta(hours=1), missing=600, rate=rate, now=NOW)
    assert closed is not None
    assert (closed.fits, closed.left_over, closed.seconds_left) == (0, 600, 0.0)

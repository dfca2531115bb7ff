"""Control bands of the gate's figures."""

from __future__ import annotations

import pytest

from profiles.storage.runs import FEWEST_RUNS, share_bands

STEADY = [
    {"valid": 900 + change, "rejected: ungrounded": 100 - change} for change in (0, 6, -5, 3, -4)
]


def drifts(now, before):
    return tuple(
        band for band in share_bands(now, before) if not band.low <= band.share <= band.high
    )


def test_a_share_outside_the_band_of_earlier_runs_is_named():
    (accepted, refused) = drifts({"valid": 700, "rejected: ungrounded": 300}, STEADY)[::-1]
    assert (accepted.figure, refused.figure) == ("valid", "rejected: ungrounded")
    assert refused.share == pytest.approx(0.3)
    assert refused.low < 0.1 < refused.high < 0.3
    assert "rejected: ungrounded 30.0% (band" in str(refused)


def test_shares_inside_the_band_are_not():
    assert drifts({"valid": 905, "rejected: ungrounded": 95}, STEADY) == ()


def test_a_reason_that_no_earlier_run_had_is_drift():
    names = [drift.figure for drift in drifts({"valid": 900, "rejected: language": 100}, STEADY)]
    assert "rejected: language" in names


def test_too_few_runs_or_answers_give_no_band():
    odd = {"valid": 100, "rejected: ungrounded": 900}
    assert drifts(odd, STEADY[: FEWEST_RUNS - 1]) == ()
    assert drifts({"rejected: ungrounded": 99}, STEADY) == ()
    assert drifts(odd, [*STEADY[:4], {"valid": 3}]) == ()


def test_a_small_run_may_scatter_more_than_a_large_one():
    assert drifts({"valid": 85, "rejected: ungrounded": 15}, STEADY) == ()
    assert drifts({"valid": 8500, "rejected: ungrounded": 1500}, STEADY) != ()

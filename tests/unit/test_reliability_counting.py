"""Repeated calls that a fault explains: only those that it had in flight, each once."""

from __future__ import annotations

import pytest
from tests.reliability.watched import Call, Strike, WatchedRun

pytestmark = pytest.mark.release

A, B, C, D = (1, 1), (2, 1), (3, 1), (4, 1)


class Recorded(WatchedRun):
    """A run whose records are given: the engine's log, stored answers, leases and takeovers."""

    def __init__(self, calls, *, stored, strikes, ended=None, taken=None):
        self._calls = sorted(Call(at, key, batch) for at, key, batch in calls)
        self._given = stored
        self._strikes = strikes
        self._ended = ended or {}
        self._taken = taken

    def begun(self):
        return self._calls

    def stored(self):
        return self._given

    def _ended_batches(self):
        return {call.batch: self._ended.get(call.batch, float("inf")) for call in self._calls}

    def _taken_over(self, strike):
        return self._taken

    def count(self):
        in_flight = self._in_flight()
        explained, unexplained = self._repeats(in_flight)
        return in_flight, explained, unexplained


def test_a_call_that_was_not_stored_when_its_lane_was_gone_may_be_repeated():
    run = Recorded(
        [(1, A, 1), (2, B, 1), (20, B, 2)],
        stored={A: 3, B: 21},
        strikes=[Strike(10, 10, 10.4, ends_engines=True)],
    )
    assert run.count() == ([{B}], [1], [])


def test_what_a_dying_engine_begins_is_in_flight():
    calls = [(10.2, A, 1), (20, A, 2)]
    strikes = [Strike(10, 10, 10.4, ends_engines=True)]
    assert Recorded(calls, stored={A: 21}, strikes=strikes).count() == ([{A}], [1], [])
    late = [Strike(10, 10, 10.1, ends_engines=True)]
    assert Recorded(calls, stored={A: 21}, strikes=late).count() == ([set()], [0], [20])


def test_an_answer_that_was_stored_must_not_be_asked_for_again():
    run = Recorded(
        [(1, A, 1), (20, A, 2)], stored={A: 3}, strikes=[Strike(10, 10, 10, ends_engines=True)]
    )
    assert run.count() == ([set()], [0], [20])


def test_what_a_lane_gives_back_as_it_ends_is_in_flight():
    run = Recorded(
        [(9, A, 1), (9, B, 1), (20, B, 2)],
        stored={A: 11, B: 21},
        strikes=[Strike(5, 13, 13.2, ends_engines=True)],
        ended={1: 12},
    )
    assert run.count() == ([{B}], [1], [])


def test_one_fault_explains_one_repetition():
    run = Recorded(
        [(9, A, 1), (20, A, 2), (30, A, 3)],
        stored={A: 31},
        strikes=[Strike(10, 10, 10, ends_engines=True)],
    )
    assert run.count() == ([{A}], [1], [30])


def test_a_lane_that_lives_on_loses_its_answers_when_it_is_taken_over():
    first = [(9, A, 1), (15, B, 1), (26, C, 1), (27, D, 1)]
    again = [(30, B, 2), (31, C, 2), (32, D, 2), (40, A, 3)]
    run = Recorded(
        first + again,
        stored={A: 16, B: 32, C: 33, D: 33},
        strikes=[Strike(10, 10, 10)],
        ended={1: 25},
        taken=25,
    )
    # It may not know of the takeover when it asks for C; for D it is too late.
    assert run.count() == ([{B, C}], [2], [32, 40])


def test_a_call_that_an_earlier_fault_lost_is_not_in_flight_again():
    run = Recorded(
        [(9, A, 1), (50, A, 3)],
        stored={A: 51},
        strikes=[Strike(10, 10, 10, ends_engines=True), Strike(40, 40, 40, ends_engines=True)],
        ended={1: 20},
    )
    assert run.count() == ([{A}, set()], [1, 0], [])

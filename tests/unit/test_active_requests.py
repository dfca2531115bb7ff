"""Requests that an engine has started, and their running times."""

from __future__ import annotations

from profiles.synthesis.process.service import ActiveRequests


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def requests(*, at_once=2, seconds=10.0, count=4):
    clock = Clock()
    begun = ActiveRequests(at_once=at_once, seconds=seconds, clock=clock)
    for number in range(count):
        begun.add(str(number))
    return begun, clock


def test_the_time_of_a_request_runs_from_when_it_can_have_begun():
    begun, _ = requests()
    assert begun.overdue(9) == []
    assert begun.overdue(11) == ["0", "1"]
    begun.remove("0")
    begun.remove("1")
    assert begun.overdue(11) == []
    assert begun.overdue(20) == []
    assert begun.overdue(22) == ["2", "3"]


def test_without_a_limit_nothing_is_overdue():
    begun, _ = requests(seconds=0)
    assert begun.overdue(1e9) == []


def test_what_waits_is_told_by_what_the_engine_says_that_it_runs():
    begun, _ = requests(at_once=3)
    assert begun.not_started(None) == ["3"]
    assert begun.not_started(1) == ["1", "2", "3"]
    assert begun.not_started(9) == ["3"]

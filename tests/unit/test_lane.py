"""The lane's loop against an engine and a queue in memory: feeding, attempts, ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.lane_doubles import (
    LIMITS,
    PROFILE,
    Bench,
    MemoryEngine,
    always,
    beat,
    with_limits,
)

from profiles.errors import (
    DatabaseUnavailableError,
)
from profiles.models import (
    ColdStart,
    Outcome,
    Profile,
    Rejection,
    RejectionReason,
    RemovalReason,
    RemovedSentence,
    Request,
    Sampling,
    WorkItem,
)
from profiles.synthesis.lane.assessment import Assessor
from profiles.synthesis.lane.lane import LaneControl, LaneEnd
from profiles.synthesis.lane.window import window_size
from profiles.synthesis.process.protocol import EngineReady


def test_every_document_is_asked_once_and_stored():
    bench = Bench(30)
    outcome = bench.run()
    assert outcome.end is LaneEnd.NO_WORK
    assert len(bench.queue.done) == len(bench.sent) == 30
    assert outcome.counters == {
        "batches": 4,
        "model_calls": 30,
        "valid": 30,
        "prompt_tokens": 300,
        "completion_tokens": 150,
        "cached_tokens": 30,
    }
    assert outcome.cold_start.load_seconds == 0.5
    assert len(bench.engines) == 1


def warm(bench, count):
    requests = [Request(f"warm_up.{n}.1", (), Sampling()) for n in range(count)]
    bench.lane.new_warm_up = lambda ready: requests


def test_an_engine_is_warmed_up_before_the_first_document_is_leased():
    bench = Bench(20)
    warm(bench, 6)
    leased = []
    lease = bench.queue.lease
    bench.queue.lease = lambda size: leased.append(len(bench.sent)) or lease(size)
    outcome = bench.run()
    assert leased[0] == 6
    assert outcome.cold_start == ColdStart(0.5, 6.0)
    assert outcome.counters["model_calls"] == len(bench.queue.done) == 20


def test_a_warm_up_ends_in_time_and_its_late_answers_are_nobodys():
    bench = Bench(20, limits=with_limits(warm_up_seconds=3))
    warm(bench, 10)
    outcome = bench.run()
    assert outcome.cold_start.warm_up_seconds == 3.0
    assert outcome.counters["model_calls"] == len(bench.queue.done) == 20


def test_an_engine_that_dies_over_its_warm_up_is_started_again():
    bench = Bench(5, lambda candidate, number: "crash" if len(bench.engines) == 1 else "good")
    warm(bench, 3)
    assert bench.run().counters["engine_deaths"] == 1
    assert len(bench.queue.done) == 5


def test_the_last_figures_of_the_engine_are_shown_with_the_lane():
    bench = Bench(12)

    class Talking(MemoryEngine):
        def poll(self, timeout):
            return [*super().poll(timeout), beat(running=3, waiting=150, usage=0.7, queued=1)]

    bench.lane.new_engine = lambda: (
        bench.engines.append(Talking(bench.clock, bench.behave, log=bench.sent))
        or bench.engines[-1]
    )
    bench.run()
    assert bench.queue.beats[-1][1] == {
        "running": 3,
        "waiting": 151,
        "token_usage": 0.7,
    }


def test_a_lane_without_work_loads_no_engine():
    bench = Bench(0)
    assert bench.run().end is LaneEnd.NO_WORK
    assert bench.engines == []


def test_the_window_stays_full_across_batches():
    bench = Bench(20, limits=with_limits(batch_size=4))
    depths = []
    original = MemoryEngine.poll

    class Watched(MemoryEngine):
        def poll(self, timeout):
            depths.append(len(self.requests))
            return original(self, timeout)

    bench.lane.new_engine = lambda: (
        bench.engines.append(Watched(bench.clock, bench.behave, log=bench.sent))
        or bench.engines[-1]
    )
    bench.run()
    assert depths[:17] == [4] * 17


def test_the_next_batch_is_leased_before_the_last_one_drains():
    bench = Bench(30, limits=with_limits(batch_size=10))
    waiting = []
    lease = bench.queue.lease

    def watched(size):
        waiting.append(len(bench.lane._work.in_flight))
        return lease(size)

    bench.queue.lease = watched
    bench.run()
    assert waiting[0] == 0
    assert all(count >= 3 for count in waiting[1:3])


def test_within_a_batch_the_longest_document_goes_first_and_no_batch_overtakes():
    bench = Bench(24)
    for n, item in bench.queue.items.items():
        bench.queue.items[n] = replace(item, word_count=n * 7 % 24)
    bench.run()
    sent = [tuple(map(int, request.request_id.split(".")[:2])) for request in bench.sent]
    assert [batch for batch, _ in sent] == [1] * 8 + [2] * 8 + [3] * 8
    for batch in (1, 2, 3):
        words = [bench.queue.items[n].word_count for b, n in sent if b == batch]
        assert words == sorted(words, reverse=True)


def test_a_refused_document_goes_before_the_longest_that_wait():
    bench = Bench(20, lambda candidate, number: "bad" if (candidate, number) == (1, 1) else "good")
    bench.run()
    order = [request.request_id for request in bench.sent]
    assert order.index("1.1.2") <= LIMITS.max_in_flight + 1


@pytest.mark.parametrize(("running", "most", "size"), [(0, 9, 5), (4, 300, 104), (256, 300, 300)])
def test_an_engine_with_a_scheduler_of_its_own_has_requests_to_choose_from(running, most, size):
    window = running or 4
    ready = EngineReady("e", "1", "m", window, 4096, running=running)
    assert window_size(ready, most=most) == size


def test_a_refused_answer_is_asked_again_with_another_seed():
    bench = Bench(2, lambda candidate, number: "good" if number == 2 or candidate == 2 else "bad")
    outcome = bench.run()
    first, second = (r.sampling for r in bench.sent if r.request_id.split(".")[1] == "1")
    assert first.seed != second.seed
    assert outcome.counters["refused_attempts"] == 1
    assert [a.number for _, a in bench.queue.stored if a.item.candidate_id == 1] == [1, 2]


def test_the_last_refusal_is_terminal_and_siblings_are_untouched():
    bench = Bench(5, lambda candidate, number: "bad" if candidate == 3 else "good")
    bench.run()
    assert bench.queue.done[3].verdict.outcome is Outcome.REJECTED
    assert bench.queue.done[3].verdict.reason == "too_short"
    assert [bench.queue.done[n].verdict.outcome for n in (1, 2, 4, 5)] == [Outcome.VALID] * 4


def test_an_extractive_summary_stands_in_after_the_last_attempt_where_allowed():
    extractive = Profile("x", (), (), Outcome.EXTRACTIVE, (), "too_short")
    bench = Bench(1, always("bad"), stand_in=lambda rejection, item: extractive)
    bench.run()
    last = bench.queue.done[1]
    assert (last.number, last.completion.text) == (2, "bad")
    assert last.verdict == extractive


def test_attempts_of_an_earlier_lease_count():
    bench = Bench(1, always("bad"))
    item = bench.queue.items[1]
    bench.queue.items[1] = WorkItem(1, item.fingerprint, "h", "d", 100, attempts_made=1)
    bench.run()
    assert [a.number for _, a in bench.queue.stored] == [2]


def test_at_the_end_of_the_window_the_lane_drains_and_gives_the_rest_back():
    bench = Bench(50, window=10.0)
    outcome = bench.run()
    assert outcome.end is LaneEnd.WINDOW
    assert 10 <= len(bench.queue.done) <= 14
    assert len(bench.sent) == len(bench.queue.done)
    assert len(bench.queue.free) == 50 - len(bench.queue.done)


def test_a_lane_started_after_the_window_asks_nothing():
    bench = Bench(3, window=0.0)
    assert bench.run().end is LaneEnd.WINDOW
    assert bench.sent == []


def test_told_to_stop_the_lane_takes_in_what_is_in_flight():
    bench = Bench(50)

    def behave(candidate, number):
        if len(bench.sent) >= 10:
            bench.control.stop(drain_seconds=5)
        return "good"

    bench.behave = behave
    bench.control.attach = lambda engine: None
    outcome = bench.run()
    assert outcome.end is LaneEnd.STOPPED
    assert len(bench.queue.done) == len(bench.sent) < 20


def test_a_drain_ends_in_time_and_gives_back_what_is_still_in_flight():
    bench = Bench(50, window=10.0, limits=with_limits(drain_seconds=0.5))
    bench.run()
    assert len(bench.sent) > len(bench.queue.done)


def test_a_taken_over_batch_is_dropped_and_the_lane_goes_on():
    bench = Bench(16)
    bench.queue.fenced = {1}
    bench.lane.run()
    assert sorted(bench.queue.done) == list(range(9, 17))
    assert bench.lane.counters["fenced_batches"] == 1


def test_a_short_absence_of_the_database_costs_nothing():
    bench = Bench(30)
    bench.queue.fail_until = -1

    def behave(candidate, number):
        if len(bench.sent) == 6:
            bench.queue.fail_until = bench.clock.now + 20
        return "good"

    bench.behave = behave
    bench.run()
    assert len(bench.queue.done) == len(bench.sent) == 30


def test_nothing_is_sent_while_answers_cannot_be_stored():
    """A full disk: leases are renewed, answers are refused. Then all of it goes on."""
    bench = Bench(30)
    full, sent = [], []
    store = bench.queue.store

    def store_unless_full(batch_id, attempts):
        if len(bench.sent) >= 6 and bench.clock.now < 40:
            full.append(bench.clock.now)
            sent.append(len(bench.sent))
            raise DatabaseUnavailableError("the disk is full")
        store(batch_id, attempts)

    bench.queue.store = store_unless_full
    bench.run()
    assert full[-1] - full[0] > 20
    assert sent[0] == sent[-1] < 30
    assert len(bench.queue.done) == len(bench.sent) == 30


def test_a_long_absence_of_the_database_loses_only_what_was_in_flight():
    bench = Bench(30)
    bench.behave = lambda candidate, number: (
        setattr(bench.queue, "fail_until", 1e9) or "good" if len(bench.sent) == 6 else "good"
    )
    with pytest.raises(DatabaseUnavailableError):
        bench.lane.run()
    lost = len(bench.sent) - len(bench.queue.done)
    # The requests in flight, and what was answered within the second until it is stored.
    assert lost <= 2 * LIMITS.max_in_flight


def test_a_long_absence_of_the_database_ends_the_lane():
    bench = Bench(30)
    bench.behave = lambda candidate, number: (
        setattr(bench.queue, "fail_until", 1e9) or "good" if len(bench.sent) == 6 else "good"
    )
    with pytest.raises(DatabaseUnavailableError):
        bench.lane.run()
    assert all(engine.killed for engine in bench.engines)


def test_an_unexpected_error_leaves_no_engine_and_no_lease():
    bench = Bench(10)

    def behave(candidate, number):
        if candidate == 7:
            raise KeyboardInterrupt
        return "good"

    bench.behave = behave
    with pytest.raises(KeyboardInterrupt):
        bench.lane.run()
    bench.check()


class TestControl:
    class Engine:
        def __init__(self, in_flight=()):
            self.in_flight, self.kills = frozenset(in_flight), 0

        def kill(self):
            self.kills += 1

    def test_kills_an_engine_that_has_nothing_in_flight_at_once(self):
        control, engine = LaneControl(), self.Engine()
        control.attach(engine)
        control.stop(drain_seconds=60)
        assert control.is_stopping and engine.kills == 1

    def test_gives_requests_in_flight_the_time_to_drain(self):
        control, engine = LaneControl(), self.Engine(["1.1.1"])
        control.attach(engine)
        control.stop(drain_seconds=60)
        assert engine.kills == 0
        control.stop(drain_seconds=60)
        assert engine.kills == 1


def test_a_retry_carries_why_the_answer_before_was_refused():
    removed = (RemovedSentence("It won prizes.", RemovalReason.AWARD),)

    def refuse(completion, item):
        return Rejection(RejectionReason.UNGROUNDED, "", (), removed=removed)

    bench = Bench(1)
    bench.lane.assessor = Assessor(PROFILE, refuse, lambda rejection, item: rejection)
    refusals = []
    new_request = bench.lane.new_request
    bench.lane.new_request = lambda job: refusals.append(job.rejection) or new_request(job)

    bench.run()

    assert refusals == [None, Rejection(RejectionReason.UNGROUNDED, removed=removed)]

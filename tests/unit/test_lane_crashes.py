"""A lane whose engine crashes, fails or answers errors: who is blamed, and what goes on."""

from __future__ import annotations

import pytest
from tests.lane_doubles import (
    LIMITS,
    PROFILE,
    Bench,
    MemoryEngine,
    always,
    with_limits,
)

from profiles.errors import (
    EngineError,
    EngineJobError,
)
from profiles.models import (
    Outcome,
    Profile,
)
from profiles.synthesis.lane.lane import LaneEnd


def test_an_engine_death_repeats_only_what_was_in_flight():
    bench = Bench(20)
    bench.behave = lambda candidate, number: (
        "crash" if len(bench.engines) == 1 and len(bench.sent) >= 10 else "good"
    )
    outcome = bench.run()
    assert outcome.counters["engine_deaths"] == 1
    assert len(bench.queue.done) == 20
    repeated = len(bench.sent) - 20
    assert 0 < repeated <= LIMITS.max_in_flight
    assert len(bench.engines) == 2


WIDE = with_limits(batch_size=64, max_in_flight=64)


def wide(count, behave, *, limits=WIDE, window=64, **more):
    """A lane whose engine works on a whole window at once, and answers the newest first."""
    bench = Bench(count, behave, limits=limits, **more)

    class Wide(MemoryEngine):
        def poll(self, timeout):
            self.requests.reverse()
            try:
                return super().poll(timeout)
            finally:
                self.requests.reverse()

    def new_engine():
        bench.engines.append(Wide(bench.clock, bench.behave, window=window, log=bench.sent))
        return bench.engines[-1]

    bench.lane.new_engine = new_engine
    return bench


def poison(*candidates):
    return lambda candidate, number: "crash" if candidate in candidates else "good"


@pytest.mark.parametrize("candidates", [(5,), (64,), (5, 40), (17, 18), (1, 22, 43, 64)])
def test_requests_that_end_engines_are_found_by_halving_and_refused(candidates):
    bench = wide(64, poison(*candidates))
    outcome = bench.run()
    assert len(bench.queue.done) == 64
    refused = {n for n, a in bench.queue.done.items() if a.verdict.outcome is Outcome.REJECTED}
    assert refused == set(candidates)
    assert {bench.queue.done[n].verdict.reason for n in candidates} == {"engine_error"}
    found = outcome.counters["isolation_deaths"]
    assert len(candidates) <= found <= len(candidates) * 6
    assert outcome.counters["engine_deaths"] == found + 2
    asked = [request for request in bench.sent if not request.request_id.startswith("probe")]
    # Two windows, and halves of what is left for each poison.
    assert len(asked) - 64 <= 2 * 64 + len(candidates) * 64


def test_two_unrelated_deaths_refuse_nobody_and_ask_nobody_alone():
    bench = wide(
        60,
        lambda candidate, number: (
            "crash" if len(bench.engines) <= 2 and candidate == 60 else "good"
        ),
    )
    outcome = bench.run()
    assert outcome.counters["engine_deaths"] == 2
    assert "isolation_deaths" not in outcome.counters
    assert {a.verdict.outcome for a in bench.queue.done.values()} == {Outcome.VALID}
    groups = [request for request in bench.sent if request.request_id.startswith("probe")]
    assert len(groups) == 1
    assert len(bench.sent) <= 3 * 60 + 1


def test_only_what_was_there_at_both_deaths_is_suspected():
    """And of that only what the engine could have been working on."""
    bench = wide(200, lambda candidate, number: "good", window=16)
    suspects = []
    release = bench.queue.release

    def watched(batch_id, *, died_in_flight=(), died_among=0):
        suspects.append((len(set(died_in_flight)), died_among))
        release(batch_id, died_in_flight=died_in_flight, died_among=died_among)

    bench.queue.release = watched
    bench.behave = lambda candidate, number: (
        "crash"
        if len(bench.engines) <= 2 and len(bench.sent) >= 40 * len(bench.engines)
        else "good"
    )
    bench.run()
    assert suspects[0] == (18, 0)
    crashed, among = max(suspects)
    assert among <= crashed <= 20


def test_deaths_of_groups_do_not_use_up_the_restarts_of_the_lane():
    bench = wide(64, poison(9), limits=WIDE.model_copy(update={"engine_restarts": 2}))
    assert bench.run().counters["isolation_deaths"] > 2


def test_poisons_that_come_one_after_the_other_do_not_use_them_up_either():
    bench = wide(600, poison(5, 150, 300, 450, 600))
    outcome = bench.run()
    assert outcome.counters["poisons"] == 5
    assert outcome.counters["engine_deaths"] - outcome.counters["isolation_deaths"] == 10
    assert len(bench.queue.done) == 600


def test_groups_that_go_on_dying_end_the_lane_in_the_end():
    """An engine that answers a short question and crashes over everything else."""
    bench = wide(
        4000,
        lambda candidate, number: "good" if candidate is None else "crash",
        limits=WIDE.model_copy(update={"engine_restarts": 2}),
    )
    with pytest.raises(EngineError):
        bench.lane.run()
    bench.check()
    assert bench.lane.counters["isolation_deaths"] == 8 * 6 + 1
    assert bench.queue.free


def test_a_death_for_want_of_memory_changes_the_engine_and_blames_nobody():
    bench = Bench(20, limits=with_limits(engine_restarts=0))
    bench.behave = lambda candidate, number: (
        "crash" if len(bench.engines) <= 2 and len(bench.sent) >= 10 else "good"
    )
    steps = iter(["first step", "second step"])
    bench.lane._recovery.relieve = lambda error, ready: next(steps, None)
    outcome = bench.run()
    assert outcome.notes == ("first step", "second step")
    assert (outcome.counters["memory_steps"], outcome.counters["engine_deaths"]) == (2, 2)
    assert all(item.engine_deaths == 0 for item in bench.queue.items.values())
    assert len(bench.queue.done) == 20


def test_a_broken_engine_makes_nobody_look_guilty():
    bench = wide(20, lambda candidate, number: "crash", crashes={n: (2, 2) for n in range(1, 21)})
    with pytest.raises(EngineError):
        bench.lane.run()
    bench.check()
    assert "isolation_deaths" not in bench.lane.counters
    assert not bench.queue.done


def test_the_next_lane_goes_on_where_the_search_was():
    bench = wide(64, poison(7), crashes={n: (4, 8) for n in range(5, 13)})
    outcome = bench.run()
    assert outcome.counters["isolation_deaths"] == 3
    assert outcome.counters["engine_deaths"] == 3
    assert bench.queue.done[7].verdict.outcome is Outcome.REJECTED
    assert len(bench.queue.done) == 64


def test_an_engine_that_dies_too_often_fails_the_lane_with_everything_stored():
    bench = Bench(20, limits=with_limits(engine_restarts=0))
    bench.behave = lambda candidate, number: "crash" if len(bench.sent) >= 10 else "good"
    with pytest.raises(EngineError):
        bench.lane.run()
    bench.check()
    assert bench.queue.done and bench.queue.free


@pytest.mark.parametrize("error", [EngineError, EngineJobError])
def test_an_engine_that_cannot_start_fails_the_lane_at_once(error):
    bench = Bench(3, error)
    with pytest.raises(error):
        bench.lane.run()
    bench.check()
    assert len(bench.engines) == 1
    assert bench.queue.free == [1, 2, 3]


def test_faults_that_may_pass_leave_the_document_to_the_next_run():
    bench = Bench(6, lambda candidate, number: "error" if candidate == 2 else "good")
    outcome = bench.run()
    assert sorted(bench.queue.done) == [1, 3, 4, 5, 6]
    assert bench.queue.deferred[2].verdict.reason == "engine_error"
    assert outcome.counters["deferred"] == 1
    assert "engine_deaths" not in outcome.counters


def test_a_fault_of_the_request_itself_is_final_after_the_last_attempt():
    bench = Bench(6, lambda candidate, number: "refused" if candidate == 2 else "good")
    bench.run()
    assert bench.queue.done[2].verdict.reason == "engine_error"
    assert not bench.queue.deferred


def test_a_request_that_ran_too_long_is_tried_again_and_then_deferred():
    bench = Bench(6, lambda candidate, number: "deadline" if candidate == 2 else "good")
    outcome = bench.run()
    assert bench.queue.deferred[2].verdict.reason == "deadline"
    assert bench.queue.deferred[2].number == PROFILE.attempts
    assert outcome.counters["deadlines"] == PROFILE.attempts


def test_a_server_that_goes_away_again_and_again_makes_no_request_look_guilty():
    bench = Bench(20, limits=with_limits(engine_restarts=6))

    class Remote(MemoryEngine):
        def poll(self, timeout):
            try:
                return super().poll(timeout)
            except EngineError as error:
                error.is_remote = True
                raise

    def new_engine():
        bench.engines.append(Remote(bench.clock, bench.behave, log=bench.sent))
        return bench.engines[-1]

    bench.lane.new_engine = new_engine
    bench.behave = lambda candidate, number: (
        "crash" if len(bench.engines) <= 5 and len(bench.sent) > 4 else "good"
    )
    bench.run()
    assert {a.verdict.outcome for a in bench.queue.done.values()} == {Outcome.VALID}
    assert all(item.engine_deaths == 0 for item in bench.queue.items.values())


def test_a_request_over_which_an_engine_hangs_is_found_like_one_that_kills_it():
    """Its heartbeats go on, but everything that runs with that request runs until its deadline."""
    bench = wide(40, always("good"))

    class Hanging(MemoryEngine):
        hung = False

        def _say(self, request):
            self.hung = self.hung or any(
                r.request_id.split(".")[1] == "7" and not r.request_id.startswith("probe")
                for r in self.requests
            )
            return "deadline" if self.hung else "good"

    bench.lane.new_engine = lambda: (
        bench.engines.append(Hanging(bench.clock, bench.behave, log=bench.sent, window=64))
        or bench.engines[-1]
    )
    outcome = bench.run()
    refused = [n for n, a in bench.queue.done.items() if a.verdict.outcome is Outcome.REJECTED]
    assert refused == [7]
    assert len(bench.queue.done) == 40
    assert outcome.counters["isolation_deaths"] <= 6


def test_nothing_stands_in_for_an_engines_own_fault():
    extractive = Profile("x", (), (), Outcome.EXTRACTIVE, ())
    bench = Bench(
        3,
        lambda candidate, number: "refused" if candidate == 2 else "good",
        stand_in=lambda rejection, item: extractive,
    )
    bench.run()
    assert bench.queue.done[2].verdict.outcome is Outcome.REJECTED


def test_a_lone_document_that_cannot_be_answered_is_deferred_and_the_lane_succeeds():
    bench = Bench(1, lambda candidate, number: "error" if candidate == 1 else "good")
    outcome = bench.run()
    assert outcome.end is LaneEnd.NO_WORK
    assert bench.queue.deferred[1].verdict.reason == "engine_error"
    assert "engine_deaths" not in outcome.counters


def test_a_lone_document_is_not_blamed_for_an_engine_that_fails_the_probe_too():
    bench = Bench(1, always("error"))
    with pytest.raises(EngineError):
        bench.lane.run()
    bench.check()
    assert bench.queue.free == [1]


def test_an_engine_that_answers_only_errors_does_not_refuse_the_whole_night():
    bench = Bench(200, always("error"))
    with pytest.raises(EngineError):
        bench.lane.run()
    bench.check()
    assert bench.queue.free == sorted(bench.queue.items)
    assert all(item.engine_deaths == 0 for item in bench.queue.items.values())

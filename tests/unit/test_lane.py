"""The lane's loop against an engine and a queue in memory: feeding, attempts, crashes, ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from profiles.errors import (
    DatabaseUnavailableError,
    EngineError,
    EngineJobError,
    FencedError,
)
from profiles.models import (
    ColdStart,
    Completion,
    EngineProfile,
    Lease,
    LengthBand,
    LengthRule,
    Message,
    Method,
    Outcome,
    Profile,
    Provenance,
    QueueState,
    Refusal,
    Rejection,
    RejectionReason,
    RemovalReason,
    RemovedSentence,
    Request,
    Sampling,
    Skill,
    WorkItem,
)
from profiles.synthesis.lane.assessment import Assessor, attempt_seed
from profiles.synthesis.lane.draining import LaneControl, Wear
from profiles.synthesis.lane.lane import Lane, LaneEnd, LaneLimits
from profiles.synthesis.lane.warm_up import WarmUp
from profiles.synthesis.process.protocol import DEADLINE, EngineReady, Heartbeat

LIMITS = LaneLimits(
    batch_size=8,
    max_in_flight=4,
    lease_seconds=60,
    drain_seconds=5,
    window_drain_seconds=20,
    engine_restarts=3,
)
PROFILE = EngineProfile(
    name="p",
    version="1",
    answer="json",
    skills_from="model",
    system_prompt="s",
    user_template="{{document}}",
    output_schema=None,
    length=LengthRule(LengthBand(400, 600), 600, 0.4, 0.8),
    sampling=Sampling(max_new_tokens=100),
    attempts=2,
    max_document_tokens=1000,
    retry_max_new_tokens=150,
)


def with_limits(**overrides):
    return replace(LIMITS, **overrides)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


class MemoryQueue:
    """The rules of the lease tables, for one run and one process."""

    def __init__(self, count, *, clock, window=1e9, crashes=None):
        self.items = {
            n: WorkItem(n, f"{n:032x}", "h", "document", 100, 0, *(crashes or {}).get(n, (0, 0)))
            for n in range(1, count + 1)
        }
        self.clock, self.window = clock, window
        self.free = list(self.items)
        self.held = {}
        self.stored = []
        self.batches = 0
        self.released = Counter()
        self.crashes = Counter()
        self.fenced = set()
        self.fail_until = -1.0
        self.beats = []

    def _check(self):
        if self.clock.now < self.fail_until:
            raise DatabaseUnavailableError("away")

    @property
    def done(self):
        return {a.candidate_id: a for _, a in self.stored if a.is_terminal}

    @property
    def deferred(self):
        return {a.candidate_id: a for _, a in self.stored if a.is_deferred}

    def state(self, *, first=False):
        self._check()
        # Whoever took a fenced batch over has finished it.
        elsewhere = {n for batch_id in self.fenced for n in self.held.get(batch_id, ())}
        left = set(self.items) - set(self.done) - set(self.deferred) - elsewhere
        return QueueState(bool(self.free), bool(left), self.window - self.clock.now)

    def take_back(self):
        pass

    def lease(self, size):
        self._check()
        if not self.free or self.clock.now >= self.window:
            return None
        self.batches += 1
        taken, self.free = self.free[:size], self.free[size:]
        self.held[self.batches] = set(taken)
        return Lease(
            self.batches,
            tuple(self.items[n] for n in taken),
            self.window - self.clock.now,
        )

    def renew(self, batch_ids):
        self._check()
        return frozenset(b for b in batch_ids if b in self.fenced)

    def store(self, batch_id, attempts):
        self._check()
        if batch_id in self.fenced:
            raise FencedError(batch_id)
        assert {a.candidate_id for a in attempts} <= self.held[batch_id]
        for a in attempts:
            self.stored.append((batch_id, a))
            if a.is_terminal or a.is_deferred:
                self.held[batch_id].discard(a.candidate_id)

    def give_back(self, batch_id, *, died_in_flight=(), died_among=0):
        self._check()
        open_items = self.held.pop(batch_id)
        for n in open_items:
            self.released[n] += 1
            item = self.items[n]
            made = sum(a.candidate_id == n for _, a in self.stored)
            crashed = n in died_in_flight
            self.items[n] = replace(
                item,
                attempts_made=made,
                engine_deaths=item.engine_deaths + crashed,
                died_among=died_among if crashed else item.died_among,
            )
        self.free = sorted([*self.free, *open_items])

    def beat(self, counters, *, cold_start, gauges):
        self._check()
        self.beats.append((cold_start, gauges))


class MemoryEngine:
    """Answers one request per poll; `behave(candidate, attempt)` chooses how."""

    def __init__(self, clock, behave, *, window=4, seconds=1.0, log=None):
        self.clock, self.behave, self.window, self.seconds = clock, behave, window, seconds
        self.requests, self.exit_code, self.killed = [], None, False
        self.log = log if log is not None else []
        self.draining = False

    @property
    def in_flight(self):
        return frozenset(r.request_id for r in self.requests)

    def start(self):
        if self.behave is EngineJobError:
            raise EngineJobError("no such model")
        if self.behave is EngineError:
            raise EngineError("does not load")
        return EngineReady("memory", "1", "m", self.window, 4096, 0.5)

    def submit(self, request):
        assert not self.draining
        self.requests.append(request)
        self.log.append(request)

    def poll(self, timeout):
        self.clock.now += self.seconds if self.requests else timeout
        if not self.requests:
            return []
        for request in self.requests:
            if self._say(request) == "crash":
                self.exit_code = 70
                raise EngineError("crashed", exit_code=70)
        return [self._answer(self.requests.pop(0))]

    def _say(self, request):
        _, candidate, number = request.request_id.split(".")
        if request.request_id.startswith(("probe.", "warm_up.")):
            return self.behave(None, 1)
        return self.behave(int(candidate), int(number))

    def _answer(self, request):
        said = self._say(request)
        if said == "deadline":
            return Completion(request.request_id, "", "error", error=DEADLINE)
        if said in ("error", "refused"):
            lasting = said == "refused"
            return Completion(request.request_id, "", "error", error="E", is_lasting=lasting)
        return Completion(request.request_id, said, "stop", 10, 5, 1, 1.0)

    def drain(self, timeout):
        self.draining = True
        return self.poll(timeout)

    def close(self):
        self.exit_code = 0

    def kill(self):
        self.killed = True


def beat(*, running, waiting, usage, queued=0):
    return Heartbeat(
        queued,
        running + waiting,
        0,
        0,
        0,
        0,
        0,
        0.0,
        {"num_running_reqs": running, "num_waiting_reqs": waiting, "token_usage": usage},
    )


def judge(completion, item):
    if completion.text == "good":
        return Profile("s", (), (), Method.MODEL, Outcome.VALID, ())
    return Rejection(RejectionReason.TOO_SHORT, "", ())


def always(text):
    return lambda candidate, number: text


class Bench:
    def __init__(self, count, behave=None, *, limits=LIMITS, stand_in=None, **queue):
        self.clock = Clock()
        self.queue = MemoryQueue(count, clock=self.clock, **queue)
        self.control = LaneControl()
        self.sent = []
        self.engines = []
        self.behave = behave or always("good")
        self.lane = Lane(
            queue=self.queue,
            new_engine=self.new_engine,
            new_request=self.new_request,
            assessor=Assessor(PROFILE, judge, stand_in),
            limits=limits,
            control=self.control,
            clock=self.clock,
            sleep=self.clock.sleep,
        )

    def new_engine(self):
        self.engines.append(MemoryEngine(self.clock, self.behave, log=self.sent))
        return self.engines[-1]

    def new_request(self, job):
        sampling = Sampling(
            seed=attempt_seed(job.item, job.number),
            max_new_tokens=self.lane._assessor.token_cap(job.number),
        )
        return Request(job.request_id, (Message("user", "d"),), sampling)

    def run(self):
        outcome = self.lane.run()
        self.check()
        return outcome

    def check(self):
        """Every item has one terminal attempt or is free again; no engine is left."""
        terminal = Counter(a.candidate_id for _, a in self.queue.stored if a.is_terminal)
        assert set(terminal.values()) <= {1}
        known = set(terminal) | set(self.queue.deferred) | set(self.queue.free)
        assert known == set(self.queue.items)
        assert not set(terminal) & set(self.queue.free)
        assert all(engine.killed for engine in self.engines)


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
    bench.lane._new_warm_up = lambda ready: WarmUp(requests)


def test_an_engine_is_warmed_up_before_the_first_document_is_leased():
    bench = Bench(20)
    warm(bench, 6)
    leased = []
    lease = bench.queue.lease
    bench.queue.lease = lambda size: leased.append(len(bench.sent)) or lease(size)
    outcome = bench.run()
    assert leased[0] == 6
    assert outcome.cold_start == ColdStart(0.5, 6.0, 8.0)
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

    bench.lane._new_engine = lambda: (
        bench.engines.append(Talking(bench.clock, bench.behave, log=bench.sent))
        or bench.engines[-1]
    )
    bench.run()
    assert bench.queue.beats[-1][1] == {
        "running": 3,
        "waiting": 151,
        "depth": 4,
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

    bench.lane._new_engine = lambda: (
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
        waiting.append(bench.lane._work.in_flight_count)
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


def test_the_lane_keeps_as_much_in_flight_as_the_engines_figures_ask_for():
    bench = Bench(400, limits=with_limits(max_in_flight=300, batch_size=64))
    depths = []

    class Hungry(MemoryEngine):
        def poll(self, timeout):
            depths.append(len(self.requests))
            said = super().poll(timeout)
            return [*said, beat(running=4, waiting=max(0, len(self.requests) - 4), usage=0.2)]

    bench.new_engine = lambda: (
        bench.engines.append(Hungry(bench.clock, bench.behave, log=bench.sent)) or bench.engines[-1]
    )
    bench.lane._new_engine = bench.new_engine
    bench.run()
    assert depths[0] <= 5
    assert 104 <= max(depths) <= 210
    assert len(bench.queue.done) == 400


def test_a_refused_answer_is_asked_again_with_another_seed_and_more_room():
    bench = Bench(2, lambda candidate, number: "good" if number == 2 or candidate == 2 else "bad")
    outcome = bench.run()
    first, second = (r.sampling for r in bench.sent if r.request_id.split(".")[1] == "1")
    assert first.seed != second.seed
    assert (first.max_new_tokens, second.max_new_tokens) == (100, 150)
    assert outcome.counters["refused_attempts"] == 1
    assert [a.number for _, a in bench.queue.stored if a.candidate_id == 1] == [1, 2]


def test_the_last_refusal_is_terminal_and_siblings_are_untouched():
    bench = Bench(5, lambda candidate, number: "bad" if candidate == 3 else "good")
    bench.run()
    assert bench.queue.done[3].outcome is Outcome.REJECTED
    assert bench.queue.done[3].reason == "too_short"
    assert [bench.queue.done[n].outcome for n in (1, 2, 4, 5)] == [Outcome.VALID] * 4


def test_an_extractive_summary_stands_in_after_the_last_attempt_where_allowed():
    extractive = Profile("x", (), (), Method.EXTRACTIVE, Outcome.EXTRACTIVE, (), "too_short")
    bench = Bench(1, always("bad"), stand_in=lambda rejection, item: extractive)
    bench.run()
    last = bench.queue.done[1]
    assert (last.number, last.outcome, last.method, last.raw_text) == (
        2,
        Outcome.EXTRACTIVE,
        Method.EXTRACTIVE,
        "bad",
    )


def test_attempts_of_an_earlier_lease_count():
    bench = Bench(1, always("bad"))
    item = bench.queue.items[1]
    bench.queue.items[1] = WorkItem(1, item.fingerprint, "h", "d", 100, attempts_made=1)
    bench.run()
    assert [a.number for _, a in bench.queue.stored] == [2]


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


WIDE = with_limits(batch_size=64, max_in_flight=64, backoff_seconds=0.0)


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

    bench.lane._new_engine = new_engine
    return bench


def poison(*candidates):
    return lambda candidate, number: "crash" if candidate in candidates else "good"


@pytest.mark.parametrize("candidates", [(5,), (64,), (5, 40), (17, 18), (1, 22, 43, 64)])
def test_requests_that_end_engines_are_found_by_halving_and_refused(candidates):
    bench = wide(64, poison(*candidates))
    outcome = bench.run()
    assert len(bench.queue.done) == 64
    refused = {n for n, a in bench.queue.done.items() if a.outcome is Outcome.REJECTED}
    assert refused == set(candidates)
    assert {bench.queue.done[n].reason for n in candidates} == {"engine_error"}
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
    assert {a.outcome for a in bench.queue.done.values()} == {Outcome.VALID}
    groups = [request for request in bench.sent if request.request_id.startswith("probe")]
    assert len(groups) == 1
    assert len(bench.sent) <= 3 * 60 + 1


def test_only_what_was_there_at_both_deaths_is_suspected():
    """And of that only what the engine could have been working on."""
    bench = wide(200, lambda candidate, number: "good", window=16)
    suspects = []
    give_back = bench.queue.give_back

    def watched(batch_id, *, died_in_flight=(), died_among=0):
        suspects.append((len(set(died_in_flight)), died_among))
        give_back(batch_id, died_in_flight=died_in_flight, died_among=died_among)

    bench.queue.give_back = watched
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
    bench = wide(64, poison(9), limits=replace(WIDE, engine_restarts=2))
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
        limits=replace(WIDE, engine_restarts=2),
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
    bench.lane._recovery._relieve = lambda error, ready: next(steps, None)
    outcome = bench.run()
    assert outcome.notes == ("first step", "second step")
    assert (outcome.counters["memory_steps"], outcome.counters["engine_deaths"]) == (2, 2)
    assert all(item.engine_deaths == 0 for item in bench.queue.items.values())
    assert len(bench.queue.done) == 20


def test_an_engine_that_holds_too_much_memory_is_drained_and_started_anew():
    bench = Bench(40, limits=with_limits(engine_memory_bytes=1000))

    class Growing(MemoryEngine):
        def poll(self, timeout):
            said = super().poll(timeout)
            return [*said, replace(beat(running=1, waiting=0, usage=0.1), memory_bytes=self.held)]

        @property
        def held(self):
            return 100 * len(self.log) if len(bench.engines) == 1 else 100

        def drain(self, timeout):
            return [item for item in super().drain(timeout) if isinstance(item, Completion)]

    bench.lane._new_engine = lambda: (
        bench.engines.append(Growing(bench.clock, bench.behave, log=bench.sent))
        or bench.engines[-1]
    )
    outcome = bench.run()
    assert outcome.counters["engine_recycles"] == 1
    assert "engine_deaths" not in outcome.counters
    assert len(bench.queue.done) == len(bench.sent) == 40
    assert [engine.exit_code for engine in bench.engines] == [0, 0]


def test_an_engine_that_is_large_from_the_start_is_not_started_again_and_again():
    wear = Wear(1000)
    wear.start()
    for held in (2000, 2400, 2500):
        wear.hear(held)
    assert not wear.is_over
    wear.hear(2501)
    assert wear.is_over


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
    assert bench.queue.done[7].outcome is Outcome.REJECTED
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
    assert bench.queue.deferred[2].reason == "engine_error"
    assert outcome.counters["deferred"] == 1
    assert "engine_deaths" not in outcome.counters


def test_a_fault_of_the_request_itself_is_final_after_the_last_attempt():
    bench = Bench(6, lambda candidate, number: "refused" if candidate == 2 else "good")
    bench.run()
    assert bench.queue.done[2].reason == "engine_error"
    assert not bench.queue.deferred


def test_a_request_that_ran_too_long_is_tried_again_and_then_deferred():
    bench = Bench(6, lambda candidate, number: "deadline" if candidate == 2 else "good")
    outcome = bench.run()
    assert bench.queue.deferred[2].reason == "deadline"
    assert bench.queue.deferred[2].number == PROFILE.attempts
    assert outcome.counters["deadlines"] == PROFILE.attempts


def test_a_server_that_goes_away_again_and_again_makes_no_request_look_guilty():
    bench = Bench(20, limits=with_limits(engine_restarts=6, backoff_seconds=0.0))

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

    bench.lane._new_engine = new_engine
    bench.behave = lambda candidate, number: (
        "crash" if len(bench.engines) <= 5 and len(bench.sent) > 4 else "good"
    )
    bench.run()
    assert {a.outcome for a in bench.queue.done.values()} == {Outcome.VALID}
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

    bench.lane._new_engine = lambda: (
        bench.engines.append(Hanging(bench.clock, bench.behave, log=bench.sent, window=64))
        or bench.engines[-1]
    )
    outcome = bench.run()
    refused = [n for n, a in bench.queue.done.items() if a.outcome is Outcome.REJECTED]
    assert refused == [7]
    assert len(bench.queue.done) == 40
    assert outcome.counters["isolation_deaths"] <= 6


def test_nothing_stands_in_for_an_engines_own_fault():
    extractive = Profile("x", (), (), Method.EXTRACTIVE, Outcome.EXTRACTIVE, ())
    bench = Bench(
        3,
        lambda candidate, number: "refused" if candidate == 2 else "good",
        stand_in=lambda rejection, item: extractive,
    )
    bench.run()
    assert bench.queue.done[2].outcome is Outcome.REJECTED


def test_a_lone_document_that_cannot_be_answered_is_deferred_and_the_lane_succeeds():
    bench = Bench(1, lambda candidate, number: "error" if candidate == 1 else "good")
    outcome = bench.run()
    assert outcome.end is LaneEnd.NO_WORK
    assert bench.queue.deferred[1].reason == "engine_error"
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
    bench = Bench(50, window=10.0, limits=with_limits(window_drain_seconds=2))
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
    bench.lane._assessor = Assessor(PROFILE, refuse, lambda rejection, item: rejection)
    refusals = []
    new_request = bench.lane._new_request
    bench.lane._new_request = lambda job: refusals.append(job.refusal) or new_request(job)

    bench.run()

    assert refusals == [None, Refusal(RejectionReason.UNGROUNDED, removed)]


def test_without_a_fit_sentence_the_person_is_published_without_a_summary():
    skills = (Skill("Python", Provenance.DOCUMENT),)
    refused = Rejection(RejectionReason.UNGROUNDED, "", (), summary="No.", skills=skills)
    bench = Bench(1)
    bench.lane._assessor = Assessor(PROFILE, lambda *_: refused, lambda rejection, item: rejection)

    bench.run()

    last = bench.queue.stored[-1][1]
    assert (last.outcome, last.method) == (Outcome.EXTRACTIVE, Method.EXTRACTIVE)
    assert (last.summary, last.skills, last.reason) == (None, skills, "ungrounded")

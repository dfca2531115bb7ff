"""A lane's engine and queue in memory, and a lane that works with them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from profiles.errors import (
    DatabaseUnavailableError,
    EngineError,
    EngineJobError,
    FencedError,
)
from profiles.models import (
    Completion,
    EngineProfile,
    Lease,
    LengthBand,
    LengthRule,
    Message,
    Outcome,
    Profile,
    QueueState,
    Rejection,
    RejectionReason,
    Request,
    Sampling,
    WorkItem,
)
from profiles.settings import Settings
from profiles.synthesis.lane.assessment import Assessor, attempt_seed
from profiles.synthesis.lane.lane import Lane, LaneControl
from profiles.synthesis.process.protocol import DEADLINE, EngineReady, Heartbeat

LIMITS = Settings(
    batch_size=8, max_in_flight=4, lease_seconds=60, drain_seconds=5, engine_restarts=3
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
    return LIMITS.model_copy(update=overrides)


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
        return {a.item.candidate_id: a for _, a in self.stored if a.is_terminal}

    @property
    def deferred(self):
        return {a.item.candidate_id: a for _, a in self.stored if a.is_deferred}

    def state(self, *, first=False):
        self._check()
        # Whoever took a fenced batch over has finished it.
        elsewhere = {n for batch_id in self.fenced for n in self.held.get(batch_id, ())}
        left = set(self.items) - set(self.done) - set(self.deferred) - elsewhere
        return QueueState(bool(self.free), bool(left), self.window - self.clock.now)

    def reclaim(self):
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
        assert {a.item.candidate_id for a in attempts} <= self.held[batch_id]
        for a in attempts:
            self.stored.append((batch_id, a))
            if a.is_terminal or a.is_deferred:
                self.held[batch_id].discard(a.item.candidate_id)

    def release(self, batch_id, *, died_in_flight=(), died_among=0):
        self._check()
        open_items = self.held.pop(batch_id)
        for n in open_items:
            self.released[n] += 1
            item = self.items[n]
            made = sum(a.item.candidate_id == n for _, a in self.stored)
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
        0.0,
        {"num_running_reqs": running, "num_waiting_reqs": waiting, "token_usage": usage},
    )


def judge(completion, item):
    if completion.text == "good":
        return Profile("s", (), (), Outcome.VALID, ())
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
            settings=limits,
            control=self.control,
            clock=self.clock,
            sleep=self.clock.sleep,
        )

    def new_engine(self):
        self.engines.append(MemoryEngine(self.clock, self.behave, log=self.sent))
        return self.engines[-1]

    def new_request(self, job):
        sampling = Sampling(seed=attempt_seed(job.item, job.number))
        return Request(job.request_id, (Message("user", "d"),), sampling)

    def run(self):
        outcome = self.lane.run()
        self.check()
        return outcome

    def check(self):
        """Every item has one terminal attempt or is free again; no engine is left."""
        terminal = Counter(a.item.candidate_id for _, a in self.queue.stored if a.is_terminal)
        assert set(terminal.values()) <= {1}
        known = set(terminal) | set(self.queue.deferred) | set(self.queue.free)
        assert known == set(self.queue.items)
        assert not set(terminal) & set(self.queue.free)
        assert all(engine.killed for engine in self.engines)

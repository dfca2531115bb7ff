"""One DAG run under faults: what it lost, asked twice, or left behind.

**In flight** at a fault are the calls to the model that had begun and whose answers were not
stored when it took effect. Two records tell, and no estimate: the engine's log, with a line for
each call as it begins, and the rows of `synthesis.completion`, one for each call whose answer was
stored. A call that is made again has to be one that some fault had in flight, and each fault
excuses one repetition of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import psutil

from profiles.models import Bucket
from profiles.storage.runs import count_buckets
from tests.reliability.cluster import (
    DAG_ID,
    PATIENCE_SECONDS,
    Cluster,
    engine_processes,
    wait_for,
    wait_gone,
)

_OPEN = (
    "SELECT count(*) FROM synthesis.run_item WHERE run_id = %s AND outcome IS NULL AND NOT deferred"
)
_STORED = (
    "SELECT candidate_id, attempt, min(extract(epoch FROM created_at))::float8 "
    "FROM synthesis.completion WHERE run_id = %s GROUP BY 1, 2"
)
_UNPUBLISHED = """
SELECT count(*) FROM synthesis.run_item AS i
LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
WHERE i.run_id = %s AND i.outcome IN ('valid', 'repaired', 'extractive')
  AND s.fingerprint IS DISTINCT FROM i.fingerprint
  AND NOT (i.outcome = 'extractive' AND s.method IS NOT DISTINCT FROM 'model')
  AND (SELECT r.publishes FROM synthesis.run AS r WHERE r.run_id = i.run_id)
"""
"""A model's earlier text stays where the new answer is rejected; a run with another engine does not
publish."""
_TWICE = """
SELECT coalesce(sum(n - 1), 0)::int FROM (
  SELECT count(*) AS n FROM synthesis.completion WHERE run_id = %s AND is_terminal
  GROUP BY candidate_id HAVING count(*) > 1) AS twice
"""
ENDED = ("success", "failed")
_LOOK_SECONDS = 5.0
NOTICE_SECONDS = 1.25
"""A lane stores every second (`lease_tracker`), looking for it every quarter of one."""

Key = tuple[int, int]
"""A candidate and the number of an attempt at it."""


class Call(NamedTuple):
    """One call to the model: when it began, what it was for, under which lease."""

    at: float
    key: Key
    batch: int


@dataclass(frozen=True)
class Strike:
    """Times at which a fault started, took effect, and its last process was gone.

    An engine outlives a lane that was killed by a moment: what it begins then is in flight too,
    while nothing can be stored any more.
    """

    began: float
    at: float
    until: float
    ends_engines: bool = False
    is_takeover: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the matrix. `unexplained` are the repeated calls that were not in flight."""

    fault: str
    planned: int
    lost: int
    duplicated: int
    repeated: int
    in_flight: int
    unexplained: int
    left_processes: int
    recovery_seconds: float
    note: str = ""

    @property
    def holds(self) -> bool:
        """Check that nothing was lost, doubled or left, and only requests in flight retried."""
        no_loss = self.lost == self.duplicated == self.left_processes == 0
        return no_loss and self.unexplained == 0 and self.repeated <= self.in_flight

    def to_json(self) -> dict[str, Any]:
        """The line as it is written."""
        return {**asdict(self), "holds": self.holds}


def total(fault: str, rows: list[Row], *, recovery_seconds: float, note: str) -> Row:
    """One row for several runs."""
    return Row(
        fault=fault,
        planned=sum(row.planned for row in rows),
        lost=sum(row.lost for row in rows),
        duplicated=sum(row.duplicated for row in rows),
        repeated=sum(row.repeated for row in rows),
        in_flight=sum(row.in_flight for row in rows),
        unexplained=sum(row.unexplained for row in rows),
        left_processes=sum(row.left_processes for row in rows),
        recovery_seconds=round(recovery_seconds, 1),
        note=note,
    )


class WatchedRun:
    """A run of the DAG that faults will strike."""

    def __init__(self, cluster: Cluster, run_id: str, dag_id: str = DAG_ID) -> None:
        self.cluster = cluster
        self.run_id = run_id
        self.dag_id = dag_id
        self._strikes: list[Strike] = []

    @classmethod
    def start(cls, cluster: Cluster, dag_id: str = DAG_ID, **params: Any) -> WatchedRun:
        """Triggers a run that asks for everybody's profile again."""
        # One source: an extract task for each would only take time.
        conf = {"force": True, "sources": ["linkedin"], **params}
        return cls(cluster, cluster.trigger(dag_id, **conf), dag_id)

    def wait_stored(self, count: int) -> None:
        """Until so many answers are stored."""

        def reached() -> bool:
            stored = len(self.stored())
            is_over = stored > 0 and self.cluster.rows(_OPEN, self.run_id)[0][0] == 0
            is_over = is_over or (not stored and self._state() in ENDED)
            assert stored >= count or not is_over, f"the run ended with {stored} answers"
            return stored >= count

        self._wait(reached, what=f"{count} answers of {self.run_id}")

    def stored(self) -> dict[Key, float]:
        """Time at which each answer was first stored, by candidate and attempt."""
        found = self.cluster.rows(_STORED, self.run_id)
        return {(candidate, attempt): at for candidate, attempt, at in found}

    def begun(self) -> list[Call]:
        """The calls to the model, in their order."""
        batches = self._ended_batches()
        # The log has the kernel's monotonic clock, which no fault can set.
        offset = time.time() - time.monotonic()
        calls = []
        log = self.cluster.calls_file
        for line in log.read_text().splitlines() if log.exists() else ():
            at, _, request = line.partition(" ")
            parts = request.split(".")
            if len(parts) != 3 or not parts[0].isdigit():  # a judge's, or a probe of the engine
                continue
            batch, candidate, attempt = map(int, parts)
            if batch in batches:
                calls.append(Call(float(at) + offset, (candidate, attempt), batch))
        return sorted(calls)

    @property
    def struck_at(self) -> float:
        """Time at which the last fault took effect."""
        return self._strikes[-1].at

    def strike(self, fault: Callable[[], object], *, ends_engines: bool = False) -> None:
        """Does it. `fault` returns when it has taken effect: what it kills is gone.

        With `ends_engines` those that run now have to end of it, and what they begin until they
        are gone is in flight.
        """
        engines = engine_processes(self.run_id) if ends_engines else []
        began = time.time()
        fault()
        at = time.time()
        wait_gone(engines)
        until = time.time() if engines else at
        self._strikes.append(Strike(began, at, until, ends_engines))

    def wait_taken_over(self) -> float:
        """Until another try or lane has taken the leases of a lane over that sleeps or works on;
        the seconds until then. 0 when the lane answered all before that."""

        def taken_or_over() -> float | None:
            is_over = self.cluster.rows(_OPEN, self.run_id)[0][0] == 0
            return self._taken_over(self._strikes[-1]) or (self.struck_at if is_over else None)

        return float(wait_for(taken_or_over, what="a lease that is taken over")) - self.struck_at

    def lane_processes(self, lane: int | None = None) -> list[psutil.Process]:
        """The tasks of the lanes that run now, or of one of them."""
        found = self.cluster.rows(
            "SELECT pid FROM synthesis.lane WHERE run_id = %s AND state = 'running' "
            "AND lane = coalesce(%s, lane) ORDER BY lane",
            self.run_id,
            lane,
        )
        return [psutil.Process(pid) for (pid,) in found if psutil.pid_exists(pid)]

    def wait_end(self, *states: str, seconds: float = 420.0) -> str:
        """Until Airflow says that the run is over; its state."""
        wanted = states or ENDED

        def ended() -> str | None:
            state = self._state()
            assert state in wanted or state not in ENDED, f"{self.run_id} ended as {state}"
            return state if state in wanted else None

        return str(self._wait(ended, what=f"the end of {self.run_id}", seconds=seconds))

    def _wait(self, condition: Callable[[], Any], *, what: str, seconds: float = 0.0) -> Any:
        """Until it is true. A service that ends late of a fault is started again, as ever."""
        looked = time.monotonic()

        def well() -> Any:
            nonlocal looked
            if time.monotonic() - looked > _LOOK_SECONDS:
                self.cluster.heal_if_needed()
                looked = time.monotonic()
            return condition()

        return wait_for(well, what=what, seconds=seconds or PATIENCE_SECONDS)

    def _state(self) -> str:
        return self.cluster.run_state(self.run_id, self.dag_id)

    def wait_recovered(self) -> float:
        """Seconds from the fault until an answer that was asked for after it was stored."""

        def recovered() -> float:
            stored = self.stored()
            times = [
                stored[call.key]
                for call in self.begun()
                if call.at > self._strikes[-1].until and call.key in stored
            ]
            times = [at for at in times if at > self.struck_at]
            return min(times, default=0.0)

        return float(self._wait(recovered, what="an answer after the fault")) - self.struck_at

    def row(
        self, fault: str, *, recovery_seconds: float, note: str = "", number: int | None = None
    ) -> Row:
        """Result of the run; call it when the run has ended. With a `number`, what was asked
        again after that strike alone; without, after any."""
        planned, missing = self._buckets()
        lost = self.cluster.rows(_OPEN, self.run_id)[0][0] or missing
        deadline = time.monotonic() + 5
        while (left := engine_processes(self.run_id)) and time.monotonic() < deadline:
            time.sleep(0.1)
        in_flight = self._in_flight()
        explained, unexplained = self._repeats(in_flight)
        chosen = range(len(in_flight)) if number is None else [number]
        strange = len(unexplained)
        if number is not None:
            strange = sum(self._strike_before(at) == number for at in unexplained)
        return Row(
            fault=fault,
            planned=planned,
            lost=lost + self.cluster.rows(_UNPUBLISHED, self.run_id)[0][0],
            duplicated=self.cluster.rows(_TWICE, self.run_id)[0][0],
            repeated=sum(explained[position] for position in chosen) + strange,
            in_flight=sum(len(in_flight[position]) for position in chosen),
            unexplained=strange,
            left_processes=len(left),
            recovery_seconds=round(recovery_seconds, 1),
            note=note,
        )

    def _in_flight(self) -> list[set[Key]]:
        """For each strike, the calls begun until its end and not stored when it took effect.

        One whose lease had ended before is none of them: an earlier fault lost it.
        """
        never = float("inf")
        strikes = [self._in_effect(strike) for strike in self._strikes]
        stored, begun, ended = self.stored(), self.begun(), self._ended_batches()
        return [
            {
                call.key
                for call in begun
                if call.at <= strike.until
                and stored.get(call.key, never) > strike.at
                and strike.began <= ended[call.batch]
                and (not strike.is_takeover or ended[call.batch] <= strike.until)
            }
            for strike in strikes
        ]

    def _in_effect(self, strike: Strike) -> Strike:
        """A fault that leaves the lane running makes its answers void only when another try or
        lane takes its leases over, of which it learns when it stores next, or when it gives up."""
        taken = None if strike.ends_engines else self._taken_over(strike)
        return (
            strike
            if taken is None
            else Strike(taken, taken, taken + NOTICE_SECONDS, is_takeover=True)
        )

    def _taken_over(self, strike: Strike) -> float | None:
        """Time at which the first lease after the fault was reclaimed or released, or None."""
        statement = (
            "SELECT min(extract(epoch FROM ended_at))::float8 FROM synthesis.batch WHERE "
            "run_id = %s AND state IN ('expired', 'released') "
            "AND extract(epoch FROM ended_at) BETWEEN %s AND %s"
        )
        later = [other.at for other in self._strikes if other.at > strike.at]
        until = min(later, default=time.time())
        found: float | None = self.cluster.rows(statement, self.run_id, strike.at, until)[0][0]
        return found

    def _ended_batches(self) -> dict[int, float]:
        """Time at which the lease of each batch ended; infinity for one that is still held."""
        return dict(
            self.cluster.rows(
                "SELECT batch_id, extract(epoch FROM coalesce(ended_at, 'infinity'))::float8 "
                "FROM synthesis.batch WHERE run_id = %s",
                self.run_id,
            )
        )

    def _repeats(self, in_flight: list[set[Key]]) -> tuple[list[int], list[float]]:
        """Repeated calls that each strike explains, and the times at which the others started."""
        seen: set[Key] = set()
        excuses = [set(keys) for keys in in_flight]
        explained = [0] * len(in_flight)
        unexplained = []
        for call in self.begun():
            if call.key in seen:
                for number, strike in enumerate(self._strikes):
                    if call.key in excuses[number] and call.at > strike.at:
                        excuses[number].discard(call.key)
                        explained[number] += 1
                        break
                else:
                    unexplained.append(call.at)
            seen.add(call.key)
        return explained, unexplained

    def _strike_before(self, at: float) -> int:
        """The last strike before that time; the first one when there is none."""
        return max(0, sum(strike.at <= at for strike in self._strikes) - 1)

    def _buckets(self) -> tuple[int, int]:
        """Documents that were to be asked for and those in no bucket; every candidate's sums
        must hold."""
        with self.cluster.database.connect() as connection:
            found = count_buckets(connection, self.run_id)
        found.check(self.run_id)
        return found.planned - found.buckets[Bucket.DEFERRED], found.buckets[Bucket.MISSING]

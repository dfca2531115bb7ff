"""One DAG run under a fault: what it lost, asked twice, or left behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from profiles.storage.reports import count_buckets
from tests.reliability.cluster import DAG_ID, Cluster, engine_processes, wait_for

_OPEN = (
    "SELECT count(*) FROM synthesis.run_item WHERE run_id = %s AND outcome IS NULL AND NOT deferred"
)
_STORED = (
    "SELECT candidate_id, attempt, extract(epoch FROM created_at)::float8 "
    "FROM synthesis.completion WHERE run_id = %s"
)
_UNPUBLISHED = """
SELECT count(*) FROM synthesis.run_item AS i
LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
WHERE i.run_id = %s AND i.outcome IN ('valid', 'repaired', 'extractive')
  AND s.fingerprint IS DISTINCT FROM i.fingerprint
"""
_TWICE = """
SELECT coalesce(sum(n - 1), 0)::int FROM (
  SELECT count(*) AS n FROM synthesis.completion WHERE run_id = %s AND is_terminal
  GROUP BY candidate_id HAVING count(*) > 1) AS twice
"""
ENDED = ("success", "failed")
_DYING_SECONDS = 2.0


class Call(NamedTuple):
    """One call to the model: when it began, for which candidate and attempt, under which lease."""

    at: float
    key: tuple[int, int]
    batch: int


@dataclass(frozen=True)
class Row:
    """One line of the matrix. `in_flight`: calls begun and not stored when the fault struck."""

    fault: str
    planned: int
    lost: int
    duplicated: int
    repeated: int
    in_flight: int
    left_processes: int
    recovery_seconds: float
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing was lost, doubled or left, and no more asked again than was in flight."""
        no_loss = self.lost == self.duplicated == self.left_processes == 0
        return no_loss and self.repeated <= self.in_flight

    def to_json(self) -> dict[str, Any]:
        """The line as it is written."""
        return asdict(self)


class WatchedRun:
    """A run of the DAG that a fault will strike."""

    def __init__(self, cluster: Cluster, run_id: str, dag_id: str = DAG_ID) -> None:
        self.cluster = cluster
        self.run_id = run_id
        self.dag_id = dag_id
        self._strikes: list[float] = []

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
            assert stored >= count or not is_over, f"the run ended with {stored} answers"
            return stored >= count

        wait_for(reached, what=f"{count} answers of {self.run_id}")

    def stored(self) -> dict[tuple[int, int], float]:
        """When each answer was stored, by candidate and attempt."""
        found = self.cluster.rows(_STORED, self.run_id)
        return {(candidate, attempt): at for candidate, attempt, at in found}

    def begun(self) -> list[Call]:
        """The calls to the model."""
        batches = {
            row[0]
            for row in self.cluster.rows(
                "SELECT batch_id FROM synthesis.batch WHERE run_id = %s", self.run_id
            )
        }
        calls = []
        for line in self.cluster.calls_file.read_text().splitlines():
            at, _, request = line.partition(" ")
            batch, candidate, attempt = (int(part) for part in request.split("."))
            if batch in batches:
                calls.append(Call(float(at), (candidate, attempt), batch))
        return calls

    @property
    def struck_at(self) -> float:
        """When the last fault struck."""
        return self._strikes[-1]

    def strike(self, fault: Callable[[], object]) -> None:
        """Does it."""
        self._strikes.append(time.time())
        fault()

    def _in_flight(self, struck_at: float) -> int:
        """Calls begun and not stored then. An engine takes in what it was sent for up to
        `_DYING_SECONDS` after its lane is gone: a call of a lease from before the fault counts."""
        leased = self.cluster.rows(
            "SELECT batch_id FROM synthesis.batch "
            "WHERE run_id = %s AND extract(epoch FROM leased_at) <= %s",
            self.run_id,
            struck_at,
        )
        old = {row[0] for row in leased}
        stored = self.stored()
        return len(
            {
                call.key
                for call in self.begun()
                if call.batch in old
                and call.at <= struck_at + _DYING_SECONDS
                and stored.get(call.key, float("inf")) > struck_at
            }
        )

    def lane_pid(self, lane: int = 0) -> int:
        """The process of a running lane."""
        return int(
            self.cluster.rows(
                "SELECT pid FROM synthesis.lane WHERE run_id = %s AND lane = %s", self.run_id, lane
            )[0][0]
        )

    def wait_end(self, *states: str, seconds: float = 420.0) -> str:
        """Until Airflow says that the run is over; its state."""
        return str(
            wait_for(
                lambda: (
                    (state := self.cluster.run_state(self.run_id, self.dag_id)) in (states or ENDED)
                    and state
                ),
                what=f"the end of {self.run_id}",
                seconds=seconds,
            )
        )

    def wait_recovered(self) -> float:
        """Seconds from the fault until an answer that was asked for after it was stored."""

        def recovered() -> float:
            stored = self.stored()
            times = [
                stored[call.key]
                for call in self.begun()
                if call.at > self.struck_at and call.key in stored
            ]
            times = [at for at in times if at > self.struck_at]
            return min(times, default=0.0)

        return float(wait_for(recovered, what="the first answer after the fault")) - self.struck_at

    def row(
        self, fault: str, *, recovery_seconds: float, note: str = "", number: int | None = None
    ) -> Row:
        """What the run came to; call it when the run has ended. With a `number`, what was asked
        again after that strike alone; without, after any."""
        planned, missing = self._buckets()
        lost = self.cluster.rows(_OPEN, self.run_id)[0][0] or missing
        deadline = time.monotonic() + 5
        while (left := engine_processes(self.run_id)) and time.monotonic() < deadline:
            time.sleep(0.1)
        return Row(
            fault=fault,
            planned=planned,
            lost=lost + self.cluster.rows(_UNPUBLISHED, self.run_id)[0][0],
            duplicated=self.cluster.rows(_TWICE, self.run_id)[0][0],
            repeated=self._repeated(number),
            in_flight=sum(
                self._in_flight(struck_at)
                for position, struck_at in enumerate(self._strikes)
                if number in (None, position)
            ),
            left_processes=len(left),
            recovery_seconds=round(recovery_seconds, 1),
            note=note,
        )

    def _repeated(self, number: int | None) -> int:
        seen: set[tuple[int, int]] = set()
        again = []
        for call in sorted(self.begun()):
            if call.key in seen:
                again.append(call.at)
            seen.add(call.key)
        if number is None:
            return len(again)
        until = [*self._strikes, float("inf")]
        return sum(until[number] <= at < until[number + 1] for at in again)

    def _buckets(self) -> tuple[int, int]:
        """Documents planned and those in no bucket; the sums of every candidate must hold."""
        with self.cluster.database.connect() as connection:
            found = count_buckets(connection, self.run_id)
        found.check(self.run_id)
        return found.planned, found.buckets["missing"]

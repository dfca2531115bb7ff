"""Requests that the engine failed to answer: the document's fault, or the engine's?

A fault counts against its document once the engine has answered something else, at the latest a
short question of ours. Many in a row are the engine's: then nothing counts against a document. Of
requests that ran until their deadline it is known that the engine had them when it stopped, so
they are in flight in its death, and suspected like any others.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from profiles.errors import EngineError
from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.lane.assessment import is_fault
from profiles.synthesis.lane.window import Job, WorkWindow
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import DEADLINE

__all__ = ["PROBE_SECONDS", "Faults", "answers"]

_MOST_IN_A_ROW = 16
PROBE_SECONDS = 60.0
_POLL_SECONDS = 0.25
_numbers = itertools.count(1)


class Faults:
    """Faults of one lane that are not settled yet. `record` stores one against its document."""

    def __init__(
        self,
        work: WorkWindow,
        record: Callable[[Job, Completion], None],
        *,
        clock: Callable[[], float],
    ) -> None:
        self._work = work
        self._record = record
        self._clock = clock
        self._faults: list[tuple[Job, Completion]] = []
        self.engine_answers = False
        """The engine has answered something since it started or since a request was given up."""

    def start(self) -> None:
        """A new engine: nothing is known of it."""
        self._faults.clear()
        self.engine_answers = False

    def add(self, job: Job, completion: Completion) -> None:
        """Sets a fault aside.

        Raises:
            EngineError: there were too many in a row.
        """
        self._faults.append((job, completion))
        if completion.error == DEADLINE:
            self.engine_answers = False
        if len(self._faults) >= _MOST_IN_A_ROW:
            self._blame_engine()

    def answered(self) -> None:
        """The engine has answered: what failed before was the documents'."""
        self.engine_answers = True
        self._count()

    def settle(self, engine: EngineClient) -> bool:
        """With nothing else to do: asks the engine. Whether there were any faults.

        Raises:
            EngineError: it answers nothing; its items are not to blame.
        """
        if not self._faults:
            return False
        if not self.engine_answers:
            self.engine_answers = answers(engine, clock=self._clock)
        if not self.engine_answers:
            self._blame_engine()
        self._count()
        return True

    def require_answer(self, engine: EngineClient) -> None:
        """A group of suspects is asked only of an engine that has answered something.

        Else a broken engine would make each of them look like the cause. What failed in the group
        before is settled first.

        Raises:
            EngineError: it answers nothing.
        """
        self.settle(engine)
        if not self.engine_answers:
            self.engine_answers = answers(engine, clock=self._clock)
        if not self.engine_answers:
            raise EngineError("the engine does not answer a short question")

    def _count(self) -> None:
        faults, self._faults = self._faults, []
        for job, completion in faults:
            self._record(job, completion)

    def _blame_engine(self) -> None:
        faults, self._faults = self._faults, []
        if all(completion.error == DEADLINE for _, completion in faults):
            self._work.put_back([job for job, _ in faults])
            raise EngineError(f"the engine ran {len(faults)} requests for too long and no other")
        self._work.forget_in_flight()
        raise EngineError(f"the engine answered {len(faults)} requests in a row with an error")


def answers(engine: EngineClient, *, clock: Callable[[], float]) -> bool:
    """Whether `engine`, with nothing in flight, answers one tiny request within a minute.

    Raises:
        EngineError: it died over it.
    """
    request = Request(
        request_id=f"probe.{next(_numbers)}.1",
        messages=(Message("user", "Answer with the word yes."),),
        sampling=Sampling(temperature=0.0, max_new_tokens=4),
    )
    engine.submit(request)
    until = clock() + PROBE_SECONDS
    while clock() < until:
        for message in engine.poll(_POLL_SECONDS):
            if isinstance(message, Completion) and message.request_id == request.request_id:
                return not is_fault(message)
    return False

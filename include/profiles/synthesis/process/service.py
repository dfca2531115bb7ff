"""Feeds the engine of an engine process, and says over the protocol what it answers."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from profiles.errors import EngineError, EngineJobError
from profiles.models import Request
from profiles.synthesis.engines import Engine, failed
from profiles.synthesis.process.confinement import kill_group
from profiles.synthesis.process.engine_streams import Channel
from profiles.synthesis.process.protocol import (
    DEADLINE,
    EXIT_FAILED,
    EXIT_OK,
    SERVER,
    Drain,
    EngineJob,
    EngineReady,
    Failure,
    Heartbeat,
    ProtocolMessage,
    Stop,
)

log = logging.getLogger("profiles.engine_process")


@dataclass(kw_only=True, slots=True)
class ActiveRequests:
    """Requests that an engine has, oldest first. It works on `at_once` of them; `seconds` is how
    long one may run, 0 for ever."""

    at_once: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _began: dict[str, float | None] = field(default_factory=dict)

    def add(self, request_id: str) -> None:
        place = len(self._began)
        self._began[request_id] = self.clock() if place < self.at_once else None

    def remove(self, request_id: str) -> None:
        self._began.pop(request_id, None)

    def overdue(self, now: float) -> list[str]:
        """Those that run for longer than they may. Call it every few seconds: it starts clocks."""
        found = []
        for request_id, began in itertools.islice(self._began.items(), self.at_once):
            if began is None:
                self._began[request_id] = now
            elif self.seconds and now - began > self.seconds:
                found.append(request_id)
        return found

    def not_started(self, running: int | None) -> list[str]:
        """Those that still wait inside the engine, which works on `running`; where it does not say,
        as many as it works on at once may have begun."""
        started = self.at_once if running is None else min(running, self.at_once)
        return list(itertools.islice(self._began, started, None))


class Service:
    """Feeds one loaded engine: at most `window` requests at a time, the rest waits in order."""

    def __init__(self, engine: Engine, ready: EngineReady, channel: Channel, job: EngineJob):
        self._engine = engine
        self._channel = channel
        self._job = job
        self._slots = asyncio.Semaphore(max(1, ready.window))
        self._tasks: dict[asyncio.Task[None], str] = {}
        # A remote engine bounds its calls itself: its waits for the server are not the requests'.
        self._is_remote = getattr(engine, "is_remote", False)
        seconds = 0.0 if self._is_remote else job.request_seconds
        self._active = ActiveRequests(at_once=max(1, ready.at_once), seconds=seconds)
        self._overdue: set[str] = set()
        self._figures: dict[str, float] = {}
        self._draining = False
        self._running = self._finished = 0
        self._progress = time.monotonic()

    async def run(self) -> int:
        """Serve until drained, stopped or lost; return the exit code."""
        # SGLang's engine has set another loop as the thread's current one.
        loop = asyncio.get_running_loop()
        self._done: asyncio.Future[int] = loop.create_future()
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        heart = asyncio.create_task(self._beat())
        heart.add_done_callback(self._end_if_failed)
        try:
            return await self._done
        finally:
            heart.cancel()
            for task in self._tasks:
                task.cancel()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while (message := self._channel.receive()) is not None:
                loop.call_soon_threadsafe(self._received, message)
        except EngineError:
            log.exception("a line was cut short")
        log.error("the lane closed its end without Stop: it has crashed")
        kill_group()

    def _received(self, message: ProtocolMessage) -> None:
        if isinstance(message, Request):
            task = asyncio.create_task(self._answer(message))
            self._tasks[task] = message.request_id
            task.add_done_callback(self._forget)
        elif isinstance(message, Drain):
            self._draining = True
            # The figure is a heartbeat old; where it is none, they may only just have come.
            running = int(self._figures.get("num_running_reqs", 0)) or None
            self._cancel(self._active.not_started(running))
            self._end_if_drained()
        elif isinstance(message, Stop):
            self._finish(EXIT_OK)

    async def _answer(self, request: Request) -> None:
        async with self._slots:
            if self._draining:
                return
            if not self._running:
                self._progress = time.monotonic()
            self._running += 1
            self._active.add(request.request_id)
            started = time.monotonic()
            try:
                completion = await self._engine.generate(request)
            except asyncio.CancelledError:
                if request.request_id not in self._overdue:
                    raise
                completion = failed(request, DEADLINE, seconds=self._job.request_seconds)
            except (EngineError, EngineJobError) as error:
                log.exception("the engine is lost")
                self._fail(error)
                return
            except Exception as error:  # noqa: BLE001 - process edge: one request must not end others
                # The type alone: the library's text may quote the prompt.
                log.warning("request %s: %s", request.request_id, type(error).__name__)
                seconds = time.monotonic() - started
                completion = failed(request, type(error).__name__, seconds=seconds)
            finally:
                self._running -= 1
                self._active.remove(request.request_id)
            if completion.error != DEADLINE:
                self._progress = time.monotonic()
            self._finished += 1
            self._channel.send(completion)

    def _give_up_overdue(self) -> None:
        overdue = self._active.overdue(time.monotonic())
        if overdue:
            seconds = self._job.request_seconds
            log.warning(
                "%s requests ran for more than %g s and are given up", len(overdue), seconds
            )
            self._overdue.update(overdue)
            self._cancel(overdue)

    def _cancel(self, request_ids: Collection[str]) -> None:
        """Ends these requests in the engine, where it can do that, and here."""
        for task, request_id in list(self._tasks.items()):
            if request_id in request_ids:
                if abort := getattr(self._engine, "abort", None):
                    abort(request_id)
                task.cancel()

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._overdue.discard(self._tasks.pop(task, ""))
        self._end_if_failed(task)
        self._end_if_drained()

    def _end_if_failed(self, task: asyncio.Task[None]) -> None:
        """Ends the process when one of its own tasks failed: the lane would wait for the answer."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            # The type alone: the text may quote an answer.
            log.error("the engine process failed with %s", type(error).__name__)
            self._fail(error)

    def _end_if_drained(self) -> None:
        if self._draining and not self._tasks and not self._done.done():
            self._finish(EXIT_OK)

    def _fail(self, error: BaseException) -> None:
        self._channel.send(failure_of(error, is_remote=self._is_remote))
        self._finish(EXIT_FAILED)

    def _finish(self, code: int) -> None:
        if not self._done.done():
            self._done.set_result(code)

    async def _beat(self) -> None:
        while True:
            self._give_up_overdue()
            self._figures = await self._engine.counters()
            is_working = self._running and not self._is_remote
            idle = time.monotonic() - self._progress if is_working else 0.0
            self._channel.send(
                Heartbeat(
                    queued=len(self._tasks) - self._running,
                    running=self._running,
                    finished=self._finished,
                    idle_seconds=round(idle, 3),
                    engine=self._figures,
                )
            )
            await asyncio.sleep(self._job.heartbeat_seconds)


def failure_of(error: BaseException, *, is_remote: bool = False) -> Failure:
    """The failure to send; of a foreign error the type alone: its text may quote a profile."""
    if isinstance(error, EngineJobError):
        return Failure("job", str(error))
    if isinstance(error, EngineError):
        return Failure(SERVER if is_remote else "engine", str(error))
    return Failure("engine", f"it failed with {type(error).__name__}")

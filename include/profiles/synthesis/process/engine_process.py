"""The engine process: reads requests from standard input, writes completions to standard output.

Started by `engine_client` with `python -m … PARENT_PID NETWORK`, in an interpreter of its own, as
leader of its own session. Imports models, errors, the protocol and one engine. Everything that a
library prints goes to standard error, which is the log file; the protocol uses private copies of
the two descriptors.

Exit codes are those of `profiles.synthesis.process.protocol`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Collection

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engines import engine_factory
from profiles.synthesis.engines.base import Aborting, Engine, failed
from profiles.synthesis.process.engine_channel import BegunRequests, Channel
from profiles.synthesis.process.network_isolation import HOST, NONE, isolate_network
from profiles.synthesis.process.process_guard import follow_parent, group_memory_bytes, kill_group
from profiles.synthesis.process.protocol import (
    DEADLINE,
    EXIT_ENGINE,
    EXIT_JOB,
    EXIT_OK,
    EXIT_PROTOCOL,
    PROTOCOL_VERSION,
    SERVER,
    Drain,
    Drained,
    EngineJob,
    EngineReady,
    Failure,
    Heartbeat,
    ProtocolMessage,
    Stop,
)

log = logging.getLogger("profiles.engine_process")


class Service:
    """Feeds one loaded engine: at most `window` requests at a time, the rest waits in order."""

    def __init__(self, engine: Engine, ready: EngineReady, channel: Channel, job: EngineJob):
        self._engine = engine
        self._channel = channel
        self._heartbeat_seconds = job.heartbeat_seconds
        self._request_seconds = job.request_seconds
        self._slots = asyncio.Semaphore(max(1, ready.window))
        self._tasks: dict[asyncio.Task[None], str] = {}
        # A remote engine bounds its calls itself: its waits for the server are not the requests'.
        self._is_remote = getattr(engine, "is_remote", False)
        seconds = 0.0 if self._is_remote else job.request_seconds
        self._begun = BegunRequests(at_once=ready.at_once, seconds=seconds)
        self._overdue: set[str] = set()
        self._figures: dict[str, float] = {}
        self._done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._draining = False
        self._queued = self._running = self._finished = self._failed = self._abandoned = 0
        self._prompt_tokens = self._completion_tokens = self._cached_tokens = 0
        self._progress = time.monotonic()

    async def run(self) -> int:
        """Serves until drained, told to stop or lost; returns the exit code."""
        loop = asyncio.get_running_loop()
        threading.Thread(
            target=self._read,
            args=(loop.call_soon_threadsafe,),
            name="protocol-reader",
            daemon=True,
        ).start()
        heart = asyncio.create_task(self._beat())
        heart.add_done_callback(self._end_if_failed)
        try:
            return await self._done
        finally:
            heart.cancel()
            for task in self._tasks:
                task.cancel()

    def _read(self, hand_over: Callable[..., object]) -> None:
        while True:
            try:
                message = self._channel.receive()
            except EngineError:
                log.exception("unreadable line")
                hand_over(self._finish, EXIT_PROTOCOL)
                return
            if message is None:
                log.error("the lane closed its end without a word; it is dead")
                kill_group()
                return
            hand_over(self._received, message)

    def _received(self, message: ProtocolMessage) -> None:
        if isinstance(message, Request):
            self._queued += 1
            task = asyncio.create_task(self._answer(message))
            self._tasks[task] = message.request_id
            task.add_done_callback(self._forget)
        elif isinstance(message, Drain):
            self._draining = True
            # The figure is a heartbeat old; where it is none, they may only just have come.
            running = int(self._figures.get("num_running_reqs", 0)) or None
            self._cancel(self._begun.not_begun(running))
            self._end_if_drained()
        elif isinstance(message, Stop):
            self._finish(EXIT_OK)
        else:
            log.error("unexpected message %s", type(message).__name__)
            self._finish(EXIT_PROTOCOL)

    async def _answer(self, request: Request) -> None:
        async with self._slots:
            self._queued -= 1
            if self._draining:
                self._abandoned += 1
                return
            if not self._running:
                self._progress = time.monotonic()
            self._running += 1
            self._begun.add(request.request_id)
            try:
                completion = await self._generate(request)
            except asyncio.CancelledError:
                if request.request_id not in self._overdue:
                    self._abandoned += 1
                    raise
                completion = failed(request, DEADLINE, seconds=self._request_seconds)
            except EngineJobError as error:
                log.exception("job refused")
                self._channel.send(Failure("job", str(error)))
                self._finish(EXIT_JOB)
                return
            except EngineError as error:
                log.exception("the engine is lost")
                self._channel.send(Failure(SERVER if self._is_remote else "engine", str(error)))
                self._finish(EXIT_ENGINE)
                return
            finally:
                self._running -= 1
                self._begun.remove(request.request_id)
            self._count(completion)
            self._channel.send(completion)

    async def _generate(self, request: Request) -> Completion:
        started = time.monotonic()
        try:
            return await self._engine.generate(request)
        except (EngineError, EngineJobError, asyncio.CancelledError):
            raise
        except Exception as error:  # noqa: BLE001 - process edge: one request must not end the others
            # The type alone: the library's text may quote the prompt.
            log.warning("request %s: %s", request.request_id, type(error).__name__)
            return failed(request, type(error).__name__, seconds=time.monotonic() - started)

    def _give_up_overdue(self) -> None:
        overdue = self._begun.overdue(time.monotonic())
        if overdue:
            log.warning(
                "%s requests ran for more than %g s and are given up",
                len(overdue),
                self._request_seconds,
            )
            self._overdue.update(overdue)
            self._cancel(overdue)

    def _cancel(self, request_ids: Collection[str]) -> None:
        """Ends these requests in the engine, where it can do that, and here."""
        for task, request_id in list(self._tasks.items()):
            if request_id in request_ids:
                if isinstance(self._engine, Aborting):
                    self._engine.abort(request_id)
                task.cancel()

    def _count(self, completion: Completion) -> None:
        if completion.error != DEADLINE:
            self._progress = time.monotonic()
        self._finished += 1
        self._failed += completion.error is not None
        self._prompt_tokens += completion.prompt_tokens
        self._completion_tokens += completion.completion_tokens
        self._cached_tokens += completion.cached_tokens

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
            self._channel.send(Failure("engine", type(error).__name__))
            self._finish(EXIT_ENGINE)

    def _end_if_drained(self) -> None:
        if self._draining and not self._tasks and not self._done.done():
            self._channel.send(Drained(self._abandoned))
            self._finish(EXIT_OK)

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
                    queued=self._queued,
                    running=self._running,
                    finished=self._finished,
                    failed=self._failed,
                    prompt_tokens=self._prompt_tokens,
                    completion_tokens=self._completion_tokens,
                    cached_tokens=self._cached_tokens,
                    idle_seconds=round(idle, 3),
                    engine=self._figures,
                    memory_bytes=group_memory_bytes(os.getpgrp()),
                )
            )
            await asyncio.sleep(self._heartbeat_seconds)


def read_job(channel: Channel) -> EngineJob:
    """The first message.

    Raises:
        EngineError: it is no job, or of another protocol version.
    """
    job = channel.receive()
    if not isinstance(job, EngineJob) or job.protocol != PROTOCOL_VERSION:
        raise EngineError(f"the first line must be a job of protocol {PROTOCOL_VERSION}")
    return job


def load(job: EngineJob, channel: Channel, network: str) -> tuple[Engine, EngineReady] | int:
    """The loaded engine, or the exit code after the lane has been told why not."""
    started = time.monotonic()
    try:
        engine = engine_factory(job.engine)(job)
        ready = engine.load()
    except EngineJobError as error:
        log.exception("job refused")
        channel.send(Failure("job", str(error)))
        return EXIT_JOB
    except EngineError as error:
        log.exception("load failed")
        channel.send(Failure("engine", str(error)))
        return EXIT_ENGINE
    except Exception as error:
        # Process edge: libraries fail in their own ways, and the log has the traceback.
        log.exception("load failed")
        channel.send(Failure("engine", f"loading failed with {type(error).__name__}"))
        return EXIT_ENGINE
    python = sys.version.split()[0]
    details = {**ready.details, "pid": os.getpid(), "python": python, "network": network}
    ready = EngineReady(
        engine=job.engine,
        version=ready.version,
        model=ready.model,
        window=ready.window,
        context_tokens=ready.context_tokens,
        load_seconds=round(time.monotonic() - started, 3),
        details=details,
        running=ready.running,
    )
    return engine, ready


def serve(channel: Channel, network: str = HOST) -> int:
    """Loads the engine and serves it; returns the exit code.

    The event loop exists before the engine and is the one that runs afterwards: SGLang binds
    its tokenizer manager to the loop it finds.
    """
    try:
        job = read_job(channel)
    except EngineError:
        log.exception("no job")
        return EXIT_PROTOCOL
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loaded = load(job, channel, network)
    if isinstance(loaded, int):
        return loaded
    engine, ready = loaded
    channel.send(ready)

    async def run() -> int:
        return await Service(engine, ready, channel, job).run()

    try:
        return loop.run_until_complete(run())
    finally:
        channel.flush()
        engine.close()


def main() -> None:
    """Runs the process and ends it at once: a library's threads must not delay the exit."""
    channel = Channel.take_over_stdio()
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
    )
    # Before there is a second thread.
    network = isolate_network() if sys.argv[2] == NONE else HOST
    follow_parent(int(sys.argv[1]))
    code = EXIT_ENGINE
    try:
        code = serve(channel, network)
    except Exception:
        # Process edge: nothing above could handle it; the exit code tells the lane.
        log.exception("engine process failed")
    finally:
        channel.flush()
        sys.stderr.flush()
        os._exit(code)


# SGLang's children import this file again under another name; only the first one is the engine.
if __name__ == "__main__":
    main()

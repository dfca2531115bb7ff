"""Work in other processes on what the database gave, while the database prepares what follows.

A process is this module, started by name. `multiprocessing` would import the main module of the
task again, which is Airflow, and Airflow refuses to be imported inside a task.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, TypeVar

from profiles.errors import RetryableError

PROCESS_FROM = 20_000
"""Fewer rows are not worth the start of a process."""
SECOND_FROM = 100_000
"""Rows for which a second process is worth it: what the first remembers of names and employers it
finds out again, of 40,000 rows at a seventh of the whole cost."""
PROCESSES = 2
"""The caller and its server do little while these work."""

_INCLUDE_DIR = Path(__file__).resolve().parents[3]
"""That of the settings, which take long to import."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Submit = Callable[[Callable[[Any], Any], Any], "Future[Any]"]
"""Begins a function on an item, both of which another process can be sent."""


@contextmanager
def companion(rows: int) -> Iterator[Submit]:
    """Workers beside the caller for that many rows: processes, or a thread for few rows."""
    if rows < PROCESS_FROM:
        with ThreadPoolExecutor(1) as thread:
            yield thread.submit
        return
    paths = [str(_INCLUDE_DIR), *filter(None, [os.environ.get("PYTHONPATH")])]
    with ExitStack() as stack:
        idle: SimpleQueue[_Worker] = SimpleQueue()
        for _ in range(PROCESSES if rows >= SECOND_FROM else 1):
            process = subprocess.Popen(
                [sys.executable, "-m", "profiles.steps.identity.overlap"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
            idle.put(_Worker(stack.enter_context(process)))
        # End before the processes: what was begun is answered, then the end of its input ends one.
        threads = stack.enter_context(ThreadPoolExecutor(PROCESSES))

        def ask(work: Callable[[Any], Any], item: object) -> Any:
            worker = idle.get()
            try:
                return worker(work, item)
            finally:
                idle.put(worker)

        yield lambda work, item: threads.submit(ask, work, item)


def overlapped(
    work: Callable[[Item], Result], items: Iterable[Item], *, beside: Submit
) -> Iterator[Result]:
    """The result of `work` on each item, in order; the next items are drawn meanwhile.

    Items are drawn and results used in the caller's thread, so both may use its connection.
    `PROCESSES` items and one more are in memory at a time. An error of `work` is raised where its
    result would come.
    """
    running: deque[Future[Result]] = deque()
    for item in items:
        running.append(beside(work, item))
        if len(running) > PROCESSES:
            yield running.popleft().result()
    while running:
        yield running.popleft().result()


class _Worker:
    """The process, as a function that it calls."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin and process.stdout  # noqa: S101 - pipes, as it was started
        self._process, self._requests, self._responses = process, process.stdin, process.stdout
        self._work: Callable[[Any], Any] | None = None

    def __call__(self, work: Callable[[Any], Any], item: object) -> Any:
        """The result of `work` on the item; raises what it raised there."""
        try:
            # A piece of work holds the corpus: it goes over once, not with each item.
            pickle.dump((None if work is self._work else work, item), self._requests)
            self._work = work
            self._requests.flush()
            error, result = pickle.load(self._responses)  # noqa: S301 - our own process wrote it
        except (BrokenPipeError, EOFError, pickle.UnpicklingError) as gone:
            if isinstance(gone, pickle.UnpicklingError):  # it runs on and would be waited for
                self._process.kill()
            raise RetryableError(
                f"the process beside resolve_identities exited with {self._process.wait()}; "
                "retry the task"
            ) from gone
        if error is not None:
            raise error
        return result


def serve(requests: BinaryIO, responses: BinaryIO) -> None:
    work: Callable[[Any], Any] = repr
    while True:
        try:
            other, item = pickle.load(requests)  # noqa: S301 - the process that started this one
        except EOFError:
            return
        work = other or work
        answer: tuple[Exception | None, Any]
        try:
            answer = (None, work(item))
        except Exception as error:  # noqa: BLE001 - process edge: raised again in the caller's
            answer = (error, None)
        pickle.dump(answer, responses)
        responses.flush()


if __name__ == "__main__":
    # What the work makes holds no cycles, and looking for some is a seventh of it.
    gc.disable()
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # what anything prints is no answer
        serve(sys.stdin.buffer, out)
    os._exit(0)  # taking apart what is remembered takes a third of a second

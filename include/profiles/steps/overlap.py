"""Work in a second process on what the database gave, while the database prepares what follows."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TypeVar

PROCESS_FROM = 20_000
"""Fewer rows are not worth the start of a process."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def companion(rows: int) -> Executor:
    """Who works beside the caller on that many rows: a process, or a thread for few.

    The process is started anew, not forked: a fork would share the caller's connection.
    """
    if rows < PROCESS_FROM:
        return ThreadPoolExecutor(1)
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def overlapped(
    work: Callable[[Item], Result], items: Iterable[Item], *, beside: Executor
) -> Iterator[Result]:
    """The result of `work` on each item, in order; the next item is drawn meanwhile.

    Items are drawn and results used in the caller's thread, so both may use its connection. Two
    items are in memory at a time. An error of `work` is raised where its result would come.
    """
    running: Future[Result] | None = None
    for item in items:
        begun = beside.submit(work, item)
        if running is not None:
            yield running.result()
        running = begun
    if running is not None:
        yield running.result()

"""Work in a second thread on what the database gave, while the database prepares what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def overlapped(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """The result of `work` on each item, in order; the next item is drawn meanwhile.

    Items are drawn and results used in the caller's thread, so both may use its connection. Two
    items are in memory at a time. An error of `work` is raised where its result would come.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="overlapped") as pool:
        running: Future[Result] | None = None
        for item in items:
            begun = pool.submit(work, item)
            if running is not None:
                yield running.result()
            running = begun
        if running is not None:
            yield running.result()

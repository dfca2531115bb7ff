"""Results come in order, from beside the caller, while the next item is drawn."""

import os
import pickle
import sys
import tempfile
import threading
import time
import types
from functools import partial
from pathlib import Path

import pytest

from profiles.errors import RetryableError
from profiles.steps.identity.overlap import PROCESS_FROM, PROCESSES, SECOND_FROM, companion
from profiles.steps.identity.overlap import overlapped as overlapped_with


def overlapped(work, items) -> list:
    with companion(1) as beside:
        return list(overlapped_with(work, items, beside=beside))


def process_of(item: int) -> tuple[int, int]:
    print("no answer")  # noqa: T201
    return item, os.getpid()


def meet(folder: str, item: int) -> bool:
    """Return whether all items are worked on at the same time."""
    Path(folder, str(item)).touch()
    end_at = time.monotonic() + 30
    while time.monotonic() < end_at:
        if len(list(Path(folder).iterdir())) == PROCESSES:
            return True
        time.sleep(0.01)
    return False


def end(status: int) -> None:
    os._exit(status)


class Unreadable:
    def __init__(self, item: int) -> None:
        self.item = item

    def __reduce__(self) -> tuple:
        return fail, (self.item,)


def fail(item: int) -> None:
    raise pickle.UnpicklingError(item)


def test_results_come_in_the_order_of_the_items():
    assert overlapped(str, range(5)) == ["0", "1", "2", "3", "4"]
    assert overlapped(str, []) == []


def test_many_rows_are_worked_on_in_processes_of_their_own():
    with companion(PROCESS_FROM) as beside:
        found = list(overlapped_with(process_of, range(8), beside=beside))
    assert [item for item, _ in found] == list(range(8))
    processes = {process for _, process in found}
    assert 1 <= len(processes) <= PROCESSES
    assert os.getpid() not in processes
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_items_are_worked_on_in_all_processes_at_once():
    with companion(SECOND_FROM) as beside, tempfile.TemporaryDirectory() as folder:
        met = list(overlapped_with(partial(meet, folder), range(PROCESSES), beside=beside))
    assert met == [True] * PROCESSES


def test_an_error_in_the_process_is_raised_to_the_caller_and_leaves_it_working():
    with companion(PROCESS_FROM) as beside:
        with pytest.raises(ZeroDivisionError):
            beside(partial(divmod, 1), 0).result()
        assert beside(partial(divmod, 7), 2).result() == (3, 1)


def test_a_process_that_ends_is_an_error_that_a_retry_may_heal():
    with companion(PROCESS_FROM) as beside, pytest.raises(RetryableError, match="exited with 3"):
        list(overlapped_with(end, [3], beside=beside))


def test_an_answer_that_cannot_be_read_ends_the_process_instead_of_waiting_for_it():
    with companion(PROCESS_FROM) as beside, pytest.raises(RetryableError, match="exited with -9"):
        list(overlapped_with(Unreadable, [1], beside=beside))


def test_the_process_needs_no_main_module_of_the_caller(monkeypatch: pytest.MonkeyPatch):
    """Inside a task that is Airflow, which cannot be imported there."""
    main = types.ModuleType("__main__")
    main.__file__ = "/nowhere/airflow"
    monkeypatch.setitem(sys.modules, "__main__", main)
    with companion(PROCESS_FROM) as beside:
        assert beside(partial(divmod, 7), 2).result() == (3, 1)


def test_the_next_item_is_drawn_while_the_last_one_is_worked_on():
    drawn = threading.Event()

    def items():
        yield 1
        drawn.set()
        yield 2

    def work(item: int) -> bool:
        return drawn.wait(30)

    assert overlapped(work, items()) == [True, True]


def test_items_are_drawn_in_the_thread_of_the_caller_and_worked_on_in_another():
    def items():
        yield threading.get_ident()

    (pair,) = overlapped(lambda drawn_in: (drawn_in, threading.get_ident()), items())
    assert pair[0] == threading.get_ident() != pair[1]


def test_no_more_items_are_in_hand_than_one_beyond_the_processes():
    used: list[int] = []

    def items():
        for number in range(6):
            assert number - len(used) <= PROCESSES + 1
            yield number

    with companion(1) as beside:
        for number in overlapped_with(int, items(), beside=beside):
            used.append(number)
    assert used == list(range(6))


def test_an_error_of_the_work_is_raised_to_the_caller():
    with pytest.raises(ZeroDivisionError):
        overlapped(lambda item: 1 // item, [1, 0, 2])

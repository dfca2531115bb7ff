"""Results come in order, from another thread, while the next item is drawn."""

import threading

import pytest

from profiles.steps.overlap import overlapped


def test_results_come_in_the_order_of_the_items():
    assert list(overlapped(str, range(5))) == ["0", "1", "2", "3", "4"]
    assert list(overlapped(str, [])) == []


def test_the_next_item_is_drawn_while_the_last_one_is_worked_on():
    drawn = threading.Event()

    def items():
        yield 1
        drawn.set()
        yield 2

    def work(item: int) -> bool:
        return drawn.wait(30)

    assert list(overlapped(work, items())) == [True, True]


def test_items_are_drawn_in_the_thread_of_the_caller_and_worked_on_in_another():
    def items():
        yield threading.get_ident()

    (pair,) = overlapped(lambda drawn_in: (drawn_in, threading.get_ident()), items())
    assert pair[0] == threading.get_ident() != pair[1]


def test_no_more_than_two_items_are_in_hand():
    used: list[int] = []

    def items():
        for number in range(6):
            assert number - len(used) <= 2
            yield number

    for number in overlapped(int, items()):
        used.append(number)
    assert used == list(range(6))


def test_an_error_of_the_work_is_raised_to_the_caller():
    with pytest.raises(ZeroDivisionError):
        list(overlapped(lambda item: 1 // item, [1, 0, 2]))

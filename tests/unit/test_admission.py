"""Requests enter an engine in groups that fill one prefill step."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from profiles.synthesis.admission import Admission


async def _settled() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def _run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        await scenario()

    asyncio.run(main())


def test_requests_wait_until_a_whole_group_has_room() -> None:
    async def scenario() -> None:
        gate = Admission(slots=32, step_tokens=400)
        inside: list[int] = []

        async def ask(number: int) -> None:
            await gate.enter(100)
            inside.append(number)

        tasks = [asyncio.create_task(ask(number)) for number in range(50)]
        await _settled()
        assert len(inside) == 32
        for freed in (1, 2, 3):
            gate.leave()
            await _settled()
            assert len(inside) == 32, f"{freed} free slots do not fill a step of four prompts"
        gate.leave()
        await _settled()
        assert inside == list(range(36))
        for task in tasks:
            task.cancel()

    _run(scenario)


def test_the_last_requests_do_not_wait_for_a_group() -> None:
    async def scenario() -> None:
        gate = Admission(slots=32, step_tokens=10_000)
        tasks = [asyncio.create_task(gate.enter(100)) for _ in range(33)]
        await _settled()
        assert gate.waiting == 1
        gate.leave()
        await _settled()
        assert gate.waiting == 0
        await asyncio.gather(*tasks)

    _run(scenario)


def test_a_prompt_larger_than_a_step_goes_alone() -> None:
    async def scenario() -> None:
        gate = Admission(slots=8, step_tokens=100)
        tasks = [asyncio.create_task(gate.enter(500)) for _ in range(9)]
        await _settled()
        assert gate.waiting == 1
        gate.leave()
        await asyncio.gather(*tasks)

    _run(scenario)


def test_cached_prompt_tokens_make_groups_larger() -> None:
    async def scenario() -> None:
        gate = Admission(slots=64, step_tokens=420)
        tasks = [asyncio.create_task(gate.enter(200)) for _ in range(400)]
        groups: list[int] = []
        await _settled()
        for number in range(200):
            before = gate.waiting
            gate.leave(prompt_tokens=200, cached_tokens=0 if number < 20 else 150)
            if admitted := before - gate.waiting:
                groups.append(admitted)
        assert groups[:5] == [4] * 5, "a step holds two of them, and a group is never smaller"
        assert groups[-1] == 8, "of each prompt 50 tokens are new"
        for task in tasks:
            task.cancel()

    _run(scenario)


def test_a_cancelled_request_gives_its_place_away() -> None:
    async def scenario() -> None:
        gate = Admission(slots=1, step_tokens=100)
        first, second, third = (asyncio.create_task(gate.enter(50)) for _ in range(3))
        await _settled()
        second.cancel()
        await _settled()
        assert gate.waiting == 1
        gate.leave()
        await _settled()
        assert third.done() and not third.cancelled()
        await first

    _run(scenario)


def test_one_cancelled_as_it_is_let_in_frees_its_slot() -> None:
    async def scenario() -> None:
        gate = Admission(slots=1, step_tokens=100)
        first = asyncio.create_task(gate.enter(50))
        await first
        second, third = (asyncio.create_task(gate.enter(50)) for _ in range(2))
        await _settled()
        gate.leave()
        second.cancel()
        await _settled()
        assert second.cancelled()
        assert third.done()

    _run(scenario)


def test_a_full_cache_lowers_the_room_to_what_runs_and_groups_stay_whole() -> None:
    async def scenario() -> None:
        gate = Admission(slots=120, step_tokens=2000)
        tasks = [asyncio.create_task(gate.enter(1000)) for _ in range(200)]
        await _settled()
        assert gate.waiting == 80
        gate.observe(running=30, waiting=90)
        assert gate.room == 120, "it is still reading what was let in"
        gate.observe(running=86, waiting=34)
        assert gate.room == 120
        gate.observe(running=88, waiting=32)
        assert gate.room == 88
        for _ in range(32):
            gate.leave()
        await _settled()
        assert gate.waiting == 80, "88 are inside, so none may follow"
        entered = []
        for _ in range(8):
            before = gate.waiting
            gate.leave()
            await _settled()
            entered.append(before - gate.waiting)
        assert entered == [0, 0, 0, 4, 0, 0, 0, 4]
        for task in tasks:
            task.cancel()

    _run(scenario)


def test_an_empty_queue_gives_the_room_back() -> None:
    async def scenario() -> None:
        gate = Admission(slots=100, step_tokens=2000)
        gate.observe(running=50, waiting=9)
        assert gate.room == 100, "one queue seen is no full cache"
        gate.observe(running=50, waiting=9)
        assert gate.room == 50
        gate.observe(running=50, waiting=0)
        assert gate.room == 62
        for _ in range(20):
            gate.observe(running=50, waiting=0)
        assert gate.room == 100

    _run(scenario)


def test_an_idle_engine_never_closes_the_door() -> None:
    async def scenario() -> None:
        gate = Admission(slots=8, step_tokens=100)
        gate.observe(running=0, waiting=5)
        assert gate.room == 8
        await gate.enter(1_000_000)

    _run(scenario)

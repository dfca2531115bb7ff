"""Requests enter an engine in groups that fill its prefill steps."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from profiles.synthesis.engines.admission import Admission


async def _settled() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def _run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        await scenario()

    asyncio.run(main())


def test_requests_wait_until_a_whole_group_has_room() -> None:
    async def scenario() -> None:
        gate = Admission(slots=48, step_tokens=400)
        inside: list[int] = []

        async def ask(number: int) -> None:
            await gate.enter(100)
            inside.append(number)

        tasks = [asyncio.create_task(ask(number)) for number in range(80)]
        await _settled()
        assert len(inside) == 48
        for freed in (1, 2, 3):
            gate.leave()
            await _settled()
            assert len(inside) == 48, f"{freed} free slots do not fill a step of four prompts"
        gate.leave()
        await _settled()
        assert inside == list(range(52))
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


def test_in_a_small_room_a_prompt_larger_than_a_step_goes_alone() -> None:
    async def scenario() -> None:
        gate = Admission(slots=8, step_tokens=100)
        tasks = [asyncio.create_task(gate.enter(500)) for _ in range(9)]
        await _settled()
        assert gate.waiting == 1
        gate.leave()
        await asyncio.gather(*tasks)

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


def _groups(gate: Admission, times: int, **tokens: int) -> list[int]:
    groups = []
    for _ in range(times):
        before = gate.waiting
        gate.leave(**tokens)
        if admitted := before - gate.waiting:
            groups.append(admitted)
    return groups


def test_cached_prompt_tokens_make_groups_larger() -> None:
    async def scenario() -> None:
        gate = Admission(slots=240, step_tokens=2000)
        tasks = [asyncio.create_task(gate.enter(200)) for _ in range(900)]
        await _settled()
        assert _groups(gate, 20, prompt_tokens=200, cached_tokens=0) == [10, 10]
        later = _groups(gate, 200, prompt_tokens=200, cached_tokens=100)
        assert later[-1] >= 18, "of each prompt 100 tokens are new"
        for task in tasks:
            task.cancel()

    _run(scenario)


@pytest.mark.parametrize(
    ("prompt", "group"),
    [(1300, 11), (1000, 8), (1100, 11), (1480, 11), (2048, 8), (3000, 8)],
)
def test_a_group_fills_its_last_step_as_well_as_it_can(prompt: int, group: int) -> None:
    """Of 8 to 12 prompts that need several steps of 2,048 tokens."""
    sizes = range(8, 13)
    fill = {size: size * prompt / (-(-size * prompt // 2048) * 2048) for size in sizes}
    assert max(fill.values()) == fill[group]

    async def scenario() -> None:
        gate = Admission(slots=144, step_tokens=2048)
        tasks = [asyncio.create_task(gate.enter(prompt)) for _ in range(300)]
        await _settled()
        assert _groups(gate, 40)[0] == group
        for task in tasks:
            task.cancel()

    _run(scenario)


def test_a_full_cache_lowers_the_room_to_what_runs_and_groups_stay_whole() -> None:
    async def scenario() -> None:
        gate = Admission(slots=120, step_tokens=2000)
        tasks = [asyncio.create_task(gate.enter(1000)) for _ in range(200)]
        await _settled()
        assert gate.waiting == 80
        gate.observe(running=30, waiting=90, usage=0.4)
        assert gate.room == 120, "it is still reading what was let in"
        gate.observe(running=102, waiting=18, usage=0.9)
        assert gate.room == 120
        gate.observe(running=104, waiting=16, usage=0.98)
        assert gate.room == 104
        for _ in range(16):
            gate.leave()
        await _settled()
        assert gate.waiting == 80, "104 are inside, so none may follow"
        assert _groups(gate, 16) == [8, 8]
        for task in tasks:
            task.cancel()

    _run(scenario)


def test_an_empty_queue_gives_the_room_back_slowly_where_the_cache_is_nearly_full() -> None:
    async def scenario() -> None:
        gate = Admission(slots=100, step_tokens=2000)
        gate.observe(running=50, waiting=9, usage=0.98)
        assert gate.room == 100, "one queue seen is no full cache"
        gate.observe(running=50, waiting=9, usage=0.98)
        assert gate.room == 50
        gate.observe(running=50, waiting=0, usage=0.9)
        assert gate.room == 51
        gate.observe(running=50, waiting=0, usage=0.5)
        assert gate.room == 63
        for _ in range(20):
            gate.observe(running=50, waiting=0, usage=0.5)
        assert gate.room == 100

    _run(scenario)


def test_an_idle_engine_never_closes_the_door() -> None:
    async def scenario() -> None:
        gate = Admission(slots=8, step_tokens=100)
        gate.observe(running=0, waiting=5, usage=1.0)
        assert gate.room == 8
        gate.observe(running=1, waiting=5, usage=1.0)
        gate.observe(running=1, waiting=5, usage=1.0)
        assert gate.room == 1
        await gate.enter(1_000_000)

    _run(scenario)


@pytest.mark.parametrize("slots", [1, 2, 3, 4, 7, 8, 15, 16, 29, 48, 120, 512])
@pytest.mark.parametrize("prompt", [0, 1, 400, 1300, 100_000])
def test_a_group_is_never_larger_than_the_room(slots: int, prompt: int) -> None:
    async def scenario() -> None:
        for waiting in (1, 2, 3, 7, 8, 11, 12, 60):
            gate = Admission(slots=slots, step_tokens=2048)
            tasks = [asyncio.create_task(gate.enter(prompt)) for _ in range(slots + waiting)]
            await _settled()
            assert gate.waiting == waiting
            ended = 0
            while gate.waiting == waiting:
                gate.leave()
                ended += 1
            assert ended <= slots, "an empty engine lets somebody in"
            await _settled()
            for task in tasks:
                task.cancel()

    _run(scenario)


def test_what_waits_and_is_cancelled_with_what_runs_is_never_let_in() -> None:
    """As at a drain: those that run give their slots back before the others know of it."""

    async def scenario() -> None:
        gate = Admission(slots=100, step_tokens=2048)

        async def ask() -> None:
            await gate.enter(1000)
            try:
                await asyncio.Event().wait()
            finally:
                gate.leave()

        tasks = [asyncio.create_task(ask()) for _ in range(150)]
        await _settled()
        assert gate.waiting == 50
        for task in tasks[84:]:
            task.cancel()
        ended = await asyncio.gather(*tasks[84:], return_exceptions=True)
        assert {type(error) for error in ended} == {asyncio.CancelledError}
        assert gate.waiting == 0
        for task in tasks[:84]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        later = [asyncio.create_task(gate.enter(1000)) for _ in range(100)]
        await asyncio.gather(*later)

    _run(scenario)

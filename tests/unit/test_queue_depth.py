"""The depth of a lane's window, steered by heartbeats."""

from __future__ import annotations

import pytest

from profiles.synthesis.lane.window import LEAST_WAITING, MOST_WAITING, QueueDepth
from profiles.synthesis.process.protocol import EngineReady, Heartbeat


def depth(*, window=2500, running=256, ceiling=2500):
    return QueueDepth(EngineReady("e", "1", "m", window, 4096, running=running), ceiling=ceiling)


def observe(depth, *, running, waiting, usage=0.5, was_full=True):
    figures = {"num_running_reqs": running, "num_waiting_reqs": waiting, "token_usage": usage}
    beat = Heartbeat(0, running + waiting, 0, 0.0, figures)
    depth.observe(beat, was_full=was_full)


def simulate(depth, *, capacity, usage, beats=40):
    """An engine that runs at most `capacity`; the lane always has enough documents."""
    for _ in range(beats):
        running = min(capacity, depth.limit)
        observe(depth, running=running, waiting=depth.limit - running, usage=usage(running))
    return depth.limit - min(capacity, depth.limit)


def test_it_begins_with_a_few_more_than_the_engine_works_on():
    assert depth().limit == 288
    assert depth(window=4, running=0).limit == 5
    assert depth(ceiling=16).limit == 16


@pytest.mark.parametrize("capacity", [40, 256, 700, 1500])
@pytest.mark.parametrize("usage", [0.3, 0.95])
def test_the_engines_queue_settles_where_it_is_wanted(capacity, usage):
    waiting = simulate(depth(ceiling=5000), capacity=capacity, usage=lambda running: usage)
    most = min(max(2 * LEAST_WAITING, capacity), MOST_WAITING)
    assert LEAST_WAITING <= waiting <= max(most, 288 - capacity)


def test_with_free_kv_cache_it_grows_faster():
    empty, full = depth(running=800), depth(running=800)
    observe(empty, running=900, waiting=0, usage=0.4)
    observe(full, running=900, waiting=0, usage=0.95)
    assert empty.limit - 900 == 225
    assert full.limit - 900 == LEAST_WAITING


def test_an_engine_that_waits_for_documents_is_no_reason_to_go_deeper():
    short = depth()
    observe(short, running=10, waiting=0, was_full=False)
    assert short.limit == 288


def test_a_queue_longer_than_wanted_shrinks_the_depth_but_never_below_the_start():
    deep = depth(ceiling=5000)
    for _ in range(20):
        observe(deep, running=256, waiting=0)
    assert deep.limit == 5000
    observe(deep, running=256, waiting=3000)
    assert deep.limit == 5000 - (3000 - 256)
    for _ in range(20):
        observe(deep, running=1, waiting=3000)
    assert deep.limit == 288


def test_what_waits_in_the_process_counts_too():
    counted = depth()
    figures = {"num_running_reqs": 200, "num_waiting_reqs": 0, "token_usage": 0.1}
    counted.observe(Heartbeat(150, 200, 0, 0.0, figures), was_full=True)
    assert counted.limit == 288


def test_without_figures_the_depth_stays():
    fixed = depth(window=16, running=0)
    fixed.observe(Heartbeat(0, 16, 0, 0.0, {"retries": 2.0}), was_full=True)
    assert fixed.limit == 18

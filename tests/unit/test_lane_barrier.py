"""A lane with a barrier asks as consecutive synchronous calls do."""

from __future__ import annotations

from tests.lane_doubles import Bench, with_limits


def candidates(bench):
    return [int(request.request_id.split(".")[1]) for request in bench.sent]


def test_no_batch_is_leased_before_the_last_answer_of_the_one_before():
    leased_with_open = []

    class Watched(Bench):
        def __init__(self, *given, **more):
            super().__init__(*given, **more)
            lease = self.queue.lease

            def watched(size):
                open_items = sum(len(engine.requests) for engine in self.engines)
                leased_with_open.append(open_items)
                return lease(size)

            self.queue.lease = watched

    limits = with_limits(barrier=True, batch_size=10, max_in_flight=10)
    bench = Watched(25, limits=limits)
    bench.run()
    assert len(bench.queue.done) == 25
    assert set(leased_with_open) == {0}
    leased_with_open.clear()
    Watched(25, limits=with_limits(batch_size=10, max_in_flight=10)).run()
    assert max(leased_with_open) > 0


def test_a_whole_batch_is_asked_at_once_and_refused_answers_belong_to_it():
    def behave(candidate, number):
        return "short" if candidate == 3 and number == 1 else "good"

    limits = with_limits(barrier=True, batch_size=10, max_in_flight=10)
    bench = Bench(20, behave, limits=limits)
    bench.run()
    asked = candidates(bench)
    assert sorted(asked[:10]) == list(range(1, 11))
    assert asked[10] == 3
    assert sorted(asked[11:]) == list(range(11, 21))

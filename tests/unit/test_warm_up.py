"""Invented questions of the real shapes for a fresh engine."""

from __future__ import annotations

import pytest
from benchmarks.dummy_model import prefill_requests
from tests.paths import REPOSITORY

from profiles.models import Completion
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.synthesis.lane.prompting import Prompter, token_counter
from profiles.synthesis.lane.warm_up import warm_up, warm_up_requests

count = token_counter()
PROFILE = load_engine_profile("structured", REPOSITORY / "include" / "prompts")


def made(number):
    return warm_up_requests(PROFILE, Prompter(PROFILE, count), number)


def test_they_ask_as_the_run_does():
    for request in made(8):
        assert request.messages[0].content == PROFILE.system_prompt
        assert request.json_schema == PROFILE.output_schema
        assert request.sampling.temperature == PROFILE.sampling.temperature


def test_lengths_are_those_of_real_documents_and_differ():
    requests = made(40)
    prompts = [count(request.messages[1].content) for request in requests]
    most = PROFILE.max_document_tokens
    assert 0.2 * most < min(prompts) < 0.4 * most
    assert 0.6 * most < max(prompts) <= most + 120
    answers = {request.sampling.max_new_tokens for request in requests}
    assert len(answers) > 20
    assert 128 <= min(answers) <= max(answers) <= 384


def test_no_two_share_more_than_the_system_prompt_and_ids_are_their_own():
    requests = made(20)
    assert len({request.request_id for request in requests}) == 20
    beginnings = {request.messages[1].content.partition("Firm")[0] for request in requests}
    assert len(beginnings) == 20


@pytest.mark.parametrize(
    ("chunk", "context", "largest"), [(8192, 131072, 8192), (8192, 4096, 4095), (2000, 4096, 2000)]
)
def test_every_size_of_a_prefill_step_is_met_and_all_fit(chunk, context, largest):
    requests = prefill_requests(chunk, context)
    sizes = [len(request.input_ids) for request in requests]
    assert sizes[0] == max(sizes) == largest
    words = [-(-size // 32) for size in sizes[1:]]
    assert words == list(range(largest // 32, words[-1] - 1, -1)), "kernels are compiled for each"
    assert words[-1] <= largest // 4 // 32 + 2
    assert all(size % 16 for size in sizes[1:]), "as most sums of prompts are"
    assert all(request.sampling.max_new_tokens == 1 for request in requests)
    assert len({request.request_id for request in requests}) == len(requests)
    first, second = (request.input_ids[:64] for request in requests[:2])
    assert first != second, "the second would come out of the prefix cache"


@pytest.mark.parametrize(("chunk", "context"), [(-1, 4096), (0, 4096), (2048, 1), (2048, 0)])
def test_an_engine_that_reads_whole_prompts_or_none_has_no_sizes(chunk, context):
    assert prefill_requests(chunk, context) == []


def test_small_chunks_have_sizes_of_their_own():
    for chunk in range(1, 100):
        sizes = [len(request.input_ids) for request in prefill_requests(chunk, 4096)]
        assert sizes[0] == chunk
        assert len(set(sizes)) == len(sizes), chunk
        assert min(sizes) >= 1, chunk


class Slow:
    """Answers everything after one second each, in order."""

    def __init__(self):
        self.now = 0.0
        self.in_flight = []

    def submit(self, request):
        self.in_flight.append(request)

    def poll(self, timeout):
        self.now += 1
        return [Completion(self.in_flight.pop(0).request_id, "", "stop")]


def asked(seconds):
    engine = Slow()
    took = warm_up(
        engine, made(10), seconds=seconds, is_ending=lambda: False, clock=lambda: engine.now
    )
    return len(engine.in_flight), took


def test_answers_are_waited_for_as_long_as_there_is_time():
    assert asked(100) == (0, 10.0)
    assert asked(5) == (5, 5.0)

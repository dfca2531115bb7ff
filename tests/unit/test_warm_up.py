"""Invented questions of the real shapes for a fresh engine."""

from __future__ import annotations

from tests.paths import REPOSITORY

from profiles.synthesis.prompting import Prompter, load_engine_profile, token_counter
from profiles.synthesis.warm_up import warm_up_requests

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

"""Faults of a model server, transient and lasting, against a real HTTP server of this machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from tests.openai_server import Server, ask, chat, job, request

from profiles.errors import EngineError, EngineJobError
from profiles.synthesis.engines.openai import OpenAIEngine
from profiles.synthesis.engines.openai_server import retry_after_seconds


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.stop()


@pytest.mark.parametrize(
    ("length", "filtering"),
    [("length", "content_filter"), ("MAX_TOKENS", "SAFETY"), ("model_length", "content-filter")],
)
def test_a_cut_answer_says_so_and_one_that_a_filter_cut_is_a_lasting_refusal(
    server, length: str, filtering: str
):
    nothing = chat("", filtering) | {"usage": {}}
    server.answers = [(200, chat("half", length)), (200, nothing)]
    cut, filtered = (ask(server, request())[0] for _ in range(2))
    assert cut.finish_reason == "length"
    assert (filtered.error, filtered.is_lasting) == ("content filter", True)


def test_a_refused_request_is_its_own_error_without_the_servers_words(server):
    server.answers = [(400, {"error": {"message": "cannot read: a profile"}}), (302, {})]
    refused, redirected = (ask(server, request())[0] for _ in range(2))
    assert (refused.error, refused.finish_reason) == ("http 400", "error")
    assert refused.is_lasting
    assert redirected.error == "http 302", "a redirect is not followed"


def test_a_later_refusal_is_that_requests_own_and_may_pass(server):
    server.answers = [(200, chat()), (403, b"<html>"), (200, chat())]
    found = [item for item in ask(server, *(request(),) * 3, max_running=1)]
    assert sorted((item.error or "", item.is_lasting) for item in found) == [
        ("", False), ("", False), ("http 403", False),
    ]  # fmt: skip


def test_an_empty_answer_that_cost_nothing_may_pass(server):
    empty = {"choices": [{"message": {"content": None}, "finish_reason": None}]}
    server.answers = [(200, empty)]
    (completion,) = ask(server, request())
    assert (completion.error, completion.is_lasting) == ("empty answer", False)


@pytest.mark.parametrize(
    "odd",
    [
        {"usage": [1]},
        {"usage": {"prompt_tokens": "n/a", "completion_tokens": 1e999}},
        {"usage": {"prompt_tokens_details": [1], "completion_tokens_details": "x"}},
        {"choices": [{"logprobs": [1], "message": {"content": "x"}}]},
        {"choices": [{"logprobs": {"content": [None, {"logprob": "-1"}]},
                      "message": {"content": "x"}}]},
    ],
)  # fmt: skip
def test_odd_counts_beside_an_answer_cost_nothing_else_of_it(server, odd):
    server.answers = [(200, {**chat("x"), **odd})]
    (completion,) = ask(server, request())
    assert (completion.text, completion.error) == ("x", None)


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{}]}', b'{"choices": 5}', b"[" * 99_999],
)
def test_an_answer_that_is_none_is_that_requests_error(server, body):
    server.answers = [(200, body)] * 3
    assert ask(server, request())[0].error


def test_a_server_fault_is_tried_once_more_then_blamed_on_the_request(server):
    server.answers = [(500, {}), (200, chat())]
    assert ask(server, request())[0].error is None
    server.answers = [(500, {}), (500, {})]
    (completion,) = ask(server, request())
    assert (completion.error, completion.is_lasting) == ("fault http 500", False)


def test_a_call_ends_after_the_seconds_of_a_request_and_waits_for_the_server_are_none(server):
    server.retry_after = "1"
    server.answers = [(429, {}), (200, chat())]
    assert ask(server, request(), request_seconds=0.5)[0].error is None
    server.delay = 1.0
    (completion,) = ask(server, request(), request_seconds=0.5)
    assert (completion.error, completion.is_lasting) == ("timeout", False)


def test_the_wait_that_a_server_asks_for_is_kept_and_costs_no_patience(server):
    server.retry_after = "1"
    server.answers = [(429, {}), (429, {}), (200, chat())]
    began = time.monotonic()
    assert ask(server, request(), options={"patience_seconds": 0.1})[0].error is None
    assert len(server.asked) == 3
    assert time.monotonic() - began > 2


def test_a_retry_after_may_be_a_date_and_nonsense_is_none():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 55 < retry_after_seconds(later) <= 60
    assert [retry_after_seconds(text) for text in ("", "soon", "nan", "-3")] == [0, 0, 0, 0]
    assert retry_after_seconds("86400") == 900


def test_patience_counts_from_the_first_failure_and_not_from_the_start_of_a_request(server):
    server.answers = [(504, {}), (200, chat())]
    engine = OpenAIEngine(job(server.url, options={"patience_seconds": 0.2}))
    engine.load()
    post = engine._post

    async def late(body: dict[str, Any]) -> Any:
        await asyncio.sleep(0.5)
        return await post(body)

    engine._post = late
    with asyncio.Runner() as runner:
        assert runner.run(engine.generate(request())).error is None
        runner.run(engine._client.aclose())


@pytest.mark.parametrize(
    "inside",
    [
        {"error": {"message": "upstream is rate-limited", "code": 429}},
        {"error": {"message": "bad gateway", "code": "502"}},
        {"error": "overloaded"},
        {"choices": [{"finish_reason": "error", "message": {"content": ""}}]},
        {"choices": [{"error": {"code": 503}, "message": {"content": ""}}]},
    ],
)
def test_a_busy_server_is_waited_for_also_when_a_200_says_so(server, inside):
    server.answers = [(503, {}), (200, inside), (200, chat())]
    assert ask(server, request(), options={"patience_seconds": 30})[0].error is None
    assert len(server.asked) == 3


def test_a_lasting_error_inside_a_200_is_that_requests(server):
    error = {"error": {"code": 400, "type": "invalid_request_error"}}
    server.answers = [(200, error), (200, chat())]
    (completion,) = ask(server, request())
    assert (completion.error, completion.is_lasting) == ("error inside", True)
    assert len(server.asked) == 1


def test_content_in_parts_is_one_text(server):
    answered = chat()
    answered["choices"][0]["message"]["content"] = [
        {"type": "text", "text": "half "}, {"type": "text", "text": "and half"},
    ]  # fmt: skip
    server.answers = [(200, answered)]
    assert ask(server, request())[0].text == "half and half"


def test_a_model_that_the_server_has_and_does_not_list_is_asked(server):
    server.unlisted = ["alias"]
    ask(server, request(), model="alias")
    assert [body["model"] for body in server.asked] == ["alias", "alias"]


def test_a_server_that_stays_away_fails_the_engine_and_no_document(server):
    server.answers = [(503, {})] * 50
    with pytest.raises(EngineError, match="was unavailable"):
        ask(server, request())


def test_a_refused_key_fails_the_engine(server):
    server.answers = [(401, {})]
    with pytest.raises(EngineJobError, match="HTTP 401"):
        ask(server, request())

"""The openai engine against a real HTTP server of this machine."""

from __future__ import annotations

import asyncio
import json
import math
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import trustme

from profiles.doctor.host_parts import model_server
from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Message, Request, Sampling
from profiles.settings import Settings
from profiles.synthesis.engines.openai import OpenAIEngine
from profiles.synthesis.engines.openai_server import retry_after_seconds
from profiles.synthesis.process.protocol import EngineJob

Answer = tuple[int, Any]


class Server:
    """An OpenAI-compatible server whose answers a test writes; it remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[Answer] = []
        self.models = ["small-model"]
        self.unlisted: list[str] = []
        self.retry_after = ""
        self.delay = 0.0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.reply(200, {"data": [{"id": name} for name in owner.models]})

            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(size))
                if body["model"] not in (*owner.models, *owner.unlisted):
                    return self.reply(404, {"error": {"code": "model_not_found"}})
                owner.asked.append(body)
                owner.headers.append({k.lower(): v for k, v in self.headers.items()})
                time.sleep(owner.delay)
                return self.reply(*(owner.answers.pop(0) if owner.answers else (200, chat())))

            def reply(self, status: int, body: Any) -> None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                if status == 429 and owner.retry_after:
                    self.send_header("Retry-After", owner.retry_after)
                if status == 302:
                    self.send_header("Location", "http://example.com/")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def chat(text: str = '{"skills": [], "summary": "x"}', finish: str = "stop") -> dict[str, Any]:
    return {
        "choices": [{"message": {"content": text}, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": 4,
            "prompt_tokens_details": {"cached_tokens": 6},
        },
    }


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.stop()


def job(url: str, **more: Any) -> EngineJob:
    options = {"patience_seconds": 0.5, **more.pop("options", {})}
    return EngineJob("openai", base_url=url, options=options, max_in_flight=4, **more)


def request(**more: Any) -> Request:
    messages = (Message("system", "be brief"), Message("user", "a profile"))
    return Request("1", messages, Sampling(seed=3), **more)


def ask(server: Server, *requests: Request, **more: Any) -> list[Completion]:
    async def run() -> list[Completion]:
        return list(await asyncio.gather(*(engine.generate(item) for item in requests)))

    engine = OpenAIEngine(job(server.url, **more))
    engine.load()
    with asyncio.Runner() as runner:
        found = runner.run(run())
        runner.run(engine._client.aclose())
    return found


def test_the_answer_comes_back_with_its_counts(server):
    (completion,) = ask(server, request())
    assert completion.text.startswith('{"skills"')
    assert (completion.prompt_tokens, completion.completion_tokens) == (10, 4)
    assert (completion.cached_tokens, completion.finish_reason) == (6, "stop")
    assert completion.error is None


def test_the_call_carries_sampling_and_schema(server):
    ask(server, request(json_schema='{"type":"object"}'))
    body = server.asked[0]
    assert body["model"] == "small-model"
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.2, 3, 1200)
    assert body["repetition_penalty"] == 1.05
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


def test_stop_strings_top_p_top_k_and_logprobs_pass_through(server):
    answered = chat()
    answered["choices"][0]["logprobs"] = {
        "content": [{"logprob": value} for value in (-0.5, -1.5, -math.inf)]
    }
    server.answers = [(200, answered)]
    asked = Sampling(top_p=0.9, top_k=40, stop=("END",), logprobs=True)
    (completion,) = ask(server, replace(request(), sampling=asked))
    sent = server.asked[0]
    assert (sent["top_p"], sent["top_k"], sent["stop"], sent["logprobs"]) == (
        0.9,
        40,
        ["END"],
        True,
    )
    assert completion.mean_logprob == -1.0, "what is no number does not count"


def test_the_reasoning_effort_reaches_the_server_and_its_tokens_come_back(server):
    answered = chat()
    answered["usage"]["completion_tokens_details"] = {"reasoning_tokens": 3}
    server.answers = [(200, answered)]
    asked = replace(request(), sampling=Sampling(reasoning_effort="high"))
    (completion,) = ask(server, asked)
    assert server.asked[0]["reasoning_effort"] == "high"
    assert completion.reasoning_tokens == 3
    ask(server, request())
    assert "reasoning_effort" not in server.asked[1]


def test_a_server_s_reasoning_cannot_be_bounded(server):
    asked = replace(request(), sampling=Sampling(reasoning_effort="low", reasoning_budget=8))
    with pytest.raises(EngineJobError, match="reasoning_budget bounds sglang's and vllm's"):
        ask(server, asked)
    assert server.asked == []


def test_extensions_can_be_left_out(server):
    ask(server, request(), options={"extensions": False, "response_format": "none"})
    assert not {"repetition_penalty", "top_k", "response_format"} & server.asked[0].keys()


def test_no_call_is_logged_for_its_address_may_hold_a_password(server, caplog):
    place = server.url.removeprefix("http://")
    engine = OpenAIEngine(job(f"http://user:hunter2@{place}"))
    with caplog.at_level("INFO"), asyncio.Runner() as runner:
        engine.load()
        runner.run(engine.generate(request()))
        runner.run(engine._client.aclose())
    assert "hunter2" not in caplog.text


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


def test_proxies_of_the_environment_are_not_used(server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://192.0.2.1:1")
    assert ask(server, request())[0].error is None


def test_the_key_comes_from_the_named_variable(server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOCAL_SERVER_KEY", "k-1")
    ask(server, request(), options={"api_key_env": "LOCAL_SERVER_KEY"})
    assert server.headers[0]["authorization"] == "Bearer k-1"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"model": "other"}, "none is 'other'"),
        ({"options": {"respons_format": "none"}}, "did you mean 'response_format'"),
        ({"options": {"response_format": "xml"}}, "response_format"),
        ({"options": {"api_key_env": "NO_SUCH_VARIABLE"}}, "NO_SUCH_VARIABLE"),
    ],
)
def test_a_wrong_job_is_refused_before_any_document(server, change, problem):
    with pytest.raises(EngineJobError, match=problem):
        OpenAIEngine(job(server.url, **change)).load()


def test_a_key_from_a_file_may_end_in_a_line_break(server, monkeypatch, caplog):
    monkeypatch.setenv("TEAM_KEY", "sk-team\n")
    ask(server, request(), options={"api_key_env": "TEAM_KEY"})
    assert server.headers[0]["authorization"] == "Bearer sk-team"
    monkeypatch.setenv("TEAM_KEY", "sk-\nteam")
    with pytest.raises(EngineJobError, match="TEAM_KEY holds") as caught:
        OpenAIEngine(job(server.url, options={"api_key_env": "TEAM_KEY"})).load()
    assert "sk-" not in str(caught.value)


def test_the_authority_that_ssl_cert_file_names_is_trusted(server, tmp_path, monkeypatch):
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
    engine = OpenAIEngine(job(server.url.replace("http:", "https:")))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "other.pem"))
    with pytest.raises(EngineError, match=r"certificate is not trusted.*SSL_CERT_FILE"):
        engine.load()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    assert engine.load().model == "small-model"


def test_no_server_is_an_error_that_may_pass(server):
    server.stop()
    engine = OpenAIEngine(job(server.url))
    with pytest.raises(EngineError, match="no server answers"):
        engine.load()
    server.stop = lambda: None


def test_a_public_server_is_refused_before_anything_is_sent(monkeypatch):
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(0, 0, 0, "", ("8.8.8.8", 443))])
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("connected"))
    with pytest.raises(EngineJobError, match="is public"):
        OpenAIEngine(job("https://api.example.com/v1")).load()


@pytest.mark.parametrize(
    ("status", "ok", "said"),
    [
        (200, True, "serves small-model"),
        (401, False, "the key is wrong or missing"),
        (500, False, "500"),
    ],
)
def test_doctor_asks_the_server_for_one_token(
    server: Server, status: int, ok: bool, said: str
) -> None:
    server.answers = [(status, chat())]
    found = model_server(Settings(engine="openai", openai_base_url=server.url))
    assert (found.ok, said in found.detail) == (ok, True)
    assert [body["max_tokens"] for body in server.asked] == [1]

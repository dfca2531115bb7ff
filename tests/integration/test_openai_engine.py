"""The openai engine against a real HTTP server of this machine."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.engines.openai import OpenAIEngine, refuse_public
from profiles.synthesis.protocol import EngineJob

Answer = tuple[int, Any]


class Server:
    """An OpenAI-compatible server whose answers a test writes; it remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[Answer] = []
        self.models = ["small-model"]
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.reply(200, {"data": [{"id": name} for name in owner.models]})

            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                owner.asked.append(json.loads(self.rfile.read(size)))
                owner.headers.append({k.lower(): v for k, v in self.headers.items()})
                self.reply(*(owner.answers.pop(0) if owner.answers else (200, chat())))

            def reply(self, status: int, body: Any) -> None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
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
    answered["choices"][0]["logprobs"] = {"content": [{"logprob": -0.5}, {"logprob": -1.5}]}
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
    assert completion.mean_logprob == -1.0


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


def test_a_cut_answer_says_so(server):
    server.answers = [(200, chat("half", "length"))]
    assert ask(server, request())[0].finish_reason == "length"


def test_a_refused_request_is_its_own_error_without_the_servers_words(server):
    server.answers = [(400, {"error": {"message": "cannot read: a profile"}})]
    (completion,) = ask(server, request())
    assert (completion.error, completion.finish_reason) == ("http 400", "error")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{}]}'])
def test_an_answer_that_is_none_is_that_requests_error(server, body):
    server.answers = [(200, body)] * 3
    assert ask(server, request())[0].error


def test_a_server_fault_is_tried_once_more_then_blamed_on_the_request(server):
    server.answers = [(500, {}), (200, chat())]
    assert ask(server, request())[0].error is None
    server.answers = [(500, {}), (500, {})]
    assert ask(server, request())[0].error == "fault http 500"


def test_a_server_that_is_busy_is_waited_for(server):
    server.answers = [(503, {}), (429, {}), (200, chat())]
    assert ask(server, request(), options={"patience_seconds": 30})[0].error is None
    assert len(server.asked) == 3


def test_a_server_that_stays_away_fails_the_engine_and_no_document(server):
    server.answers = [(503, {})] * 50
    with pytest.raises(EngineError, match="stayed away"):
        ask(server, request())


def test_a_refused_key_fails_the_engine(server):
    server.answers = [(401, {})]
    with pytest.raises(EngineError, match="HTTP 401"):
        ask(server, request())


def test_a_redirect_is_not_followed(server):
    server.answers = [(302, {})]
    assert ask(server, request())[0].error == "http 302"


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


def test_no_server_is_an_error_that_may_pass(server):
    server.stop()
    engine = OpenAIEngine(job(server.url))
    with pytest.raises(EngineError, match="no server answers"):
        engine.load()
    server.stop = lambda: None


def resolving(*addresses: str) -> Callable[..., list[tuple[Any, ...]]]:
    return lambda *_args, **_more: [(0, 0, 0, "", (address, 443)) for address in addresses]


class TestPublicHosts:
    @pytest.mark.parametrize(
        "address", ["127.0.0.1", "::1", "10.1.2.3", "172.16.0.9", "192.168.1.5", "fd00::1"]
    )
    def test_loopback_and_private_addresses_pass(self, address, monkeypatch):
        monkeypatch.setattr("socket.getaddrinfo", resolving(address))
        refuse_public("http://models.local:8000/v1")

    @pytest.mark.parametrize(
        "addresses",
        [("8.8.8.8",), ("2606:4700::1",), ("169.254.169.254",), ("10.0.0.1", "8.8.8.8")],
    )
    def test_any_other_address_is_refused(self, addresses, monkeypatch):
        monkeypatch.setattr("socket.getaddrinfo", resolving(*addresses))
        with pytest.raises(EngineJobError, match="PROFILES_ALLOW_PUBLIC_ENDPOINT"):
            refuse_public("https://api.example.com/v1")

    def test_it_is_refused_before_anything_is_sent(self, monkeypatch):
        monkeypatch.setattr("socket.getaddrinfo", resolving("8.8.8.8"))
        monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("connected"))
        with pytest.raises(EngineJobError, match="is public"):
            OpenAIEngine(job("https://api.example.com/v1")).load()

    def test_the_operator_may_allow_it(self, server, monkeypatch):
        monkeypatch.setattr(
            "profiles.synthesis.engines.openai.refuse_public", lambda _: pytest.fail("checked")
        )
        OpenAIEngine(job(server.url, allow_public=True)).load()

    @pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "file:///etc/passwd", "http://"])
    def test_what_is_no_http_address_is_refused(self, url):
        with pytest.raises(EngineJobError, match="PROFILES_OPENAI_BASE_URL"):
            refuse_public(url)

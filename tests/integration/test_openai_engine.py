"""The openai engine against a real HTTP server of this machine."""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import Iterator
from dataclasses import replace

import pytest
import trustme
from tests.openai_server import Server, ask, chat, job, request

from profiles.doctor.parts import model_server
from profiles.errors import EngineError, EngineJobError
from profiles.models import Sampling
from profiles.settings import Settings
from profiles.synthesis.engines.openai import OpenAIEngine


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.stop()


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


def test_stop_strings_top_p_and_top_k_pass_through(server):
    asked = Sampling(top_p=0.9, top_k=40, stop=("END",))
    ask(server, replace(request(), sampling=asked))
    sent = server.asked[0]
    assert (sent["top_p"], sent["top_k"], sent["stop"]) == (0.9, 40, ["END"])


def test_log_probabilities_that_are_no_numbers_do_not_break_an_answer(server):
    answered = chat()
    answered["choices"][0]["logprobs"] = {"content": [{"logprob": -math.inf}, {"logprob": None}]}
    server.answers = [(200, answered)]
    (completion,) = ask(server, request())
    assert completion.error is None
    assert completion.text.startswith('{"skills"')


def test_the_reasoning_effort_reaches_the_server(server):
    ask(server, replace(request(), sampling=Sampling(reasoning_effort="high")))
    assert server.asked[0]["reasoning_effort"] == "high"
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

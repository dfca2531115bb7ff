"""Any OpenAI-compatible server that already runs: SGLang, vLLM, llama.cpp, Ollama.

Its address must be loopback or private unless the operator allows otherwise; proxies of the
environment are not used, redirects not followed. A fault of one request is that request's error; an
unavailable server is waited for, and then fails the engine, not every document of the night.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from contextlib import suppress
from typing import Any

import httpx

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engines import answer_prefix, failed, reject_unknown
from profiles.synthesis.engines.openai_server import (
    chat_body,
    completion_of,
    error_inside,
    place,
    reject_public,
    retry_after_seconds,
    trusted_authorities,
)
from profiles.synthesis.process.protocol import EngineJob, EngineReady

_OPTIONS = {
    "api_key_env": "",
    "patience_seconds": 60.0,
    "response_format": "json_schema",
    "extensions": True,
    "extra_body": {},
}
_FORMATS = ("json_schema", "json_object", "none")
_AWAY = frozenset({408, 425, 429, 502, 503, 504, *range(520, 530)})
_REFUSED = frozenset({401, 403, 404})
_OF_THE_REQUEST = ("http 400", "http 413", "http 414", "http 422", "error inside")
_SERVER_FAULT_TRIES = 2


class OpenAIEngine:
    """Chat completions over HTTP, `max_running` at a time.

    Options: `api_key_env` names the variable with the key; `patience_seconds` for an unavailable
    server; `response_format` is json_schema, json_object or none; `extensions` sends top_k and
    repetition_penalty; `extra_body` is added to every request.
    """

    is_remote = True

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._options: dict[str, Any] = {**_OPTIONS, **job.options}
        self._base_url = job.base_url.rstrip("/")
        self._model = job.model
        self._patience = float(self._options["patience_seconds"])
        self._failing_since: float | None = None
        self._not_before = 0.0
        self._has_answered = False

    def load(self) -> EngineReady:
        reject_unknown(self._job.options, _OPTIONS, library="the openai engine")
        if self._options["response_format"] not in _FORMATS:
            raise EngineJobError(f"option response_format must be one of {_FORMATS}")
        reject_public(self._base_url, allow_public=self._job.allow_public)
        # It logs the address of every call, which may hold a password.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        self._verify = trusted_authorities()
        served = self._served_models()
        self._model = self._model or (served[0] if len(served) == 1 else "")
        listed = f"the server has {len(served)} models ({', '.join(served[:5])})"
        if not self._model:
            raise EngineJobError(f"{listed}; let PROFILES_MODEL name one of them")
        # Gateways list some of their models only; one short call tells.
        status = 200 if self._model in served else self.probe()
        if 400 <= status < 500 and status not in _AWAY:
            raise EngineJobError(
                f"{listed} and none is {self._model!r} (HTTP {status}); let PROFILES_MODEL name one"
                " of them"
            )
        # The server's queue is not ours to fill: it says nothing about its length.
        window = min(self._job.max_running, self._job.max_in_flight)
        self._client = httpx.AsyncClient(
            headers=self._headers(),
            timeout=httpx.Timeout(None, connect=10.0),
            limits=httpx.Limits(max_connections=window),
            trust_env=False,
            verify=self._verify,
        )
        return EngineReady(
            engine="openai",
            version=f"httpx {httpx.__version__}",
            model=self._model,
            window=window,
            context_tokens=self._job.context_tokens,
            details={"response_format": self._options["response_format"]},
        )

    async def generate(self, request: Request) -> Completion:
        """The answer, or the server's rejection of this request. Patience counts from the first
        failure since the server last answered, without the time that it asked us to wait; then
        EngineError."""
        started = time.monotonic()
        body = self._body(request)
        pause = 0.25
        faults = 0
        while True:
            # Until the moment that a Retry-After named, for every request.
            while (left := self._not_before - time.monotonic()) > 0:
                await asyncio.sleep(left)
            answer = await self._post(body)
            seconds = time.monotonic() - started
            if not isinstance(answer, str):
                self._failing_since = None
                self._has_answered = True
                return completion_of(request, answer, seconds)
            faults += answer.startswith("fault")
            if faults >= _SERVER_FAULT_TRIES or not answer.startswith(("away", "fault")):
                lasting = answer in _OF_THE_REQUEST
                return failed(request, answer, seconds=seconds, is_lasting=lasting)
            self._give_up_after_patience(answer)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5.0)

    def _give_up_after_patience(self, answer: str) -> None:
        now = time.monotonic()
        since = now if self._failing_since is None else self._failing_since
        self._failing_since = max(since, min(self._not_before, now))
        if self._not_before <= now and now - self._failing_since > self._patience:
            raise EngineError(
                f"the server at {place(self._base_url)} was unavailable for {self._patience:g} s "
                f"({answer})"
            )

    async def counters(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        """Nothing to free: the connections end with the process."""

    async def _post(self, body: dict[str, Any]) -> dict[str, Any] | str:
        """The decoded answer, or a code: `away …`, `fault …` or the request's own fault."""
        try:
            async with asyncio.timeout(self._job.request_seconds or None):
                response = await self._client.post(f"{self._base_url}/chat/completions", json=body)
        except TimeoutError:
            return "timeout"
        except httpx.RequestError as error:
            return f"away {type(error).__name__}"
        status = int(response.status_code)
        # Later it may be one text that a filter stops, or a proxy whose server starts again.
        if status in _REFUSED and not self._has_answered:
            raise EngineJobError(
                f"the server at {place(self._base_url)} rejects every request with HTTP {status}; "
                "check PROFILES_OPENAI_BASE_URL, PROFILES_MODEL and the key"
            )
        if status in _AWAY:
            retry_after = retry_after_seconds(response.headers.get("Retry-After", ""))
            if retry_after:
                self._not_before = max(self._not_before, time.monotonic() + retry_after)
            return f"away http {status}"
        if status >= 500:
            return f"fault http {status}"
        if status != 200:
            return f"http {status}"
        try:
            answer = response.json()
        except (ValueError, RecursionError):
            return "fault no json"
        return error_inside(answer) or answer

    def _body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        body = {"model": self._model, **chat_body(request)}
        if sampling.reasons:
            body["reasoning_effort"] = sampling.reasoning_effort
        if self._options["extensions"]:
            body["repetition_penalty"] = sampling.repetition_penalty
            if sampling.top_k > 0:
                body["top_k"] = sampling.top_k
            if answer_prefix(request):
                body |= {"add_generation_prompt": False, "continue_final_message": True}
        kind = self._options["response_format"]
        if request.json_schema is not None and kind != "none":
            body["response_format"] = {"type": kind}
            if kind == "json_schema":
                schema = json.loads(request.json_schema)
                named = {"name": "profile", "strict": True, "schema": schema}
                body["response_format"][kind] = named
        return {**body, **self._options["extra_body"]}

    def _served_models(self) -> list[str]:
        """Names the server lists; empty when it has no such list."""
        response = self._ask("GET", "/models")
        with suppress(ValueError, KeyError, TypeError):
            if response.status_code == 200:
                return [str(item["id"]) for item in response.json()["data"]]
        return [self._job.model] if self._job.model else []

    def probe(self) -> int:
        """HTTP status of the shortest request to the model, once loaded."""
        messages = [{"role": "user", "content": "Say yes."}]
        body = {"model": self._model, "messages": messages, "max_tokens": 1}
        return int(self._ask("POST", "/chat/completions", json=body).status_code)

    def _ask(self, method: str, path: str, **content: Any) -> Any:
        """The response to one call while loading; EngineError where the server gives none."""
        try:
            with httpx.Client(
                headers=self._headers(), timeout=10, trust_env=False, verify=self._verify
            ) as client:
                return client.request(method, f"{self._base_url}{path}", **content)
        except httpx.HTTPError as error:
            reason, advice = type(error).__name__, "start it or correct PROFILES_OPENAI_BASE_URL"
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                reason = "its certificate is not trusted"
                advice = "let SSL_CERT_FILE name the file of its authority"
        # Outside the handler, because the driver's text may quote a header.
        raise EngineError(f"no server answers at {place(self._base_url)} ({reason}); {advice}")

    def _headers(self) -> dict[str, str]:
        variable = str(self._options["api_key_env"])
        if not variable:
            return {}
        # Secrets that are mounted as files often end in a line break.
        key = os.environ.get(variable, "").strip()
        if not key:
            raise EngineJobError(f"option api_key_env names {variable}, which is not set")
        if not key.isascii() or not key.isprintable():
            raise EngineJobError(f"{variable} holds characters that no HTTP header may have")
        return {"Authorization": f"Bearer {key}"}

"""Any OpenAI-compatible server that already runs: SGLang, vLLM, llama.cpp, Ollama.

Profiles stay on the machine or its private network: the server's address must be loopback or
private unless the operator allows otherwise, proxies of the environment are not used, and
redirects are not followed.

A fault of one request is that request's error. A server that is away is not: the engine waits
for it for a while and then fails as a whole, because otherwise every document of the night would
be refused for a restart of the server.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import os
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engines.base import (
    answer_prefix,
    chat_logprob,
    failed,
    refuse_unknown,
    with_prefix,
)
from profiles.synthesis.protocol import EngineJob, EngineReady

__all__ = ["OpenAIEngine", "refuse_public"]

_OPTIONS = {
    "api_key_env": "",
    "timeout_seconds": 600.0,
    "patience_seconds": 60.0,
    "response_format": "json_schema",
    "extensions": True,
    "extra_body": {},
}
_FORMATS = ("json_schema", "json_object", "none")
_AWAY = frozenset({408, 429, 502, 503, 504})
_REFUSED = frozenset({401, 403, 404})
_SERVER_FAULT_TRIES = 2
_FINISH_REASONS = {"stop": "stop", "length": "length", "content_filter": "abort"}


class OpenAIEngine:
    """Chat completions over HTTP, `max_running` at a time.

    Options: `api_key_env` names the environment variable that holds the key; `timeout_seconds`
    per request; `patience_seconds` to wait for a server that is away; `response_format` is
    json_schema, json_object or none; `extensions` sends top_k and repetition_penalty, which
    OpenAI's own API does not know; `extra_body` is added to every request.
    """

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._options: dict[str, Any] = {**_OPTIONS, **job.options}
        self._base_url = job.base_url.rstrip("/")
        self._model = job.model
        self._client: Any = None
        self._httpx: Any = None
        self._retries = 0

    def load(self) -> EngineReady:
        """Checks options, address and server.

        Raises:
            EngineJobError: bad option, public address, or a model that the server does not have.
            EngineError: the server does not answer.
        """
        refuse_unknown(self._job.options, _OPTIONS, library="the openai engine", notes={})
        if self._options["response_format"] not in _FORMATS:
            raise EngineJobError(f"option response_format must be one of {_FORMATS}")
        if not self._job.allow_public:
            refuse_public(self._base_url)
        try:
            import httpx
        except ImportError as error:
            raise EngineJobError("the openai engine needs the package httpx") from error
        self._httpx = httpx
        # It logs the address of every call, which may hold a password.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        served = self._served_models()
        self._model = self._model or (served[0] if len(served) == 1 else "")
        if not self._model or (served and self._model not in served):
            raise EngineJobError(
                f"the server has {len(served)} models ({', '.join(served[:5])}) and none is "
                f"{self._job.model!r}; let PROFILES_MODEL name one of them"
            )
        # The server's queue is not ours to fill: it says nothing about its length.
        window = min(self._job.max_running, self._job.max_in_flight)
        limits = httpx.Limits(max_connections=window)
        self._client = httpx.AsyncClient(
            headers=self._headers(), timeout=self._timeout(), limits=limits, trust_env=False
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
        """The answer, or the server's refusal of this request.

        Raises:
            EngineError: the server stayed away, or refuses everything (key, path).
        """
        started = time.monotonic()
        give_up = started + float(self._options["patience_seconds"])
        body = self._body(request)
        pause = 0.25
        faults = 0
        while True:
            answer = await self._post(body)
            seconds = time.monotonic() - started
            if not isinstance(answer, str):
                return _completion(request, answer, seconds)
            if answer.startswith("fault"):
                faults += 1
                if faults >= _SERVER_FAULT_TRIES:
                    return failed(request, answer, seconds=seconds)
            elif not answer.startswith("away"):
                return failed(request, answer, seconds=seconds)
            if time.monotonic() > give_up:
                raise EngineError(
                    f"the server at {_place(self._base_url)} stayed away for "
                    f"{self._options['patience_seconds']:g} s ({answer})"
                )
            self._retries += 1
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5.0)

    async def counters(self) -> dict[str, float]:
        """How many calls were repeated because the server was away."""
        return {"retries": float(self._retries)}

    def close(self) -> None:
        """Nothing to free: the connections end with the process."""

    async def _post(self, body: dict[str, Any]) -> dict[str, Any] | str:
        """The decoded answer, or a code: `away …`, `fault …` or the request's own fault."""
        try:
            response = await self._client.post(f"{self._base_url}/chat/completions", json=body)
        except self._httpx.ReadTimeout:
            return "timeout"
        except self._httpx.TransportError as error:
            return f"away {type(error).__name__}"
        status = int(response.status_code)
        if status in _REFUSED:
            raise EngineError(
                f"the server at {_place(self._base_url)} refuses every call with HTTP {status}; "
                "check PROFILES_OPENAI_BASE_URL and the key"
            )
        if status in _AWAY:
            return f"away http {status}"
        if status >= 500:
            return f"fault http {status}"
        if status != 200:
            return f"http {status}"
        try:
            answer: dict[str, Any] = response.json()
        except ValueError:
            return "fault no json"
        return answer

    def _body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": item.role, "content": item.content} for item in request.messages],
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_new_tokens,
        }
        if sampling.logprobs:
            body["logprobs"] = True
        if sampling.stop:
            body["stop"] = list(sampling.stop)
        if sampling.reasoning_effort != "none":
            body["reasoning_effort"] = sampling.reasoning_effort
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        if self._options["extensions"]:
            body["repetition_penalty"] = sampling.repetition_penalty
            if sampling.top_k > 0:
                body["top_k"] = sampling.top_k
            if answer_prefix(request):
                body |= {"add_generation_prompt": False, "continue_final_message": True}
        kind = self._options["response_format"]
        if request.json_schema is not None and kind == "json_schema":
            schema = {"name": "profile", "strict": True, "schema": json.loads(request.json_schema)}
            body["response_format"] = {"type": kind, "json_schema": schema}
        elif request.json_schema is not None and kind == "json_object":
            body["response_format"] = {"type": kind}
        body.update(self._options["extra_body"])
        return body

    def _served_models(self) -> list[str]:
        """Names the server lists; empty when it has no such list.

        Raises:
            EngineError: it does not answer.
        """
        try:
            with self._httpx.Client(headers=self._headers(), timeout=10, trust_env=False) as client:
                response = client.get(f"{self._base_url}/models")
        except self._httpx.HTTPError as error:
            raise EngineError(
                f"no server answers at {_place(self._base_url)} ({type(error).__name__}); start it "
                "or correct PROFILES_OPENAI_BASE_URL"
            ) from error
        if response.status_code != 200:
            return [self._job.model] if self._job.model else []
        try:
            return [str(item["id"]) for item in response.json()["data"]]
        except (ValueError, KeyError, TypeError):
            return [self._job.model] if self._job.model else []

    def _headers(self) -> dict[str, str]:
        variable = str(self._options["api_key_env"])
        if not variable:
            return {}
        if not os.environ.get(variable):
            raise EngineJobError(f"option api_key_env names {variable}, which is not set")
        return {"Authorization": f"Bearer {os.environ[variable]}"}

    def _timeout(self) -> Any:
        return self._httpx.Timeout(float(self._options["timeout_seconds"]), connect=10.0, pool=None)


def refuse_public(base_url: str) -> None:
    """Passes loopback and private addresses; every address of the host must be one.

    Link-local addresses do not pass: the metadata services of clouds live there.

    Raises:
        EngineJobError: the URL is no http(s) URL, the host is public, or has no address.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise EngineJobError(
            "PROFILES_OPENAI_BASE_URL must look like http://127.0.0.1:8000/v1; correct it"
        )
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        raise EngineJobError(
            f"host {parts.hostname!r} of PROFILES_OPENAI_BASE_URL has no address"
        ) from error
    for item in found:
        address = ipaddress.ip_address(str(item[4][0]).partition("%")[0])
        if not address.is_loopback and (not address.is_private or address.is_link_local):
            raise EngineJobError(
                f"host {parts.hostname!r} is public ({address}); profiles would leave the machine. "
                "Use a local server, or set PROFILES_ALLOW_PUBLIC_ENDPOINT=true if that is wanted"
            )


def _place(base_url: str) -> str:
    """Host and port alone: a URL may carry a password."""
    parts = urlsplit(base_url)
    return f"{parts.hostname}:{parts.port or parts.scheme}"


def _completion(request: Request, answer: dict[str, Any], seconds: float) -> Completion:
    try:
        choice = answer["choices"][0]
        text = choice["message"]["content"] or ""
    except (KeyError, IndexError, TypeError):
        return failed(request, "answer without choices", seconds=seconds)
    usage = answer.get("usage") or {}
    details = usage.get("prompt_tokens_details") or {}
    spent = usage.get("completion_tokens_details") or {}
    return Completion(
        request_id=request.request_id,
        text=with_prefix(answer_prefix(request), str(text)),
        finish_reason=_FINISH_REASONS.get(str(choice.get("finish_reason")), "stop"),
        prompt_tokens=int(usage.get("prompt_tokens") or 0),
        completion_tokens=int(usage.get("completion_tokens") or 0),
        cached_tokens=int(details.get("cached_tokens") or 0),
        mean_logprob=chat_logprob(choice),
        reasoning_tokens=int(spent.get("reasoning_tokens") or 0),
        seconds=seconds,
    )

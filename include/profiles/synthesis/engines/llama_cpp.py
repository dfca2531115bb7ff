"""llama.cpp in this process, through the xllamacpp wheel: the embedded engine, no GPU needed.

In xllamacpp 2026.10 `Server` loads in its constructor and listens on a random loopback port (closed
here by a random key); a chat call blocks its thread; a bad request comes back as a dict with
`error`; the context is divided among the slots. A small model runs as several copies with one
thread each: threads of one copy wait for each other after every layer, which costs five times the
speed where other processes want the cores too.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engines import failed, reject_unknown
from profiles.synthesis.engines.openai_server import chat_body, completion_of
from profiles.synthesis.process.protocol import EngineJob, EngineReady

_SMALL_BYTES = 1 << 30
"""Below this a copy per core costs little memory."""
_MOST_COPIES = 8


class LlamaCppEngine:
    """One GGUF model on the CPU (or whatever the wheel was built for).

    Options: `copies` of the model (default: one per core for a small one, else 1), `threads` of
    each, and any plain attribute of `xllamacpp.CommonParams`, for example `n_gpu_layers`.
    """

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._options = dict(job.options)
        self._copies = int(self._options.pop("copies", 0))
        self._threads = int(self._options.pop("threads", 0))
        self._executor: ThreadPoolExecutor | None = None
        self._idle: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def load(self) -> EngineReady:
        model = Path(self._job.model)
        try:
            import xllamacpp
        except ImportError as error:
            raise EngineJobError(
                "this interpreter has no xllamacpp; install the extra `embedded` or set "
                "PROFILES_ENGINE_PYTHON to an interpreter that has it"
            ) from error
        version = str(xllamacpp.__version__)
        cpus = len(os.sched_getaffinity(0))
        usual = min(cpus, _MOST_COPIES) if model.stat().st_size < _SMALL_BYTES else 1
        self._copies = self._copies or usual
        self._threads = self._threads or max(1, cpus // self._copies)
        try:
            for _ in range(self._copies):
                self._idle.put(xllamacpp.Server(self._parameters(xllamacpp, model, version)))
        except (RuntimeError, ValueError) as error:
            raise EngineError(f"llama.cpp could not load {model.name}") from error
        self._executor = ThreadPoolExecutor(self._copies, thread_name_prefix="llama")
        return EngineReady(
            engine="llama_cpp",
            version=version,
            model=model.name,
            window=self._copies,
            context_tokens=self._job.context_tokens,
            details={"copies": self._copies, "threads": self._threads},
        )

    async def generate(self, request: Request) -> Completion:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._complete, request)

    async def counters(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._idle = queue.SimpleQueue()

    def _parameters(self, xllamacpp: Any, model: Path, version: str) -> Any:
        parameters = xllamacpp.CommonParams()
        known = [
            name
            for name in dir(parameters)
            if not name.startswith("_")
            and isinstance(getattr(parameters, name), bool | int | float | str)
        ]
        known += ["copies", "threads"]
        reject_unknown(self._options, known, library=f"xllamacpp {version}")
        if self._options.get("verbosity"):
            raise EngineJobError("option verbosity writes profiles into a log; remove it")
        parameters.model.path = str(model)
        parameters.n_parallel = 1
        parameters.n_ctx = self._job.context_tokens
        parameters.cpuparams.n_threads = self._threads
        parameters.cpuparams_batch.n_threads = self._threads
        # Its server keeps, prints and tells nobody any text. One shared prefix needs no cache of
        # 8 GiB; at higher levels of verbosity the library prints texts.
        parameters.cache_ram_mib = 0
        parameters.offline = True
        parameters.ui = False
        parameters.endpoint_slots = False
        parameters.api_keys = [secrets.token_hex(16)]
        parameters.verbosity = 0
        for name, value in self._options.items():
            setattr(parameters, name, value)
        return parameters

    def _complete(self, request: Request) -> Completion:
        started = time.monotonic()
        # As many threads as copies: there is always an idle one.
        server = self._idle.get()
        try:
            answer = server.handle_chat_completions(_body(request))
        finally:
            self._idle.put(server)
        seconds = time.monotonic() - started
        if isinstance(answer, str | bytes):
            answer = json.loads(answer)
        if "error" in answer:
            kind, code = (answer["error"].get(name, "") for name in ("type", "code"))
            lasting = str(code).startswith("4")
            return failed(request, f"{kind} {code}", seconds=seconds, is_lasting=lasting)
        return completion_of(request, answer, seconds)


def _body(request: Request) -> dict[str, Any]:
    if request.sampling.reasons:
        raise EngineJobError(
            f"reasoning_effort {request.sampling.reasoning_effort} is for gpt-oss on sglang or "
            "openai; set it to none in the engine profile's sampling"
        )
    body = {
        **chat_body(request),
        # Zero switches the limit off here; -1 would mean the whole vocabulary elsewhere.
        "top_k": max(0, request.sampling.top_k),
        "repeat_penalty": request.sampling.repetition_penalty,
        "cache_prompt": True,
    }
    if request.json_schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "profile", "schema": json.loads(request.json_schema)},
        }
    return body

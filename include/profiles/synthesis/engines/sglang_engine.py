"""SGLang's offline Engine in this process: the production engine.

Facts read in SGLang 0.5.23: `Engine` spawns scheduler processes, so it needs the main
thread and a main guard; it binds to the current event loop; `shutdown` kills every child of the
calling process; a crashed scheduler sends SIGQUIT, whose handler kills this process; the SIGTERM
handler is replaced at the first request. An aborted request comes back as ValueError or, with
another status than 400, as HTTPException; when it drains, as an answer of kind abort.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from profiles.models import Completion, Request
from profiles.synthesis.engines import whole_answer
from profiles.synthesis.engines.admission import Admission
from profiles.synthesis.engines.engine_terms import SGLANG
from profiles.synthesis.engines.job_checks import argument_types
from profiles.synthesis.engines.offline import OfflineEngine
from profiles.synthesis.engines.sglang_kernels import server_kernels

_FIGURES = ("num_running_reqs", "num_waiting_reqs", "token_usage")

_MAX_WHITESPACE = 2


class SglangEngine(OfflineEngine):
    """One `sglang.Engine`. Options are SGLang's server arguments by name."""

    name = "sglang"
    terms = SGLANG
    requirements = "requirements-gpu.txt"
    kernels = staticmethod(server_kernels)
    _admission: Admission | None = None

    def _installed(self) -> tuple[str, Mapping[str, Any]]:
        import sglang
        from sglang.srt.server_args import ServerArgs

        return str(sglang.__version__), argument_types(ServerArgs)

    def _arguments(self, chosen: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        # Unbounded whitespace lets a model print spaces until its token cap, and only xgrammar has
        # a bound for it.
        if chosen["grammar_backend"] == "xgrammar":
            bound = {"constrained_json_max_whitespace_cnt": _MAX_WHITESPACE}
        else:
            bound = {"constrained_json_disable_any_whitespace": True}
        return {**bound, **chosen}

    def _start(self, folder: Path, arguments: dict[str, Any]) -> Any:
        import sglang

        self._takes_seeds = bool(arguments.get("enable_deterministic_inference"))
        self._engine = sglang.Engine(model_path=str(folder), **arguments)
        manager = self._engine.tokenizer_manager
        self._context_tokens = int(getattr(manager, "context_len", 0)) or self._context_tokens
        step_tokens = int(arguments.get("chunked_prefill_size") or 0)
        if step_tokens > 0:
            slots = self._slots(arguments)
            self._admission = Admission(slots=slots, step_tokens=step_tokens)
        return getattr(manager, "tokenizer", None)

    async def _answer(self, request: Request, input_ids: list[int]) -> Completion:
        cached = 0
        if self._admission is not None:
            await self._admission.enter(len(input_ids))
        try:
            answer = await self._engine.async_generate(
                input_ids=input_ids,
                sampling_params=self._sampling(request),
                rid=_rid(request.request_id),
            )
            completion = _completion(request, answer)
            cached = completion.cached_tokens
        finally:
            if self._admission is not None:
                self._admission.leave(prompt_tokens=len(input_ids), cached_tokens=cached)
        return completion

    def abort(self, request_id: str) -> None:
        self._engine.tokenizer_manager.abort_request(_rid(request_id))

    async def counters(self) -> dict[str, float]:
        manager = self._engine.tokenizer_manager
        loads = await manager.get_loads()
        if not loads:
            return {}
        figures = {name: float(getattr(loads[0], name, 0.0)) for name in _FIGURES}
        if self._admission is not None:
            self._admission.observe(
                running=int(figures["num_running_reqs"]),
                waiting=int(figures["num_waiting_reqs"]),
                usage=figures["token_usage"],
            )
            figures["num_waiting_reqs"] += self._admission.waiting
        figures["context_tokens"] = self._context_tokens
        return {name: round(value, 4) for name, value in figures.items()}

    def _sampling(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        same = ("temperature", "top_p", "top_k", "repetition_penalty", "max_new_tokens")
        parameters: dict[str, Any] = {name: getattr(sampling, name) for name in same}
        if sampling.stop:
            parameters["stop"] = list(sampling.stop)
        if stop_token_ids := self._prompt.stop_token_ids(request):
            parameters["stop_token_ids"] = stop_token_ids
            # Markers tell a channel from words that look like its name.
            parameters["skip_special_tokens"] = False
        # Sampled without it otherwise, and SGLang does not say so.
        if sampling.seed is not None and self._takes_seeds:
            parameters["sampling_seed"] = sampling.seed
        if request.json_schema is not None and not sampling.reasons:
            parameters["json_schema"] = request.json_schema
        return parameters


def _rid(request_id: str) -> str:
    """An abort reaches every id that begins with the given one, so none may begin another."""
    return f"{request_id}/"


def _completion(request: Request, answer: dict[str, Any]) -> Completion:
    meta = answer["meta_info"]
    reason = meta.get("finish_reason") or {}
    kind = str(reason.get("type", "stop"))
    return Completion(
        request_id=request.request_id,
        text=whole_answer(request, str(answer.get("text") or "")),
        finish_reason=kind,
        prompt_tokens=int(meta.get("prompt_tokens") or 0),
        completion_tokens=int(meta.get("completion_tokens") or 0),
        cached_tokens=int(meta.get("cached_tokens") or 0),
        error=f"aborted {reason.get('status_code', '')}".strip() if kind == "abort" else None,
    )

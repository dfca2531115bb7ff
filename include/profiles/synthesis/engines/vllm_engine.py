"""vLLM's AsyncLLM in this process: production's other engine.

Read in vLLM 0.32.0: the engine core is a process of its own, spawned because `fork` would share our
pipes; a cancelled `generate` aborts its request; `EngineDeadError` means that the core has ended,
every other error is that request's own. Seeds, drawn one by one, are sent only with batch
invariance.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

from profiles.errors import EngineError
from profiles.models import Completion, Request
from profiles.synthesis.engines import whole_answer
from profiles.synthesis.engines.engine_terms import VLLM
from profiles.synthesis.engines.job_checks import argument_types
from profiles.synthesis.engines.offline import OfflineEngine

_ENVIRONMENT = {
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    "VLLM_NO_USAGE_STATS": "1",
    # One host; another address would need a network, which an engine has not by default.
    "VLLM_HOST_IP": "127.0.0.1",
    "GLOO_SOCKET_IFNAME": "lo",
}
_SHUTDOWN_SECONDS = 8.0
_GRAMMAR = {"backend": "guidance", "disable_any_whitespace": True}
"""llguidance; free whitespace would let a model print spaces until its token cap."""


class VllmEngine(OfflineEngine):
    """One `AsyncLLM`. Options are the fields of vLLM's `AsyncEngineArgs` by name."""

    name = "vllm"
    terms = VLLM
    requirements = "requirements-vllm.txt"
    kernels = staticmethod(lambda *_: {})  # vLLM's own are right on every card read for.
    own: ClassVar = {"device": Literal["cpu"]}
    """Says that the interpreter has vLLM's CPU build and needs no card."""

    def _installed(self) -> tuple[str, Mapping[str, Any]]:
        for name, value in _ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        import vllm
        from vllm.engine.arg_utils import AsyncEngineArgs

        return str(vllm.__version__), argument_types(AsyncEngineArgs)

    def _arguments(self, chosen: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        grammar = {**_GRAMMAR, **(chosen.get("structured_outputs_config") or {})}
        chosen = {**chosen, "structured_outputs_config": grammar}
        return {name: value for name, value in chosen.items() if name in known}

    def _grammar_backend(self, arguments: Mapping[str, Any]) -> str:
        return str(arguments["structured_outputs_config"]["backend"])

    def _start(self, folder: Path, arguments: dict[str, Any]) -> Any:
        from vllm.engine.arg_utils import AsyncEngineArgs
        from vllm.v1.engine.async_llm import AsyncLLM

        if "max_model_len" not in arguments:
            # Block tables of the model's own length would be for prompts that never come.
            most = int(self._config.get("max_position_embeddings") or self._context_tokens)
            arguments["max_model_len"] = min(most, self._context_tokens)
        self._figures = SchedulerFigures()
        self._engine = AsyncLLM.from_engine_args(
            AsyncEngineArgs(model=str(folder), **arguments), stat_loggers=[self._figures]
        )
        config = self._engine.vllm_config
        self._context_tokens = int(config.model_config.max_model_len)
        return self._engine.get_tokenizer()

    async def _answer(self, request: Request, input_ids: list[int]) -> Completion:
        from vllm.v1.engine.exceptions import EngineDeadError

        final: Any = None
        prompt = {"prompt_token_ids": input_ids}
        outputs = self._engine.generate(prompt, self._sampling(request), request.request_id)
        try:
            async for output in outputs:
                final = output
        except EngineDeadError as error:
            raise EngineError("vLLM's engine core has ended") from error
        return _completion(request, final)

    async def counters(self) -> dict[str, float]:
        """The scheduler's figures of its last step; EngineError when the core has ended."""
        if self._engine.errored:
            raise EngineError("vLLM's engine core has ended")
        figures = {**self._figures.last_step, "context_tokens": self._context_tokens}
        return {name: round(value, 4) for name, value in figures.items()}

    def close(self) -> None:
        if self._engine is not None:
            self._engine.shutdown(timeout=_SHUTDOWN_SECONDS)

    def _sampling(self, request: Request) -> Any:
        from vllm.sampling_params import RequestOutputKind, SamplingParams, StructuredOutputsParams

        sampling = request.sampling
        stop_token_ids = self._prompt.stop_token_ids(request)
        schema = None if sampling.reasons else request.json_schema
        return SamplingParams(
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k,
            repetition_penalty=sampling.repetition_penalty,
            max_tokens=sampling.max_new_tokens,
            stop=list(sampling.stop) or None,
            stop_token_ids=stop_token_ids or None,
            # Markers tell a channel from words that look like its name.
            skip_special_tokens=not stop_token_ids,
            seed=sampling.seed if os.environ.get("VLLM_BATCH_INVARIANT") == "1" else None,
            output_kind=RequestOutputKind.FINAL_ONLY,
            structured_outputs=StructuredOutputsParams(json=schema) if schema is not None else None,
        )


class SchedulerFigures:
    """The scheduler's figures of its last step; vLLM's stat logger and the factory of it."""

    def __init__(self) -> None:
        names = ("num_running_reqs", "num_waiting_reqs", "token_usage")
        self.last_step = dict.fromkeys(names, 0.0)

    def __call__(self, vllm_config: Any, engine_index: int = 0) -> SchedulerFigures:
        return self

    def record(
        self,
        scheduler_stats: Any,
        iteration_stats: Any,
        mm_cache_stats: Any = None,
        engine_idx: int = 0,
    ) -> None:
        if scheduler_stats is not None:
            waiting = scheduler_stats.num_waiting_reqs + scheduler_stats.num_skipped_waiting_reqs
            self.last_step = {
                "num_running_reqs": float(scheduler_stats.num_running_reqs),
                "num_waiting_reqs": float(waiting),
                "token_usage": scheduler_stats.kv_cache_usage,
            }

    def log_engine_initialized(self) -> None:
        """Part of vLLM's interface, like the next two; heartbeats carry the figures."""

    def log(self) -> None: ...

    def record_sleep_state(self, is_awake: int, level: int) -> None: ...


def _completion(request: Request, final: Any) -> Completion:
    output = final.outputs[0]
    reason = str(output.finish_reason or "stop")
    return Completion(
        request_id=request.request_id,
        text=whole_answer(request, output.text),
        finish_reason=reason,
        prompt_tokens=len(final.prompt_token_ids or ()),
        completion_tokens=len(output.token_ids),
        cached_tokens=int(final.num_cached_tokens or 0),
        error="aborted" if reason == "abort" else reason if reason == "error" else None,
    )

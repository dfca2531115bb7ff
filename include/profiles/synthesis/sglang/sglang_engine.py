"""SGLang's offline Engine in this process: the production engine.

Facts that shape this module, read in SGLang 0.5.17 and 0.5.23: `Engine` spawns scheduler
processes, so it needs the main thread and a main guard; it binds to the current event loop;
`async_generate` takes one request and raises for that request alone; `shutdown` kills every child
of the calling process; a crashed scheduler sends SIGQUIT, whose handler kills this process. Its
tokenizer manager replaces the SIGTERM handler at the first request.

A request that SGLang aborts comes back as ValueError or, with another status than 400, as
HTTPException; what waits or runs when it drains comes back as an answer of kind abort.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engines.base import answer_prefix, failed, mean_logprob, with_prefix
from profiles.synthesis.gpu.model_shape import Workload
from profiles.synthesis.process.protocol import EngineJob, EngineReady
from profiles.synthesis.sglang.admission import Admission
from profiles.synthesis.sglang.grammars import check_schema, check_vocabulary
from profiles.synthesis.sglang.harmony import (
    FINAL_CHANNEL,
    FINAL_STOP_TOKENS,
    PROMPT_DATE,
    STOP_TOKENS,
    split,
    template_arguments,
    with_response_format,
)
from profiles.synthesis.sglang.prefill_graphs import wants_prefill_graphs
from profiles.synthesis.sglang.sglang_arguments import (
    adapter_name,
    argument_types,
    plan_server,
    server_arguments,
)

__all__ = ["SglangEngine"]

log = logging.getLogger(__name__)

_FIGURES = (
    "num_running_reqs",
    "num_waiting_reqs",
    "token_usage",
    "gen_throughput",
    "cache_hit_rate",
)

_MEMORY = {
    "memory_weights_gb": "weight_gb",
    "memory_kv_cache_gb": "kv_cache_gb",
    "memory_graphs_gb": "graph_gb",
    "memory_kv_cache_tokens": "token_capacity",
}


class SglangEngine:
    """One `sglang.Engine`. Options are SGLang's server arguments by name.

    Without options the sizes and kernels are those planned for the visible cards.
    """

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._engine: Any = None
        self._tokenizer: Any = None
        self._context_tokens = job.context_tokens
        self._is_gpt_oss = False
        self._adapter: str | None = None
        self._admission: Admission | None = None
        self._takes_seeds = False

    def load(self) -> EngineReady:
        """Loads the model on the visible GPUs.

        Raises:
            EngineJobError: no model folder, unknown or bad argument, package missing, a model
                that cannot fit, a tokenizer that the grammar would misread.
            EngineError: SGLang failed, for example for want of memory.
        """
        folder = Path(self._job.model)
        if not (folder / "config.json").is_file():
            raise EngineJobError(
                f"model folder {folder} has no config.json; let PROFILES_MODEL name a Hugging "
                "Face folder on this machine (nothing is downloaded)"
            )
        try:
            import sglang
            from sglang.srt.server_args import ServerArgs
        except ImportError as error:
            raise EngineJobError(
                f"this interpreter cannot import sglang ({error}); let PROFILES_ENGINE_PYTHON "
                "name the interpreter that requirements-gpu.txt was installed into"
            ) from error
        version = str(sglang.__version__)
        config = _config(folder)
        known = argument_types(ServerArgs)
        # Checked before the planner reckons with them.
        server_arguments(self._job.options, known=known, version=version)
        planned, reasons = plan_server(
            self._job.options,
            config=config,
            folder=folder,
            workload=Workload(
                most_running=min(self._job.max_running, self._job.max_in_flight),
                is_penalized=self._job.penalized,
            ),
            wanted=self._job.planned,
        )
        arguments = server_arguments(
            self._job.options, known=known, version=version, planned=planned
        )
        if self._job.json_schema is not None:
            check_schema(self._job.json_schema, str(arguments["grammar_backend"]))
        self._adapter = adapter_name(self._job.options)
        self._takes_seeds = bool(arguments.get("enable_deterministic_inference"))
        try:
            self._engine = sglang.Engine(model_path=str(folder), **arguments)
        except (TypeError, ValueError, AssertionError) as error:
            raise EngineJobError(f"SGLang {version} refuses its arguments: {error}") from error
        except (RuntimeError, OSError) as error:
            raise EngineError(f"SGLang {version} failed to load the model: {error}") from error
        manager = self._engine.tokenizer_manager
        self._tokenizer = getattr(manager, "tokenizer", None)
        self._context_tokens = int(getattr(manager, "context_len", 0)) or self._context_tokens
        self._is_gpt_oss = config.get("model_type") == "gpt_oss"
        if self._tokenizer is not None and arguments.get("grammar_backend") == "xgrammar":
            check_vocabulary(self._tokenizer)
        running = int(arguments.get("max_running_requests") or self._job.max_running)
        step_tokens = int(arguments.get("chunked_prefill_size") or 0)
        if self._job.planned and step_tokens > 0 and _schedulers(arguments) == 1:
            self._admission = Admission(slots=running, step_tokens=step_tokens)
        return EngineReady(
            engine="sglang",
            version=version,
            model=folder.name,
            window=self._job.max_in_flight,
            running=running * _schedulers(arguments),
            context_tokens=self._context_tokens,
            details={
                "arguments": arguments,
                "gpt_oss": self._is_gpt_oss,
                "prefill_graphs": _has_prefill_graphs(self._engine, arguments),
                "reasons": list(reasons),
            },
        )

    async def generate(self, request: Request) -> Completion:
        """The answer. A prompt that does not fit is refused here: SGLang would cut its tail."""
        started = time.monotonic()
        self._check_effort(request)
        input_ids = self._input_ids(request)
        needed = len(input_ids) + request.sampling.max_new_tokens
        if needed > self._context_tokens:
            reason = f"needs {needed} of {self._context_tokens} context tokens"
            return failed(request, reason, is_lasting=True)
        if self._admission is not None:
            await self._admission.enter(len(input_ids))
        cached = 0
        try:
            answer = await self._engine.async_generate(
                input_ids=input_ids,
                sampling_params=self._sampling(request),
                return_logprob=request.sampling.logprobs,
                rid=_rid(request.request_id),
                **({"lora_path": self._adapter} if self._adapter else {}),
            )
            completion = _completion(request, answer, time.monotonic() - started)
            cached = completion.cached_tokens
        finally:
            if self._admission is not None:
                self._admission.leave(prompt_tokens=len(input_ids), cached_tokens=cached)
        if request.sampling.reasoning_effort == "none":
            return completion
        spoken = split(completion.text, answer.get("output_ids") or ())
        return replace(completion, text=spoken.text, reasoning_tokens=spoken.reasoning_tokens)

    def abort(self, request_id: str) -> None:
        """Takes a request out of the scheduler's queue or its running batch."""
        self._engine.tokenizer_manager.abort_request(_rid(request_id))

    async def counters(self) -> dict[str, float]:
        """The scheduler's own queue figures, summed (usage: averaged) over its ranks."""
        manager = self._engine.tokenizer_manager
        if not hasattr(manager, "get_loads"):
            return {}
        loads = await manager.get_loads()
        if not loads:
            return {}
        sums = {name: sum(float(getattr(load, name, 0.0)) for load in loads) for name in _FIGURES}
        for name in ("token_usage", "cache_hit_rate"):
            sums[name] /= len(loads)
        if self._admission is not None:
            self._admission.observe(
                running=int(sums["num_running_reqs"]),
                waiting=int(sums["num_waiting_reqs"]),
                usage=sums["token_usage"],
            )
            sums["num_waiting_reqs"] += self._admission.waiting
        sums["context_tokens"] = self._context_tokens
        # Of one rank, as are the cards: each holds its own part.
        memory = getattr(loads[0], "memory", None)
        for ours, name in _MEMORY.items():
            if memory is not None and getattr(memory, name, None) is not None:
                sums[ours] = float(getattr(memory, name))
        return {name: round(value, 4) for name, value in sums.items()}

    def close(self) -> None:
        """Ends SGLang's children and waits until they have given the GPU back."""
        if self._engine is not None:
            self._engine.shutdown()

    def _check_effort(self, request: Request) -> None:
        effort = request.sampling.reasoning_effort
        if effort != "none" and not self._is_gpt_oss:
            raise EngineJobError(
                f"reasoning_effort {effort} is gpt-oss's, and this is another model; let the "
                "engine profile's sampling say none, or leave it out"
            )

    def _input_ids(self, request: Request) -> list[int]:
        if request.input_ids is not None:
            return list(request.input_ids)
        if self._tokenizer is None:
            raise EngineError("the engine has no tokenizer, and the request has no token ids")
        prefix = answer_prefix(request)
        effort = request.sampling.reasoning_effort
        skips = self._is_gpt_oss and effort == "none"
        if prefix and self._is_gpt_oss and not skips:
            raise EngineJobError("an answer cannot begin before its reasoning; use effort none")
        # gpt-oss's template would end a begun message.
        messages = request.messages[:-1] if prefix and skips else request.messages
        is_begun = bool(prefix) and not skips
        if effort != "none" and request.json_schema is not None:
            messages = with_response_format(messages, request.json_schema)
        ids = self._tokenizer.apply_chat_template(
            [{"role": item.role, "content": item.content} for item in messages],
            tokenize=True,
            return_dict=False,
            continue_final_message=is_begun,
            **(
                template_arguments(effort)
                if self._is_gpt_oss
                else {"add_generation_prompt": not is_begun}
            ),
            # Templates call this to print today's date; today must not change the prompt.
            strftime_now=lambda _format: PROMPT_DATE,
        )
        if not skips:
            return list(ids)
        begun = self._tokenizer.encode(prefix, add_special_tokens=False) if prefix else ()
        return [*ids, *FINAL_CHANNEL, *begun]

    def _sampling(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        parameters: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "repetition_penalty": sampling.repetition_penalty,
            "max_new_tokens": sampling.max_new_tokens,
        }
        if sampling.stop:
            parameters["stop"] = list(sampling.stop)
        if self._is_gpt_oss:
            skips = sampling.reasoning_effort == "none"
            parameters["stop_token_ids"] = list(FINAL_STOP_TOKENS if skips else STOP_TOKENS)
            # Markers tell a channel from words that look like its name.
            parameters["skip_special_tokens"] = False
        # Sampled without it otherwise, and SGLang does not say so.
        if sampling.seed is not None and self._takes_seeds:
            parameters["sampling_seed"] = sampling.seed
        if request.json_schema is not None and sampling.reasoning_effort == "none":
            parameters["json_schema"] = request.json_schema
        return parameters


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineJobError(f"{folder / 'config.json'} cannot be read") from error
    return dict(config)


def _has_prefill_graphs(engine: Any, arguments: Mapping[str, Any]) -> bool:
    """By what SGLang made of its arguments, where it says so: it has rules of its own for models
    and modes that such graphs do not suit."""
    config = getattr(getattr(engine, "server_args", None), "cuda_graph_config", None)
    backend = getattr(getattr(config, "prefill", None), "backend", None)
    if backend is None:
        return wants_prefill_graphs(arguments) is not False
    chunk = arguments.get("chunked_prefill_size")
    found = {"chunked_prefill_size": chunk, "cuda_graph_backend_prefill": backend}
    return bool(wants_prefill_graphs(found))


def _schedulers(arguments: Mapping[str, Any]) -> int:
    """How many take requests; data parallel attention shares the limit of one among its ranks."""
    return 1 if arguments.get("enable_dp_attention") else int(arguments.get("dp_size") or 1)


def _rid(request_id: str) -> str:
    """An abort reaches every id that begins with the given one, so none may begin another."""
    return f"{request_id}/"


def _completion(request: Request, answer: dict[str, Any], seconds: float) -> Completion:
    meta = answer["meta_info"]
    reason = meta.get("finish_reason") or {}
    kind = str(reason.get("type", "stop"))
    return Completion(
        request_id=request.request_id,
        text=with_prefix(answer_prefix(request), str(answer.get("text") or "")),
        finish_reason=kind,
        prompt_tokens=int(meta.get("prompt_tokens") or 0),
        completion_tokens=int(meta.get("completion_tokens") or 0),
        cached_tokens=int(meta.get("cached_tokens") or 0),
        seconds=seconds,
        # Triples of logprob, token id and text.
        mean_logprob=mean_logprob(item[0] for item in meta.get("output_token_logprobs") or ()),
        error=f"aborted {reason.get('status_code', '')}".strip() if kind == "abort" else None,
    )

"""SGLang's offline Engine in this process: the production engine.

Facts that shape this module, read in SGLang 0.5.17 and 0.5.23: `Engine` spawns scheduler
processes, so it needs the main thread and a main guard; it binds to the current event loop;
`async_generate` takes one request and raises for that request alone; `shutdown` kills every child
of the calling process; a crashed scheduler sends SIGQUIT, whose handler kills this process. Its
tokenizer manager replaces the SIGTERM handler at the first request.

The two versions differ, for this module, in: `constrained_json_max_whitespace_cnt` (0.5.23 only;
0.5.17 can only forbid free whitespace), `swa_full_tokens_ratio` (0.8; in 0.5.23 None, which means
0.8 where the model says nothing else), `torchao_config` (0.5.17 only), and in `ServerArgs` being a
dataclass or a msgspec struct.

Seen on a GPU with 0.5.17: where the grammar allows no token at all, sampling fails an assertion on
the device and the whole engine dies, at every request with a schema.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.cards import visible_gpus
from profiles.synthesis.engines.base import answer_prefix, failed, refuse_unknown, with_prefix
from profiles.synthesis.parallelism import EnginePlan, ModelShape, Workload, plan_engine
from profiles.synthesis.protocol import EngineJob, EngineReady

__all__ = ["FINAL_CHANNEL", "PROMPT_DATE", "SglangEngine"]

log = logging.getLogger(__name__)

PROMPT_DATE = "2025-01-01"
"""What a chat template that prints the current date prints instead; part of no fingerprint
because it never changes."""

FINAL_CHANNEL = (200006, 173781, 200005, 17196, 200008)
"""gpt-oss: `<|start|>assistant<|channel|>final<|message|>`, which skips the analysis channel.
The template cannot do that: any reasoning effort it does not know is only printed."""
_GPT_OSS_STOPS = (200002, 200012)

_DEFAULTS: dict[str, Any] = {"log_level": "info", "grammar_backend": "xgrammar"}
_MAX_WHITESPACE = 2
_OURS = frozenset({"model_path", "tokenizer_path"})
_UNPLANNED = frozenset({"quantization", "torchao_config", "cpu_offload_gb", "pp_size", "dp_size"})
"""Options that change what a card must hold in ways that the planner does not know."""
_NOTES = {
    "constrained_json_max_whitespace_cnt": "exists from SGLang 0.5.23 on; 0.5.17 has only "
    "constrained_json_disable_any_whitespace",
    "torchao_config": "was removed between SGLang 0.5.17 and 0.5.23",
    "cuda_graph_max_bs": "is called cuda_graph_max_bs_decode",
    "disable_cuda_graph_prefill": "is called disable_prefill_cuda_graph",
}
_FIGURES = (
    "num_running_reqs",
    "num_waiting_reqs",
    "token_usage",
    "gen_throughput",
    "cache_hit_rate",
)


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
        plan = _plan(self._job, folder, config)
        arguments = server_arguments(
            self._job.options,
            known=_names(ServerArgs),
            version=version,
            planned=plan.arguments if plan else {},
        )
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
            _check_grammar(self._tokenizer)
        return EngineReady(
            engine="sglang",
            version=version,
            model=folder.name,
            window=self._job.max_in_flight,
            context_tokens=self._context_tokens,
            details={
                "arguments": arguments,
                "gpt_oss": self._is_gpt_oss,
                "reasons": list(plan.reasons) if plan else [],
            },
        )

    async def generate(self, request: Request) -> Completion:
        """The answer. A prompt that does not fit is refused here: SGLang would cut its tail."""
        started = time.monotonic()
        input_ids = self._input_ids(request)
        needed = len(input_ids) + request.sampling.max_new_tokens
        if needed > self._context_tokens:
            return failed(request, f"needs {needed} of {self._context_tokens} context tokens")
        answer = await self._engine.async_generate(
            input_ids=input_ids, sampling_params=self._sampling(request)
        )
        return _completion(request, answer, time.monotonic() - started)

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
        return {name: round(value, 4) for name, value in sums.items()}

    def close(self) -> None:
        """Ends SGLang's children and waits until they have given the GPU back."""
        if self._engine is not None:
            self._engine.shutdown()

    def _input_ids(self, request: Request) -> list[int]:
        if request.input_ids is not None:
            return list(request.input_ids)
        if self._tokenizer is None:
            raise EngineError("the engine has no tokenizer, and the request has no token ids")
        is_begun = bool(answer_prefix(request))
        if is_begun and self._is_gpt_oss:
            raise EngineJobError("gpt-oss cannot continue a begun answer; use another profile")
        ids = self._tokenizer.apply_chat_template(
            [{"role": item.role, "content": item.content} for item in request.messages],
            tokenize=True,
            return_dict=False,
            add_generation_prompt=not (self._is_gpt_oss or is_begun),
            continue_final_message=is_begun,
            # Templates call this to print today's date; today must not change the prompt.
            strftime_now=lambda _format: PROMPT_DATE,
        )
        return [*ids, *FINAL_CHANNEL] if self._is_gpt_oss else list(ids)

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
            parameters["stop_token_ids"] = list(_GPT_OSS_STOPS)
        if sampling.seed is not None:
            parameters["sampling_seed"] = sampling.seed
        if request.json_schema is not None:
            parameters["json_schema"] = request.json_schema
        return parameters


def server_arguments(
    options: dict[str, Any],
    *,
    known: frozenset[str],
    version: str,
    planned: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Our defaults and the plan under the operator's options, fitted to the installed version.

    Raises:
        EngineJobError: an option that this version does not have, or that we set ourselves.
    """
    refuse_unknown(options, known - _OURS, library=f"SGLang {version}", notes=_NOTES)
    if options.get("reasoning_parser"):
        raise EngineJobError(
            "option reasoning_parser cannot go together with a JSON schema: the grammar would "
            "start inside the reasoning; remove it"
        )
    if options.get("log_requests"):
        raise EngineJobError("option log_requests writes profiles into a log; remove it")
    arguments = {**_DEFAULTS, **(planned or {}), **options}
    # Unbounded whitespace lets a model print spaces until its token cap.
    if "constrained_json_max_whitespace_cnt" in known:
        arguments.setdefault("constrained_json_max_whitespace_cnt", _MAX_WHITESPACE)
    else:
        arguments.setdefault("constrained_json_disable_any_whitespace", True)
    return {name: value for name, value in arguments.items() if name in known}


def _names(server_args: Any) -> frozenset[str]:
    fields = getattr(server_args, "__struct_fields__", None)
    names = fields or tuple(getattr(server_args, "__dataclass_fields__", ()))
    return frozenset(name for name in names if not name.startswith("_"))


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineJobError(f"{folder / 'config.json'} cannot be read") from error
    return dict(config)


def _plan(job: EngineJob, folder: Path, config: dict[str, Any]) -> EnginePlan | None:
    """The plan for the visible cards; None, and SGLang's own choice, where too little is known."""
    weights = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    cards = visible_gpus()
    if not (weights and cards) or _UNPLANNED & job.options.keys():
        log.info("sizes and kernels are left to SGLang")
        return None
    try:
        shape = ModelShape.from_config(config, weights)
    except (KeyError, TypeError, ValueError):
        log.info("config.json does not describe the model's shape; sizes are left to SGLang")
        return None
    workload = Workload(in_flight=job.max_in_flight)
    plan = plan_engine(shape, cards, workload=workload, options=job.options)
    for reason in plan.reasons:
        log.info("plan: %s", reason)
    return plan


def _check_grammar(tokenizer: Any) -> None:
    """Refuses a tokenizer whose spaces xgrammar cannot see.

    It learns from the tokenizer's decoder how tokens spell bytes. Where that is wrong (a tokenizer
    converted from GGUF has a decoder of two kinds), no token is a space, and the first answer that
    needs one ends the engine.
    """
    try:
        from xgrammar import TokenizerInfo
    except ImportError:
        return
    if b" " not in TokenizerInfo.from_huggingface(tokenizer).decoded_vocab:
        raise EngineJobError(
            "the grammar finds no token for a space in this model's tokenizer, so every answer "
            "with a JSON schema would end the engine; give tokenizer.json the decoder that "
            'belongs to its tokens, for example {"type": "ByteLevel"}'
        )


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
        error=f"aborted {reason.get('status_code', '')}".strip() if kind == "abort" else None,
    )

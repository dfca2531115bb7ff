from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.sampling_params import RequestOutputKind, SamplingParams
from vllm.v1.engine.exceptions import EngineDeadError, EngineGenerateError


class Tokenizer:
    """One token per character; role markers are single tokens above 1,000."""

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        assert not add_special_tokens
        return [ord(character) for character in text]

    def apply_chat_template(
        self, messages: list[dict[str, str]], *, strftime_now: Any, **how: Any
    ) -> list[int]:
        assert how["tokenize"]
        assert not how["return_dict"]
        ids = [ord(character) for character in f"Today is {strftime_now('%Y-%m-%d')}."]
        for message in messages:
            ids.append({"system": 1001, "user": 1002, "assistant": 1003}[message["role"]])
            ids += [ord(character) for character in message["content"]]
        return [*ids, 1003] if how["add_generation_prompt"] else ids


class AsyncLLM:
    """Answers with what it was asked, as JSON, so that a test sees what reached vLLM."""

    def __init__(self, args: AsyncEngineArgs, stat_loggers: Any) -> None:
        sys.stdout.write("Loading safetensors checkpoint shards: 100%\n")
        if not 0 < args.gpu_memory_utilization <= 1:
            raise ValueError("gpu_memory_utilization must be between 0 and 1")
        if args.load_format == "no_memory":
            sys.stderr.write(
                "ValueError: No available memory for the cache blocks. Try increasing\n"
            )
            raise RuntimeError("Engine core initialization failed. Failed core proc(s): {}")
        self.args = args
        config = json.loads((Path(args.model) / "config.json").read_text())
        most = config.get("max_position_embeddings", 4096)
        self.vllm_config = SimpleNamespace(
            model_config=SimpleNamespace(max_model_len=args.max_model_len or most),
        )
        self._loggers = [logger(self.vllm_config, 0) for logger in stat_loggers]
        self._core = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        self._running = 0

    @classmethod
    def from_engine_args(
        cls, engine_args: AsyncEngineArgs, *, stat_loggers: Any = None
    ) -> AsyncLLM:
        return cls(engine_args, stat_loggers)

    def get_tokenizer(self) -> Any:
        return None if self.args.skip_tokenizer_init else Tokenizer()

    @property
    def errored(self) -> bool:
        return self._core.poll() is not None

    async def generate(
        self,
        prompt: Mapping[str, Any],
        sampling_params: SamplingParams,
        request_id: str,
    ) -> AsyncGenerator[Any, None]:
        ids = prompt["prompt_token_ids"]
        assert sampling_params.output_kind is RequestOutputKind.FINAL_ONLY
        if 666 in ids:
            self._core.kill()
        self._running += 1
        try:
            self._record()
            await asyncio.sleep(0.3 if 777 not in ids else 60)
        except asyncio.CancelledError:
            sys.stdout.write(f"aborted {request_id}\n")
            sys.stdout.flush()
            raise
        finally:
            self._running -= 1
            self._record()
        if self.errored:
            raise EngineDeadError
        if sampling_params.max_tokens == 2:
            raise EngineGenerateError("not to be quoted")
        reason = {1: "length", 4: "abort"}.get(sampling_params.max_tokens, "stop")
        sampling = {k: v for k, v in vars(sampling_params).items() if k != "output_kind"}
        if sampling_params.structured_outputs is not None:
            sampling["structured_outputs"] = sampling_params.structured_outputs.json
        text = json.dumps(
            {
                "input_ids": ids,
                "sampling": sampling,
                "arguments": {k: v for k, v in dataclasses.asdict(self.args).items() if v},
                "core": self._core.pid,
                "spawns": os.environ["VLLM_WORKER_MULTIPROC_METHOD"],
            }
        )
        output = SimpleNamespace(
            text=text,
            token_ids=[7, 8],
            finish_reason=reason,
        )
        yield SimpleNamespace(prompt_token_ids=ids, num_cached_tokens=5, outputs=[output])

    def _record(self) -> None:
        for logger in self._loggers:
            logger.record(
                scheduler_stats=SimpleNamespace(
                    num_running_reqs=self._running,
                    num_waiting_reqs=2,
                    num_skipped_waiting_reqs=1,
                    kv_cache_usage=0.5,
                ),
                iteration_stats=None,
                mm_cache_stats=None,
                engine_idx=0,
            )

    def shutdown(self, timeout: float | None = None) -> None:
        self._core.kill()
        self._core.wait()

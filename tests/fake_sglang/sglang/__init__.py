"""Stands in for SGLang where no GPU is: the calls that our engine makes, and SGLang's manners.

Like the real one it prints to standard output while loading, spawns a child process (twice the
trouble when the engine crashes), binds to the event loop it finds, replaces the SIGTERM handler at
its first request, raises ValueError or HTTPException for a request that it aborts, and kills every
child of the calling process in `shutdown`.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sglang.srt.server_args import ServerArgs

__version__ = "0.5.23"


class Tokenizer:
    """One token per character; role markers are single tokens above 1,000."""

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        assert not add_special_tokens
        return [ord(character) for character in text]

    def apply_chat_template(
        self,
        messages: list[dict[str, str]],
        *,
        tokenize: bool,
        return_dict: bool,
        add_generation_prompt: bool,
        continue_final_message: bool,
        strftime_now: Any,
        reasoning_effort: str = "",
    ) -> list[int]:
        assert tokenize
        assert not return_dict
        assert not (add_generation_prompt and continue_final_message)
        ids = [ord(character) for character in f"Today is {strftime_now('%Y-%m-%d')}."]
        for message in messages:
            ids.append({"system": 1001, "user": 1002, "assistant": 1003}[message["role"]])
            ids += [ord(character) for character in message["content"]]
        return [*ids, 1003] if add_generation_prompt else ids


class HTTPException(Exception):
    """As fastapi's, which SGLang raises for an abort with another status than 400."""


class Engine:
    """Answers with what it was asked, as JSON, so that a test sees what reached SGLang."""

    def __init__(self, **arguments: Any) -> None:
        sys.stdout.write("Loading safetensors checkpoint shards: 100%\n")
        self.server_args = ServerArgs(**arguments)
        if "no_memory" in (arguments.get("load_format"), arguments.get("kv_cache_dtype")):
            raise RuntimeError("Not enough memory. Please try to increase --mem-fraction-static.")
        if (arguments.get("mem_fraction_static") or 0) > 0.95:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        self.child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        config = json.loads((Path(arguments["model_path"]) / "config.json").read_text())
        # As 0.5.17: the loop that it sets is not the one that serves requests.
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.serving: asyncio.AbstractEventLoop | None = None
        self.tokenizer_manager = SimpleNamespace(
            tokenizer=None if self.server_args.skip_tokenizer_init else Tokenizer(),
            context_len=config.get("max_position_embeddings", 4096),
            get_loads=self._get_loads,
            flush_cache=self._flush_cache,
            abort_request=self._abort_request,
        )
        self._running = 0
        # Seconds an answer takes with one value of an argument, for example {"lpm": 0.05}.
        delays = config.get("delays", {})
        self._delay = next((delays[v] for v in map(str, arguments.values()) if v in delays), 0.3)

    async def async_generate(
        self,
        *,
        input_ids: list[int],
        sampling_params: dict[str, Any],
        rid: str | None = None,
    ) -> dict[str, Any]:
        if isinstance(sampling_params, list):
            answers = await asyncio.gather(
                *(
                    self.async_generate(input_ids=ids, sampling_params=parameters)
                    for ids, parameters in zip(input_ids, sampling_params, strict=True)
                )
            )
            return list(answers)
        self.serving = self.serving or asyncio.get_running_loop()
        assert asyncio.get_running_loop() is self.serving
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if 666 in input_ids:
            os.kill(os.getpid(), signal.SIGKILL)
        self._running += 1
        together = self._running
        await asyncio.sleep(self._delay)
        self._running -= 1
        if self.child.poll() is not None:
            # A crashed scheduler takes the whole engine down.
            os.kill(os.getpid(), signal.SIGKILL)
        kind = "length" if sampling_params["max_new_tokens"] == 1 else "stop"
        if sampling_params["max_new_tokens"] == 2:
            raise ValueError("not to be quoted")
        if sampling_params["max_new_tokens"] == 3:
            raise HTTPException("not to be quoted")
        if sampling_params["max_new_tokens"] == 4:
            kind = "abort"
        return {
            "text": json.dumps(
                {
                    "input_ids": input_ids,
                    "sampling": sampling_params,
                    "arguments": self.server_args.given,
                    "child": self.child.pid,
                    "together": together,
                }
            ),
            "meta_info": {
                "finish_reason": {"type": kind, "message": "not to be quoted"},
                "prompt_tokens": len(input_ids),
                "completion_tokens": 7,
                "cached_tokens": 5,
            },
        }

    def _abort_request(self, rid: str) -> None:
        sys.stdout.write(f"aborted {rid}\n")
        sys.stdout.flush()

    async def _flush_cache(self) -> None:
        await asyncio.sleep(0)

    async def _get_loads(self) -> list[Any]:
        figures = {
            "num_running_reqs": self._running,
            "num_waiting_reqs": 4,
            "token_usage": 0.5,
        }
        return [SimpleNamespace(**figures)]

    def shutdown(self) -> None:
        self.child.kill()
        self.child.wait()

"""Shared parts of engines on a Hugging Face folder: checks, plan, prompts and limits.

`load` checks everything that can be checked before a model is loaded, in this order: folder,
package, options, plan, grammar. `generate` refuses a prompt that does not fit before the library
would cut it or raise.
"""

from __future__ import annotations

import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engines import ARGUMENTS_LOGGED, failed
from profiles.synthesis.engines.chat_prompt import ChatPrompt, final_message
from profiles.synthesis.engines.engine_terms import EngineTerms
from profiles.synthesis.engines.job_checks import check_options, check_schema
from profiles.synthesis.gpu.model_shape import Card, ModelShape
from profiles.synthesis.gpu.parallelism import plan_arguments
from profiles.synthesis.process.protocol import EngineJob, EngineReady

log = logging.getLogger(__name__)


class OfflineEngine(ABC):
    """One library's engine in this process. Options are the library's arguments by name."""

    name: ClassVar[str]
    terms: ClassVar[EngineTerms]
    requirements: ClassVar[str]
    kernels: ClassVar[staticmethod[[ModelShape, Card, Mapping[str, Any]], dict[str, Any]]]
    own: ClassVar[Mapping[str, Any]] = {}
    """Options that are none of the library's, with their types."""

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._engine: Any = None
        self._prompt = ChatPrompt(None, is_gpt_oss=False)
        self._context_tokens = job.context_tokens
        self._config: dict[str, Any] = {}

    @abstractmethod
    def _installed(self) -> tuple[str, Mapping[str, Any]]:
        """The library's version and its arguments with their types; imports it."""

    @abstractmethod
    def _arguments(self, chosen: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        """The library's arguments, from defaults, plan and options in one."""

    @abstractmethod
    def _start(self, folder: Path, arguments: dict[str, Any]) -> Any:
        """Loads the model, sets `_engine` and the context length; the tokenizer."""

    @abstractmethod
    async def _answer(self, request: Request, input_ids: list[int]) -> Completion:
        """The answer, with the markers of its channels where the model reasons."""

    def _slots(self, arguments: Mapping[str, Any]) -> int:
        """Requests that one scheduler works on at once."""
        return int(arguments.get(self.terms.running) or self._job.max_running)

    def _grammar_backend(self, arguments: Mapping[str, Any]) -> str:
        return str(arguments["grammar_backend"])

    def load(self) -> EngineReady:
        """Loads the model on the visible GPUs; EngineError where the library failed."""
        folder = Path(self._job.model)
        library = self.terms.library
        config = self._config = _config(folder)
        try:
            version, known = self._installed()
        except ImportError as error:
            raise EngineJobError(
                f"this interpreter cannot import {self.name} ({error}); set PROFILES_ENGINE_PYTHON "
                f"to the interpreter with {self.requirements} installed"
            ) from error
        options = self._job.options
        # Checked before the planner reckons with them.
        check_options(options, known={**known, **self.own}, terms=self.terms, version=version)
        planned = plan_arguments(
            options,
            terms=self.terms,
            kernels=type(self).kernels,
            folder=folder,
            most_running=min(self._job.max_running, self._job.max_in_flight),
        )
        arguments = self._arguments({**self.terms.defaults, **planned, **options}, known)
        if self._job.json_schema is not None:
            check_schema(self._job.json_schema, self._grammar_backend(arguments))
        sizes = {name: arguments[name] for name in self.terms.sizes if name in arguments}
        log.info("%s%s", ARGUMENTS_LOGGED, json.dumps(sizes))
        try:
            tokenizer = self._start(folder, arguments)
        except (TypeError, ValueError, AssertionError) as error:
            raise EngineJobError(f"{library} {version} refuses its arguments: {error}") from error
        except (RuntimeError, OSError) as error:
            raise EngineError(f"{library} {version} failed to load the model: {error}") from error
        is_gpt_oss = config.get("model_type") == "gpt_oss"
        self._prompt = ChatPrompt(tokenizer, is_gpt_oss=is_gpt_oss)
        return EngineReady(
            engine=self.name,
            version=version,
            model=folder.name,
            window=self._job.max_in_flight,
            running=self._slots(arguments),
            context_tokens=self._context_tokens,
            details={"arguments": arguments},
        )

    async def generate(self, request: Request) -> Completion:
        input_ids = self._prompt.token_ids(request)
        needed = len(input_ids) + request.sampling.max_new_tokens
        if needed > self._context_tokens:
            reason = f"needs {needed} of {self._context_tokens} context tokens"
            return failed(request, reason, is_lasting=True)
        started = time.monotonic()
        completion = await self._answer(request, input_ids)
        completion = replace(completion, seconds=time.monotonic() - started)
        if not request.sampling.reasons:
            return completion
        return replace(completion, text=final_message(completion.text))

    def close(self) -> None:
        """Ends the library's processes and waits until they have given the GPU back."""
        if self._engine is not None:
            self._engine.shutdown()


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineJobError(
            f"{folder / 'config.json'} cannot be read; set PROFILES_MODEL to a Hugging Face folder "
            "on this machine (nothing is downloaded)"
        ) from error
    return dict(config)

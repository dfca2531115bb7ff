"""An engine that answers a rubric's question, for tests of the judge: no model.

Use it as PROFILES_ENGINE=tests.scoring_engine:ScoringEngine. A summary with the word `false` gets a
faithfulness of 1, others 5; one with `mumble` gets an answer that is no JSON. Other questions are
answered as the scripted engine does.

Options:
    unavailable, silent: texts; a summary with one of them gets an error, or never an answer.
    crash_on: texts; a summary with one of them kills the process a moment later.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal

from profiles.models import Completion, Request
from tests.scripted_engine import ScriptedEngine


class ScoringEngine(ScriptedEngine):
    """See the module's docstring."""

    async def generate(self, request: Request) -> Completion:
        summary = request.messages[-1].content.partition("<summary>")[2]
        if not summary:
            return await super().generate(request)
        if self._has("unavailable", summary):
            return Completion(request.request_id, "", "error", error="HTTP 503")
        if self._has("crash_on", summary):
            await asyncio.sleep(1)
            os.kill(os.getpid(), signal.SIGKILL)
        if self._has("silent", summary):
            await asyncio.sleep(3600)
        scores = {
            "faithfulness": 1 if "false" in summary else 5,
            "completeness": 3,
            "usefulness": 4,
        }
        text = "I think it is fine." if "mumble" in summary else json.dumps(scores)
        return Completion(request_id=request.request_id, text=text, finish_reason="stop")

    def _has(self, option: str, summary: str) -> bool:
        return any(text in summary for text in self._job.options.get(option, ()))

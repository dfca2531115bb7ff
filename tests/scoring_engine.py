"""An engine that answers a rubric's question, for tests of the judge: no model.

Use it as PROFILES_ENGINE=tests.scoring_engine:ScoringEngine. A summary with the word `false` gets a
faithfulness of 1, others 5; one with `mumble` gets an answer that is no JSON. Other questions are
answered as the scripted engine does.
"""

from __future__ import annotations

import json

from profiles.models import Completion, Request
from tests.scripted_engine import ScriptedEngine


class ScoringEngine(ScriptedEngine):
    """See the module's docstring."""

    async def generate(self, request: Request) -> Completion:
        summary = request.messages[-1].content.partition("<summary>")[2]
        if not summary:
            return await super().generate(request)
        scores = {
            "faithfulness": 1 if "false" in summary else 5,
            "completeness": 3,
            "usefulness": 4,
        }
        text = "I think it is fine." if "mumble" in summary else json.dumps(scores)
        return Completion(request_id=request.request_id, text=text, finish_reason="stop")

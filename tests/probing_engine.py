"""An engine that answers with what it can reach: `{"network": …, "loopback": …, "group": …}`."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

from profiles.models import Completion, Request
from profiles.synthesis.process.protocol import EngineJob, EngineReady


class ProbingEngine:
    """Options: `port`, where the test listens on loopback; `file`, which only its owner reads."""

    def __init__(self, job: EngineJob) -> None:
        self._job = job

    def load(self) -> EngineReady:
        return EngineReady(engine="probing", version="1", model="", window=8, context_tokens=4096)

    async def generate(self, request: Request) -> Completion:
        with socket.create_server(("127.0.0.1", 0)) as own:
            said = {
                "outside": _connects(("127.0.0.1", self._job.options["port"])),
                "loopback": _connects(own.getsockname()),
                "routes": len(Path("/proc/net/route").read_text().splitlines()) - 1,
                "file": Path(self._job.options["file"]).read_text(),
                "user": os.geteuid(),
            }
        return Completion(
            request_id=request.request_id, text=json.dumps(said), finish_reason="stop"
        )

    async def counters(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        """Holds nothing."""


def _connects(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, timeout=2).close()
    except OSError:
        return False
    return True

"""Shared by the tests of both offline engines: a client of a stand-in, and requests to it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, Heartbeat
from tests.paths import REPOSITORY

MESSAGES = (Message("system", "S"), Message("user", "U"))


def model_folder(parent: Path, *, positions: int) -> Path:
    """A Hugging Face folder with nothing but a configuration."""
    folder = parent / "model"
    folder.mkdir()
    config = {"model_type": "llama", "max_position_embeddings": positions}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@contextmanager
def clients(stand_in: str, log_path: Path) -> Iterator[Any]:
    """Starts clients of an engine that imports a folder of tests/; all are killed at the end."""
    made: list[EngineClient] = []

    def start(job: EngineJob, environment: Mapping[str, str] | None = None) -> EngineClient:
        path = [str(REPOSITORY / "include"), str(REPOSITORY / "tests" / stand_in)]
        client = EngineClient(
            job,
            python=Path(sys.executable),
            log_path=log_path,
            start_timeout=30,
            silence_timeout=30,
            environment={"PYTHONPATH": os.pathsep.join(path), **(environment or {})},
        )
        made.append(client)
        client.start()
        return client

    yield start
    for client in made:
        client.kill()


def ask(client: EngineClient, **more: Any) -> tuple[Completion, dict[str, Any]]:
    """The completion of one request, and what the stand-in shows of it."""
    client.submit(
        Request(**{"request_id": "1", "messages": MESSAGES, "sampling": Sampling(), **more})
    )
    while True:
        for item in client.poll(10):
            if isinstance(item, Completion):
                seen = item.text[item.text.find("{") :]
                return item, json.loads(seen) if item.error is None else {}


def drain_once_running(client: EngineClient) -> list[str]:
    """Ids of what is answered when the engine drains after a heartbeat tells that it works."""
    answered: list[Completion] = []
    running = False
    while not (running or answered):
        for item in client.poll(10):
            if isinstance(item, Completion):
                answered.append(item)
            elif isinstance(item, Heartbeat):
                running = running or item.running > 0
    return [item.request_id for item in [*answered, *client.drain(10)]]


def characters(ids: list[int]) -> str:
    """Token ids of the stand-ins' tokenizer as text."""
    return "".join(chr(number) if number < 1000 else f"[{number}]" for number in ids)

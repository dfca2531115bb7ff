"""The messages of a lane and its engine process: one JSON object per line.

The lane writes an `EngineJob`, then `Request` lines, then `Drain` or `Stop`. The engine process
writes `EngineReady` or `Failure`, then `Completion` and `Heartbeat` lines. Standard library and
models only; ASCII-escaped, so no text holds a line break or an undecodable byte.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from profiles.errors import EngineError
from profiles.models import Completion, Message, Request, Sampling

DEADLINE = "deadline"
"""The error of a completion that the engine was not waited for any longer."""

SERVER = "server"
"""The kind of a failure of a server that the engine asks: no request is to blame for it."""

EXIT_OK = 0
"""Drained, or stopped."""
EXIT_FAILED = 70
"""The `Failure` that it sent says why."""


@dataclass(frozen=True, slots=True)
class EngineJob:
    """Everything an engine process needs to load; its first line.

    `engine` is a built-in name or `module:Class`, `model` a folder, a file or a served model's
    name. `max_in_flight` bounds what the process accepts, `max_running` what the engine works on at
    once. `context_tokens` is what one prompt and its answer need; requests may have a grammar
    (`json_schema`). One that runs for more than `request_seconds` is aborted, 0 for never.
    `network` is "host", or "none" for a process that reaches nothing beyond itself.
    """

    engine: str
    model: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    base_url: str = ""
    allow_public: bool = False
    max_in_flight: int = 2500
    max_running: int = 512
    context_tokens: int = 4096
    json_schema: str | None = None
    heartbeat_seconds: float = 1.0
    request_seconds: float = 600.0
    network: str = "host"


@dataclass(frozen=True, slots=True)
class EngineReady:
    """The engine has loaded. It is handed `window` requests at a time; the others wait in the
    process. `running` of them are worked on at once, 0 for all. `details` holds versions, sizes and
    settings; no text of any profile."""

    engine: str
    version: str
    model: str
    window: int
    context_tokens: int
    load_seconds: float = 0.0
    details: dict[str, Any] = field(default_factory=dict)
    running: int = 0

    @property
    def at_once(self) -> int:
        return min(self.running or self.window, self.window)


@dataclass(frozen=True, slots=True)
class Failure:
    """The engine could not load or go on. `kind` is job (do not restart), engine or server."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The event loop of the engine process is alive: `queued` requests wait inside the process,
    `running` are with the engine, `finished` since the load. `idle_seconds` is the time since one
    last finished or, with nothing running, 0. `engine` holds the engine's own figures."""

    queued: int
    running: int
    finished: int
    idle_seconds: float
    engine: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Drain:
    """Finish what runs, drop what waits, then end."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End now. The end of input without this message means that the lane has crashed."""


ProtocolMessage = (
    EngineJob | EngineReady | Failure | Heartbeat | Drain | Stop | Request | Completion
)


def encode(message: ProtocolMessage) -> bytes:
    body = asdict(message)
    body["type"] = type(message).__name__
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> ProtocolMessage:
    """The message of one line; EngineError, which does not quote it, where it is none."""
    try:
        body = json.loads(line)
        kind = _KINDS[body.pop("type")]
        message: ProtocolMessage = _request(body) if kind is Request else kind(**body)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineError(
            f"a line of {len(line)} bytes is no message of the engine protocol "
            f"({type(error).__name__})"
        ) from None
    return message


def _request(body: dict[str, Any]) -> Request:
    messages = tuple(Message(**message) for message in body["messages"])
    sampling = Sampling(**body["sampling"] | {"stop": tuple(body["sampling"]["stop"])})
    input_ids = None if body["input_ids"] is None else tuple(body["input_ids"])
    return Request(**body | {"messages": messages, "sampling": sampling, "input_ids": input_ids})


_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(ProtocolMessage)}

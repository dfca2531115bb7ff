"""Parent side of the engine process: starts it, feeds it, reads it, ends it. Never blocks forever.

Keep one client in one thread. `kill` alone may be called from anywhere, also from a signal handler.
The child leads its own session, so that one signal to the group reaches whatever the engine spawns.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Self

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engine_environment import child_environment
from profiles.synthesis.process.engine_streams import PolledChannel
from profiles.synthesis.process.protocol import (
    SERVER,
    Drain,
    EngineJob,
    EngineReady,
    Failure,
    Heartbeat,
    ProtocolMessage,
    Stop,
)

log = logging.getLogger(__name__)

_MODULE = "profiles.synthesis.process.engine_process"
_EXIT_GRACE_SECONDS = 10.0
_LOG_PART_BYTES = 1 << 15
_STALL_FACTOR = 3
"""The event loop beats on when the model behind it hangs. Of all the requests in flight one ends
within this many silences, or none will."""


@dataclass(eq=False)
class EngineClient:
    """One engine process. Use as a context manager, or call `close` or `kill` in any case.
    `environment` is added to the child's; `descriptors`, such as locks, stay open in it."""

    job: EngineJob
    _: KW_ONLY
    python: Path
    log_path: Path
    start_timeout: float
    silence_timeout: float
    environment: Mapping[str, str] = field(default_factory=dict)
    descriptors: Sequence[int] = ()

    def __post_init__(self) -> None:
        self.ready: EngineReady | None = None
        self.in_flight: set[str] = set()
        """Ids of the requests that have no completion yet; to be read only."""
        self.exit_code: int | None = None
        """Exit status once the process has ended; negative for a signal."""
        self._log_start = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: PolledChannel | None = None
        self._heard = self._idle_seconds = 0.0
        self._ended = False
        self._failure: Failure | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> EngineReady:
        """Starts the process and waits for its model; EngineError when it does not come up."""
        self._spawn()
        self._send(self.job)
        deadline = time.monotonic() + self.start_timeout
        while (left := deadline - time.monotonic()) > 0:
            for message in self._exchange(min(left, 1.0)):
                if isinstance(message, EngineReady):
                    self.ready = message
                    if (has := message.details["network"]) != self.job.network:
                        log.warning(
                            "the engine keeps the network (%s); allow network namespaces on this "
                            "host, or set PROFILES_ENGINE_NETWORK=host where that is meant",
                            has,
                        )
                    return message
            if self._ended:
                raise self._exit_error("while loading")
        self.kill()
        raise self._error(
            f"was not ready after {self.start_timeout:g} s. A large model needs more "
            "PROFILES_ENGINE_START_SECONDS"
        )

    def submit(self, request: Request) -> None:
        """Hands one request over; returns at once. The id must not be in flight."""
        if request.request_id in self.in_flight:
            raise ValueError(f"request {request.request_id} is already in flight")
        self.in_flight.add(request.request_id)
        self._send(request)

    def poll(self, timeout: float) -> list[Completion | Heartbeat]:
        """Return the received messages, waiting up to `timeout` seconds for the first. Completions
        that arrived before a crash are returned first; the next call raises EngineError, as one
        does that kills a process which sent nothing for `silence_timeout` or answered nothing for
        three times as long."""
        if self._ended:
            raise self._exit_error("while running")
        found: list[Completion | Heartbeat] = []
        for message in self._exchange(timeout):
            if isinstance(message, Completion | Heartbeat):
                self._idle_seconds = getattr(message, "idle_seconds", 0.0)
                found.append(message)
        if not found and self._ended:
            raise self._exit_error("while running")
        why, silent = "", time.monotonic() - self._heard
        if not found and silent > self.silence_timeout:
            why = f"sent nothing for {silent:.0f} s"
        elif self._idle_seconds > self.silence_timeout * _STALL_FACTOR:
            why = f"answered nothing for {self._idle_seconds:.0f} s"
        if why:
            self.kill()
            raise self._error(f"{why} with {len(self.in_flight)} requests in flight and was killed")
        return found

    def drain(self, timeout: float) -> list[Completion]:
        """Ask the engine to finish what runs; return what arrives within `timeout` seconds. Others
        stay in `in_flight`. A crash meanwhile is no error here."""
        found: list[ProtocolMessage] = []
        self._send(Drain())
        deadline = time.monotonic() + timeout
        while not self._ended and (left := deadline - time.monotonic()) > 0:
            found += self._exchange(min(left, 1.0))
        return [message for message in found if isinstance(message, Completion)]

    def close(self, grace_seconds: float = _EXIT_GRACE_SECONDS) -> None:
        """Ends the process: asks it to stop, waits, then kills what is left of the group."""
        if not self._ended:
            self._send(Stop())
            self._wait_for_exit(grace_seconds)
        self.kill()

    def kill(self) -> None:
        """Kills the whole process group and takes its exit status. Safe to call repeatedly."""
        process = self._process
        if process is None:
            return
        # The leader is reaped only after the signal: until then its id, and so the group's,
        # cannot be given to somebody else.
        if process.returncode is None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                log.debug("process group %s is already gone", process.pid)
            if self._wait_for_exit(_EXIT_GRACE_SECONDS):
                self.exit_code = process.wait()
            else:
                # Stuck in the kernel, most likely in a driver. Waiting would hang the task too.
                log.error("engine process %s does not exit", process.pid)
        self._ended = True
        if self._channel is not None:
            self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.kill() if kind else self.close()

    def _spawn(self) -> None:
        # Private to the user. The engines of a lane append to it, one after another.
        self.log_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self.log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._log_start = os.fstat(descriptor).st_size
        command = [str(self.python), "-m", _MODULE, str(os.getpid()), self.job.network]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - no shell; the path is a setting
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=descriptor,
                env=child_environment(
                    self.job.engine,
                    self.environment,
                    passed=[str(self.job.options.get("api_key_env", ""))],
                ),
                start_new_session=True,
                pass_fds=self.descriptors,
                bufsize=0,
            )
        except OSError as error:
            raise EngineJobError(
                f"the engine's interpreter {self.python} cannot be started "
                f"({error.strerror}); correct PROFILES_ENGINE_PYTHON"
            ) from error
        finally:
            os.close(descriptor)
        self._heard = time.monotonic()
        assert self._process.stdin and self._process.stdout  # noqa: S101 - pipes, as it was started
        self._channel = PolledChannel(self._process.stdout, self._process.stdin)

    def _send(self, message: ProtocolMessage) -> None:
        if self._channel is not None:
            self._channel.send(message)

    def _exchange(self, timeout: float) -> list[ProtocolMessage]:
        """Messages, waiting for the first of them; notices the end of the process."""
        channel = self._channel
        if channel is None:
            raise EngineError("the engine process was not started, or has been closed")
        messages = channel.poll(timeout)
        if messages:
            self._heard = time.monotonic()
        for message in messages:
            if isinstance(message, Failure):
                self._failure = message
            elif isinstance(message, Completion):
                self.in_flight.discard(message.request_id)
        if channel.at_end:
            self._wait_for_exit(_EXIT_GRACE_SECONDS)
            self.kill()
        return messages

    def _wait_for_exit(self, seconds: float) -> bool:
        """Return whether the leader ends in time. It is not reaped: its group is killed first."""
        process = self._process
        if process is None or process.returncode is not None:
            return True
        deadline = time.monotonic() + seconds
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        try:
            while os.waitid(os.P_PID, process.pid, flags) is None:
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.02)
        except ChildProcessError:
            log.debug("process %s was reaped by somebody else", process.pid)
        return True

    def _exit_error(self, when: str) -> EngineError | EngineJobError:
        self.kill()
        code, failure = self.exit_code, self._failure
        if failure is not None and failure.kind == "job":
            return EngineJobError(failure.message)
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        if failure is not None:
            how += f" ({failure.message})"
        return self._error(
            f"ended {when} with {how} and {len(self.in_flight)} requests in flight",
            is_remote=failure is not None and failure.kind == SERVER,
        )

    def _error(self, what: str, *, is_remote: bool = False) -> EngineError:
        return EngineError(
            f"engine {self.job.engine} {what}; its log is {self.log_path}",
            exit_code=self.exit_code,
            log_excerpt=self._log_excerpt(),
            is_remote=is_remote,
        )

    def _log_excerpt(self) -> str:
        """The beginning, which names the engine's settings, and the end of its part of the log."""
        try:
            with self.log_path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(self._log_start)
                head = file.read(_LOG_PART_BYTES)
                file.seek(max(file.tell(), size - _LOG_PART_BYTES))
                return (head + file.read()).decode("utf-8", "replace")
        except OSError as error:
            log.warning("the engine's log cannot be read (%s)", error.strerror)
            return ""

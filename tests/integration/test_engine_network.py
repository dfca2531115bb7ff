"""An engine process reaches nothing beyond itself, and is otherwise what it was."""

from __future__ import annotations

import json
import logging
import os
import pwd
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.integration.test_engine_process import collect, is_running, request
from tests.paths import REPOSITORY

from profiles.models import Completion
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, EngineReady, decode, encode

ENGINE = "tests.probing_engine:ProbingEngine"
PYTHONPATH = f"{REPOSITORY / 'include'}:{REPOSITORY}"


def namespaces_are_allowed() -> bool:
    return subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode == 0


needs_namespaces = pytest.mark.skipif(
    not namespaces_are_allowed(), reason="this kernel gives no network namespace"
)


def client_of(tmp_path: Path, network: str, **options: Any) -> EngineClient:
    return EngineClient(
        EngineJob(ENGINE, options=options, heartbeat_seconds=0.2, network=network),
        python=Path(sys.executable),
        log_path=tmp_path / "engine.log",
        start_timeout=60,
        silence_timeout=30,
    )


def probe(tmp_path: Path, network: str) -> tuple[str, dict[str, Any]]:
    secret = tmp_path / "weights"
    secret.write_text("weights")
    secret.chmod(0o600)
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        client_of(tmp_path, network, port=listening.getsockname()[1], file=str(secret)) as client,
    ):
        ready = client.start()
        client.submit(request("1"))
        (answer,) = collect(client, 1)
    return ready.details["network"], json.loads(answer.text)


@needs_namespaces
def test_an_engine_without_network_reaches_its_own_loopback_alone(tmp_path, caplog):
    network, said = probe(tmp_path, "none")
    assert network == "none"
    assert (said["outside"], said["loopback"], said["routes"]) == (False, True, 0)
    assert (said["file"], said["user"]) == ("weights", os.geteuid())
    assert "keeps the network" not in caplog.text


def test_an_engine_that_may_have_the_network_has_it(tmp_path):
    network, said = probe(tmp_path, "host")
    assert (network, said["outside"], said["loopback"]) == ("host", True, True)


@needs_namespaces
def test_a_lane_killed_outright_takes_its_engine_without_network_along(tmp_path):
    code = f"""
import sys, time
from pathlib import Path
from profiles.synthesis.process.engine_client import EngineClient, EngineJob
job = EngineJob("tests.scripted_engine:ScriptedEngine", options={{"helper": True}}, network="none")
client = EngineClient(job, python=Path(sys.executable), log_path=Path({str(tmp_path / "log")!r}),
                      start_timeout=60, silence_timeout=30)
ready = client.start()
print(ready.details["network"], client.pid, flush=True)
time.sleep(60)
"""
    lane = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{REPOSITORY / 'include'}:{REPOSITORY}"},
    )
    try:
        network, pid = lane.stdout.readline().split()
        assert (network, os.getpgid(int(pid))) == ("none", int(pid))
        lane.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 20
        while is_running(int(pid)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not is_running(int(pid))
    finally:
        lane.kill()
        lane.wait()
        lane.stdout.close()


@needs_namespaces
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_user_without_rights_loses_the_network_too():
    nobody = pwd.getpwnam("nobody")
    # In one process, because such a user may not be able to start the interpreter from its folder.
    code = f"""
import ctypes, encodings.idna, os, sys
import tests.probing_engine
from profiles.synthesis.process import engine_process
os.setgroups([])
os.setgid({nobody.pw_gid})
os.setuid({nobody.pw_uid})
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as after an exec: /proc/self is the user's own
sys.argv = ["engine_process", str(os.getppid()), "none"]
engine_process.main()
"""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        options = {"port": listening.getsockname()[1], "file": "/etc/hostname"}
        messages = (EngineJob(ENGINE, options=options), request("1"))
        engine = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": PYTHONPATH, "PATH": os.environ["PATH"]},
        )
        with engine:
            engine.stdin.write(b"".join(map(encode, messages)))
            engine.stdin.flush()
            received = map(decode, engine.stdout)
            assert next(received).details["network"] == "none"
            answer = next(message for message in received if isinstance(message, Completion))
    said = json.loads(answer.text)
    assert (said["outside"], said["loopback"]) == (False, True)
    assert said["user"] == nobody.pw_uid


class Unisolated(EngineClient):
    """Of an engine process whose kernel refused."""

    def _spawn(self):
        pass

    def _exchange(self, timeout):
        network = "host: the kernel refuses (Operation not permitted)"
        return [EngineReady("e", "1", "m", 1, 1, details={"network": network})]


def test_a_kernel_that_refuses_is_said_and_the_engine_runs(tmp_path, caplog):
    client = Unisolated(
        EngineJob("e", network="none"),
        python=Path(sys.executable),
        log_path=tmp_path / "log",
        start_timeout=5,
        silence_timeout=5,
    )
    with caplog.at_level(logging.WARNING):
        assert client.start().engine == "e"
    assert len(caplog.records) == 1
    assert "PROFILES_ENGINE_NETWORK=host" in caplog.text

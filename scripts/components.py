"""Airflow's components, and the other services of the distributed mode, as background processes.

Pid files lie in `.profiles/run`, logs in `.profiles/logs`. Each runs in a session of its own, so
that a Ctrl-C at the terminal leaves it alone. A pid file holds the process's start time too: a pid
that the kernel gave to somebody else is never signalled.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import psutil

from profiles.errors import SettingsError
from scripts.airflow_api import AirflowApi
from scripts.airflow_env import HOME, REPOSITORY
from scripts.console import Step, say

COMPONENTS = ("api-server", "scheduler", "dag-processor", "triggerer")
RUN_FOLDER = HOME / "run"
LOG_FOLDER = HOME / "logs"
HEALTH_SECONDS = 240.0

# The name of each component in Airflow's health report.
_HEALTH_NAMES = {
    "api-server": "metadatabase",
    "scheduler": "scheduler",
    "dag-processor": "dag_processor",
    "triggerer": "triggerer",
}
# The UI reads the log files itself: it runs on the same machine, and nothing should listen beyond
# the loopback interface.
_ARGUMENTS = {"scheduler": ("--skip-serve-logs",), "triggerer": ("--skip-serve-logs",)}
# A stopping lane hands back its leases within PROFILES_DRAIN_SECONDS (45 s unless set).
_GRACE_SECONDS = 75.0
_PORT_SECONDS = 10.0
_SECONDS_UNTIL_TASKS_ARE_TOLD = 4.0
# Others need these to end in order, so they are stopped after the rest.
_LAST = ("api-server", "redis")


@dataclass(frozen=True, slots=True)
class Program:
    """A program to start. One that `drains` signals its tasks itself on SIGTERM."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    drains: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A live process that we started."""

    name: str
    process: psutil.Process
    drains: bool


def airflow_programs(environment: Mapping[str, str]) -> list[Program]:
    """Airflow's own components."""
    return [
        Program(
            name, (sys.executable, "-m", "airflow", name, *_ARGUMENTS.get(name, ())), environment
        )
        for name in COMPONENTS
    ]


def running() -> list[Running]:
    """Programs that we started and that are alive."""
    found = (_alive(path.stem) for path in sorted(RUN_FOLDER.glob("*.pid")))
    return [item for item in found if item is not None]


def recorded_port(name: str = "api-server") -> int | None:
    """The port of the running API server, or of another program; None when ours does not run."""
    if _alive(name) is None:
        return None
    return int(json.loads((RUN_FOLDER / f"{name}.pid").read_text())["port"])


def port_for(name: str, wanted: int, *, is_chosen: bool = False) -> int:
    """The port that the program had when it last ran, because what still runs looks for it there;
    else `wanted`, or the next free one unless a person chose it.

    Raises:
        SettingsError: the chosen port is taken, or fifty in a row are.
    """
    try:
        last = int(json.loads((RUN_FOLDER / f"{name}.pid").read_text())["port"])
    except (FileNotFoundError, json.JSONDecodeError, KeyError):
        return free_port(wanted, is_chosen=is_chosen)
    deadline = time.monotonic() + _PORT_SECONDS
    # A process that was killed lets go of its port a moment after it is gone.
    while not _is_free(last):
        if time.monotonic() > deadline:
            return free_port(wanted, is_chosen=is_chosen)
        time.sleep(0.1)
    return last


def free_port(wanted: int, *, is_chosen: bool) -> int:
    """`wanted`, or the next free one unless a person chose it.

    Raises:
        SettingsError: the chosen port is taken, or fifty in a row are.
    """
    for port in range(wanted, wanted + (1 if is_chosen else 50)):
        if _is_free(port):
            if port != wanted:
                say(f"  port {wanted} is taken by another program; using {port}")
            return port
    raise SettingsError(f"port {wanted} is in use; set AIRFLOW__API__PORT to a free port")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def start_missing(programs: Sequence[Program], *, port: int) -> list[str]:
    """Starts the programs that do not run; returns their names. `port` is kept beside the pid."""
    RUN_FOLDER.mkdir(parents=True, exist_ok=True)
    LOG_FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    LOG_FOLDER.chmod(0o700)
    missing = [program for program in programs if _alive(program.name) is None]
    for program in missing:
        with (LOG_FOLDER / f"{program.name}.log").open("a") as log_file:
            os.fchmod(log_file.fileno(), 0o600)
            child = subprocess.Popen(
                program.command,
                cwd=REPOSITORY,
                env=dict(program.environment),
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                umask=0o077,
            )
        record = {
            "pid": child.pid,
            "started": _start_time(child.pid),
            "port": port,
            "drains": program.drains,
        }
        (RUN_FOLDER / f"{program.name}.pid").write_text(json.dumps(record) + "\n")
    return [program.name for program in missing]


def wait_until_healthy(port: int, programs: Sequence[Program]) -> bool:
    """Waits until every component has sent a new heartbeat, showing each; False with the log to
    read when none has for HEALTH_SECONDS. One that ran before and ends meanwhile, because its
    database was gone, is started again once.
    """
    since = datetime.now(UTC)
    deadline = time.monotonic() + HEALTH_SECONDS
    again: set[str] = set()
    fewest = len(COMPONENTS)
    with Step("Airflow components") as step:
        while True:
            ended = [program for program in programs if _alive(program.name) is None]
            for program in ended:
                if program.name in again:
                    step.failed(f"{program.name} ended; read {LOG_FOLDER / program.name}.log")
                    return False
            again.update(start_missing(ended, port=port))
            healthy = _healthy(port, since)
            missing = [name for name in COMPONENTS if name not in healthy]
            if not missing:
                break
            if len(missing) < fewest:
                # On a busy machine one starts after the other.
                fewest, deadline = len(missing), time.monotonic() + HEALTH_SECONDS
            if time.monotonic() > deadline:
                step.failed(f"not healthy: {', '.join(missing)}; logs in {LOG_FOLDER}")
                return False
            step.tick(f"waiting for {', '.join(missing)}")
            time.sleep(0.5)
        step.done(", ".join(COMPONENTS))
    return True


def _healthy(port: int, since: datetime) -> set[str]:
    found = AirflowApi(port).healthy(since=since)
    return {name for name, key in _HEALTH_NAMES.items() if key in found}


def stop_all() -> None:
    """Stops our components with whatever they left running, the API server near the end.

    Airflow's scheduler waits for its tasks, so they get a SIGTERM too, which makes a lane drain,
    hand back its leases and tell the API server that it wants a retry. Engines get none: they
    run in sessions of their own and end with their lane. What outlives the grace period is killed.
    """
    alive = running()
    if not alive:
        return
    with Step("Airflow components") as step:
        killed = _stop([item for item in alive if item.name not in _LAST], step)
        for name in _LAST:
            killed += _stop([item for item in alive if item.name == name], step)
        for path in RUN_FOLDER.glob("*.pid"):
            path.unlink()
        step.done("stopped" + (f", {killed} processes were killed" if killed else ""))


def _stop(items: list[Running], step: Step) -> int:
    """Stops these components and their descendants; returns how many had to be killed."""
    family = _family(items)
    sessions = {item.process.pid for item in items if not item.drains}
    _signal([item.process for item in items], signal.SIGTERM)
    left = _wait(family, step, seconds=_SECONDS_UNTIL_TASKS_ARE_TOLD)
    _signal([process for process in left if _session(process) in sessions], signal.SIGTERM)
    left = _wait(left, step, seconds=_GRACE_SECONDS)
    _signal(left, signal.SIGKILL)
    return len(left)


def _session(process: psutil.Process) -> int:
    try:
        return os.getsid(process.pid)
    except ProcessLookupError:
        return -1


def _wait(processes: list[psutil.Process], step: Step, *, seconds: float) -> list[psutil.Process]:
    """Waits until they are gone; returns those that are left after `seconds`."""
    deadline = time.monotonic() + seconds
    left = [process for process in processes if _lives(process)]
    while left and time.monotonic() < deadline:
        step.tick(f"waiting for {', '.join(_name(process) for process in left[:4])}")
        time.sleep(0.2)
        left = [process for process in left if _lives(process)]
    return left


def _lives(process: psutil.Process) -> bool:
    """Return whether it runs; a zombie that a slow init has not collected is gone for us."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _name(process: psutil.Process) -> str:
    try:
        return f"{process.name()} {process.pid}"
    except psutil.NoSuchProcess:
        return str(process.pid)


def _family(alive: list[Running]) -> list[psutil.Process]:
    """The components and all that descend from them, each once."""
    found: dict[int, psutil.Process] = {}
    for item in alive:
        for process in (item.process, *item.process.children(recursive=True)):
            found[process.pid] = process
    return list(found.values())


def _signal(processes: list[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            continue


def _alive(name: str) -> Running | None:
    try:
        record = json.loads((RUN_FOLDER / f"{name}.pid").read_text())
        process = psutil.Process(int(record["pid"]))
        is_ours = abs(process.create_time() - float(record["started"])) < 1.0
    except (FileNotFoundError, json.JSONDecodeError, KeyError, psutil.NoSuchProcess):
        return None
    if not is_ours or not _lives(process):
        return None
    return Running(name, process, drains=bool(record.get("drains")))


def _start_time(pid: int) -> float:
    return float(psutil.Process(pid).create_time())

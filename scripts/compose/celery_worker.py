"""A Celery worker that drains its lanes on SIGTERM: `python -m scripts.compose.celery_worker`.

On SIGTERM Celery alone takes no new task and waits for those it has, and a lane may have hours to
go: the container's grace period would end with a kill. So the tasks are told as well. A lane then
takes in what is in flight, hands back its leases and asks for another try, on another worker if
there is one. Arguments go to `airflow celery worker`.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from types import FrameType

import psutil

# The title that Airflow gives the process of a running task.
_TASK_TITLE = "airflow worker -- "


def main(arguments: list[str]) -> int:
    """Runs the worker to its end; returns its exit status."""
    worker = subprocess.Popen([sys.executable, "-m", "airflow", "celery", "worker", *arguments])

    def drain(_number: int, _frame: FrameType | None) -> None:
        _send(psutil.Process(worker.pid))
        for task in _tasks(worker.pid):
            _send(task)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, drain)
    status = worker.wait()
    return status if status >= 0 else 128 - status


def _tasks(worker_pid: int) -> list[psutil.Process]:
    found = []
    for process in psutil.Process(worker_pid).children(recursive=True):
        try:
            if " ".join(process.cmdline()).startswith(_TASK_TITLE):
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


def _send(process: psutil.Process) -> None:
    try:
        process.send_signal(signal.SIGTERM)
    except psutil.NoSuchProcess:
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

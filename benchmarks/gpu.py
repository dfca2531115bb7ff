"""What the cards of this machine hold, read with nvidia-smi. Standard library only."""

from __future__ import annotations

import subprocess
import time

QUERY = ["nvidia-smi", "--format=csv,noheader,nounits"]


def query(what: str) -> list[list[str]]:
    """Rows of a `nvidia-smi --query-…` table, for example `--query-gpu=name,memory.used`."""
    done = subprocess.run([*QUERY, what], capture_output=True, text=True, timeout=30, check=True)
    return [[cell.strip() for cell in line.split(",")] for line in done.stdout.splitlines() if line]


def card() -> str:
    """Name, memory and driver of the first card."""
    name, memory, driver = query("--query-gpu=name,memory.total,driver_version")[0]
    return f"{name}, {memory} MiB, driver {driver}"


def used_mib() -> int:
    """Memory in use on the first card."""
    return int(query("--query-gpu=memory.used")[0][0])


def process_ids() -> list[int]:
    """Processes that hold memory on any card."""
    return [int(row[0]) for row in query("--query-compute-apps=pid") if row[0].isdigit()]


def seconds_until_free(limit_mib: int, timeout: float) -> float | None:
    """How long until the first card uses at most `limit_mib`; None when it takes too long."""
    started = time.monotonic()
    while time.monotonic() - started < timeout:
        if used_mib() <= limit_mib:
            return round(time.monotonic() - started, 2)
        time.sleep(0.25)
    return None

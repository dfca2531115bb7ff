"""`docs/reliability.md`, written from what the matrix measured."""

from __future__ import annotations

from typing import Any

_HEAD = """# What faults cost

**In {rows} rows {lost} documents were lost, {doubled} were answered twice and {left} engine
processes were left behind.** A fault costs the requests in flight, which are sent again, and
seconds.

Limits: the engine is scripted, the GPU worker has no card ([on a
card](endurance.md#on-a-real-card)), and waits are short: a worker counts as dead after 30 s
without a heartbeat, a lease ends after 15 s, a task is retried after 2 s, one queued for 90 s is
sent again. An installation has 60 s, 120 s, 30 s and 10 minutes.

Written by `make test-reliability` from [reliability.json](../benchmarks/results/reliability.json).
Each row is a real DAG run on Airflow with the CeleryExecutor, Redis and Postgres, started as `make
up-distributed` does. A fault strikes while a lane is at work; the run has to end as an undisturbed
one. Killed services are restarted at once, as `restart: unless-stopped` does.

* **repeated**: requests to the model that were sent again, and paid twice.
* **in flight**: requests begun and not stored when the fault took effect: when the killed process
  is gone, or another attempt has taken over the leases of a lane that still runs (it notices at
  most 1.25 s later).
* **recovery**: seconds until an answer requested after the fault is stored, and services are
  healthy, unless the last column says otherwise.

A row holds when nothing is lost, answered twice or left, and each repeated request was in flight,
once for each fault.

| fault | documents | repeated | in flight | recovery | |
|---|---:|---:|---:|---:|---|
"""

_TAIL = """

A proxy that forwards nothing and closes nothing cuts the network to Postgres. A full disk is a
`tmpfs` of 24 MB. A library loaded before libc (`tests/reliability/clock_shift.c`) moves the clock
of a host, SQL that of the database. A lane sleeps by SIGSTOP.
"""


BY_HAND = "\nOther faults are tests of `make test-all`"
"""Heading of the part of the page that is not measured here."""


def render(report: dict[str, Any]) -> str:
    """The page."""
    rows = report["rows"]
    lines = [
        f"| {row['fault']} | {row['planned']} | {row['repeated']} | {row['in_flight']} "
        f"| {row['recovery_seconds']:.1f} | {_note(row)} |"
        for row in rows
    ]
    tail = _TAIL
    if report["unmeasured"]:
        tail += f"\nCould not be measured: {', '.join(report['unmeasured'])}.\n"
    head = _HEAD.format(
        rows=len(rows),
        lost=sum(row["lost"] for row in rows),
        doubled=sum(row["duplicated"] for row in rows),
        left=sum(row["left_processes"] for row in rows),
    )
    return head + "\n".join(lines) + tail


def _note(row: dict[str, Any]) -> str:
    if row["holds"]:
        return str(row["note"])
    strange = f", {row['unexplained']} requests were not in flight" if row["unexplained"] else ""
    return f"**does not hold{strange}**. {row['note']}"

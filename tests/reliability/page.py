"""`docs/reliability.md`, written from what the matrix measured."""

from __future__ import annotations

from typing import Any

_HEAD = """# What faults cost

Written by `make test-reliability` from [reliability.json](../benchmarks/results/reliability.json).
Each row is a real DAG run on Airflow with the CeleryExecutor, Redis and Postgres, started as
`make up-distributed` does, with an engine that answers from a script. A fault strikes while a lane
is at work. Then the run has to end as if nothing had happened, by itself unless the row says what a
person did. Services that were killed are started again at once, as `restart: unless-stopped` does.

* **lost**: planned documents without an outcome, or with one that is not published, at the end.
* **duplicated**: documents with more than one final answer.
* **repeated**: calls to the model that were made again. They are paid twice.
* **in flight**: calls that had begun and whose answer was not stored when the fault took effect.
* **left**: processes of engines that live five seconds after the end of the run.
* **recovery**: from the fault until an answer that was asked for after it is stored, in seconds,
  where the last column does not say otherwise; where a service was away, also until all services
  are healthy again. A lane goes on without the scheduler and Redis. Waits here are short: a worker
  counts as dead after 30 s without a heartbeat, a lease ends after 15 s, a task is tried again
  after 2 s, one that is queued for 90 s is sent again. An installation has 60 s, 120 s, 30 s and
  10 minutes.

A row holds when lost, duplicated and left are 0 and each repeated call was in flight, once for each
fault. This is no estimate. The engine writes a line as it begins a call; an answer that is stored
is a row of `synthesis.completion`. A fault takes effect

* for what it kills, when the process is gone. An engine outlives its lane by up to half a second,
  and what it begins until it is gone is in flight too: nobody is left to store it.
* for a lane that lives on (it sleeps, it has lost its worker or its database), when another try
  takes its leases over or it gives them back. Until then it may store what it has. It learns of a
  takeover when it stores next, at most 1.25 s later, and what it begins until then counts too.

An answer is stored about a second after it arrives, so in flight are the requests that an engine
works on (here 4, and one that waits) and the answers of the last second. While answers cannot be
stored, a lane sends no new request.

| fault | documents | lost | duplicated | repeated | in flight | left | recovery | |
|---|---:|---:|---:|---:|---:|---:|---:|---|
"""

_TAIL = """

How some of them are made: the network to Postgres is cut by a proxy in between that forwards
nothing and closes nothing, so that neither end is told. A full disk is a `tmpfs` of 24 MB (mounting
it needs root) that holds the table of the answers, or a worker's home and logs, and is filled to
the last byte. The clock of a host jumps through a library that is loaded before libc into worker,
task and engine (`tests/reliability/clock_shift.c`, needs `cc`); the clock of the database through
SQL that makes all leases an hour older. A lane sleeps by SIGSTOP. For two lanes on one GPU the
engine is the real one's adapter over a stand-in for SGLang, without a card.
"""


BY_HAND = "\nOther faults are tests of `make test-all`"
"""Where the part of the page begins that is not measured here."""


def render(report: dict[str, Any]) -> str:
    """The page."""
    lines = [
        f"| {row['fault']} | {row['planned']} | {row['lost']} | {row['duplicated']} "
        f"| {row['repeated']} | {row['in_flight']} | {row['left_processes']} "
        f"| {row['recovery_seconds']:.1f} | {_note(row)} |"
        for row in report["rows"]
    ]
    tail = _TAIL
    if report["unmeasured"]:
        tail += f"\nCould not be measured: {', '.join(report['unmeasured'])}.\n"
    return _HEAD + "\n".join(lines) + tail


def _note(row: dict[str, Any]) -> str:
    if row["holds"]:
        return str(row["note"])
    strange = f", {row['unexplained']} calls were not in flight" if row["unexplained"] else ""
    return f"**does not hold{strange}**. {row['note']}"

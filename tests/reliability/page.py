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
* **in flight**: calls begun whose answer was not stored when the fault struck; `repeated` may not
  be more.
* **left**: processes of engines that live five seconds after the end of the run.
* **recovery**: from the fault until an answer that was asked for after it is stored, in seconds,
  where the last column does not say otherwise; where a service was away, also until all services
  are healthy again. A lane goes on without the scheduler and Redis. Waits here are short: a worker
  counts as dead after 30 s without a heartbeat, a lease ends after 15 s, a task is tried again
  after 2 s. An installation has 60 s, 120 s and 30 s.

| fault | documents | lost | duplicated | repeated | in flight | left | recovery | |
|---|---:|---:|---:|---:|---:|---:|---:|---|
"""


def render(report: dict[str, Any]) -> str:
    """The page."""
    lines = [
        f"| {row['fault']} | {row['planned']} | {row['lost']} | {row['duplicated']} "
        f"| {row['repeated']} | {row['in_flight']} | {row['left_processes']} "
        f"| {row['recovery_seconds']:.1f} | {row['note']} |"
        for row in report["rows"]
    ]
    failed = ", ".join(report["failed"])
    end = f"\n\nDid not hold, or could not be measured: {failed}.\n" if failed else "\n"
    return _HEAD + "\n".join(lines) + end

"""The last run in numbers, for `profiles status` and for whoever watches from outside."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from profiles.models import Bucket
from profiles.steps.reports.report import build_report
from profiles.storage.connection import Database
from profiles.storage.sql_files import record, records

_LANE_FIGURES = (
    "lane",
    "state",
    "load_seconds",
    "warm_up_seconds",
    "first_batch_seconds",
    "output_tokens_per_second",
)


@dataclass(frozen=True, slots=True)
class RunStatus:
    """One run: its state, what went wrong, its buckets (empty before the plan), calls, published
    rows, seconds, source rows and paths that could not be read, how its lanes got going and what
    they gave, and which optional stages failed or did not end."""

    run_id: str
    state: str
    error: str | None
    warnings: list[str]
    notice: str | None
    started_at: datetime
    published_at: datetime | None
    candidates: int | None
    planned: int | None
    buckets: dict[str, int]
    model_calls: int
    published: int | None
    withdrawn: int | None
    seconds: float
    unreadable_rows: int
    unread_paths: int
    lanes: list[dict[str, Any]]
    not_done: list[str]

    def to_mapping(self) -> dict[str, Any]:
        """Flat, JSON-ready: each bucket is a key of its own, null while there is no plan."""
        flat: dict[str, Any] = {}
        for name, value in asdict(self).items():
            if name == "buckets":
                flat |= {bucket.value: value.get(bucket.value) for bucket in Bucket}
            else:
                flat[name] = value.isoformat() if isinstance(value, datetime) else value
        return flat


def last_run(database: Database) -> RunStatus | None:
    """The run that started last; None when there was none."""
    with database.connect() as connection:
        row = record(connection, "report/select_last_run")
        if row is None:
            return None
        not_done = records(connection, "report/select_optional_failures", run_id=row["run_id"])
    report = build_report(database, run_id=row["run_id"])
    return RunStatus(
        **row,
        warnings=report["warnings"],
        notice=report["notice"],
        candidates=report["candidates"],
        planned=report["planned"],
        buckets=report["buckets"],
        model_calls=report["tokens"]["model_calls"],
        published=report["published"],
        withdrawn=report["withdrawn"],
        seconds=round(report["seconds"], 1),
        unreadable_rows=sum(report["unreadable_rows"].values()),
        unread_paths=len(report["unread_paths"]),
        lanes=[{name: lane[name] for name in _LANE_FIGURES} for lane in report["lanes"]],
        not_done=[f"{stage['stage']}: {stage['error']}" for stage in not_done],
    )


def age_of_last_publish(database: Database) -> timedelta | None:
    """Time since any run last published; None when none ever did."""
    with database.connect() as connection:
        row = connection.execute("SELECT now() - max(published_at) FROM synthesis.run").fetchone()
    return row[0] if row else None

"""The last run in numbers, for `profiles status` and for whoever watches from outside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from psycopg.rows import dict_row

from profiles.models import Bucket
from profiles.steps.reports.report import build_report
from profiles.storage.connection import Database
from profiles.storage.sql_files import load

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
    """One run: its state, its buckets (empty before the plan), calls, published rows, seconds,
    source rows, items and values of them that could not be read, how its lanes got going and what
    they gave, and which optional stages failed or did not end."""

    run_id: str
    state: str
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
    lanes: tuple[dict[str, Any], ...]
    notice: str | None
    not_done: tuple[str, ...]
    error: str | None

    def to_mapping(self) -> dict[str, Any]:
        """Flat, JSON-ready: each bucket is a key of its own, null while there is no plan."""
        return {
            "run_id": self.run_id,
            "state": self.state,
            "started_at": self.started_at.isoformat(),
            "published_at": self.published_at.isoformat() if self.published_at else None,
            "candidates": self.candidates,
            "planned": self.planned,
            **{bucket.value: self.buckets.get(bucket.value) for bucket in Bucket},
            "model_calls": self.model_calls,
            "published": self.published,
            "withdrawn": self.withdrawn,
            "seconds": round(self.seconds, 1),
            "unreadable_rows": self.unreadable_rows,
            "unread_paths": self.unread_paths,
            "lanes": list(self.lanes),
            "notice": self.notice,
            "not_done": list(self.not_done),
            "error": self.error,
        }


def last_run(database: Database) -> RunStatus | None:
    """The run that started last; None when there was none."""
    with database.connect() as connection, connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(load("report/select_last_run")).fetchone()
        not_done = (
            cursor.execute(
                load("report/select_optional_failures"), {"run_id": row["run_id"]}
            ).fetchall()
            if row
            else []
        )
    if row is None:
        return None
    report = build_report(database, run_id=row["run_id"])
    return RunStatus(
        run_id=row["run_id"],
        state=row["state"],
        started_at=row["started_at"],
        published_at=row["published_at"],
        candidates=report.candidates,
        planned=report.planned,
        buckets=report.buckets,
        model_calls=report.tokens["model_calls"],
        published=report.published,
        withdrawn=report.withdrawn,
        seconds=report.seconds,
        unreadable_rows=sum(report.unreadable_rows.values()),
        unread_paths=len(report.unread_paths),
        lanes=tuple({name: lane[name] for name in _LANE_FIGURES} for lane in report.lanes),
        notice=report.notice,
        not_done=tuple(f"{stage['stage']}: {stage['error']}" for stage in not_done),
        error=row["error"],
    )


def age_of_last_publish(database: Database) -> timedelta | None:
    """How long ago any run published; None when none ever did."""
    with database.connect() as connection:
        row = connection.execute("SELECT now() - max(published_at) FROM synthesis.run").fetchone()
    return row[0] if row else None

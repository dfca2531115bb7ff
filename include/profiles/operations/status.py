"""The last run in numbers, for `profiles status` and for whoever watches from outside."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from profiles.models import Bucket
from profiles.steps.reports.run_report import build_report
from profiles.storage.connection import Database
from profiles.storage.sql_files import record, records

_LANE_FIGURES = (
    "lane", "state", "load_seconds", "warm_up_seconds", "output_tokens_per_second",
)  # fmt: skip


def last_run(database: Database) -> dict[str, Any] | None:
    """The run that started last, JSON-ready; None when there was none. Each bucket is a key of its
    own, None while there is no plan; `not_done` are optional stages that failed or did not end."""
    with database.connect() as connection:
        row = record(connection, "report/select_run", run_id="latest")
        if row is None:
            return None
        not_done = records(connection, "report/select_optional_failures", run_id=row["run_id"])
    report = build_report(database, run_id=row["run_id"])
    return {
        **{name: row[name] for name in ("run_id", "state")},
        **{name: row[name] and row[name].isoformat() for name in ("started_at", "published_at")},
        "error": row["error"],
        **{name: report[name] for name in ("warnings", "notice", "candidates", "planned")},
        **{bucket.value: report["buckets"].get(bucket.value) for bucket in Bucket},
        "model_calls": report["tokens"]["model_calls"],
        **{name: report[name] for name in ("published", "withdrawn")},
        "seconds": round(report["seconds"], 1),
        "unreadable_rows": sum(report["unreadable_rows"].values()),
        "unread_paths": len(report["unread_paths"]),
        "lanes": [{name: lane[name] for name in _LANE_FIGURES} for lane in report["lanes"]],
        "not_done": [f"{stage['stage']}: {stage['error']}" for stage in not_done],
    }


def age_of_last_publish(database: Database) -> timedelta | None:
    """Time since any run last published; None when none ever did."""
    with database.connect() as connection:
        row = connection.execute("SELECT now() - max(published_at) FROM synthesis.run").fetchone()
    return row[0] if row else None

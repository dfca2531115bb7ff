"""Sums a run up: buckets, reasons, tokens, throughput, stages, lanes. Kept in `run.report`."""

from __future__ import annotations

import logging
import re
from dataclasses import asdict
from typing import Any

from psycopg.types.json import Jsonb

from profiles.errors import ExportError, ReconciliationError
from profiles.steps.check_sources import unread_of, warnings_of
from profiles.storage.connection import Database
from profiles.storage.run_history import Band, gate_drifts, gate_figures
from profiles.storage.runs import count_buckets
from profiles.storage.sql_files import Connection, execute, record, records

log = logging.getLogger(__name__)

COVERAGE_TOKENS = ("model_calls", "prompt_tokens", "completion_tokens", "cached_tokens")


def run(database: Database, *, run_id: str) -> dict[str, Any]:
    """Builds the report, stores it on the run, logs its head and returns the bucket counts."""
    report = build_report(database, run_id=run_id)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.run SET report = %s WHERE run_id = %s",
            (Jsonb(report), run_id),
        )
    count_people(database, run_id=run_id, gate=report["gate"]["counts"], tokens=report["tokens"])
    log.info(
        "run %s: %s candidates, %s; %s model calls, %s output tokens; published %s in %.0f s; "
        "%s kWh",
        run_id,
        report["candidates"],
        report["buckets"] or "never planned",
        report["tokens"]["model_calls"],
        report["tokens"]["completion_tokens"],
        report["published"],
        report["seconds"],
        report["energy_kwh"],
    )
    for outside in report["gate"]["outside"]:
        log.warning("run %s: the gate's figures drifted: %s", run_id, Band(**outside))
    buckets: dict[str, int] = report["buckets"]
    return buckets


def count_people(
    database: Database, *, run_id: str, gate: dict[str, int], tokens: dict[str, Any]
) -> None:
    """Replaces the coverage that is kept of a run for the page by the state as it is now."""
    kept = {name: tokens.get(name) or 0 for name in COVERAGE_TOKENS}
    with database.connect() as connection:
        taken = execute(
            connection, "page/coverage_take", run_id=run_id, gate=Jsonb(gate), tokens=Jsonb(kept)
        )
    if not taken.rowcount:
        log.warning("run %s never started: its people are not counted", run_id)


def build_report(database: Database, *, run_id: str) -> dict[str, Any]:
    """The figures of a run as they are now, JSON-ready; `buckets` is empty without a plan."""
    with database.connect() as connection:
        try:
            counted = count_buckets(connection, run_id)
        except ReconciliationError:
            counted = None
        reasons = records(connection, "report/count_reasons", run_id=run_id)
        stages = records(connection, "report/select_stages", run_id=run_id)
        gpus = records(connection, "report/select_gpus", run_id=run_id)
        run_row = record(connection, "report/select_run", run_id=run_id) or {}
        return {
            "run_id": run_id,
            "candidates": counted.candidates if counted else None,
            "planned": counted.planned if counted else None,
            "buckets": {str(b): n for b, n in counted.buckets.items()} if counted else {},
            "stale": _of_kind(reasons, "stale"),
            "refused": _of_kind(reasons, "refused"),
            "gate": _gate(connection, run_id),
            "unreadable_rows": _of_kind(reasons, "unreadable_row"),
            "unread_paths": dict(
                pair for stage in stages for pair in unread_of(stage["counts"]).items()
            ),
            "warnings": [text for stage in stages for text in warnings_of(stage["counts"])],
            "reader_text": _of_kind(reasons, "reader_text"),
            "tokens": _tokens(record(connection, "report/sum_tokens", run_id=run_id) or {}),
            "notice": run_row.get("notice"),
            "published": run_row.get("published"),
            "withdrawn": run_row.get("withdrawn"),
            "seconds": float(run_row.get("seconds") or 0.0),
            "stages": stages,
            "lanes": records(connection, "report/select_lanes", run_id=run_id),
            "gpus": gpus,
            "energy_kwh": energy_kwh(gpus),
        }


def _gate(connection: Connection, run_id: str) -> dict[str, Any]:
    gate = gate_figures(connection, run_id)
    return {**gate, "outside": [asdict(band) for band in gate_drifts(connection, run_id, gate)]}


def energy_kwh(gpus: list[dict[str, Any]]) -> float | None:
    """Energy of all cards of a run; None where none was measured."""
    measured = [card["kwh"] for card in gpus if card["kwh"] is not None]
    return round(sum(measured), 4) if measured else None


def _of_kind(reasons: list[dict[str, Any]], kind: str) -> dict[str, int]:
    return {row["reason"]: int(row["documents"]) for row in reasons if row["kind"] == kind}


def _tokens(row: dict[str, Any]) -> dict[str, Any]:
    seconds = float(row.get("lane_seconds") or 0.0)
    tokens = {name: int(value) for name, value in row.items() if name != "lane_seconds"}
    return {
        **tokens,
        "lane_seconds": round(seconds, 2),
        "output_tokens_per_second": (
            round(tokens["completion_tokens"] / seconds, 1) if seconds else None
        ),
    }


def find_run(connection: Connection, run_id: str) -> dict[str, Any]:
    """The row of a run, `latest` for the one that started last."""
    row = record(connection, "export/select_run", run_id=run_id)
    if row is not None:
        return row
    recent = connection.execute(
        "SELECT run_id FROM synthesis.run ORDER BY started_at DESC LIMIT 5"
    ).fetchall()
    if not recent:
        raise ExportError("there is no run to export yet; trigger DAG profile_synthesis first")
    names = ", ".join(name for (name,) in recent)
    raise ExportError(
        f"there is no run {run_id!r}; the newest are {names}. Name one of them, or `latest`"
    )


def file_name(run_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", run_id)


def answer_figures(connection: Connection, report: dict[str, Any]) -> dict[str, Any]:
    """Figures of a run's answers that `build_report` does not need, JSON-ready."""
    run_id = report["run_id"]
    answers = record(connection, "export/sum_answers", run_id=run_id) or {}
    windows = [lane["gauges"].get("context_tokens") for lane in report["lanes"]]
    # The context window that the engines report; None for engines that do not.
    context = max((int(tokens) for tokens in windows if tokens), default=None)
    use = record(connection, "export/select_context_use", run_id=run_id, context=context)
    documents = answers["documents"]
    return {
        "success_rate": round(answers["succeeded"] / documents, 4) if documents else None,
        "attempts": answers["attempts"],
        "failures": answers["failures"],
        "median_answer_seconds": answers["median_seconds"],
        "context_use": {"context_tokens": context, **(use or {})},
    }

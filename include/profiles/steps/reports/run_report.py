"""The figures of a run: kept in `run.report`, and in the run report that travels, one HTML file
and one JSON file.

All hold counts, reasons, ids of runs and releases, hosts and cards, and nothing about a person: no
name, text, key or candidate id. The HTML is made from the JSON, so the two cannot differ.
"""

from __future__ import annotations

import logging
import re
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from profiles import __version__
from profiles.errors import ExportError, ReconciliationError
from profiles.reporting import render_html
from profiles.settings import load_settings, whole_file, without_secrets
from profiles.steps.check_sources import UNREAD, WARNING, noted
from profiles.storage.connection import Database
from profiles.storage.runs import Band, count_buckets, count_reasons, gate_bands, run_series
from profiles.storage.sql_files import Connection, execute, record, records

log = logging.getLogger(__name__)

_LOGGED = ("candidates", "buckets", "published", "seconds", "energy_kwh")
COVERAGE_TOKENS = ("model_calls", "prompt_tokens", "completion_tokens", "cached_tokens")

_ADVICE = "free space, or give another place with --html and --json or in PROFILES_REPORTS"

FORMAT = 2
"""Version of the JSON file's layout; a member that goes or changes its meaning makes a new one."""


def run(database: Database, *, run_id: str) -> dict[str, int]:
    """The report task."""
    buckets = store(database, run_id=run_id)
    keep(database, run_id=run_id)
    return buckets


def store(database: Database, *, run_id: str) -> dict[str, int]:
    """Builds the report, stores it on the run, logs its head and returns the bucket counts."""
    report = build_report(database, run_id=run_id)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.run SET report = %s WHERE run_id = %s", (Jsonb(report), run_id)
        )
    count_people(database, run_id=run_id, gate=report["gate"]["counts"], tokens=report["tokens"])
    log.info("run %s: %s", run_id, {name: report[name] for name in _LOGGED} | report["tokens"])
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
        reasons = count_reasons(connection, run_id)
        stages = records(connection, "report/select_stages", run_id=run_id)
        gpus = records(connection, "report/select_gpus", run_id=run_id)
        run_row = record(connection, "report/select_run", run_id=run_id) or {}
        gate = {name: reasons[name] for name in ("counts", "scores", "removed")}
        bands = gate_bands(connection, run_id, gate)
        counts = {name: value for stage in stages for name, value in stage["counts"].items()}
        energy = [card["kwh"] for card in gpus if card["kwh"] is not None]
        return {
            "run_id": run_id,
            "candidates": counted.candidates if counted else None,
            "planned": counted.planned if counted else None,
            "buckets": {str(b): n for b, n in counted.buckets.items()} if counted else {},
            "stale": reasons["stale"],
            "refused": reasons["refused"],
            "gate": {**gate, "outside": [asdict(band) for band in bands if band.is_outside]},
            "bands": list(map(asdict, bands)),
            "unreadable_rows": reasons["unreadable_row"],
            "unread_paths": noted(counts, UNREAD),
            "warnings": list(noted(counts, WARNING)),
            "reader_text": reasons["reader_text"],
            "tokens": record(connection, "report/sum_tokens", run_id=run_id),
            "notice": run_row.get("notice"),
            "published": run_row.get("published"),
            "withdrawn": run_row.get("withdrawn"),
            "seconds": run_row.get("seconds", 0.0),
            "stages": stages,
            "lanes": records(connection, "report/select_lanes", run_id=run_id),
            "gpus": gpus,
            "energy_kwh": round(sum(energy), 4) if energy else None,
        }


def find_run(connection: Connection, run_id: str) -> dict[str, Any]:
    """The row of a run, `latest` for the one that started last."""
    row = record(connection, "report/select_run", run_id=run_id)
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


def report_files(run_id: str) -> tuple[Path, Path]:
    folder, name = load_settings().reports, file_name(run_id)
    return folder / f"{name}.html", folder / f"{name}.json"


def collect(database: Database, *, run_id: str, is_stored: bool = False) -> dict[str, Any]:
    """All that both files say of a run, `latest` for the one that started last; JSON-ready.
    `is_stored` takes the figures that its report task stored, for a reader without the right to
    source rows."""
    with database.connect(snapshot=True) as connection:
        row = find_run(connection, run_id)
        found = str(row["run_id"])
        report = _stored(connection, found) if is_stored else build_report(database, run_id=found)
        del row["seconds"]  # as the report has them
        if named := row["params"].get("candidate_ids"):
            # Which people were named is nobody else's business, how many is.
            row["params"]["candidate_ids"] = len(named)
        windows = [lane["gauges"].get("context_tokens") for lane in report["lanes"]]
        # The context window that the engines report; None for engines that do not.
        context = max((int(tokens) for tokens in windows if tokens), default=None)
        use = record(connection, "export/select_context_use", run_id=found, context=context) or {}
        answers = record(connection, "export/sum_answers", run_id=found) or {}
        card_seconds = sum(lane["seconds"] * len(lane["cards"]) for lane in report["lanes"])
        content = {
            "format": FORMAT,
            "version": __version__,
            "made_at": datetime.now(UTC),
            "settings": without_secrets(row.pop("settings") or {}),
            "run": row,
            **answers,
            "context_use": {"context_tokens": context, **use},
            "release": record(connection, "report/select_release", run_id=found),
            **report,
            "failures_of_stages": records(connection, "report/select_failures", run_id=found),
            "failures_of_optional_stages": records(
                connection, "report/select_optional_failures", run_id=found
            ),
            "gpu_hours": round(card_seconds / 3600, 2),
            "series": run_series(connection, found),
        }
    return dict(orjson.loads(orjson.dumps(content, default=str)))


def _stored(connection: Connection, run_id: str) -> dict[str, Any]:
    row = connection.execute(
        "SELECT report FROM synthesis.run WHERE run_id = %s", (run_id,)
    ).fetchone()
    if row is None or row[0] is None:
        raise ExportError(
            f"run {run_id} has no report yet; task `report` writes it. Until then "
            f"`profiles report {run_id}` shows the present counts"
        )
    return dict(row[0])


def write(
    report: dict[str, Any], *, html: Path | None = None, json_file: Path | None = None
) -> None:
    """Writes the files that are named, over older ones of the same name."""
    if json_file is not None:
        with whole_file(json_file, advice=_ADVICE, mode=0o666) as file:
            file.write(orjson.dumps(report, option=orjson.OPT_INDENT_2) + b"\n")
    if html is not None:
        with whole_file(html, advice=_ADVICE, mode=0o666) as file:
            file.write(render_html(report).encode())


def keep(database: Database, *, run_id: str) -> dict[str, str | None]:
    """Write both files into the report folder, and where, or why not, into the run's report."""
    report = collect(database, run_id=run_id)
    html, json_file = report_files(run_id)
    files: dict[str, str | None] = {"html": str(html), "json": str(json_file), "warning": None}
    try:
        write(report, html=html, json_file=json_file)
        log.info("run %s: report written to %s", run_id, html)
    except ExportError as error:
        files = {"html": None, "json": None, "warning": str(error)}
        log.warning("run %s has no report files: %s", run_id, error)
    with database.connect() as connection:
        execute(connection, "report/note_files", run_id=run_id, files=Jsonb(files))
    return files

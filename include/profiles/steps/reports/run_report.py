"""The run report that travels: one HTML file and one JSON file with the figures of a run.

Both hold counts, reasons, ids of runs and releases, hosts and cards, and nothing about a person: no
name, text, key or candidate id. The HTML is made from the JSON, so the two cannot differ.
"""

from __future__ import annotations

import logging
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from profiles import __version__
from profiles.errors import ExportError
from profiles.reporting import render_html
from profiles.settings import (
    INCLUDE_DIR,
    Settings,
    beside_airflow,
    load_settings,
    whole_file,
    without_secrets,
)
from profiles.steps.reports import report as report_step
from profiles.steps.reports.plan_cost import local_cost
from profiles.steps.reports.report import answer_figures, build_report, file_name, find_run
from profiles.storage.connection import Database
from profiles.storage.run_history import gate_bands, run_series
from profiles.storage.sql_files import Connection, execute, record, records

log = logging.getLogger(__name__)

_ADVICE = "free space, or give another place with --html and --json or in PROFILES_REPORTS"

FORMAT = 1
"""Version of the JSON file's layout; a member that goes or changes its meaning makes a new one."""


def report_folder(settings: Settings) -> Path:
    """Folder of the reports: setting PROFILES_REPORTS, or beside Airflow's own files."""
    if settings.reports is not None:
        return settings.reports.expanduser().absolute()
    return beside_airflow("reports", INCLUDE_DIR.parent / ".profiles" / "reports")


def collect(database: Database, *, run_id: str, is_stored: bool = False) -> dict[str, Any]:
    """All that both files say of a run, `latest` for the one that started last; JSON-ready.
    `is_stored` takes the figures that its report task stored, for a reader without the right to
    source rows."""
    with database.connect(snapshot=True) as connection:
        connection.execute("SET TRANSACTION READ ONLY")
        row = find_run(connection, run_id)
        found = str(row["run_id"])
        report = _stored(connection, found) if is_stored else build_report(database, run_id=found)
        content = {
            "format": FORMAT,
            "version": __version__,
            "made_at": datetime.now(UTC),
            "settings": without_secrets(row.pop("settings") or {}),
            "run": {**row, "params": _without_ids(row["params"])},
            **answer_figures(connection, report),
            "release": record(connection, "report/select_release", run_id=found),
            **report,
            "failures_of_stages": records(connection, "report/select_failures", run_id=found),
            "failures_of_optional_stages": records(
                connection, "report/select_optional_failures", run_id=found
            ),
            "bands": [asdict(band) for band in gate_bands(connection, found, report["gate"])],
            "cost": _cost(load_settings(), report),
            "series": run_series(connection, found),
        }
    return dict(orjson.loads(orjson.dumps(content, default=str)))


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


def run(database: Database, *, run_id: str) -> dict[str, int]:
    """The report task: counts the run, stores the report, keeps both files; returns the buckets."""
    buckets = report_step.run(database, run_id=run_id)
    keep(database, run_id=run_id)
    return buckets


def keep(database: Database, *, run_id: str) -> dict[str, str | None]:
    """Write both files into the report folder, and where, or why not, into the run's report."""
    files: dict[str, str | None]
    report = collect(database, run_id=run_id)
    folder = report_folder(load_settings())
    name = file_name(run_id)
    html, json_file = folder / f"{name}.html", folder / f"{name}.json"
    try:
        write(report, html=html, json_file=json_file)
        files = {"html": str(html), "json": str(json_file), "warning": None}
        log.info("run %s: report written to %s", run_id, html)
    except ExportError as error:
        files = {"html": None, "json": None, "warning": str(error)}
        log.warning("run %s has no report files: %s", run_id, error)
    with database.connect() as connection:
        bound = {"run_id": run_id, "files": Jsonb(files)}
        execute(connection, "report/note_files", **bound)
    return files


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


def _without_ids(params: dict[str, Any]) -> dict[str, Any]:
    """The Params of the run; which people were named is nobody else's business, how many is."""
    named = params.get("candidate_ids")
    return {**params, "candidate_ids": len(named)} if named else params


def _cost(settings: Settings, report: dict[str, Any]) -> dict[str, Any]:
    hours = sum(lane["seconds"] * len(lane["cards"]) for lane in report["lanes"]) / 3600
    return local_cost(hours, report["energy_kwh"], settings.electricity_price)

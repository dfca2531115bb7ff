"""Writes a run's raw answers and what they came to into two files that only their owner reads.

The answers are streamed: memory does not grow with the run. A file appears under its name only
when it is complete.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import orjson
import psycopg
from psycopg.rows import dict_row

from profiles import __version__
from profiles.errors import ExportError
from profiles.projection import PROJECTED, Observed, project
from profiles.redaction import without_secrets
from profiles.settings import INCLUDE_DIR
from profiles.steps.report import RunReport, build_report
from profiles.storage.connection import Database
from profiles.storage.sql_files import load

__all__ = ["DEFAULT_FOLDER", "NOTICE", "Exported", "figures", "file_name", "find_run", "run"]

log = logging.getLogger(__name__)

DEFAULT_FOLDER = INCLUDE_DIR.parent / ".profiles" / "exports"
NOTICE = (
    "Personal data: summaries and raw answers describe real people by candidate id. Keep the "
    "files where the database may be kept, and delete them when done; erasing a candidate does "
    "not reach them."
)
_ROWS_AT_A_TIME = 100
_LOADING = ("load_seconds", "warm_up_seconds", "first_batch_seconds")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    run_id: str
    answers: int
    raw: Path
    metadata: Path
    notice: str = NOTICE


def run(database: Database, *, run_id: str, folder: Path | None, force: bool = False) -> Exported:
    """Exports the run, `latest` for the one that started last.

    Raises:
        ExportError: there is no such run, a file is there already, or the folder is not writable.
    """
    with database.connect(snapshot=True) as connection:
        # Both files are of one state of the database, also while the run goes on.
        connection.execute("SET TRANSACTION READ ONLY")
        row = find_run(connection, run_id)
        found = str(row["run_id"])
        name = file_name(found)
        folder = (folder or DEFAULT_FOLDER / name).absolute()
        raw, about = folder / f"{name}-raw.jsonl", folder / f"{name}-metadata.json"
        _prepare(folder, (raw, about), force=force)
        report = build_report(database, run_id=found)
        with _complete(raw) as file:
            answers = _write_answers(connection, found, file)
        metadata = {"notice": NOTICE, **figures(connection, row, report)}
        with _complete(about) as file:
            file.write(orjson.dumps(metadata, default=str, option=orjson.OPT_INDENT_2) + b"\n")
    log.info("run %s: %s answers exported", found, answers)
    return Exported(run_id=found, answers=answers, raw=raw, metadata=about)


def find_run(connection: psycopg.Connection[Any], run_id: str) -> dict[str, Any]:
    """The row of a run with its release, `latest` for the one that started last.

    Raises:
        ExportError: there is no such run; the message names the newest.
    """
    row = _row(connection, "export/select_run", {"run_id": run_id})
    if row is None:
        raise ExportError(_unknown(connection, run_id))
    return row


def file_name(run_id: str) -> str:
    """A run's id as files are named after it."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", run_id)


def _unknown(connection: psycopg.Connection[Any], run_id: str) -> str:
    recent = connection.execute(
        "SELECT run_id FROM synthesis.run ORDER BY started_at DESC LIMIT 5"
    ).fetchall()
    if not recent:
        return "there is no run to export yet; trigger DAG profile_synthesis first"
    names = ", ".join(name for (name,) in recent)
    return f"there is no run {run_id!r}; the newest are {names}. Name one of them, or `latest`"


def _prepare(folder: Path, files: tuple[Path, ...], *, force: bool) -> None:
    there = [path.name for path in files if path.exists()]
    if there and not force:
        raise ExportError(
            f"{folder} has {', '.join(there)} already; give --force to write anew, or another --out"
        )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(
            f"folder {folder} cannot be made ({error.strerror}); give another --out"
        ) from error


@contextmanager
def _complete(path: Path) -> Iterator[IO[bytes]]:
    """A file for its owner alone, under its name when the block ends well."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            yield file
        partial.replace(path)
    except OSError as error:
        raise ExportError(
            f"{path} cannot be written ({error.strerror}); make room or give another --out"
        ) from error
    finally:
        partial.unlink(missing_ok=True)


def _write_answers(connection: psycopg.Connection[Any], run_id: str, file: IO[bytes]) -> int:
    written = 0
    with connection.cursor(name="export_answers", row_factory=dict_row) as cursor:
        cursor.itersize = _ROWS_AT_A_TIME
        for row in cursor.execute(load("export/select_completions"), {"run_id": run_id}):
            file.write(orjson.dumps(row, default=str) + b"\n")
            written += 1
    return written


def _row(
    connection: psycopg.Connection[Any], name: str, bound: dict[str, Any]
) -> dict[str, Any] | None:
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(load(name), bound).fetchone()


def figures(
    connection: psycopg.Connection[Any], row: dict[str, Any], report: RunReport
) -> dict[str, Any]:
    """What a run came to, JSON-ready; `row` is what `find_run` returns."""
    run_id = report.run_id
    answers = _row(connection, "export/sum_answers", {"run_id": run_id}) or {}
    context = _context_tokens(report)
    use = _row(connection, "export/select_context_use", {"run_id": run_id, "context": context})
    return {
        "version": __version__,
        "run": {name: value for name, value in row.items() if name not in ("release", "settings")},
        "release": row["release"],
        "settings": without_secrets(row["settings"] or {}),
        "buckets": report.buckets,
        "success_rate": _share(answers["succeeded"], answers["documents"]),
        "attempts": answers["attempts"],
        "failures": answers["failures"],
        "scores": report.gate.get("scores", {}),
        "removed_sentences": report.gate.get("removed", {}),
        "tokens": report.tokens,
        "median_answer_seconds": answers["median_seconds"],
        "context_use": {"context_tokens": context, **(use or {})},
        "model_load": [
            {"lane": lane["lane"], **{name: lane[name] for name in _LOADING}}
            for lane in report.lanes
        ],
        "memory": [_memory(lane) for lane in report.lanes],
        "lanes": report.lanes,
        "gpus": report.gpus,
        "energy_kwh": report.energy_kwh,
        **_projections(report, documents=answers["documents"]),
    }


def _context_tokens(report: RunReport) -> int | None:
    """The context window as the engines told it; None for engines that do not."""
    told = [lane["gauges"].get("context_tokens") for lane in report.lanes]
    return max((int(tokens) for tokens in told if tokens), default=None)


def _memory(lane: dict[str, Any]) -> dict[str, Any]:
    """What the engine reported of its memory, per card; vLLM reports its KV cache only."""
    told = {name: value for name, value in lane["gauges"].items() if name.startswith("memory_")}
    return {"lane": lane["lane"], **told}


def _projections(report: RunReport, *, documents: int) -> dict[str, Any]:
    worked = [lane for lane in report.lanes if lane["output_tokens_per_second"]]
    if not documents or not worked:
        return {"projections": [], "projection_basis": "no lane of this run answered a document"}
    starts = [(lane["load_seconds"] or 0) + (lane["warm_up_seconds"] or 0) for lane in worked]
    seen = Observed(
        documents=documents,
        prompt_tokens=report.tokens["prompt_tokens"],
        output_tokens=report.tokens["completion_tokens"],
        lanes=len(worked),
        cards_per_lane=sum(len(lane["cards"]) for lane in worked) / len(worked),
        rate=sum(lane["output_tokens_per_second"] for lane in worked) / len(worked),
        load_seconds=max(starts),
        kwh=report.energy_kwh,
    )
    return {
        "projections": [asdict(project(seen, candidates)) for candidates in PROJECTED],
        "projection_basis": (
            f"{documents} documents of this run on {len(worked)} lanes at "
            f"{seen.rate:.1f} output tokens/s each; every candidate needs the model, nothing is "
            "fresh; energy is that of the samples, load included"
            + ("" if documents >= PROJECTED[0] // 10 else "; a small run, so take it with care")
        ),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None

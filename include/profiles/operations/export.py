"""Writes a run's raw answers and its figures into two files that only their owner reads."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import NamedTuple

import orjson
from psycopg.rows import dict_row

from profiles.errors import ExportError
from profiles.settings import INCLUDE_DIR, whole_file
from profiles.steps.reports.run_report import collect, file_name, find_run
from profiles.storage.connection import Database
from profiles.storage.sql_files import execute

log = logging.getLogger(__name__)

DEFAULT_FOLDER = INCLUDE_DIR.parent / ".profiles" / "exports"
NOTICE = (
    "Personal data: summaries and raw answers describe real people by candidate id. Keep the "
    "files where the database may be kept, and delete them when done; erasing a candidate does "
    "not reach them."
)
_ADVICE = "free disk space or give another --out"


class Exported(NamedTuple):
    """Where the files are and how many answers they hold."""

    run_id: str
    answers: int
    raw: Path
    metadata: Path
    notice: str = NOTICE


def run(database: Database, *, run_id: str, folder: Path | None, force: bool = False) -> Exported:
    with database.connect(snapshot=True) as connection:
        found = str(find_run(connection, run_id)["run_id"])
        name = file_name(found)
        folder = (folder or DEFAULT_FOLDER / name).absolute()
        raw, about = folder / f"{name}-raw.jsonl", folder / f"{name}-metadata.json"
        there = [path.name for path in (raw, about) if path.exists()]
        if there and not force:
            raise ExportError(
                f"{folder} has {', '.join(there)} already; give --force, or another --out"
            )
        answers = 0
        with (
            whole_file(raw, advice=_ADVICE) as file,
            connection.cursor(name="export_answers", row_factory=dict_row) as cursor,
        ):
            for row in execute(cursor, "export/select_completions", run_id=found):
                file.write(orjson.dumps(row, default=str) + b"\n")
                answers += 1
        metadata = {**collect(database, run_id=found), "notice": NOTICE}
        with whole_file(about, advice=_ADVICE) as file:
            file.write(orjson.dumps(metadata, option=orjson.OPT_INDENT_2) + b"\n")
    log.info("run %s: %s answers exported", found, answers)
    return Exported(found, answers, raw, about)

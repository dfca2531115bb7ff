"""A sheet on which people judge a sample of a run's answers, and what comes of it.

The sheet holds personal data and is for its owner alone. It does not say what the gate did, so that
nobody is led. What comes back is taken in whole or not at all.
"""

from __future__ import annotations

import csv
import io
import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from psycopg.types.json import Jsonb
from pydantic import AfterValidator, BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from profiles.errors import ExportError, ReviewError
from profiles.judging import CRITERIA, cohen_kappa, measure_agreement
from profiles.settings import whole_file
from profiles.steps.judge import store_agreement
from profiles.steps.reports.run_report import find_run
from profiles.storage.connection import Database
from profiles.storage.sql_files import execute, records

log = logging.getLogger(__name__)

NOTICE = (
    "Personal data: the sheet holds documents and summaries of real people. Keep it where the "
    "database may be kept, and delete it when the labels are imported; erasing a candidate does "
    "not reach it."
)
KEYS = ("run_id", "candidate_id", "fingerprint", "attempt_id")
VERDICTS = ("faithful", "complete", "useful")
COLUMNS = (*KEYS, "document", "summary", "skills", *VERDICTS, "note")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MOST_PROBLEMS = 20
_EXPECTED = {"bool": "yes or no", "int": "an id", "greater": "an id", "less": "an id"}
"""By the beginning of pydantic's code of a fault, what a cell should be."""


def _undefused(text: str) -> str:
    """The cell as it was before `defused`: a run id may begin like a formula."""
    return text[1:] if text[:1] == "'" and text[1:2] in _FORMULA else text


Filled = Annotated[str, Field(min_length=1), AfterValidator(_undefused)]


class Label(BaseModel):
    run_id: Filled
    candidate_id: int = Field(gt=0, lt=10**18)
    fingerprint: Filled
    attempt_id: Filled
    faithful: bool
    complete: bool
    useful: bool
    note: str = Field(default="", max_length=2_000)

    @property
    def key(self) -> tuple[int, str, str, str]:
        return self.candidate_id, self.fingerprint, self.attempt_id, self.run_id


def export(
    database: Database, *, run_id: str, size: int, seed: int, path: Path, force: bool = False
) -> dict[str, Any]:
    """Write a sheet of up to `size` answers that only its owner can read; return what it holds."""
    with database.connect() as connection:
        found = str(find_run(connection, run_id)["run_id"])
        answers = records(connection, "review/select_sample", run_id=found, seed=seed, size=size)
    if not answers:
        raise ExportError(
            f"run {found} has no answer with a summary whose document is still the same; name a "
            "run with model calls (`profiles status`)"
        )
    if path.exists() and not force:
        raise ExportError(f"{path} exists and may hold verdicts; give another file, or --force")
    sheet = io.StringIO(newline="")
    writer = csv.DictWriter(sheet, COLUMNS, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for answer in answers:
        writer.writerow({name: defused(str(cell)) for name, cell in answer.items()})
    with whole_file(path, advice="name another") as file:
        file.write(sheet.getvalue().encode("utf-8-sig"))
    log.info("run %s: a review sheet of %s answers", found, len(answers))
    return {"run_id": found, "answers": len(answers), "sheet": str(path), "notice": NOTICE}


def import_sheet(database: Database, *, path: Path, reviewer: str) -> dict[str, int]:
    """Takes in the labels of a sheet; counts `labels` and rows `left_empty`."""
    labels, left_empty = read_sheet(path)
    with database.connect() as connection:
        bound = {"labels": Jsonb([label.model_dump() for _, label in labels]), "reviewer": reviewer}
        known = set(execute(connection, "review/upsert_labels", **bound).fetchall())
        problems = [
            f"row {number}: there is no such answer; the person was erased, or the sheet is of "
            "another database. Delete the row"
            for number, label in labels
            if label.key not in known
        ]
        _refuse(path, problems)
    log.info("%s labels taken in", len(labels))
    return {"labels": len(labels), "left_empty": left_empty}


def read_sheet(path: Path) -> tuple[list[tuple[int, Label]], int]:
    """The labels with the number of their row (the head is 1), and the count of empty rows."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in (*KEYS, *VERDICTS) if name not in (reader.fieldnames or ())]
            if missing:
                raise ReviewError(
                    f"{path} has no column {', '.join(missing)}; keep the head of the "
                    "sheet that `profiles review export` wrote, with commas between the columns"
                )
            rows = list(enumerate(reader, start=2))
    except OSError as error:
        raise ReviewError(f"{path} cannot be read ({error.strerror}); name another") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ReviewError(
            f"{path} cannot be read as CSV in UTF-8 ({type(error).__name__}); save it as such"
        ) from error
    labels: list[tuple[int, Label]] = []
    problems: list[str] = []
    left_empty = 0
    for number, row in rows:
        cells = {name: (row.get(name) or "").strip() for name in (*KEYS, *VERDICTS, "note")}
        if not any(cells[name] for name in VERDICTS):
            left_empty += 1
            continue
        try:
            labels.append((number, Label.model_validate(cells)))
        except ValidationError as error:
            problems.append(f"row {number}: {'; '.join(map(_fault, error.errors()))}")
    counted = Counter(label.key for _, label in labels)
    problems += [
        f"row {number}: the same answer stands in another row too; keep one"
        for number, label in labels
        if counted[label.key] > 1
    ]
    _refuse(path, problems)
    return labels, left_empty


def agreement(database: Database, *, run_id: str | None) -> dict[str, Any]:
    """Labels of people beside the gate, of `run_id` or of all runs, and the judges. A judge with
    twenty labelled scores or more is measured on each criterion, and its scores may then be
    shown."""
    measured: dict[str, dict[str, Any]] = {}
    with database.connect() as connection:
        gate = execute(connection, "review/select_gate", run_id=run_id).fetchall()
        judges = connection.execute("SELECT judge_key FROM synthesis.judge ORDER BY 1").fetchall()
        for (key,) in judges:
            found = execute(connection, "review/select_judged", judge_key=key).fetchall()
            for place, criterion in enumerate(CRITERIA):
                pairs = [(row[2 * place], row[2 * place + 1]) for row in found]
                figures = measure_agreement(pairs)
                shown: dict[str, Any] = {"cases": figures.cases, "kappa": None, "auc": None}
                if figures.is_enough:
                    about = {"criterion": criterion, "labels": "people"}
                    store_agreement(connection, key, **about, agreement=figures)
                    shown |= {"kappa": figures.kappa, "auc": figures.auc}
                measured.setdefault(key, {})[criterion] = shown
        summary = records(connection, "judge/select_summary", run_id=run_id)
    return {"gate": _gate(gate), "judges": measured, "shown": summary}


def _gate(pairs: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    """The gate against people: a fault is an answer that a person calls unfaithful."""
    counted = Counter(pairs)
    refused = counted[False, True] + counted[False, False]
    faults = counted[True, False] + counted[False, False]
    return {
        "labels": len(pairs),
        "accepted_and_faithful": counted[True, True],
        "accepted_and_not": counted[True, False],
        "refused_and_faithful": counted[False, True],
        "refused_and_not": counted[False, False],
        "precision": round(counted[False, False] / refused, 4) if refused else None,
        "recall": round(counted[False, False] / faults, 4) if faults else None,
        "kappa": cohen_kappa(list(pairs)),
    }


def defused(text: str) -> str:
    """The text as no spreadsheet takes it for a formula: after an apostrophe where it looks so."""
    return f"'{text}" if text.lstrip(" \n").startswith(_FORMULA) or text[:1] in _FORMULA else text


def _fault(error: ErrorDetails) -> str:
    """A fault in words, without what stands in the cell."""
    cell, expected = error["loc"][0], _EXPECTED.get(error["type"].partition("_")[0])
    return f"{cell} is not {expected}" if expected else f"{cell}: {error['msg']}"


def _refuse(path: Path, problems: list[str]) -> None:
    if problems:
        shown = problems[:_MOST_PROBLEMS]
        if len(problems) > len(shown):
            shown.append(f"and {len(problems) - len(shown)} more")
        lines = "\n  ".join(shown)
        raise ReviewError(f"{path} was not imported; fix it and import it again:\n  {lines}")

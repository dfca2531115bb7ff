"""The files that the matrix writes: one JSON, and the page made from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.reliability import page
from tests.reliability.watched import Row

SOAK = "soak"


class Report:
    """Rows measured now, and those of the file that stay because they were not asked for."""

    def __init__(self, path: Path | None, page_path: Path | None, *, seed: int, only: bool) -> None:
        """`only`: some rows were named, and the others of the file stay. A soak is asked for by
        itself, so without one the last one's row stays in any case."""
        self.rows: list[Row] = []
        self.unmeasured: list[str] = []
        self._path, self._page_path, self._seed = path, page_path, seed
        kept = json.loads(path.read_text()) if path and path.exists() else {"rows": []}
        self._rows = [row for row in kept["rows"] if only or _is_soak(row)]
        self._unmeasured = set(kept.get("unmeasured", ())) if only else set()

    @property
    def failed(self) -> list[str]:
        """Rows measured now that do not hold, and rows that could not be measured."""
        return [row.fault for row in self.rows if not row.holds] + self.unmeasured

    def add(self, name: str, rows: list[Row]) -> None:
        """Takes the rows of one function in and writes the files."""
        self.rows += rows
        self._unmeasured.discard(name)
        self._write()

    def give_up(self, name: str) -> None:
        """A function came to no rows."""
        self.unmeasured.append(name)
        self._write()

    def _write(self) -> None:
        report = {
            "rows": _merged([row.to_json() for row in self.rows], self._rows),
            "unmeasured": sorted(self._unmeasured | set(self.unmeasured)),
            "seed": self._seed,
        }
        if self._path:
            self._path.write_text(json.dumps(report, indent=2) + "\n")
        if self._page_path:
            known = self._page_path.read_text() if self._page_path.exists() else ""
            _, mark, by_hand = known.partition(page.BY_HAND)
            self._page_path.write_text(page.render(report) + mark + by_hand)


def _merged(found: list[dict[str, Any]], kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows measured now, in the place of older rows of the same faults; soaks come last."""
    now = {row["fault"]: row for row in found}
    known = {row["fault"] for row in kept}
    rows = [now.get(row["fault"], row) for row in kept]
    rows += [row for row in found if row["fault"] not in known]
    return sorted(rows, key=_is_soak)


def _is_soak(row: dict[str, Any]) -> bool:
    return str(row["fault"]).startswith(SOAK)

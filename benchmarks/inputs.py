"""Facts of real vendors' rows that reach the document, and text that must not.

    python -m benchmarks.inputs FILE

FILE has a case a line: `name`, `source` (of a mapping), `input` (a row), `expected` (texts that the
document must hold) and `forbidden` (texts that it must not). The production adapters read the row
and the production renderer writes the document. Exit code 1 unless every expected text is kept and
no forbidden one is found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from profiles.extraction.mapping import SourceMapping
from profiles.extraction.reader import read_row
from profiles.models import Candidate, RowRejection
from profiles.rendering.markdown import render
from profiles.standardization.skills import Vocabulary
from profiles.storage.mappings import load_mappings
from profiles.storage.taxonomy import load_vocabulary


@dataclass(frozen=True)
class Result:
    """Result of one case. `problem` is the reason where there is no document at all."""

    name: str
    facts: int
    lost: tuple[str, ...]
    found: tuple[str, ...]
    document: str
    problem: str | None = None

    def __str__(self) -> str:
        lost = f"; lost: {', '.join(map(repr, self.lost))}" if self.lost else ""
        found = f"; forbidden: {', '.join(map(repr, self.found))}" if self.found else ""
        problem = f"; {self.problem}" if self.problem else ""
        return f"{self.name}: {self.facts - len(self.lost)} of {self.facts}{lost}{found}{problem}"


def judged(
    case: Mapping[str, Any], mappings: Mapping[str, SourceMapping], vocabulary: Vocabulary
) -> Result:
    """Reads and renders the row of a case."""
    document, problem = "", None
    record = read_row(mappings[case["source"]], case["input"])
    if isinstance(record, RowRejection):
        problem = f"row rejected: {record.reason} ({record.detail})"
    elif (rendered := render(Candidate(1, (record,)), vocabulary=vocabulary)) is not None:
        document = rendered.markdown
    else:
        problem = "no document"
    expected: Sequence[str] = case["expected"]
    return Result(
        name=case["name"],
        facts=len(expected),
        lost=tuple(text for text in expected if text not in document),
        found=tuple(text for text in case["forbidden"] if text in document),
        document=document,
        problem=problem,
    )


def results(cases: Iterable[Mapping[str, Any]]) -> list[Result]:
    """The result of each case, by the shipped mappings and vocabulary."""
    return [judged(case, *_shipped()) for case in cases]


@cache
def _shipped() -> tuple[Mapping[str, SourceMapping], Vocabulary]:
    return load_mappings(), load_vocabulary()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", type=Path, help="cases, a JSON object a line")
    parser.add_argument("--documents", action="store_true", help="print each document too")
    options = parser.parse_args(arguments)
    lines = options.file.read_text(encoding="utf-8").splitlines()
    judged_cases = results(json.loads(line) for line in lines if line.strip())
    for result in judged_cases:
        print(result)
        if options.documents:
            print(result.document)
    facts = sum(result.facts for result in judged_cases)
    lost = sum(len(result.lost) for result in judged_cases)
    found = sum(len(result.found) for result in judged_cases)
    print(f"kept {facts - lost} of {facts} facts, {found} forbidden found")
    return int(bool(lost or found))


if __name__ == "__main__":
    sys.exit(main())

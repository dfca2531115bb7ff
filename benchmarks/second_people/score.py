"""Score of a partition: `python -m benchmarks.second_people.score FOLDER PARTITION.csv`.

Recall by noise kind counts the true pairs in which either row has the kind. A source row that the
partition leaves out counts as a candidate of its own; a row that the truth lacks is an error.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

__all__ = ["score"]

Row = tuple[str, str]


def _column(path: Path, column: str) -> dict[Row, str]:
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["table"], row["id"]): row[column] for row in csv.DictReader(file)}


def _pairs(sizes: Counter[Any]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.values())


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def score(folder: Path, partition: Path) -> dict[str, Any]:
    """Pair precision and recall, recall of decidable pairs and by noise kind, mixed candidates."""
    truth, found = _column(folder / "truth.csv", "person"), _column(partition, "candidate")
    unknown = found.keys() - truth.keys()
    if unknown:
        raise ValueError(f"{len(unknown)} rows of {partition} are not in {folder}/truth.csv")
    candidate = {row: ("found", found[row]) if row in found else ("alone", row) for row in truth}
    people: dict[Any, set[str]] = defaultdict(set)
    for row, person in truth.items():
        people[candidate[row]].add(person)
    right = _pairs(Counter((candidate[row], person) for row, person in truth.items()))
    merged, true = _pairs(Counter(candidate.values())), _pairs(Counter(truth.values()))
    noise = {row: kinds.split() for row, kinds in _column(folder / "noise.csv", "kinds").items()}
    by_kind: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    with (folder / "decidable.csv").open(encoding="utf-8", newline="") as file:
        for pair in csv.DictReader(file):
            left, other = (pair["table_a"], pair["id_a"]), (pair["table_b"], pair["id_b"])
            together = candidate[left] == candidate[other]
            decided = "decidable" if pair["decidable"] == "1" else "undecidable"
            for kind in {*noise[left], *noise[other], f"({decided})"}:
                by_kind[kind][0] += together
                by_kind[kind][1] += 1
    return {
        "rows": len(truth),
        "rows_missing": len(truth) - len(found),
        "true_pairs": true,
        "precision": _share(right, merged),
        "recall": _share(right, true),
        "recall_decidable": _share(*by_kind.get("(decidable)", [0, 0])),
        "decidable_pairs": by_kind.get("(decidable)", [0, 0])[1],
        "mixed_candidates": sum(len(persons) > 1 for persons in people.values()),
        "recall_by_kind": {
            kind: {"recall": _share(*counts), "pairs": counts[1]}
            for kind, counts in sorted(by_kind.items())
        },
    }


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m benchmarks.second_people.score FOLDER PARTITION.csv")
    print(json.dumps(score(Path(sys.argv[1]), Path(sys.argv[2])), indent=1))

"""Contact data found in labelled texts, by language.

    python -m benchmarks.contacts tests/quality/contacts.jsonl

A line of the file has `id, language, text, contacts` (exact parts of the text) and may have
`region`. Recall: labelled parts that are wholly removed. Precision: removed parts that overlap a
labelled one. Exit 1 below recall 0.99 or precision 0.98.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from profiles.standardization.contacts import private_spans

RECALL, PRECISION = 0.99, 0.98


def main() -> int:
    """Prints a line a language, the ids of misses, and the whole."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--half", choices=("even", "odd"), help="only texts with such ids")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines()]
    if options.half:
        rows = [
            row for row in rows if int(row["id"].rpartition("-")[2]) % 2 == (options.half == "odd")
        ]
    recall, precision = measure(rows)
    return 0 if recall >= RECALL and precision >= PRECISION else 1


def measure(rows: Iterable[Mapping[str, Any]]) -> tuple[float, float]:
    """Recall and precision over all `rows`."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    missed, wrong = [], []
    for row in rows:
        text, count = row["text"], counts[row["language"]]
        spans = private_spans(text, row.get("region"))
        wanted = [(text.index(part), text.index(part) + len(part)) for part in row["contacts"]]
        hits = [any(a <= start and end <= b for a, b in spans) for start, end in wanted]
        right = [any(a < end and start < b for start, end in wanted) for a, b in spans]
        count.update(wanted=len(hits), hit=sum(hits), found=len(right), right=sum(right))
        missed += [row["id"]] * (not all(hits))
        wrong += [row["id"]] * (not all(right))
    total = sum(counts.values(), Counter())
    for language, count in (*sorted(counts.items()), ("all", total)):
        print(
            f"{language:4} recall {_share(count, 'hit', 'wanted')}"
            f"  precision {_share(count, 'right', 'found')}"
        )
    print("missed:", *missed)
    print("wrongly found:", *wrong)
    return total["hit"] / total["wanted"], total["right"] / max(total["found"], 1)


def _share(count: Counter[str], part: str, whole: str) -> str:
    return f"{count[part] / max(count[whole], 1):.3f} ({count[part]}/{count[whole]})"


if __name__ == "__main__":
    sys.exit(main())

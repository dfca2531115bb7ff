"""Precision and recall of every check of the gate, on labelled outputs.

    python -m benchmarks.gate --n 160 --seed 11 --json out.json

The outputs are those made by hand in tests/quality and those written from, and spoilt against, the
truth of generated people (see benchmarks/gate_cases.py). Each is labelled for one check (bad) or
for all (good). They are split in two halves by a hash of their key: thresholds were tuned on one,
and the figures are those of the other. A hand-made or generated good output that a check refuses
is a false alarm, a bad one that its check passes is a miss.

precision  of the outputs that the check refuses, the share that is bad
recall     of the bad outputs, the share that the check refuses
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.gate_answers import answer_cases, length_cases, skill_cases
from benchmarks.gate_cases import Case, generated, hand_made
from benchmarks.gate_faults import FAULTS
from profiles.models import LengthBand
from profiles.standardization.skills import Vocabulary
from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.checks import check_summary
from profiles.validation.evidence import Evidence

KINDS: dict[str, str] = {
    "employers": "organisations",
    "titles": "titles",
    "seniority": "ranks",
    "numbers": "numbers",
    "degrees": "degrees",
    "technologies": "technologies",
    "other_candidate": "people",
    "support": "unsupported",
}
"""Labelled kinds of claims, and the count of the claim check that must tell them."""
_COUNT = re.compile(r"(\w+)=(\d+)")
_ANY_LENGTH = LengthBand(1, 100_000)


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=160, help="people (default 160)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument(
        "--show", metavar="CHECK", help="print what a check of the tuned half misses"
    )
    options = parser.parse_args()
    vocabulary = load_vocabulary()
    judged = list(verdicts(options.n, options.seed, vocabulary))
    if options.show:
        _show(judged, options.show)
        return 0
    result = {
        "people": options.n,
        "seed": options.seed,
        "checks": figures(judged, is_tuning=False),
        "tuned_on": figures(judged, is_tuning=True),
    }
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


Verdict = tuple[Case, str, bool, str]
"""A case, the check it was put to, whether that check refused it, and the check's detail."""


def verdicts(people: int, seed: int, vocabulary: Vocabulary) -> Iterator[Verdict]:
    """Every labelled output, put to the checks that its label speaks of."""
    for case in (*hand_made(), *generated(people, seed)):
        refused = refusals(case, vocabulary)
        for check in FAULTS:
            if case.concerns(check):
                yield case, check, *refused[check]
    special: tuple[Callable[..., Iterator[Verdict]], ...] = (
        answer_cases,
        length_cases,
        skill_cases,
    )
    for cases in special:
        yield from cases(people, seed, vocabulary)


def refusals(case: Case, vocabulary: Vocabulary) -> dict[str, tuple[bool, str]]:
    """Whether each check of a summary refuses it, and the check's detail."""
    evidence = Evidence(case.document)
    checks = check_summary(case.summary, band=_ANY_LENGTH, evidence=evidence, vocabulary=vocabulary)
    refused = {check.name: (not check.passed, check.detail) for check in checks}
    detail = refused["claims"][1]
    counts = dict(_COUNT.findall(detail))
    for kind, count in KINDS.items():
        refused[kind] = (counts[count] != "0", detail)
    return refused


def figures(judged: list[Verdict], *, is_tuning: bool) -> dict[str, dict[str, Any]]:
    """Precision and recall of each check in one half."""
    found: dict[str, dict[str, Any]] = {}
    for check in dict.fromkeys(check for _, check, _, _ in judged):
        cases = [
            (case.check == check, refused)
            for case, name, refused, _ in judged
            if name == check and case.is_tuning == is_tuning
        ]
        hits = sum(is_bad and refused for is_bad, refused in cases)
        alarms = sum(refused for _, refused in cases)
        bad = sum(is_bad for is_bad, _ in cases)
        found[check] = {
            "precision": round(hits / alarms, 4) if alarms else None,
            "recall": round(hits / bad, 4) if bad else None,
            "n": len(cases),
            "good": len(cases) - bad,
            "bad": bad,
            "false_alarms": alarms - hits,
            "misses": bad - hits,
        }
    return found


def _show(judged: list[Verdict], check: str) -> None:
    for case, name, refused, detail in judged:
        is_wrong = refused != (case.check == check)
        if name == check and is_wrong and (case.is_tuning or case.is_hand_made):
            kind = "false alarm" if refused else "miss"
            print(f"{kind} {case.key} [{detail}]\n  {case.summary}\n")


if __name__ == "__main__":
    sys.exit(main())

"""Precision and recall of every check of the gate, on labelled outputs.

    python -m benchmarks.gate --n 130 --seed 80177 --json out.json

The outputs are those made by hand in tests/quality and those written from, and spoilt against, the
truth of generated people (see benchmarks/gate_cases.py). Each is labelled for one check (bad) or
for all (good). Two halves: thresholds are tuned on the people of `--tuning-seed` and on all outputs
that were seen before, and the figures are those of the people of `--seed`, of hand-made outputs
that served no tuning, and for five checks of wordings that the tuning half does not have (see
benchmarks/gate_made.py). A good output that a check refuses is a false alarm, a bad one that its
check passes is a miss.

precision  of the outputs that the check refuses, the share that is bad
recall     of the bad outputs, the share that the check refuses
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.gate_answers import answer_cases, length_cases, skill_cases
from benchmarks.gate_cases import Case, generated, hand_made, hand_made_anew, hand_made_seen
from benchmarks.gate_faults import FAULTS
from benchmarks.gate_made import MADE, made
from benchmarks.gate_rounds import REPORTED, TUNING
from benchmarks.gate_tuning import tuned
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
    parser.add_argument("--n", type=int, default=130, help="people of each half (default 130)")
    parser.add_argument("--seed", type=int, default=80177, help="people of the reported half")
    parser.add_argument("--tuning-seed", type=int, default=11, help="people of the tuning half")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--show", metavar="CHECK", help="print what a check gets wrong, no more")
    parser.add_argument("--tune", action="store_true", help="run the tuning half alone")
    options = parser.parse_args()
    vocabulary = load_vocabulary()
    tuning = list(verdicts(options.n, options.tuning_seed, vocabulary, is_tuning=True))
    if options.tune:
        _show(tuning, options.show) if options.show else print(
            json.dumps(figures(tuning), indent=1)
        )
        return 0
    reported = list(verdicts(options.n, options.seed, vocabulary, is_tuning=False))
    if options.show:
        _show(reported, options.show)
        return 0
    result = {
        "people": options.n,
        "seed": options.seed,
        "tuning_seed": options.tuning_seed,
        "checks": figures(reported),
        "new_wording": figures(
            [verdict for verdict in reported if verdict[0].is_new and verdict[1] in MADE]
        ),
        "tuned_on": figures(tuning),
    }
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


Verdict = tuple[Case, str, bool, str]
"""A case, the check it was put to, whether that check refused it, and the check's detail."""


def verdicts(
    people: int, seed: int, vocabulary: Vocabulary, *, is_tuning: bool
) -> Iterator[Verdict]:
    """Every labelled output of a half, put to the checks that its label speaks of."""
    by_hand = (*hand_made(), *hand_made_seen()) if is_tuning else hand_made_anew()
    written = generated(people, seed, is_tuning=is_tuning)
    for case in (*by_hand, *written, *_in_other_wordings(people, seed, is_tuning=is_tuning)):
        refused = refusals(case, vocabulary)
        for check in FAULTS:
            if case.concerns(check):
                yield case, check, *refused[check]
    for cases in (answer_cases, length_cases, skill_cases):
        yield from cases(people, seed, vocabulary, is_tuning=is_tuning)


def _in_other_wordings(people: int, seed: int, *, is_tuning: bool) -> Iterator[Case]:
    """Outputs made for single checks, of the wordings of the rounds that the half has."""
    for name in TUNING if is_tuning else REPORTED:
        yield from made(people, seed, name, is_tuning=is_tuning)
    if is_tuning:
        yield from tuned(people, seed)


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


def figures(judged: list[Verdict]) -> dict[str, dict[str, Any]]:
    """Precision and recall of each check."""
    found: dict[str, dict[str, Any]] = {}
    for check in dict.fromkeys(check for _, check, _, _ in judged):
        cases = [
            (case.check == check, refused) for case, name, refused, _ in judged if name == check
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
        if name == check and is_wrong:
            kind = "false alarm" if refused else "miss"
            print(f"{kind} {case.key} [{detail}]\n  {case.summary}\n")


if __name__ == "__main__":
    sys.exit(main())

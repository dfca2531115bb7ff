"""Agreement of the judge with the labelled outputs of the gate's benchmark.

    python -m benchmarks.judge --answers tests/quality/handed --json out.json
    python -m benchmarks.judge --store

The judge is this deployment's engine and model (PROFILES_ENGINE, PROFILES_MODEL) with the rubric of
include/prompts/judge, asked as the task of the DAG asks it. The outputs are labelled answers as
benchmarks/gate.py reads them, faithful ones and those with a fault of content. Their labels say
whether the document supports a summary, so only faithfulness is compared; agreement on the others
needs people, see `profiles review`.

kappa  Cohen's kappa of a score of 4 or more against the label; 0 for a judge that guesses
auc    chance that a supported summary scores above an unsupported one, ties half; 0.5 for a guess

`--store` keeps the agreement in the deployment's database, from when on the judge's scores of
faithfulness are shown beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from benchmarks.gate import Case, class_of, read_cases
from benchmarks.people import REPOSITORY
from profiles.judging import CRITERIA, THRESHOLD, Scores, measure_agreement
from profiles.settings import load_settings
from profiles.standardization.skills import Vocabulary
from profiles.steps.judge import Judge, register, score_answers, store_agreement
from profiles.storage.connection import open_database
from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.document import Document
from profiles.validation.grounding import document_skills


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=Path, default=REPOSITORY / "tests" / "quality" / "handed")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--cases", type=int, help="only so many, half of each kind")
    parser.add_argument("--store", action="store_true", help="keep the agreement in the database")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    cases = labelled(options.answers)
    if options.cases:
        cases = drawn(cases, options.cases, options.seed)
    judge = Judge.of(load_settings())
    scores = ask(judge, cases)
    result = {
        "answers": options.answers.name,
        "seed": options.seed,
        "engine": judge.choice.engine,
        "model": judge.choice.model.name,
        "rubric": judge.rubric.digest,
        "judge": judge.key,
        **figures(cases, scores),
    }
    print(json.dumps(result, indent=1))
    if options.store:
        agreement = measure_agreement(
            [(found.faithfulness if found else None, case.is_faithful)
             for case, found in zip(cases, scores, strict=True)]
        )  # fmt: skip
        with open_database().connect() as connection:
            register(connection, judge)
            store_agreement(
                connection,
                judge.key,
                criterion="faithfulness",
                labels=f"tests/quality, {len(cases)} cases, seed {options.seed}, {_digest(cases)}",
                agreement=agreement,
            )
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def labelled(folder: Path) -> list[Case]:
    """Faithful answers and those that say what the record does not."""
    return [
        case for case in read_cases(folder) if case.is_faithful or class_of(case.kind) == "content"
    ]


def drawn(cases: list[Case], wanted: int, seed: int) -> list[Case]:
    """At most `wanted` cases, half supported and half not."""
    stream = Random(f"{seed}/cases")
    kept: list[Case] = []
    for is_good in (True, False):
        of_a_kind = [case for case in cases if (case.is_faithful) == is_good]
        kept += stream.sample(of_a_kind, min(len(of_a_kind), wanted // 2))
    # Cases of one document side by side, so that the engine reads it once.
    return sorted(kept, key=lambda case: (case.document, case.key))


def ask(judge: Judge, cases: list[Case]) -> list[Scores | None]:
    """The verdicts, through the code of the task."""
    vocabulary = load_vocabulary()
    asked = [(case.document, case.summary, _skills(case.document, vocabulary)) for case in cases]
    found: dict[int, Scores | None] = {}
    for scores in score_answers(load_settings(), judge, asked, name="benchmark"):
        found |= scores
    return [found.get(at) for at in range(len(asked))]


def figures(cases: list[Case], scores: list[Scores | None]) -> dict[str, Any]:
    """The agreement on faithfulness, and what the judge said at all."""
    pairs = list(zip(cases, scores, strict=True))
    read = [(case, found) for case, found in pairs if found is not None]
    agreement = measure_agreement(
        [(found.faithfulness if found else None, case.is_faithful) for case, found in pairs]
    )
    return {
        "supported": sum(case.is_faithful for case in cases),
        "unsupported": sum(not case.is_faithful for case in cases),
        "unreadable": agreement.unreadable,
        "faithfulness": {
            "kappa": agreement.kappa,
            "auc": agreement.auc,
            "threshold": THRESHOLD,
        },
        "mean_of_supported": _mean([f.faithfulness for c, f in read if c.is_faithful]),
        "mean_of_unsupported": _mean([f.faithfulness for c, f in read if not c.is_faithful]),
        "scores": {
            name: dict(sorted(Counter(str(getattr(found, name)) for _, found in read).items()))
            for name in CRITERIA
        },
        "without_labels": [name for name in CRITERIA if name != "faithfulness"],
    }


def _skills(document: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(skill.name for skill in document_skills(Document(document, vocabulary)).skills)


def _mean(values: list[int]) -> float | None:
    return round(fmean(values), 3) if values else None


def _digest(cases: list[Case]) -> str:
    texts = "\0".join(f"{case.key}\0{case.summary}" for case in cases)
    return hashlib.sha256(texts.encode()).hexdigest()[:12]


if __name__ == "__main__":
    sys.exit(main())

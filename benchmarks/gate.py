"""True text that the gate loses and faults that it leaves, on labelled answers of strong models.

    python -m benchmarks.gate --answers FOLDER --json OUT [--ablation]

FOLDER holds `documents.jsonl` (id, markdown, word_count) and `answers.jsonl` (id, document or
document_id, answer, faithful, kind, fault, finish, language). Every answer goes through the gate
that a lane uses. Four numbers, for English records, for others and for all:

people_lost          faithful answers that the gate rejects
sentences_lost       sentences of faithful answers that it removes
form_faults_left     answers with a fault of form that is still in what would be published
content_faults_left  the same for answers that say something that the record does not

`fault` holds the spans that make an answer faulty, divided by "; ". One that is not in the answer
describes it: it is left when nothing of the answer was removed or cleaned.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.people import REPOSITORY, read_lines
from profiles.models import Completion, Profile, Provenance, Rejection
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.rendering.reader_text import block_without_reader_text
from profiles.standardization.sentences import split_sentences
from profiles.standardization.words import count_words
from profiles.storage.taxonomy import load_reader_text, load_vocabulary
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.validation import judge
from profiles.validation.document import Document
from profiles.validation.form import SENTENCE_CHECKS, TEXT_CHECKS
from profiles.validation.gate import CLAIM_CHECKS

FORM_KIND = re.compile(
    r"^form|dates?$|contains_date|contact|url|e-?mail|phone|list|bullet|heading|markdown|label|html|repetition|repeat|loop"
    r"|language(?!_level)|cut|truncat|leak|prompt|reasoning|fence|harmony|channel|analysis|prose|refusal|short"
    r"|long|padding|json|schema|token|think"
)
"""Kinds of faults of form, by a part of their name; all others are faults of content."""
NUMBERS = ("people_lost", "sentences_lost", "form_faults_left", "content_faults_left")
FULL_LENGTH = 400
"""Words from which an answer counts as of full length."""
_WRAPPING = re.compile(r'<\||```|"summary"|"skills"|assistantfinal|\banalysis\b')
_SPACE = re.compile(r"[\s ]+")


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled answer and its document."""

    key: str
    document: str
    word_count: int
    answer: str
    is_faithful: bool
    kind: str
    fault: str
    finish: str
    language: str

    @property
    def summary(self) -> str:
        """The text of the answer, or all of it where it is no object."""
        value = json.loads(self.answer) if _is_object(self.answer) else {}
        return str(value.get("summary") or self.answer)


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a case."""

    case: Case
    verdict: Profile | Rejection
    milliseconds: float

    @property
    def is_lost(self) -> bool:
        """Return whether nothing of the answer is published."""
        return isinstance(self.verdict, Rejection)

    @property
    def is_left(self) -> bool:
        """Return whether the fault is still in what would be published."""
        if isinstance(self.verdict, Rejection):
            return False
        raw, published = _plain(self.case.answer), _plain(self.verdict.summary)
        skills = {
            skill.name.lower()
            for skill in self.verdict.skills
            if skill.provenance is not Provenance.DOCUMENT
        }
        if self.case.kind.startswith("skills"):
            return _is_skill_left(self.case, skills, len(self.verdict.skills))
        spans = [_plain(span) for span in self.case.fault.split("; ")]
        told = [span for span in spans if len(span) > 3 and span in raw]
        if told:
            return any(span in published for span in told)
        if not self.case.answer.lstrip().startswith("{") or not _is_object(self.case.answer):
            return bool(_WRAPPING.search(published))
        return not self.verdict.removed and published == _plain(self.case.summary)


def main() -> int:
    """Print the figures and write them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=Path, required=True, help="folder of labelled answers")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--ablation", action="store_true", help="switch each check off in turn")
    options = parser.parse_args()
    cases = read_cases(options.answers)
    results = judged(cases)
    found: dict[str, Any] = {**figures(results), "kinds": kinds(results), "cpu_ms": costs(results)}
    if options.ablation:
        found["ablation"] = ablation(cases)
    _show(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    return 0


def read_cases(folder: Path) -> list[Case]:
    """The labelled answers of a folder, each with its document."""
    documents = {row["id"]: row for row in read_lines(folder / "documents.jsonl")}
    detector = load_reader_text()
    cases = []
    for row in read_lines(folder / "answers.jsonl"):
        document = documents[row.get("document") or row["document_id"]]
        answer = row["answer"]
        cases.append(
            Case(
                key=str(row["id"]),
                document=_as_rendered(document["markdown"], detector),
                word_count=int(document["word_count"]),
                answer=answer
                if isinstance(answer, str)
                else json.dumps(answer, ensure_ascii=False),
                is_faithful=bool(row["faithful"]),
                kind=row.get("kind") or "faithful",
                fault=row.get("fault") or "",
                finish=row.get("finish") or "stop",
                language=row.get("language") or document.get("language") or "",
            )
        )
    return cases


def judged(cases: Iterable[Case], without: Collection[str] = ()) -> list[Result]:
    """Each case put to the gate as a lane does it."""
    profile = load_engine_profile("structured", REPOSITORY / "include" / "prompts")
    vocabulary = load_vocabulary()
    results = []
    for case in cases:
        started = time.process_time()
        verdict = judge(
            Completion(case.key, case.answer, case.finish),
            document=case.document,
            word_count=case.word_count,
            profile=profile,
            vocabulary=vocabulary,
            without=without,
        )
        results.append(Result(case, verdict, (time.process_time() - started) * 1000))
    return results


def figures(results: Collection[Result]) -> dict[str, dict[str, dict[str, float]]]:
    """The four numbers for each group of languages."""
    groups = {"all": list(results), "en": [], "other": []}
    for result in results:
        groups[_group(result.case)].append(result)
    return {group: _numbers(members) for group, members in groups.items()}


def kinds(results: Iterable[Result]) -> dict[str, dict[str, Any]]:
    """For each kind of fault how many are left, for faithful kinds how many people are lost."""
    members: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        members[result.case.kind].append(result)
    found = {}
    for kind, of in sorted(members.items()):
        is_faithful = of[0].case.is_faithful
        hits = [result for result in of if (result.is_lost if is_faithful else result.is_left)]
        number = "people_lost" if is_faithful else f"{class_of(kind)}_faults_left"
        found[kind] = {"number": number, **_share(len(hits), len(of))}
    return found


def costs(results: Iterable[Result]) -> dict[str, float]:
    """CPU milliseconds an answer: mean, most, and the mean of those of full length."""
    taken = [(result.milliseconds, count_words(result.case.answer)) for result in results]
    full = [cost for cost, words in taken if words >= FULL_LENGTH]
    return {
        "mean": round(sum(cost for cost, _ in taken) / max(1, len(taken)), 2),
        "most": round(max((cost for cost, _ in taken), default=0), 2),
        "full_length_mean": round(sum(full) / max(1, len(full)), 2),
        "full_length": len(full),
    }


def ablation(cases: Collection[Case]) -> dict[str, dict[str, dict[str, float]]]:
    """The four numbers of all cases with each check switched off in turn."""
    checks = ("none", *TEXT_CHECKS, *SENTENCE_CHECKS, *CLAIM_CHECKS)
    return {name: _numbers(judged(cases, without=(name,))) for name in checks}


def _numbers(results: Collection[Result]) -> dict[str, dict[str, float]]:
    faithful = [result for result in results if result.case.is_faithful]
    faulty = [result for result in results if not result.case.is_faithful]
    by_class: dict[str, list[Result]] = {"form": [], "content": []}
    for result in faulty:
        by_class[class_of(result.case.kind)].append(result)
    sentences = [len(split_sentences(result.case.summary)) for result in faithful]
    return {
        "people_lost": _share(sum(result.is_lost for result in faithful), len(faithful)),
        "sentences_lost": _share(
            sum(len(result.verdict.removed) for result in faithful), sum(sentences)
        ),
        **{
            f"{name}_faults_left": _share(sum(result.is_left for result in of), len(of))
            for name, of in by_class.items()
        },
    }


def class_of(kind: str) -> str:
    """Return whether a kind of fault is one of `form` or of `content`."""
    is_form = FORM_KIND.search(kind) is not None and not kind.startswith("skill")
    return "form" if is_form else "content"


def _group(case: Case) -> str:
    if case.language:
        return "en" if case.language.lower().startswith("en") else "other"
    return "other" if Document(case.document, load_vocabulary()).is_foreign else "en"


def _is_skill_left(case: Case, skills: Collection[str], published: int) -> bool:
    """Return whether an invented skill is published, or none is where the answer had none."""
    value = json.loads(case.answer) if _is_object(case.answer) else {}
    claimed = [str(skill).lower() for skill in value.get("skills", ())]
    named = [span.strip().lower() for span in re.split(r"[;,]", case.fault)]
    faulty = [span for span in named if span in claimed]
    if not claimed:
        return published == 0
    return any(skill in skills for skill in faulty) if faulty else skills.issuperset(claimed)


def _is_object(answer: str) -> bool:
    try:
        return isinstance(json.loads(answer), dict)
    except ValueError:
        return False


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text.replace("‑", "-").replace("’", "'")).strip()


def _as_rendered(markdown: str, detector: ReaderTextDetector) -> str:
    """The document without text that addresses a reader, which rendering cuts from the records."""
    lines = markdown.split("\n")
    return "\n".join(block_without_reader_text(line, detector)[0] for line in lines)


def _share(count: int, of: int) -> dict[str, float]:
    return {"n": count, "of": of, "share": round(count / of, 4) if of else 0.0}


def _show(found: dict[str, Any]) -> None:
    print("group   " + "  ".join(f"{name:>20}" for name in NUMBERS))
    for group in ("all", "en", "other"):
        print(f"{group:<8}" + "  ".join(_cell(found[group][name]) for name in NUMBERS))
    for kind, row in found["kinds"].items():
        print(f"{kind:<32}{row['number']:<22}{row['n']} of {row['of']}")
    print("CPU ms an answer:", found["cpu_ms"])
    for name, numbers in found.get("ablation", {}).items():
        print(f"without {name:<18}" + "  ".join(_cell(numbers[number]) for number in NUMBERS))


def _cell(value: dict[str, float]) -> str:
    return f"{value['n']:>5} of {value['of']:>4} {value['share']:>7.2%}"


if __name__ == "__main__":
    sys.exit(main())

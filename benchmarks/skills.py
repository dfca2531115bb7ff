"""Precision and recall of the skills that the vocabulary finds in labelled CVs.

    python -m benchmarks.skills tests/quality/skills.jsonl

No model runs. A found skill is right when a label has the same canonical name, or when
`also_stated` of that CV names it: a reviewer's list of skills that the text states and the author
did not label. `precision_of_labels` counts those as wrong, too. Anything of `not_skills` is wrong.

recall          share of the labels that the text states literally: by the label itself, or by an
                alias or a translation of its skill, outside longer labels
recall_of_all   share of all labels, with those that need inference ("negotiated the sale")
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from profiles.standardization.skills import Vocabulary
from profiles.standardization.skills.forms import is_short
from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.document import Document
from profiles.validation.grounding import document_skills


def main() -> int:
    """Run the benchmark and print the figures, the worst CVs with their skills."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    lines = options.file.read_text(encoding="utf-8").splitlines()
    result = measure([json.loads(line) for line in lines], load_vocabulary())
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 0


def measure(cvs: list[dict[str, Any]], vocabulary: Vocabulary) -> dict[str, Any]:
    """Figures over all CVs, and what is wrong, missed or to be inferred in each."""
    each = {}
    found = wrong = unlabelled = all_labels = hits = literal_labels = literal_hits = 0
    for cv in cvs:
        document = cv["markdown"]
        names = {s.name for s in document_skills(Document(document, vocabulary)).skills}
        names = {name.casefold() for name in names}
        labels, stated, refused, literal = (
            {vocabulary.canonical(name).casefold() for name in given}
            for given in (
                cv["skills"],
                cv.get("also_stated", ()),
                cv["not_skills"],
                literally(cv["skills"], document, vocabulary),
            )
        )
        refused -= labels
        errors = (names - labels - stated) | (names & refused)
        found += len(names)
        wrong += len(errors)
        unlabelled += len(names - labels)
        all_labels += len(labels)
        hits += len(labels & names)
        literal_labels += len(literal)
        literal_hits += len(literal & names)
        each[cv["id"]] = {
            "wrong": sorted(errors),
            "missed": sorted(literal - names),
            "inference": sorted(labels - literal - names),
        }
    return {
        "cvs": len(cvs),
        "found": found,
        "precision": round(1 - wrong / found, 4),
        "precision_of_labels": round(1 - unlabelled / found, 4),
        "labels": all_labels,
        "literal_labels": literal_labels,
        "recall": round(literal_hits / literal_labels, 4),
        "recall_of_all": round(hits / all_labels, 4),
        "each": {name: skills for name, skills in each.items() if any(skills.values())},
    }


def literally(labels: list[str], document: str, vocabulary: Vocabulary) -> set[str]:
    """Canonical names of the labels that the text states; a longer label owns its words."""
    names: set[str] = set()
    for label in sorted(labels, key=len, reverse=True):
        canonical = vocabulary.canonical(label)
        forms = {label, *vocabulary.aliases.get(canonical, ()), *vocabulary.translations(canonical)}
        if any(_has(form, document) for form in forms):
            names.add(canonical)
        document = re.sub(rf"(?<!\w){re.escape(label)}(?!\w)", "\0", document)
    return names


def _has(form: str, document: str) -> bool:
    letter = r"[^\W\u3040-\u9fff]"
    flags = re.NOFLAG if is_short(form) else re.IGNORECASE
    return bool(re.search(rf"(?<!{letter}){re.escape(form)}(?!{letter}|[+#&])", document, flags))


if __name__ == "__main__":
    sys.exit(main())

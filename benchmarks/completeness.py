"""How many of the skills that a document names are published, and how many published it names.

    python -m benchmarks.completeness --n 300 --seed 12 --json out.json

Generated people are rendered as in production. A skill counts as named when the document has, as
whole words, any of the spellings that the generator knows for it; this does not ask the vocabulary
that is measured. Two answers are grounded by the production code: none at all (`document`: the
vocabulary and the document's list of skills alone), and that of a stand-in for a model, which
names a random 70 % of those skills under a random spelling and one skill of another trade
(`model_and_document`). No model runs here.

`document_with_half_the_vocabulary` is `document` with every other known skill taken away: the
generator names few skills that the vocabulary lacks, and real people do.

recall      share of the named skills of the truth that are published, under any spelling
precision   share of the published skills of which the document has the canonical name, an alias or
            all words
invented    skills of another trade that were published, of those that the stand-in claimed
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.truth import SPELLINGS, Facts, facts_of
from profiles.standardization.skills import Vocabulary
from profiles.standardization.text import fold
from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.evidence import Evidence
from profiles.validation.grounding import ground_skills

_NAMED_BY_MODEL = 0.7


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=300, help="people (default 300)")
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    vocabulary = load_vocabulary()
    people = facts_of(options.n, options.seed)
    result = {
        "people": len(people),
        "seed": options.seed,
        "document": measure(people, vocabulary, seed=None),
        "model_and_document": measure(people, vocabulary, seed=options.seed),
        "document_with_half_the_vocabulary": measure(people, _half(vocabulary), seed=None),
    }
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return 0


def measure(
    people: tuple[Facts, ...], vocabulary: Vocabulary, *, seed: int | None
) -> dict[str, Any]:
    """Grounds one answer a person; without a seed the answer names nothing."""
    named = found = published = evidenced = claimed = invented = 0
    provenance: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    unfounded: Counter[str] = Counter()
    for number, facts in enumerate(people):
        wanted = [skill for skill in facts.all_skills if _is_named(skill, facts.document)]
        answer: list[str] = []
        strange = None
        if seed is not None:
            stream = Random(f"{seed}/{number}/completeness")
            answer = [
                stream.choice(SPELLINGS[skill])
                for skill in wanted
                if stream.random() < _NAMED_BY_MODEL
            ]
            strange = stream.choice([s for s in SPELLINGS if not _is_near(s, facts.document)])
            answer.insert(stream.randint(0, len(answer)), strange)
            claimed += 1
        skills = ground_skills(answer, Evidence(facts.document), vocabulary).skills
        names = {fold(skill.name) for skill in skills}
        provenance.update(str(skill.provenance) for skill in skills)
        named += len(wanted)
        for skill in wanted:
            is_found = any(
                fold(name) in names or fold(vocabulary.canonical(name)) in names
                for name in SPELLINGS[skill]
            )
            found += is_found
            missed[skill] += not is_found
        if strange is not None:
            invented += fold(vocabulary.canonical(strange)) in names
        for skill in skills:
            is_there = any(
                _has(form, facts.document)
                for form in vocabulary.aliases.get(skill.name, (skill.name,))
            ) or _is_near(skill.name, facts.document)
            published += 1
            evidenced += is_there
            unfounded[skill.name] += not is_there
    return {
        "recall": round(found / named, 4),
        "precision": round(evidenced / published, 4),
        "named": named,
        "published": published,
        "provenance": dict(provenance),
        "claimed_of_another_trade": claimed,
        "invented": invented,
        "most_missed": {name: count for name, count in missed.most_common(8) if count},
        "most_unfounded": {name: count for name, count in unfounded.most_common(8) if count},
    }


def _half(vocabulary: Vocabulary) -> Vocabulary:
    """Every other skill of the vocabulary, with all its aliases."""
    return Vocabulary.from_aliases(
        {
            name: [alias for alias in forms if alias != name]
            for name, forms in list(vocabulary.aliases.items())[::2]
        }
    )


def _is_named(skill: str, document: str) -> bool:
    return any(_has(spelling, document) for spelling in SPELLINGS.get(skill, ()))


def _has(name: str, document: str) -> bool:
    """Whether the document has the name as whole words; one or two letters only as written."""
    flags = re.NOFLAG if len(name) < 3 else re.IGNORECASE
    return re.search(rf"(?<![\w]){re.escape(name)}(?![\w+#])", document, flags) is not None


def _is_near(skill: str, document: str) -> bool:
    """Whether the document has the beginnings of all words of the skill."""
    words = fold(document)
    return all(part[:5] in words for part in fold(skill).split())


if __name__ == "__main__":
    sys.exit(main())

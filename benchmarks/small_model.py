"""What the whole gate says of profiles that the embedded 135M model writes on this machine.

    python -m benchmarks.small_model --n 100 --seed 11 --json out.json

Generated people are rendered and asked about as in production: prompt `prose`, as many attempts as
it allows, then the extractive stand-in. Every answer is judged by the production gate. This shows
that the gate turns a weak model away, not how good any other model is.

accepted   share of the people whose own model answer was published, as it was or repaired
first      what the first attempts came to, by outcome and reason
checks     failures of each check over all answers; one answer may fail several
claims     the kinds of claims that the document does not support, over all answers
shown      three people in full

`--gpu FILE` copies the figures of a benchmark of a lane on a card with the same model into "gpu".
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.gate_answers import PROMPTS
from benchmarks.truth import Facts, facts_of
from profiles.models import Completion, Profile, Rejection
from profiles.standardization.skills import Vocabulary
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.engines.llama_cpp import LlamaCppEngine
from profiles.synthesis.model_files import locate_model
from profiles.synthesis.prompting import (
    Prompter,
    engine_context_tokens,
    load_engine_profile,
    token_counter,
)
from profiles.synthesis.protocol import EngineJob
from profiles.validation import extractive_summary, judge

_COUNT = re.compile(r"(\w+)=(\d+)")
_OF_THE_CARD = ("card", "engine", "model", "people", "seed")
_OF_A_RUN = ("outcomes", "verdicts", "finish_reasons", "answers", "completion_tokens", "shown")


@dataclass(frozen=True, slots=True)
class Person:
    """One person's attempts, in order, and what became of the person."""

    facts: Facts
    attempts: tuple[tuple[Completion, Profile | Rejection], ...]
    final: Profile | Rejection


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=100, help="people (default 100)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--profile", default="prose", help="engine profile (default prose)")
    parser.add_argument("--gpu", type=Path, help="figures of benchmarks.gpu_lane to copy")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    result = asyncio.run(measure(options.n, options.seed, options.profile))
    if options.gpu:
        result["gpu"] = _of_the_card(json.loads(options.gpu.read_text()))
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return 0


async def measure(people: int, seed: int, name: str) -> dict[str, Any]:
    """Asks about everyone and counts the verdicts."""
    profile = load_engine_profile(name, PROMPTS)
    count_tokens = token_counter()
    files = locate_model("llama_cpp")
    engine = LlamaCppEngine(
        EngineJob(
            "llama_cpp",
            files.path,
            context_tokens=engine_context_tokens(profile, count_tokens),
        )
    )
    ready = engine.load()
    prompter = Prompter(profile, count_tokens)
    vocabulary = load_vocabulary()

    async def ask(number: int, facts: Facts) -> Person:
        given = {"document": facts.document, "word_count": len(facts.document.split())}
        attempts: list[tuple[Completion, Profile | Rejection]] = []
        for attempt in range(profile.attempts):
            last = attempts[-1][1] if attempts else None
            is_larger = isinstance(last, Rejection) and last.retry_larger
            completion = await engine.generate(
                prompter.request(
                    **given,
                    request_id=str(number),
                    seed=seed + attempt,
                    max_new_tokens=profile.retry_max_new_tokens if is_larger else None,
                )
            )
            verdict = judge(completion, **given, profile=profile, vocabulary=vocabulary)
            attempts.append((completion, verdict))
            if isinstance(verdict, Profile):
                return Person(facts, tuple(attempts), verdict)
        refused = attempts[-1][1]
        final = extractive_summary(refused, **given, profile=profile, vocabulary=vocabulary)
        return Person(facts, tuple(attempts), final)

    try:
        asked = [ask(number, facts) for number, facts in enumerate(facts_of(people, seed))]
        done = await asyncio.gather(*asked)
    finally:
        engine.close()
    return {
        "people": len(done),
        "seed": seed,
        "model": files.name,
        "engine": f"{ready.engine} {ready.version}",
        "engine_profile": name,
        **figures(done, vocabulary),
    }


def figures(done: list[Person], vocabulary: Vocabulary) -> dict[str, Any]:
    """The verdicts, counted."""
    answers = [verdict for person in done for _, verdict in person.attempts]
    checks: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    for verdict in answers:
        for check in verdict.checks:
            checks[check.name] += not check.passed
            if check.name == "claims":
                claims.update(kind for kind, count in _COUNT.findall(check.detail) if count != "0")
    by_model = [person for person in done if isinstance(person.attempts[-1][1], Profile)]
    return {
        "accepted": round(len(by_model) / len(done), 4),
        "outcomes": dict(Counter(_outcome(person.final) for person in done).most_common()),
        "first": dict(Counter(_outcome(p.attempts[0][1]) for p in done).most_common()),
        "answers": len(answers),
        "checks": {name: count for name, count in checks.most_common() if count},
        "claims": dict(claims.most_common()),
        "shown": [_shown(person) for person in _examples(done)],
    }


def _outcome(verdict: Profile | Rejection) -> str:
    if isinstance(verdict, Profile):
        return f"{verdict.outcome}: {verdict.reason}" if verdict.reason else str(verdict.outcome)
    return f"rejected: {verdict.reason}"


def _examples(done: list[Person]) -> list[Person]:
    """The first person of each of the three most frequent first outcomes."""
    seen: dict[str, Person] = {}
    for person in done:
        seen.setdefault(_outcome(person.attempts[0][1]), person)
    frequent = Counter(_outcome(person.attempts[0][1]) for person in done).most_common(3)
    return [seen[outcome] for outcome, _ in frequent]


def _shown(person: Person) -> dict[str, Any]:
    completion, verdict = person.attempts[0]
    return {
        "document": person.facts.document,
        "answer": completion.text,
        "outcome": _outcome(verdict),
        "detail": "; ".join(f"{c.name}: {c.detail}" for c in verdict.checks if not c.passed),
        "final": _outcome(person.final),
    }


def _of_the_card(lane: dict[str, Any]) -> dict[str, Any]:
    runs = {
        name: {key: value for key, value in run.items() if key in _OF_A_RUN}
        for name, run in lane["runs"].items()
    }
    return {**{key: lane[key] for key in _OF_THE_CARD}, "runs": runs}


if __name__ == "__main__":
    sys.exit(main())

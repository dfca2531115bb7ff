"""Scores of a judge for summaries, and their agreement with labels: pure, without an engine."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from profiles.models.generation import Message, Request, Sampling

CRITERIA = ("faithfulness", "completeness", "usefulness")
_SAMPLING = Sampling(temperature=0.0, repetition_penalty=1.0, max_new_tokens=60, seed=0)
_PLACEHOLDER = re.compile(r"\{\{(document|skills|summary)\}\}")
_MOST_WORDS = 900
"""Words of a document that a judge reads; a rendered one has seldom more, and its end goes."""

Score = Annotated[int, Field(ge=1, le=5)]


class Scores(BaseModel):
    """One verdict, each number from 1 (worst) to 5."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    faithfulness: Score
    completeness: Score
    usefulness: Score


@dataclass(frozen=True, slots=True)
class Rubric:
    """The texts of include/prompts/judge. Another text is another rubric, and another judge."""

    system: str
    user_template: str
    output_schema: str

    @property
    def digest(self) -> str:
        parts = (self.system, self.user_template, self.output_schema, str(_MOST_WORDS))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def request(
        self, *, request_id: str, document: str, summary: str, skills: Sequence[str]
    ) -> Request:
        values = {
            "document": _plain(_shortened(document)),
            "skills": _plain(", ".join(skills)),
            "summary": _plain(summary),
        }
        user = _PLACEHOLDER.sub(lambda match: values[match[1]], self.user_template)
        messages = (Message("system", self.system.strip()), Message("user", user.strip()))
        return Request(request_id, messages, _SAMPLING, json_schema=self.output_schema)


def read_scores(text: str) -> Scores | None:
    """The verdict of an answer; None when it is not exactly what the rubric asks for."""
    try:
        return Scores.model_validate_json(text)
    except ValidationError:
        return None


def _plain(text: str) -> str:
    """The text without anything that could end its tag or be a token of a chat template."""
    return text.replace("<", "(").replace(">", ")").strip()


def _shortened(document: str) -> str:
    lines = document.splitlines()
    words = accumulate(len(line.split()) for line in lines)
    return "\n".join(line for line, n in zip(lines, words, strict=True) if n <= _MOST_WORDS)


THRESHOLD = 4
"""A score of so much or more says yes."""
FEWEST_CASES = 20


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of `cases` with a score. `kappa` or `auc` is None where it is not defined."""

    cases: int
    unreadable: int
    kappa: float | None
    auc: float | None

    @property
    def is_enough(self) -> bool:
        return self.cases >= FEWEST_CASES


def measure_agreement(judged: Sequence[tuple[int | None, bool]]) -> Agreement:
    """Agreement of (score, label) pairs; a score of None was not readable and is counted apart."""
    read = [(score, label) for score, label in judged if score is not None]
    return Agreement(
        cases=len(read),
        unreadable=len(judged) - len(read),
        kappa=cohen_kappa([(score >= THRESHOLD, label) for score, label in read]),
        auc=auc(read),
    )


def cohen_kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's kappa of two raters, four decimals; None when both always say the same one thing."""
    if not pairs:
        return None
    observed = fmean(left == right for left, right in pairs)
    left, right = map(fmean, zip(*pairs, strict=True))
    expected = left * right + (1 - left) * (1 - right)
    return None if expected == 1 else round((observed - expected) / (1 - expected), 4)


def auc(scored: Sequence[tuple[int, bool]]) -> float | None:
    """The chance that a good case scores above a bad one, ties half; None without both kinds."""
    good = [score for score, label in scored if label]
    bad = [score for score, label in scored if not label]
    if not good or not bad:
        return None
    won = fmean((one > other) + (one == other) / 2 for one in good for other in bad)
    return round(won, 4)

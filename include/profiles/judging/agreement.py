"""How far scores agree with labels: Cohen's kappa and the area under the ROC curve.

Both are 0 and 0.5 for a judge that tells nothing, however the labels are distributed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "FEWEST_CASES",
    "THRESHOLD",
    "Agreement",
    "auc",
    "cohen_kappa",
    "measure_agreement",
]

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
    threshold: int = THRESHOLD

    @property
    def is_enough(self) -> bool:
        """Whether there are cases enough to say anything."""
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
    total = len(pairs)
    observed = sum(left == right for left, right in pairs) / total
    left, right = (sum(pair[side] for pair in pairs) / total for side in (0, 1))
    expected = left * right + (1 - left) * (1 - right)
    return None if expected == 1 else round((observed - expected) / (1 - expected), 4)


def auc(scored: Sequence[tuple[int, bool]]) -> float | None:
    """The chance that a good case scores above a bad one, ties half; None without both kinds."""
    good = [score for score, label in scored if label]
    bad = [score for score, label in scored if not label]
    if not good or not bad:
        return None
    won = sum((one > other) + (one == other) / 2 for one in good for other in bad)
    return round(won / (len(good) * len(bad)), 4)

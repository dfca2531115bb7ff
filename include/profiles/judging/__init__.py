"""What a judge says of summaries, and how far it agrees with labels: pure, without an engine."""

from profiles.judging.agreement import (
    FEWEST_CASES,
    THRESHOLD,
    Agreement,
    auc,
    cohen_kappa,
    measure_agreement,
)
from profiles.judging.rubric import CRITERIA, Rubric, Scores, read_scores

__all__ = [
    "CRITERIA",
    "FEWEST_CASES",
    "THRESHOLD",
    "Agreement",
    "Rubric",
    "Scores",
    "auc",
    "cohen_kappa",
    "measure_agreement",
    "read_scores",
]

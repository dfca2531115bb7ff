"""In which order a sentence tells of jobs, and how long of each. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Sentence

__all__ = ["order_claims"]


def order_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each part that is told to come later or earlier than the one before it."""
    starts = sentence.document.starts
    told: frozenset[int] = frozenset()
    order = ""
    for part in sentence.parts:
        order = part.order or order
        jobs = part.jobs & starts.keys()
        if not jobs:
            continue
        if told and order and not told & jobs:
            pairs = [(starts[first], starts[second]) for first in told for second in jobs]
            if order == "earlier":
                pairs = [(second, first) for first, second in pairs]
            yield Claim(RemovalReason.EMPLOYMENT, any(first < second for first, second in pairs))
        told, order = jobs, ""

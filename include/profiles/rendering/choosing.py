"""Survivorship: which of several claims about one field is shown, and why.

Records compete newest first. A `Bid` is one record's value; `choose` names the winner, the
reason and who said otherwise. Reasons are a closed vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from profiles.models import FieldChoice, SourceRecord

T = TypeVar("T", bound=Hashable)


class Reason(StrEnum):
    """Why a value won."""

    ONLY_VALUE = "only_value"
    ALL_AGREE = "all_agree"
    MOST_RECORDS = "most_records"
    MOST_PRECISE = "most_precise"
    MOST_COMPLETE = "most_complete"
    BEST_SPELLED = "best_spelled"
    NEWEST = "newest"


class Bid(NamedTuple, Generic[T]):
    """The value that one record states for a field."""

    value: T
    record: SourceRecord


class Chosen(NamedTuple, Generic[T]):
    """The winning value and the account of it."""

    value: T
    choice: FieldChoice


def choose(
    field: str,
    bids: Sequence[Bid[T]],
    *,
    quality: Callable[[T], int],
    reason: Reason,
    same: Callable[[T], Hashable] | None = None,
    vote: bool = False,
) -> Chosen[T] | None:
    """The winner among `bids`, which come newest first; None without bids.

    The highest `quality` wins, and `reason` says what that quality is; then, with `vote`, what
    most records say; then the newest. Values of one `same` key do not contradict each other.
    """
    if not bids:
        return None
    if len({bid.value for bid in bids}) == 1:
        why = Reason.ONLY_VALUE if len(bids) == 1 else Reason.ALL_AGREE
        value, record = bids[0]
        return Chosen(value, FieldChoice(field, record.source, record.source_key, why.value))
    keys: list[Hashable] = [bid.value if same is None else same(bid.value) for bid in bids]
    scores = [quality(bid.value) for bid in bids]
    best = max(scores)
    finalists = [place for place, score in enumerate(scores) if score == best]
    winner = finalists[0]
    why = reason if len(finalists) < len(bids) else Reason.NEWEST
    if vote and len(finalists) > 1:
        votes = Counter(keys[place] for place in finalists)
        most = max(votes.values())
        if most > 1 and len(votes) > 1:
            winner = next(place for place in finalists if votes[keys[place]] == most)
            why = Reason.MOST_RECORDS
    return _chosen(field, bids, keys, winner=winner, why=why)


def spelling(text: str) -> int:
    """How well a name or title is spelled: 1 with capitals where they belong, else 0.

    Scripts without capitals count as well spelled.
    """
    lower, upper = text.lower(), text.upper()
    return int(lower == upper or text not in (lower, upper))


def _chosen(
    field: str, bids: Sequence[Bid[T]], keys: Sequence[Hashable], *, winner: int, why: Reason
) -> Chosen[T]:
    bid = bids[winner]
    owner = (bid.record.source, bid.record.source_key)
    losers = {
        (other.record.source, other.record.source_key)
        for key, other in zip(keys, bids, strict=True)
        if key != keys[winner]
    }
    return Chosen(
        bid.value,
        FieldChoice(
            field=field,
            source=owner[0],
            source_key=owner[1],
            reason=why.value,
            losers=tuple(sorted(losers - {owner})),
        ),
    )

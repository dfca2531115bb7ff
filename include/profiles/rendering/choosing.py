"""Survivorship: which of several claims about one field is shown, and why.

Records compete newest first. A `Bid` is one record's value; `choose` names the winner, the
reason, who said otherwise and what. Reasons are a closed vocabulary. The account of a field is
bounded: `MAX_LOSERS` claims of `MAX_VALUE_CHARS` characters, the rest counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from enum import StrEnum
from typing import Final, Generic, NamedTuple, TypeVar

from profiles.models import FieldChoice, FieldClaim, SourceRecord

T = TypeVar("T", bound=Hashable)

MAX_LOSERS: Final = 5
MAX_VALUE_CHARS: Final = 120


class Reason(StrEnum):
    """Reason for which a value won."""

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
    show: Callable[[T], str | None] = str,
    vote: bool = False,
) -> Chosen[T] | None:
    """The winner among `bids`, which come newest first; None without bids.

    The highest `quality` wins, and `reason` says what that quality is; then, with `vote`, what
    most records say; then the newest. Values of one `same` key do not contradict each other.
    `show` gives a value as the document writes it, free of contact details.
    """
    if not bids:
        return None
    values = [bid.value for bid in bids]
    if values.count(values[0]) == len(values):
        why = Reason.ONLY_VALUE if len(bids) == 1 else Reason.ALL_AGREE
        won = claim(bids[0], show)
        return Chosen(
            values[0], FieldChoice(field, won.value, won.source, won.source_key, why.value)
        )
    keys: list[Hashable] = list(values if same is None else map(same, values))
    winner, other_reason = best(values, keys, quality=quality, vote=vote)
    return Chosen(values[winner], account(field, bids, keys, winner, other_reason or reason, show))


def best(
    values: Sequence[T], keys: Sequence[Hashable], *, quality: Callable[[T], int], vote: bool
) -> tuple[int, Reason | None]:
    """The place of the winner among the values, and why if not for its quality."""
    scores = list(map(quality, values))
    highest = max(scores)
    tied = [place for place, score in enumerate(scores) if score == highest]
    if vote and len(tied) > 1:
        leading, most = Counter([keys[place] for place in tied]).most_common(1)[0]
        if 1 < most < len(tied):
            winner = next(place for place in tied if keys[place] == leading)
            return winner, Reason.MOST_RECORDS
    return tied[0], None if len(tied) < len(values) else Reason.NEWEST


def spelling(text: str) -> int:
    """Spelling score of a name or title: 1 with capitals where they belong, else 0.

    Scripts without capitals count as well spelled.
    """
    lower, upper = text.lower(), text.upper()
    return int(lower == upper or text not in (lower, upper))


def account(
    field: str,
    bids: Sequence[Bid[T]],
    keys: Sequence[Hashable],
    winner: int,
    why: Reason,
    show: Callable[[T], str | None],
) -> FieldChoice:
    """The record of a choice: the winning bid and the bids of other keys, from other records."""
    won = claim(bids[winner], show)
    key, record = keys[winner], bids[winner].record
    losers = dict.fromkeys(
        [
            claim(bid, show)
            for other, bid in zip(keys, bids, strict=True)
            if other != key and bid.record is not record
        ]
    )
    return FieldChoice(
        field=field,
        value=won.value,
        source=won.source,
        source_key=won.source_key,
        reason=why.value,
        losers=tuple(losers)[:MAX_LOSERS],
        more=max(0, len(losers) - MAX_LOSERS),
    )


def claim(bid: Bid[T], show: Callable[[T], str | None]) -> FieldClaim:
    """Claim of a record: its value as shown, no longer than `MAX_VALUE_CHARS`."""
    shown = show(bid.value) or ""
    if len(shown) > MAX_VALUE_CHARS:
        shown = f"{shown[: MAX_VALUE_CHARS - 1]}…"
    return FieldClaim(shown, bid.record.source, bid.record.source_key)

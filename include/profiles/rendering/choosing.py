"""Survivorship: which of several claims about one field is shown, and why.

Records compete newest first. `choose` names the winner, the reason, who said otherwise and what.
Reasons are a closed vocabulary. The account of a field is bounded: `MAX_LOSERS` claims of
`MAX_VALUE_CHARS` characters, the rest counted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from enum import StrEnum
from itertools import compress
from typing import Any, Final, TypeVar

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


def choose(
    field: str,
    stated: Sequence[T | None],
    by: Sequence[SourceRecord],
    *,
    quality: Callable[[Any], int],
    reason: Reason,
    same: Callable[[T], Hashable] | None = None,
    show: Callable[[T], str | None] = str,
    vote: bool = False,
    contested: bool = False,
) -> tuple[T | None, FieldChoice | None]:
    """The winner among the values that records state, newest first, None for no value; and the
    account of it.

    The highest `quality` wins, and `reason` says what that quality is; then, with `vote`, what
    most records say; then the newest. Values of one `same` key do not contradict each other.
    `show` gives a value as the document writes it, free of contact details. With `contested`,
    there is an account only where a record disagrees.
    """
    values = list(filter(None, stated))
    if not values:
        return None, None
    is_agreed = values.count(values[0]) == len(values)
    if is_agreed and contested:
        return values[0], None
    records = list(compress(by, stated))
    winner, keys = 0, list(values if same is None else map(same, values))
    if is_agreed:
        why = Reason.ONLY_VALUE if len(values) == 1 else Reason.ALL_AGREE
    else:
        scores = list(map(quality, values))
        best = max(scores)
        tied = [place for place, score in enumerate(scores) if score == best]
        winner = tied[0]
        why = reason if len(tied) < len(values) else Reason.NEWEST
        # Of two, neither has more records.
        if vote and len(tied) > 2:
            said = [keys[place] for place in tied]
            leading = max(said, key=said.count)
            if 1 < said.count(leading) < len(tied):
                winner = tied[said.index(leading)]
                why = Reason.MOST_RECORDS
    if contested and keys.count(keys[0]) == len(keys):
        return values[winner], None
    choice = account(field, values, records, keys, winner, why, show)
    return values[winner], choice if choice.losers or not contested else None


def spelling(text: str) -> int:
    """Spelling score of a name or title: 1 with capitals where they belong, else 0.

    Scripts without capitals count as well spelled.
    """
    lower, upper = text.lower(), text.upper()
    return int(lower == upper or text not in (lower, upper))


def account(
    field: str,
    values: Sequence[T],
    records: Sequence[SourceRecord],
    keys: Sequence[Hashable],
    winner: int,
    why: Reason,
    show: Callable[[T], str | None],
) -> FieldChoice:
    """The record of a choice: the winning value and those of other keys, from other records."""
    record = records[winner]
    losers = dict.fromkeys(
        [
            FieldClaim(_shown(value, show), other.source, other.source_key)
            for key, value, other in zip(keys, values, records, strict=True)
            if key != keys[winner] and other is not record
        ]
    )
    return FieldChoice(
        field=field,
        value=_shown(values[winner], show),
        source=record.source,
        source_key=record.source_key,
        reason=why,
        losers=tuple(losers)[:MAX_LOSERS],
        more=max(0, len(losers) - MAX_LOSERS),
    )


def _shown(value: T, show: Callable[[T], str | None]) -> str:
    """The value as the document writes it, no longer than `MAX_VALUE_CHARS`."""
    shown = show(value) or ""
    return f"{shown[: MAX_VALUE_CHARS - 1]}…" if len(shown) > MAX_VALUE_CHARS else shown

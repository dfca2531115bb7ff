"""Month names and words for "until now" of about fifteen languages: `include/words/dates.csv`.

Keys are folded with `profiles.standardization.text.fold`, so accents, dots and case do not matter.
"""

from __future__ import annotations

from typing import Final

from profiles.standardization.text import fold
from profiles.standardization.wordlists import rows, words

__all__ = ["DURATIONS", "MONTHS", "ONWARD", "OPEN", "PRESENT", "SINCE", "UNTIL"]


def _folded(section: str) -> frozenset[str]:
    return frozenset(map(fold, words("dates", section)))


MONTHS: Final = {
    fold(name): number for number, names in enumerate(rows("dates", "months"), 1) for name in names
}
PRESENT: Final = _folded("present")
SINCE: Final = _folded("since")
UNTIL: Final = _folded("until")
ONWARD: Final = _folded("onward")
OPEN: Final = _folded("open") - {""}
DURATIONS: Final = words("dates", "durations")

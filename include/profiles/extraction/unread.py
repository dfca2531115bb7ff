"""Values that are there and that no rule could read: which field, why; never what they say.

The readers add to an `Unread` only where they got nothing out of a value, so that rows in order
cost nothing. null, "", "N/A", "-" and containers of nothing else say nothing and are no values.
"""

from __future__ import annotations

from typing import Final

from profiles.standardization.text import is_placeholder

Unread = list[tuple[str, str]]
"""(field, reason) of each item or value that was not read."""

WRONG_TYPE: Final = "wrong_type"
"""Neither text nor an object where the mapping expects one of them, or the other of the two."""
WRONG_FORM: Final = "wrong_form"
"""Text or a number that is not what the field holds: an address without @, a month named 13."""
NOTHING_READ: Final = "nothing_read"
"""An object, or a list, without any member that the mapping names."""
NO_COUNTRY: Final = "no_country"
"""A phone number without its country's code, in a row that names no country."""

DEEPEST: Final = 20
"""Lists in lists are looked into so far. No vendor nests half as deep; each level is a call, and of
compiled calls nothing but a crash limits the number."""


def says_something(value: object, depth: int = 0) -> bool:
    """Whether a raw value is more than nothing: null, "", "N/A", or a container of such."""
    if isinstance(value, dict | list):
        members = value.values() if isinstance(value, dict) else value
        return depth > DEEPEST or any(says_something(member, depth + 1) for member in members)
    return not is_placeholder(value)


def note_value(field: str, value: object, unread: Unread) -> None:
    """Counts a value of which a reader made nothing, unless it says nothing."""
    if says_something(value):
        is_form = isinstance(value, str | int | float) and not isinstance(value, bool)
        unread.append((field, WRONG_FORM if is_form else WRONG_TYPE))


def note_no_line(field: str, value: object, unread: Unread) -> None:
    """The same of what is no line. Text that gives none is empty once it is clean."""
    if not isinstance(value, str):
        note_value(field, value, unread)


def note_no_block(field: str, value: object, unread: Unread) -> None:
    """The same of what is no text of several lines, which a number is not either."""
    if not isinstance(value, str) and says_something(value):
        unread.append((field, WRONG_TYPE))

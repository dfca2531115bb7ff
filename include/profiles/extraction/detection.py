"""Detection of a row's shape, by the members that its JSON holds, and only then by its label.

An export may call a vendor by any name, and a table may hold the whole response of an API, with
the profile inside `data`, `Value`, `results` or whatever the vendor calls it. What counts is which
members the mapping's paths find.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from profiles.extraction.plan import RowPlan

_DEEPEST_ENVELOPE: Final = 4
_SURE: Final = 4
"""Members of a profile that outweigh one at the top of the response that is a member too (`id`)."""
_FEWEST: Final = 2
"""Members that tell a shape whose label says another or nothing."""

Members = Mapping[str, object]


def without_envelope(value: Members, known: frozenset[str]) -> Members:
    """The profile inside the whole response of an API; the value itself where it is the profile."""
    found = value
    for _ in range(_DEEPEST_ENVELOPE):
        fit = len(known.intersection(found))
        if fit >= _FEWEST:
            return found
        inner = [
            profile
            for name, member in found.items()
            if name not in known and (profile := _only_object(member)) is not None
        ]
        best = max(inner, key=lambda profile: _deep_fit(profile, known, 2), default=None)
        if best is None or _deep_fit(best, known, 2) < (_SURE if fit else 1):
            return found
        found = best
    return found


def choose_variant(
    plans: Mapping[str | None, RowPlan],
    label: object,
    root: Mapping[str, object],
    known: Mapping[str, frozenset[str]],
) -> tuple[str | None, str | None]:
    """The name of the variant that a row is, and the nearest one where it is none.

    The label decides unless the row lacks what only that variant has and has what only another
    one has. `known` are the members that any variant looks for in each column.
    """
    here = {
        (column, name)
        for column, names in known.items()
        if isinstance(value := root.get(column), dict)
        for name in names.intersection(value)
    }
    names = (label, label.strip().casefold()) if isinstance(label, str) else ()
    name = next((each for each in names if each in plans), None)
    mapped = plans[name].marks if name is not None else frozenset()
    if name is not None and len(here - mapped) < _FEWEST:
        return name, None
    found = {other: here & plan.marks for other, plan in plans.items()}
    ranked = sorted(found, key=lambda other: (-len(found[other] - mapped), str(other)))
    best = ranked[0]
    foreign = len(found[best] - mapped)
    if name is not None:
        only_own = len(found[name] - found[best])
        return (best if foreign >= _FEWEST and foreign > 3 * only_own else name), None
    second = len(found[ranked[1]]) if len(ranked) > 1 else 0
    if foreign >= _FEWEST and foreign > second:
        return best, None
    return None, best if foreign else None


def _only_object(member: object) -> Members | None:
    if isinstance(member, list) and len(member) == 1:
        member = member[0]
    return member if isinstance(member, dict) else None


def _deep_fit(value: Members, known: frozenset[str], depth: int) -> int:
    """Members of a profile in the value, or in an envelope inside it."""
    fit = len(known.intersection(value))
    if fit or not depth:
        return fit
    inner = (_only_object(member) for member in value.values())
    return max((_deep_fit(each, known, depth - 1) for each in inner if each is not None), default=0)

"""Evidence that two source rows describe one person, as weights in bits that add up.

A pair is accepted at `ACCEPT`. One strong key whose names agree reaches it; one strong key whose
names disagree does not, unless a LinkedIn key and a contact detail agree; name and employer alone
do not, until start dates, school or place agree too, and they need `ACCEPT_DISPUTED` where schools,
places or contact details differ. The score is symmetric and depends on the two rows and the generic
keys only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from enum import Enum
from functools import lru_cache

import msgspec

from profiles.resolution.blocking import IdentityKey, KeyKind, block_name
from profiles.resolution.features import RowFeatures, Spell
from profiles.standardization.emails import is_personal_domain
from profiles.standardization.names import name_key, names_agree

RESOLVER_VERSION = "3"
"""Raise it when a weight, a rule or a standardisation changes: every row is then compared again."""

ACCEPT = 10.0
"""Least score of a pair that is one person by itself."""
ACCEPT_DISPUTED = 12.5
"""Least score where only name and history carry the pair, and something speaks against it: schools,
places or contact details that differ, or neither a title nor a text in common. Among 100,000 people
namesakes with like careers reach 10 by chance."""
CONFLICT = -2.0
"""A pair at or below this speaks against being one person, whatever others say."""

SAME_START_MONTHS = 1
NEAR_START_MONTHS = 3
MAX_SPELL_MATCHES = 3
TITLE_WEIGHT = 2.5

_KEY_WEIGHT = {
    KeyKind.MEMBER_ID.value: 14.0,
    KeyKind.LINKEDIN.value: 10.0,
    KeyKind.EMAIL.value: 10.0,
    KeyKind.PHONE.value: 8.0,
}
_DIFFERENT_KEY_WEIGHT = {
    KeyKind.MEMBER_ID.value: -16.0,
    KeyKind.LINKEDIN.value: -5.0,
    KeyKind.EMAIL.value: -1.5,
    KeyKind.PHONE.value: -1.5,
}
_SPELL_WEIGHT = {"same_start": 5.0, "near_start": 3.0, "employer": 1.5, "other_start": -2.0}
_DISPUTING = frozenset({"other_school", "other_place", "other_email", "other_phone"})
_TELLING = frozenset({"title", "headline", "summary"})
_LINKEDIN_KINDS = frozenset({KeyKind.MEMBER_ID.value, KeyKind.LINKEDIN.value})


class NameVerdict(Enum):
    """How two names compare. LOOSE agrees by an initial or a part that one side lacks; UNKNOWN
    means a missing name or scripts that cannot be compared."""

    FULL = "full"
    LOOSE = "loose"
    UNKNOWN = "unknown"
    PARTIAL = "partial"
    DISAGREE = "disagree"


_NAME_WEIGHT = {
    NameVerdict.FULL: 4.0,
    NameVerdict.LOOSE: 2.0,
    NameVerdict.UNKNOWN: 0.0,
    NameVerdict.PARTIAL: -5.0,
    NameVerdict.DISAGREE: -24.0,
}


_AGREEING = frozenset({"name_full", "name_loose"})


class Evidence(msgspec.Struct, frozen=True):
    """The score of a pair and the signals that made it, heaviest kind first."""

    score: float
    signals: tuple[tuple[str, float], ...]

    @property
    def accepted(self) -> bool:
        """Whether the pair is one person by itself."""
        return self.score >= self.least

    @property
    def least(self) -> float:
        """The score that the pair needs."""
        found = {signal for signal, _ in self.signals}
        if found & _KEY_WEIGHT.keys():
            return ACCEPT
        return ACCEPT_DISPUTED if found & _DISPUTING or not found & _TELLING else ACCEPT

    @property
    def rule(self) -> str:
        """The kind of key that carries the pair: the strongest strong one, else a weak one."""
        return _rule(self.signals)


@lru_cache(maxsize=65_536)
def _rule(signals: tuple[tuple[str, float], ...]) -> str:
    """Clustering asks it of a pair again and again; few combinations of signals exist."""
    for signal, weight in signals:
        if weight > 0 and signal in _KEY_WEIGHT:
            return signal
    names_agree = any(signal in _AGREEING for signal, _ in signals)
    return KeyKind.NAME_EMPLOYER.value if names_agree else KeyKind.CAREER.value


def compare(a: RowFeatures, b: RowFeatures, *, generic: Collection[IdentityKey] = ()) -> Evidence:
    """The evidence for and against `a` and `b` being one person."""
    signals = _key_signals(a, b, generic)
    shared = {kind for kind, weight in signals if weight > 0}
    verdict = compare_names(a.name, b.name)
    signals.append((f"name_{verdict.value}", _name_weight(verdict, shared)))
    if shared or verdict not in (NameVerdict.PARTIAL, NameVerdict.DISAGREE):
        history = _history_signals(a, b)
        signals += history
        signals += _background_signals(a, b, has_title=("title", TITLE_WEIGHT) in history)
    kept = tuple((signal, weight) for signal, weight in signals if weight)
    return Evidence(sum(weight for _, weight in kept), kept)


def _key_signals(
    a: RowFeatures, b: RowFeatures, generic: Collection[IdentityKey]
) -> list[tuple[str, float]]:
    both = {kind for kind, _ in a.keys}.intersection(kind for kind, _ in b.keys)
    if not both:
        return []
    shared = set(a.keys).intersection(b.keys)
    held = {kind for kind, _ in shared}
    linking = {key[0] for key in shared if key not in generic}
    signals = []
    for kind, weight in _KEY_WEIGHT.items():
        if kind in linking:
            signals.append((kind, weight))
        elif kind in both and kind not in held and _differ(kind, a.keys, b.keys):
            signals.append((f"other_{kind}", _DIFFERENT_KEY_WEIGHT[kind]))
    return signals


def _differ(kind: str, a: tuple[IdentityKey, ...], b: tuple[IdentityKey, ...]) -> bool:
    """Whether two rows that state the kind and share no key of it contradict each other.

    Numeric member ids and ACoAA urns name the same thing in two alphabets, a work address changes
    with the job: only ids and addresses of the same sort contradict.
    """
    if kind not in (KeyKind.EMAIL, KeyKind.MEMBER_ID):
        return True
    mine = [value for stated, value in a if stated == kind]
    others = [value for stated, value in b if stated == kind]
    if kind == KeyKind.EMAIL:
        return any(map(is_personal_domain, mine)) and any(map(is_personal_domain, others))
    return bool(set(map(str.isdigit, mine)) & set(map(str.isdigit, others)))


def _name_weight(verdict: NameVerdict, shared: set[str]) -> float:
    """Disagreeing names weigh nothing once a LinkedIn key and another strong key agree.

    E-mail and phone together are not enough: a recruiter's come as a pair.
    """
    weight = _NAME_WEIGHT[verdict]
    if weight < 0 and shared & _LINKEDIN_KINDS and len(shared) > 1:
        return 0.0
    return weight


def _history_signals(a: RowFeatures, b: RowFeatures) -> list[tuple[str, float]]:
    if not a.spells or not b.spells:
        return []
    mine, others = _by_employer(a.spells), _by_employer(b.spells)
    shared = mine.keys() & others.keys()
    if not shared:
        return [("other_employers", -4.0)] if min(len(mine), len(others)) > 1 else []
    counts = {"same_start": 0, "near_start": 0, "employer": 0, "other_start": 0}
    for employer in shared:
        counts[_best_match(mine[employer], others[employer])] += 1
    signals = [
        (signal, _SPELL_WEIGHT[signal] * min(count, MAX_SPELL_MATCHES))
        for signal, count in counts.items()
        if count
    ]
    if any(_same_title(mine[employer], others[employer]) for employer in shared):
        signals.append(("title", TITLE_WEIGHT))
    return signals


def _same_title(mine: list[Spell], others: list[Spell]) -> bool:
    """Whether two spells at one employer have one title, apart from words that one side adds."""
    for a in mine:
        for b in others:
            words, more = set(a.title.split()), set(b.title.split())
            if words and more and (words <= more or more <= words):
                return True
    return False


def _by_employer(spells: tuple[Spell, ...]) -> dict[str, list[Spell]]:
    grouped: dict[str, list[Spell]] = {}
    for spell in spells:
        grouped.setdefault(spell.employer, []).append(spell)
    return grouped


def _best_match(mine: list[Spell], others: list[Spell]) -> str:
    """The best agreement of two persons' spells at one employer."""
    gaps = [
        abs(a.start - b.start)
        for a in mine
        for b in others
        if a.start is not None and b.start is not None and a.precise and b.precise
    ]
    if not gaps:
        return "employer"
    gap = min(gaps)
    if gap <= SAME_START_MONTHS:
        return "same_start"
    return "near_start" if gap <= NEAR_START_MONTHS else "other_start"


def _background_signals(
    a: RowFeatures, b: RowFeatures, *, has_title: bool
) -> list[tuple[str, float]]:
    """Schools, places and texts. A headline mostly repeats the title, so it adds little to one."""
    signals = []
    if a.schools and b.schools:
        shared = set(a.schools) & set(b.schools)
        signals.append(("school", 3.0) if shared else ("other_school", -2.0))
    if a.cities and b.cities:
        shared = set(a.cities) & set(b.cities)
        signals.append(("place", 2.0) if shared else ("other_place", -1.0))
    if a.headline and a.headline == b.headline:
        signals.append(("headline", 1.0 if has_title else 3.0))
    if a.summary and a.summary == b.summary:
        signals.append(("summary", 6.0))
    return signals


def compare_names(a: str | None, b: str | None) -> NameVerdict:
    """How two names compare; symmetric."""
    if not a or not b:
        return NameVerdict.UNKNOWN
    return _compare_names(a, b) if a <= b else _compare_names(b, a)


@lru_cache(maxsize=65_536)
def _compare_names(a: str, b: str) -> NameVerdict:
    if block_name(a) == block_name(b):
        return NameVerdict.FULL
    if not _scripts(a) & _scripts(b):
        return NameVerdict.UNKNOWN
    if names_agree(a, b):
        return NameVerdict.LOOSE
    first_a, first_b = name_key(a.split()[0]), name_key(b.split()[0])
    if len(first_a) > 1 and first_a == first_b:
        return NameVerdict.PARTIAL
    return NameVerdict.DISAGREE


@lru_cache(maxsize=65_536)
def _scripts(name: str) -> frozenset[str]:
    """First words of the Unicode names of the letters: LATIN, CJK, HANGUL, ARABIC, …"""
    return frozenset(
        unicodedata.name(letter, "?").split(" ", 1)[0] for letter in name if letter.isalpha()
    )

"""Evidence that two source rows describe one person, as weights in bits that add up.

A weight is log2 of how much more often a signal is seen between rows of one person than between
other rows that share a key. What agreement on a name or an employer weighs follows from how many of
the team's own rows hold it (`corpus`); the other weights are fixed: a logistic regression on
generated people of two authors, rounded towards zero (docs/identity.md says how well it does). A
pair is accepted at `ACCEPT`. The score is symmetric and depends on the two rows and the corpus
alone.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import msgspec

from profiles.resolution.blocking import IdentityKey, KeyKind
from profiles.resolution.employers import Spell, related
from profiles.resolution.features import RowFeatures
from profiles.resolution.names import AGREEING, NameMatch, NameVerdict, compare_names
from profiles.resolution.quarantine import Corpus
from profiles.standardization.emails import is_personal_domain

RESOLVER_VERSION = "4"
"""Raise it when a weight, a rule or a standardisation changes: every row is then compared again."""

ACCEPT = 8.0
"""Least score of a pair that is one person: odds of 2 to 4.5 over those of two rows that share a
key at all, 2 to -3.5."""
CONFLICT = -2.0
"""A pair at or below this speaks against being one person, whatever others say."""
VETO = -30.0
"""A pair at or below this is two people, whatever joins them."""

SAME_START_MONTHS = 1
NEAR_START_MONTHS = 3
_STARTS = ((SAME_START_MONTHS, "same_start"), (NEAR_START_MONTHS, "near_start"),
           (6, "start_in_half_year"), (12, "start_in_year"))  # fmt: skip

_KEY_WEIGHT = {
    KeyKind.MEMBER_ID.value: 9.0,
    KeyKind.LINKEDIN.value: 7.0,
    KeyKind.EMAIL.value: 10.0,
    KeyKind.PHONE.value: 9.0,
}
_DIFFERENT_KEY_WEIGHT = {
    KeyKind.MEMBER_ID.value: -40.0,
    KeyKind.LINKEDIN.value: -4.0,
    KeyKind.EMAIL.value: -3.5,
    KeyKind.PHONE.value: -3.0,
}
_LINKEDIN_KINDS = frozenset({KeyKind.MEMBER_ID.value, KeyKind.LINKEDIN.value})
_NAME_WEIGHT = {
    NameVerdict.FULL: 2.0,
    NameVerdict.LOOSE: 2.0,
    NameVerdict.FORM: 1.0,
    NameVerdict.TYPO: 2.0,
    NameVerdict.UNKNOWN: -1.0,
    NameVerdict.GIVEN: -5.0,
    NameVerdict.FAMILY: -4.0,
    NameVerdict.DISAGREE: -9.0,
}
_AGREEING = frozenset(f"name_{verdict.value}" for verdict in AGREEING)
_NAME_BITS = 0.4
"""Weight of a bit by which the words in common are rarer than one holder in all rows. Words go
together, sources repeat each other: a bit weighs less than one."""
_NAME_BITS_RANGE = (-8.0, 10.0)
_EMPLOYER_BITS = 0.65
_MOST_BITS = (10.0, 30.0)
"""Of one employer and of all."""
_ALIKE_BITS = 7.0
_START_WEIGHT = {
    "same_start": 0.5, "near_start": 0.0, "start_in_half_year": -1.0, "start_in_year": -3.5,
    "other_start": -6.5, "same_year": 0.5, "other_year": -4.5, "undated": -2.5,
}  # fmt: skip
_MOST_STARTS = 3
_UNMATCHED = -2.0
_OTHER_EMPLOYERS = (-2.0, -5.0, -8.0)
"""Where the shorter list names one, two and more."""
_TITLE = 3.0
_MOST_TITLES = 2


class Evidence(msgspec.Struct, frozen=True):
    """The score of a pair and the signals that made it, heaviest kind first."""

    score: float
    signals: tuple[tuple[str, float], ...]

    @property
    def accepted(self) -> bool:
        """Whether the pair is one person by itself."""
        return self.score >= ACCEPT

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


def compare(a: RowFeatures, b: RowFeatures, corpus: Corpus = Corpus()) -> Evidence:  # noqa: B008
    """The evidence for and against `a` and `b` being one person."""
    signals = _key_signals(a, b, corpus.generic)
    shared = {kind for kind, weight in signals if weight > 0}
    match = compare_names(a.name, b.name)
    signals += _name_signals(match, shared, corpus)
    if shared or match.verdict is not NameVerdict.DISAGREE:
        history = _history_signals(a, b, corpus)
        signals += history
        signals += _background_signals(a, b)
    kept = tuple((signal, round(weight, 2)) for signal, weight in signals if weight)
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


def _name_signals(match: NameMatch, shared: set[str], corpus: Corpus) -> list[tuple[str, float]]:
    """The verdict, and how far the words in common are from a name that one person has by chance.

    Disagreeing names weigh a third with a LinkedIn key, nothing with another strong key beside it.
    E-mail and phone together are no more than one of them: a recruiter's come as a pair. A typing
    error makes a word that hardly a row holds; two words that many hold are two names.
    """
    verdict = match.verdict
    if match.typos and not all(
        corpus.is_rare(word) or corpus.is_rare(other) for word, other in match.typos
    ):
        verdict = NameVerdict.FAMILY
    weight = _NAME_WEIGHT[verdict]
    if weight < 0 and shared & _LINKEDIN_KINDS:
        weight = 0.0 if len(shared) > 1 else weight / 3
    elif weight < 0 and len(shared) > 1:
        weight *= 3
    signals = [(f"name_{verdict.value}", weight)]
    if match.shared or verdict in AGREEING:
        bits = sum(map(corpus.bits, match.shared)) - corpus.size
        signals.append(("name_rarity", _NAME_BITS * _within(bits, _NAME_BITS_RANGE)))
    return signals


def _within(value: float, limits: tuple[float, float]) -> float:
    return max(limits[0], min(value, limits[1]))


def _history_signals(a: RowFeatures, b: RowFeatures, corpus: Corpus) -> list[tuple[str, float]]:
    if not a.spells or not b.spells:
        return []
    mine, others = _by_employer(a.spells), _by_employer(b.spells)
    pairs = [(employer, employer) for employer in mine.keys() & others.keys()]
    pairs += _related(mine.keys() - others.keys(), others.keys() - mine.keys())
    if not pairs:
        return [("other_employers", _OTHER_EMPLOYERS[min(len(mine), len(others), 3) - 1])]
    counts: dict[str, int] = {}
    bits, titles = 0.0, 0
    for employer, other in pairs:
        match = _best_match(mine[employer], others[other])
        counts[match] = counts.get(match, 0) + 1
        titles += _same_title(mine[employer], others[other])
        same = employer == other
        bits += min(corpus.bits("@" + employer), _MOST_BITS[0]) if same else _ALIKE_BITS
    unmatched = min(len(mine), len(others)) - len(pairs)
    return [
        ("employer", _EMPLOYER_BITS * min(bits, _MOST_BITS[1])),
        *((start, _START_WEIGHT[start] * min(n, _MOST_STARTS)) for start, n in counts.items()),
        ("title", _TITLE * min(titles, _MOST_TITLES)),
        ("employers_missing", _UNMATCHED * max(0, min(unmatched, _MOST_STARTS))),
    ]


def _related(mine: Collection[str], others: Collection[str]) -> list[tuple[str, str]]:
    return [(a, b) for a in sorted(mine) for b in sorted(others) if related(a, b)]


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
    both = [(a, b) for a in mine for b in others]
    dated = [(a.start, b.start) for a, b in both if a.start is not None and b.start is not None]
    gaps = [
        abs(a.start - b.start)
        for a, b in both
        if a.precise and b.precise and a.start is not None and b.start is not None
    ]
    if gaps:
        gap = min(gaps)
        return next((name for months, name in _STARTS if gap <= months), "other_start")
    if not dated:
        return "undated"
    years = {first // 12 == second // 12 for first, second in dated}
    return "same_year" if True in years else "other_year"


def _background_signals(a: RowFeatures, b: RowFeatures) -> list[tuple[str, float]]:
    """Schools, places and texts."""
    signals = []
    if a.schools and b.schools:
        shared = set(a.schools) & set(b.schools)
        signals.append(("school", 4.0) if shared else ("other_school", -5.0))
    if a.cities and b.cities:
        shared = set(a.cities) & set(b.cities)
        signals.append(("place", 2.0) if shared else ("other_place", -1.0))
    if a.headline and a.headline == b.headline:
        signals.append(("headline", 2.0))
    if a.summary and a.summary == b.summary:
        signals.append(("summary", 6.0))
    return signals

"""Evidence that two source rows describe one person, as weights in bits that add up.

A weight is log2 of how much more often a signal is seen between rows of one person than between
other rows that share a key, times its amount: bits of rarity, jobs, or 1. Evidence repeats itself,
so a signal weighs less beside a LinkedIn name, and least beside an e-mail, a phone or a member id
(the columns of `_WEIGHTS`). The weights are those of a logistic regression on generated people of
two authors, rounded towards zero (docs/identity.md says how well it does). A pair is accepted at
`ACCEPT`. The score is symmetric and depends on the two rows and the corpus alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from itertools import product, starmap

import msgspec

from profiles.resolution.blocking import IdentityKey, KeyKind
from profiles.resolution.employers import (
    Spell,
    history,
    other_school,
    related_jobs,
    same_title,
    starts_of,
    word_share,
)  # fmt: skip
from profiles.resolution.features import RowFeatures
from profiles.resolution.names import AGREEING, NameMatch, NameVerdict, compare_names
from profiles.resolution.quarantine import Corpus
from profiles.resolution.scripts import comparable
from profiles.standardization.identifiers import is_personal_domain
from profiles.standardization.places import is_one_place

RESOLVER_VERSION = "18"
"""Raise it when a weight, a rule or a standardisation changes: every row is then compared again."""

ACCEPT = 6.0
"""Least score of a pair that is one person."""

SAME_START_MONTHS = 1
NEAR_START_MONTHS = 6
_START_MONTHS = (SAME_START_MONTHS, 3, NEAR_START_MONTHS, 12)
_STARTS = (
    "same_start", "near_start", "start_in_half_year", "start_in_year", "other_start",
    "same_year", "other_year", "undated",
)  # fmt: skip
_SAME_YEAR, _OTHER_YEAR, _UNDATED = range(len(_START_MONTHS) + 1, len(_STARTS))
"""Known months tell most, years less."""
_RANKS = tuple(bisect_left(_START_MONTHS, months) for months in range(_START_MONTHS[-1] + 2))

PAIR_LIMITS = {"near_months": NEAR_START_MONTHS, "same_months": SAME_START_MONTHS}
"""What makes a pair of rows that share weak keys alone, see `pair_points`."""

_STRONGEST = (KeyKind.MEMBER_ID.value, KeyKind.EMAIL.value, KeyKind.PHONE.value)
_KEYS = (*_STRONGEST, KeyKind.LINKEDIN.value)
_ALONE, _BESIDE_LINKEDIN, _BESIDE_STRONGEST = range(3)
_KEY_WEIGHT = {"member_id": 11.0, "email": 11.5, "phone": 9.5, "linkedin": 4.5}
_MORE_KEYS = 0.5
"""Of a second key beside the strongest: a recruiter's mail and phone come as a pair."""
_WEIGHTS = {
    "other_member_id": (-40.0, -40.0, -40.0),
    "other_linkedin": (-4.0, 0.0, -1.5),
    "other_email": (-4.0, -2.5, -1.0),
    "other_phone": (-3.5, -2.0, -0.5),
    "name_full": (2.4, 1.0, 2.0),
    "name_loose": (2.4, 1.2, 1.5),
    "name_form": (1.6, 0.0, 1.0),
    "name_typo": (3.5, 0.5, 0.5),
    "name_unknown": (0.0, 0.0, 0.0),
    "name_given": (-3.0, -1.0, -3.0),
    "name_alike": (-1.5, 0.0, -2.5),
    "name_family": (-2.5, -0.5, -7.0),
    "name_disagree": (-7.0, -2.0, -6.7),
    "name_rarity": (0.38, 0.14, 0.05),
    "more_rows": (-0.5, 0.0, 0.0),
    "employer": (0.6, 0.45, 0.2),
    "same_start": (1.7, 1.7, 0.5),
    "near_start": (0.8, 0.9, 0.2),
    "start_in_half_year": (0.8, 0.6, 0.0),
    "start_in_year": (-3.5, 0.0, 0.0),
    "other_start": (-6.7, -2.8, -0.2),
    "same_year": (1.6, 1.7, 0.4),
    "other_year": (-4.0, -2.2, 0.0),
    "undated": (-1.9, -0.1, -1.0),
    "title": (1.2, 0.8, 1.0),
    "title_words": (4.4, 4.0, 2.3),
    "employers_missing": (-2.1, -2.1, -0.7),
    "other_employer": (-2.0, -0.3, -1.0),
    "other_employers": (-2.2, -1.5, -1.2),
    "school": (4.4, 2.6, 0.3),
    "other_school": (-6.0, -2.8, -2.2),
    "place": (2.0, 2.0, 1.3),
    "other_place": (-0.7, -0.5, -1.0),
    "headline": (0.7, 0.7, 0.1),
    "summary": (2.5, 0.7, 0.1),
}
_COLUMNS = [{signal: row[column] for signal, row in _WEIGHTS.items()} for column in range(3)]
_AGREEING = frozenset(f"name_{verdict}" for verdict in AGREEING)
_NAME_BITS_RANGE = (-20.0, 25.0)
_MOST_BITS = 30.0
_ALIKE_BITS = 7.0
_MOST_JOBS = 3
"""Employers that count of one kind of start, as missing, or as other ones."""
_MOST_TITLES = 2


class Evidence(msgspec.Struct, frozen=True):
    """The score of a pair and the signals that made it, heaviest kind first."""

    score: float
    signals: tuple[tuple[str, float], ...]

    @property
    def accepted(self) -> bool:
        """Return whether the evidence alone accepts the pair."""
        return self.score >= ACCEPT

    @property
    def rule(self) -> str:
        """The kind of key that carries the pair: the strongest strong one, else a weak one."""
        if not self.is_weak:
            return self.signals[0][0]
        names_agree = any(signal in _AGREEING for signal, _ in self.signals)
        return KeyKind.NAME_EMPLOYER.value if names_agree else KeyKind.CAREER.value

    @property
    def is_weak(self) -> bool:
        """Return whether only name and work history carry the pair."""
        return not self.signals or self.signals[0][0] not in _KEY_WEIGHT


def compare(a: RowFeatures, b: RowFeatures, corpus: Corpus = Corpus()) -> Evidence:  # noqa: B008
    """The evidence for and against `a` and `b` being one person."""
    shared, signals = _key_signals(a.keys, b.keys, corpus.generic)
    column = _ALONE
    if shared:
        column = _BESIDE_STRONGEST if shared[0] in _STRONGEST else _BESIDE_LINKEDIN
    match = compare_names(a.name, b.name)
    signals += _name_signals(match, corpus, alone=not shared)
    if shared or match.verdict is not NameVerdict.DISAGREE:
        if a.spells and b.spells:
            signals += _history_signals(a, b, corpus)
        signals += _background_signals(a, b)
    kept = [(kind, _MORE_KEYS if n else _KEY_WEIGHT[kind]) for n, kind in enumerate(shared)]
    weights = _COLUMNS[column]
    for signal, amount in signals:
        if weight := weights[signal] if amount == 1 else round(weights[signal] * amount, 2):
            kept.append((signal, weight))
    return Evidence(sum([weight for _, weight in kept]), tuple(kept))


def _key_signals(
    a: tuple[IdentityKey, ...], b: tuple[IdentityKey, ...], generic: Collection[IdentityKey]
) -> tuple[list[str], list[tuple[str, float]]]:
    """The kinds of the keys that link the two, strongest first, and those that contradict."""
    mine, others = dict(a), dict(b)
    both = [kind for kind in _KEYS if kind in mine and kind in others]
    if not both:
        return [], []
    shared = [key for key in a if key in b]
    linking = {key[0] for key in shared if key not in generic}
    agreeing = dict(shared)
    return (
        [kind for kind in both if kind in linking],
        [("other_" + kind, 1.0) for kind in both if kind not in agreeing and _differ(kind, a, b)],
    )


def are_two_accounts(a: RowFeatures, b: RowFeatures) -> bool:
    """Return whether two rows state member ids of one alphabet and share none."""
    mine, others = ({key for key in row.keys if key[0] == KeyKind.MEMBER_ID} for row in (a, b))
    return (
        bool(mine and others) and not mine & others and _differ(KeyKind.MEMBER_ID, a.keys, b.keys)
    )


def _differ(kind: str, a: tuple[IdentityKey, ...], b: tuple[IdentityKey, ...]) -> bool:
    """Return whether two rows that state the kind and share no key of it contradict each other.

    Numeric member ids and ACoAA urns name the same thing in two alphabets, a work address changes
    with the job: only ids of one alphabet and addresses of one domain, or at home, contradict.
    """
    if kind not in (KeyKind.EMAIL, KeyKind.MEMBER_ID):
        return True
    mine = [value for stated, value in a if stated == kind]
    others = [value for stated, value in b if stated == kind]
    if kind == KeyKind.EMAIL:
        is_private = any(map(is_personal_domain, mine)) and any(map(is_personal_domain, others))
        return is_private or not _domains(mine).isdisjoint(_domains(others))
    return bool(set(map(str.isdigit, mine)) & set(map(str.isdigit, others)))


def _domains(emails: Sequence[str]) -> set[str]:
    return {email.rpartition("@")[2] for email in emails}


def _name_signals(match: NameMatch, corpus: Corpus, *, alone: bool) -> list[tuple[str, float]]:
    """The verdict, and by how many bits the words in common are rarer than one holder in all rows.

    A typing error makes a word that hardly a row holds: without a key, two words that many hold are
    two names.
    """
    verdict = match.verdict
    if alone and verdict is NameVerdict.TYPO:
        known = corpus.frequent
        if any(word in known and other in known for word, other in match.typos):
            verdict = NameVerdict.FAMILY
    signals = [("name_" + verdict, 1.0), ("more_rows", corpus.doublings)]
    if match.shared or verdict in AGREEING:
        least, most = _NAME_BITS_RANGE
        signals.append(("name_rarity", max(least, min(corpus.name_bits(match.shared), most))))
    return signals


def _history_signals(a: RowFeatures, b: RowFeatures, corpus: Corpus) -> list[tuple[str, float]]:
    (mine, own, words), (others, of_others, more) = history(a.spells), history(b.spells)
    same = [employer for employer in mine if employer in others]
    pairs = [(mine[employer], others[employer]) for employer in same]
    jobs = min(len(own), len(of_others))
    if len(pairs) < min(len(mine), len(others)):
        pairs += related_jobs(mine, others)
    # The share of the words of the titles with fewer words that the others hold; half if unknown:
    # namesakes are in other lines of work.
    common = word_share(words, more) if words and more else 0.5
    if not common and not comparable(words, more):
        common = 0.5
    titles = ("title_words", common - 0.5)
    if not pairs:
        listed = ({name: mine[name] for name in own}, {name: others[name] for name in of_others})
        return _other_employers(*listed, titles)
    bits = corpus.employer_bits(same) + _ALIKE_BITS * (len(pairs) - len(same))
    counts: dict[int, int] = {}
    same_titles = 0
    for ours, theirs in pairs:
        best, titled = _UNDATED, False
        for job in ours:
            for other in theirs:
                rank = _start_rank(job, other)
                if rank < best:
                    best = rank
                titled = titled or same_title(job.title, other.title)
        counts[best] = counts.get(best, 0) + 1
        same_titles += titled
    signals = [("employer", min(bits, _MOST_BITS))]
    signals += [(_STARTS[rank], min(counts[rank], _MOST_JOBS)) for rank in sorted(counts)]
    if same_titles:
        signals.append(("title", min(same_titles, _MOST_TITLES)))
    signals.append(titles)
    if len(pairs) < jobs:
        signals.append(("employers_missing", min(jobs - len(pairs), _MOST_JOBS)))
    return signals


def _other_employers(
    mine: Mapping[str, list[Spell]],
    others: Mapping[str, list[Spell]],
    titles: tuple[str, float],
) -> list[tuple[str, float]]:
    """What it says that two rows share no employer: not what it seems where two jobs of both began
    in the same months, those of one career in two languages, or where they are in other scripts."""
    (months, years), (other_months, other_years) = starts_of(mine), starts_of(others)
    same_months, same_years = len(months & other_months), len(years & other_years)
    if same_months > 1:
        return [("same_start", min(same_months, _MOST_JOBS))]
    if not comparable(mine, others):
        return [("same_year", min(same_years, _MOST_JOBS))] if same_years > 1 else []
    jobs = min(len(mine), len(others))
    if jobs < 2:
        return [("other_employer", 1.0)] * jobs
    return [("other_employers", min(jobs, _MOST_JOBS)), titles]


def _start_rank(a: Spell, b: Spell) -> int:
    """The place in `_STARTS` of how the starts of two jobs agree."""
    if a.start is None or b.start is None:
        return _UNDATED
    if a.precise and b.precise:
        return _RANKS[min(abs(a.start - b.start), len(_RANKS) - 1)]
    return _SAME_YEAR if a.start // 12 == b.start // 12 else _OTHER_YEAR


def _background_signals(a: RowFeatures, b: RowFeatures) -> list[tuple[str, float]]:
    """Schools, places and texts."""
    signals = []
    schools, cities = (a.schools, b.schools), (a.cities, b.cities)
    if all(schools) and not set(a.schools).isdisjoint(b.schools):
        signals.append("school")
    elif all(schools) and comparable(*schools) and all(starmap(other_school, product(*schools))):
        signals.append("other_school")
    if any(starmap(is_one_place, product(*cities))):
        signals.append("place")
    elif all(cities) and comparable(*cities):
        signals.append("other_place")
    if a.headline and a.headline == b.headline:
        signals.append("headline")
    if a.summary and a.summary == b.summary:
        signals.append("summary")
    return [(signal, 1.0) for signal in signals]

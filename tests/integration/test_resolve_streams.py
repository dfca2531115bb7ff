"""A stream of changed rows leaves the partition that comparing every pair gives."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence

import networkx
import pytest
from tests.factories import education, position, record
from tests.integration.test_resolve_identities import (
    owners,
    partition,
    put,
    remove,
    resolve,
    select,
)

from profiles.models import SourceRecord
from profiles.resolution import quarantine
from profiles.resolution.blocking import WEAK_KINDS, KeyKind
from profiles.resolution.clustering import Edge, cluster
from profiles.resolution.comparison import NEAR_START_MONTHS, SAME_START_MONTHS, compare
from profiles.resolution.employers import heads
from profiles.resolution.features import RowIdentity, describe
from profiles.resolution.quarantine import LEAST_ROWS, Corpus
from profiles.steps import resolve_identities
from profiles.steps.identity import overlap
from profiles.storage.connection import Database


def oracle(records: Iterable[SourceRecord]) -> set[frozenset]:
    """Every pair of rows that shares a key which is not generic, compared one by one."""
    rows = [describe(item) for item in records]
    generic = generic_keys(rows)
    corpus = corpus_of(rows, generic)
    pairs = [
        Edge(a.features.ref, b.features.ref, found)
        for a, b in itertools.combinations(rows, 2)
        if are_compared(a, b, (a.keys.keys() & b.keys.keys()) - generic)
        and (found := compare(a.features, b.features, corpus)).accepted
    ]
    graph = networkx.Graph()
    graph.add_nodes_from(row.features.ref for row in rows)
    graph.add_edges_from((edge.a, edge.b) for edge in pairs)
    features = {row.features.ref: row.features for row in rows}
    return {
        frozenset(found.refs)
        for component in networkx.connected_components(graph)
        for found in cluster(
            [features[ref] for ref in component],
            [edge for edge in pairs if edge.a in component],
            corpus=corpus,
        )
    }


def corpus_of(rows: Sequence[RowIdentity], generic: set[tuple[str, str]]) -> Corpus:
    held = Counter(term for row in rows for term in row.terms.split("\t") if term)
    return Corpus(
        rows=len(rows).bit_length() - 1,
        frequent={term: n.bit_length() - 1 for term, n in held.items() if n >= LEAST_ROWS},
        generic=frozenset(key for key in generic if key[0] not in WEAK_KINDS),
    )


def are_compared(a: RowIdentity, b: RowIdentity, keys: set[tuple[str, str]]) -> bool:
    """Return whether the keys that both rows hold make them a pair."""
    if any(kind not in (KeyKind.NAME_EMPLOYER, KeyKind.INITIAL) for kind, _ in keys):
        return True
    found = (points(kind, jobs_at(a, value), jobs_at(b, value)) for kind, value in keys)
    return sum(found) >= ENOUGH


Jobs = tuple[list[float], set[str]]
ENOUGH = 2


def points(kind: str, a: Jobs, b: Jobs) -> int:
    """Of a pair: none where the starts say that it cannot be one job."""
    (starts, words), (other_starts, other_words) = a, b
    if max(min(starts) - max(other_starts), min(other_starts) - max(starts)) > NEAR_START_MONTHS:
        return 0
    whole = kind == KeyKind.NAME_EMPLOYER
    if not (words and other_words):
        return whole if math.inf in starts + other_starts else ENOUGH
    if words <= other_words or other_words <= words:
        return ENOUGH
    ends = (min(starts), min(other_starts)), (max(starts), max(other_starts))
    if all(abs(start - other) <= SAME_START_MONTHS for start, other in ends):
        return whole + 1 if words.isdisjoint(other_words) else ENOUGH
    return whole


def jobs_at(row: RowIdentity, name_employer: str) -> Jobs:
    """Months in which the jobs at a key's employer can have begun, and words of their titles."""
    jobs = [
        spell
        for spell in row.features.spells
        if name_employer.rpartition("|")[2] in heads(spell.employer)
    ]
    starts: list[float] = []
    for spell in jobs:
        if spell.start is None:
            starts += [-math.inf, math.inf]
        else:
            around = (0, 0) if spell.precise else (-12, 23)
            starts += [spell.start + months for months in around]
    return starts, {word for spell in jobs for word in spell.title.split()}


def generic_keys(rows: list[RowIdentity]) -> set[tuple[str, str]]:
    holders: dict[tuple[str, str], list[RowIdentity]] = {}
    for row in rows:
        for key in row.keys:
            holders.setdefault(key, []).append(row)
    return {
        key
        for key, held in holders.items()
        if quarantine.generic_reason(
            kind=key[0],
            rows=len(held),
            names=[row.features.name for row in held if row.features.name],
        )
    }


NAMES = ("Ada Testwell", "A. Testwell", "Ada Newname", "Otto Oldowner", "Nila Newowner", None)


def random_record(rnd: random.Random, number: int) -> SourceRecord:
    jobs = [
        position(
            rnd.choice(("Tarn Media", "Umbra Media")),
            rnd.choice(("2019-03", "2019-05", "2019", "2021-08", None)),
            title=rnd.choice(("Engineer", "Senior Engineer", "Buyer", None)),
        )
        for _ in range(rnd.randrange(3))
    ]
    return record(
        source=("linkedin", "resume")[number % 2],
        source_key=f"row-{number}",
        full_name=rnd.choice(NAMES),
        emails=(f"m{rnd.randrange(9)}@mail-example.com",) if rnd.random() < 0.5 else (),
        phones=(f"+120255501{rnd.randrange(9):02}",) if rnd.random() < 0.3 else (),
        linkedin_id=rnd.choice((None, None, "ada", "otto", "nila")),
        linkedin_member_ids=(str(rnd.randrange(4)),) if rnd.random() < 0.2 else (),
        positions=tuple(jobs),
        education=(education(),) if rnd.random() < 0.5 else (),
        location=rnd.choice(("Pune, India", None)),
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_partition_of_a_random_stream_equals_a_full_run(
    database: Database, seed: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(quarantine, "MAX_BLOCK_ROWS", dict.fromkeys(quarantine.MAX_BLOCK_ROWS, 5))
    monkeypatch.setattr(quarantine, "MAX_STRONG_ROWS", 6)
    if seed % 2:
        monkeypatch.setattr(resolve_identities, "REBUILD_FROM", 1)
    if seed == 3:
        monkeypatch.setattr(overlap, "PROCESS_FROM", 1)
    rnd = random.Random(seed)
    alive: dict[int, SourceRecord] = {}
    for _ in range(6):
        for number in rnd.sample(range(40), 8):
            if number in alive and rnd.random() < 0.4:
                remove(database, alive.pop(number))
            else:
                alive[number] = random_record(rnd, number)
                put(database, alive[number])
        resolve(database)
        assert partition(database) == oracle(alive.values())
        assert set(owners(database)) == {(row.source, row.source_key) for row in alive.values()}
        check_invariants(database)


def check_invariants(database: Database) -> None:
    """Live candidates have rows, merged and retired ones have none, redirects end at a live one."""
    orphans = """
        SELECT count(*) FROM synthesis.candidate AS c
        WHERE (merged_into IS NULL AND retired_at IS NULL) <> EXISTS (
          SELECT FROM synthesis.candidate_source AS s WHERE s.candidate_id = c.candidate_id)"""
    assert select(database, orphans) == [(0,)]
    younger = "SELECT count(*) FROM synthesis.candidate WHERE merged_into >= candidate_id"
    assert select(database, younger) == [(0,)]


@pytest.mark.parametrize(("start", "pairs"), [("2019-04", 1), ("2019-05", 0)])
def test_full_namesakes_who_began_together_are_compared_whatever_their_titles(
    database: Database, start: str, pairs: int
):
    put(database, *(record(positions=()) for _ in range(quarantine.MAX_BLOCK_ROWS["name"])))
    resolve(database)
    put(database, record(positions=(position(start="2019-03"),)))
    put(database, record(positions=(position(start=start, title="Buyer"),)))
    assert resolve(database)["pairs"] == pairs


def test_a_crowded_key_that_loses_a_row_stays_in_quarantine(database):
    most = quarantine.MAX_BLOCK_ROWS["name"]
    namesakes = [record(positions=()) for _ in range(most + 2)]
    put(database, *namesakes)
    crowded = resolve(database)["generic_keys"]
    assert crowded > 0
    for row, expected in zip(namesakes, (crowded, 0), strict=False):
        remove(database, row)
        assert resolve(database)["generic_keys"] == expected

"""Candidate ids stay with their people."""

import random

import pytest

from profiles.resolution.clustering import Cluster
from profiles.resolution.stability import Merge, Move, assign


def clusters(*groups: str) -> list[Cluster]:
    return [Cluster(tuple(("s", row) for row in sorted(group)), ()) for group in groups]


def previous(**ids: int) -> dict:
    return {("s", row): candidate_id for row, candidate_id in ids.items()}


def test_new_rows_become_new_people():
    assert assign(clusters("ab", "c"), {}).ids == (None, None)


def test_a_row_that_joins_a_known_person_takes_the_id():
    assert assign(clusters("abc"), previous(a=7, b=7)).ids == (7,)


def test_a_merge_keeps_the_older_id():
    found = assign(clusters("abcd"), previous(a=9, b=9, c=9, d=4))
    assert found.ids == (4,)
    assert found.merges == (Merge(winner=4, loser=9),)


def test_a_split_keeps_the_id_with_the_majority():
    found = assign(clusters("a", "bc"), previous(a=7, b=7, c=7))
    assert found.ids == (None, 7)
    assert found.moves == (Move(previous=7, cluster=0, rows=1),)


def test_a_tied_split_keeps_the_id_with_the_smaller_row():
    assert assign(clusters("bd", "ac"), previous(a=7, b=7, c=7, d=7)).ids == (None, 7)


def test_a_row_that_changes_person_moves_and_merges_nobody():
    found = assign(clusters("ab", "cde"), previous(a=3, b=3, c=3, d=5, e=5))
    assert found.ids == (3, 5)
    assert found.merges == ()
    assert found.moves == (Move(previous=3, cluster=1, rows=1),)


def test_a_tied_split_keeps_the_id_with_the_row_known_longest():
    found = assign(
        clusters("bd", "ac"),
        previous(a=7, b=7, c=7, d=7),
        age={("s", "d"): 1, ("s", "a"): 2, ("s", "b"): 3, ("s", "c"): 4},
    )
    assert found.ids == (7, None)


def test_absorbed_rows_remember_their_own_id():
    found = assign(clusters("abc"), previous(a=4, b=9, c=9))
    assert found.own == previous(b=9, c=9)


def test_an_undone_merge_gives_both_people_their_ids_back():
    found = assign(clusters("a", "bc"), previous(a=4, b=4, c=4), own=previous(b=9, c=9))
    assert (found.ids, found.revived, found.own) == ((4, 9), (9,), {})
    assert found.moves == (Move(previous=4, cluster=1, rows=2),)


def test_a_merged_id_does_not_come_back_for_a_minority_of_its_rows():
    found = assign(clusters("abc", "d"), previous(a=4, b=4, c=4, d=4), own=previous(b=9, c=9, d=9))
    assert (found.ids, found.revived, found.own) == ((4, None), (), previous(b=9, c=9))


def test_a_candidate_that_lost_its_own_rows_lives_on_in_those_it_absorbed():
    found = assign(clusters("b"), previous(b=4), own=previous(b=9))
    assert (found.ids, found.merges, found.revived) == ((4,), (), ())


def test_a_chain_of_merges_comes_apart_link_by_link():
    standing, own = previous(a=1, b=1, c=1), previous(b=2, c=3)
    assert assign(clusters("abc"), standing, own=own).merges == ()
    assert assign(clusters("a", "b", "c"), standing, own=own).revived == (2, 3)
    halved = assign(clusters("a", "bc"), standing, own=own)
    assert (halved.ids, halved.revived) == ((1, 2), (2,))
    assert halved.merges == (Merge(winner=2, loser=3),)


@pytest.mark.parametrize("seed", range(20))
def test_every_id_survives_once_or_merges_into_a_survivor(seed):
    rnd = random.Random(seed)
    rows = [("s", str(n)) for n in range(30)]
    before = {row: rnd.randrange(1, 9) for row in rows if rnd.random() < 0.8}
    groups: dict[int, list] = {}
    for row in rows:
        groups.setdefault(rnd.randrange(8), []).append(row)
    found = assign([Cluster(tuple(sorted(group)), ()) for group in groups.values()], before)
    kept = [known for known in found.ids if known is not None]
    losers = [merge.loser for merge in found.merges]
    assert sorted(kept + losers) == sorted(set(before.values()))
    assert all(merge.winner in kept and merge.winner < merge.loser for merge in found.merges)

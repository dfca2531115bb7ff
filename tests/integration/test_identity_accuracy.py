"""Generated people, from source tables to candidates, against the truth that made them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources, resolve_identities
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from sample_data import load_sample, write_sample

RUN = "manual__1"
PEOPLE = 400
SEED = 97


def pairs(owner_of: Mapping[tuple[str, str], object]) -> set[tuple]:
    """All pairs of rows with one owner."""
    groups: dict[object, list] = {}
    for ref, owner in sorted(owner_of.items()):
        groups.setdefault(owner, []).append(ref)
    return {pair for group in groups.values() for pair in itertools.combinations(group, 2)}


def truth(folder: Path) -> dict[tuple[str, str], str]:
    source_of = {mapping.table: mapping.source for mapping in load_mappings().values()}
    lines = (folder / "truth.tsv").read_text(encoding="utf-8").splitlines()[1:]
    columns = (line.split("\t") for line in lines)
    return {(source_of[f"src.{table}"], key): person for table, key, person, *_ in columns}


def test_pairs_are_precise_and_complete_on_generated_people(database: Database, tmp_path: Path):
    write_sample(tmp_path, people=PEOPLE, seed=SEED)
    load_sample(database, tmp_path)
    check_sources.run(database, run_id=RUN, params=RunParams())
    for source in load_mappings():
        extract_sources.run(database, run_id=RUN, source=source)
    resolve_identities.run(database, run_id=RUN)
    with database.connect() as connection:
        found = {
            (source, key): candidate_id
            for source, key, candidate_id in connection.execute(
                "SELECT source, source_key, candidate_id FROM synthesis.candidate_source"
            )
        }
    expected = truth(tmp_path)
    assert found.keys() == expected.keys()
    ours, theirs = pairs(found), pairs(expected)
    assert len(ours & theirs) / len(ours) >= 0.99
    assert len(ours & theirs) / len(theirs) >= 0.95

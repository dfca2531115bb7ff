"""Rows that look like one person and are not, or the other way round, from source row to person."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from profiles.extraction.reader import read_row
from profiles.models import SourceRecord
from profiles.resolution.clustering import Edge, cluster
from profiles.resolution.comparison import compare
from profiles.resolution.features import describe
from profiles.storage.mappings import load_mappings

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "golden" / "identity_cases.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.fixture(scope="module")
def person_of() -> dict[str, int]:
    """Case → number of the person it resolves to, all cases together."""
    by_table = {mapping.table: mapping for mapping in load_mappings().values()}
    case_of: dict[tuple[str, str], str] = {}
    rows = []
    for case in CASES:
        found = read_row(by_table[f"src.{case['source']}"], case["row"])
        assert isinstance(found, SourceRecord), case["case"]
        row = describe(found)
        case_of[row.features.ref] = case["case"]
        rows.append(row)
    edges = [
        Edge(a.features.ref, b.features.ref, evidence)
        for a, b in itertools.combinations(rows, 2)
        if set(a.keys) & set(b.keys) and (evidence := compare(a.features, b.features)).accepted
    ]
    persons = cluster([row.features for row in rows], edges)
    return {case_of[ref]: n for n, person in enumerate(persons) for ref in person.refs}


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_the_case_resolves_as_stated(case, person_of):
    mine = person_of[case["case"]]
    for other in case["expect"].get("same_person_as", []):
        assert person_of[other] == mine, case["why"]
    for other in case["expect"].get("not_same_person_as", []):
        assert person_of[other] != mine, case["why"]

"""Every item of a row's lists is in the record or counted with its field and reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.source_rows import lead, linkedin, resume, weekday

from profiles.extraction.json_path import Step
from profiles.extraction.plan import RowPlan
from profiles.extraction.reader import read_row
from profiles.extraction.record_json import encode
from profiles.models import SourceRecord
from profiles.storage.mappings import load_mappings

FUZZ = settings(max_examples=60, deadline=None, derandomize=True, database=None)
MAPPINGS = load_mappings()
NAMES = ("skills", "certifications", "languages")


def unread(source: str, row: dict[str, Any]) -> tuple[dict[tuple[str, str], int], str]:
    """What was counted, and the record as text."""
    found: list[tuple[str, str]] = []
    result = read_row(MAPPINGS[source], row, found)
    text = encode(result).decode() if isinstance(result, SourceRecord) else ""
    return dict(Counter(found)), text


def person(**raw: Any) -> dict[str, Any]:
    return linkedin("k", raw={"full_name": "Ada Testwell", **raw})


@pytest.mark.parametrize(
    ("field", "raw", "reasons"),
    [
        ("positions", {"experiences": ["Nurse", 7, {"logo": "a.png"}, None, {}, {"title": "Cook"}]},
         {"wrong_type": 2, "nothing_read": 1}),
        ("positions", {"experiences": 12}, {"wrong_type": 1}),
        ("education", {"education": [["Halden University"], {"school": "Halden University"}]},
         {"wrong_type": 1}),
        ("skills", {"skills": ["Go", {"level": "best"}, {"name": "Rust"}, 5, [6, "SQL"], "", None]},
         {"nothing_read": 1, "wrong_type": 2}),
        ("skills", {"skills": ["Go", '{"level": "best"}', '{"name": "Rust"}', '[6, "SQL", 7]', "[]",
                               "{}", '""', '"Perl"', "[C, D"]},
         {"nothing_read": 1, "wrong_type": 2}),
        ("skills", {"skills": "Go, Rust"}, {"not_a_list": 1}),
        ("skills", {"skills": ["Go", "x" * 81]}, {"too_long": 1}),
        ("certifications", {"certifications": ["PMP", {"name": "CFA"}, {"name": ""}]},
         {"wrong_type": 1}),
        ("languages", {"languages": [{"code": "en"}, "German", {}]}, {"nothing_read": 1}),
        ("emails", {"personal_emails": ["ada@example.org", {"address": "ada@example.org"}, 3]},
         {"nothing_read": 1, "wrong_type": 1}),
        ("phones", {"personal_numbers": ["+442079460000", 442079460000, True, ["x"]]},
         {"wrong_type": 1, "nothing_read": 1}),
    ],
)  # fmt: skip
def test_items_of_a_wrong_type_are_counted(
    field: str, raw: dict[str, Any], reasons: dict[str, int]
) -> None:
    assert unread("linkedin", person(**raw))[0] == {
        (field, reason): number for reason, number in reasons.items()
    }


@pytest.mark.parametrize(
    ("source", "row", "expected"),
    [
        ("lemlist", lead("l", fields={"positionGroups": ["Nurse", {"logo": "a"}, {"company": {
            "name": "Halden Group"}, "profilePositions": [{"title": "Cook"}, 4]}]}),
         {("positions", "wrong_type"): 2, ("positions", "nothing_read"): 1}),
        ("weekday", weekday("w", work_experience='[{"title": "Cook"}, 5, {"logo": "a"}]'),
         {("positions", "nothing_read"): 2}),
        ("resume", resume("a", "affinda", {"workExperience": [3, {"jobTitle": "Cook"}]}),
         {("positions", "wrong_type"): 1}),
        ("resume", resume("p", "pyresparser", {"experience": ["Cook at sea", {"title": "Cook"}]}),
         {("positions", "wrong_type"): 1}),
        ("linkedin", linkedin("b", "brightdata", {"experience": ["Cook", {"title": "Halden Group",
            "positions": [{"title": "Nurse"}, 9]}]}), {("positions", "wrong_type"): 2}),
    ],
)  # fmt: skip
def test_adapters_lose_no_item(
    source: str, row: dict[str, Any], expected: dict[tuple[str, str], int]
) -> None:
    assert unread(source, row)[0] == expected


@pytest.mark.parametrize(
    ("source", "row"),
    [
        ("linkedin", lambda skills: person(skills=skills)),
        ("linkedin", lambda skills: person(skills=[{"name": "Go"}, *skills])),
        ("resume", lambda skills: resume("j", "jsonresume", {"skills": skills})),
        ("resume", lambda skills: resume("p", "pyresparser", {"skills": skills})),
        ("resume", lambda skills: resume("a", "affinda", {"skills": skills})),
        ("weekday", lambda skills: weekday("w", skills=json.dumps(skills))),
    ],
)
@pytest.mark.parametrize("depth", [1, 20, 21, 40])
@pytest.mark.parametrize("is_text", [True, False])
def test_what_lies_too_deep_is_read_or_counted_also_in_text(
    source: str, row: Callable[[list[Any]], dict[str, Any]], depth: int, is_text: bool
) -> None:
    element: Any = "Rust"
    for _ in range(depth):
        element = [element]
    counted, record = unread(source, row([json.dumps(element) if is_text else element]))
    assert sum(counted.values()) == (0 if "Rust" in record else 1)


def lists(plan: RowPlan) -> list[tuple[str, tuple[Step, ...], tuple[Step, ...]]]:
    """Field, path of the list, path of a name inside an element."""
    found: list[tuple[str, tuple[Step, ...], tuple[Step, ...]]] = [
        (each.field, each.container, each.members[0])
        for each in plan.lists
        if each.container is not None and each.field in NAMES and each.paths.reader is None
    ]
    for field, items, name in (
        ("positions", plan.positions, "title"),
        ("education", plan.education, "school"),
    ):
        found += [
            (field, item.path, item.fields[name].steps[0])
            for item in items
            if item.path is not None and item.reader is None and name in item.fields
        ]
    return found


PLACES = [
    (source, variant, *place)
    for source, mapping in sorted(MAPPINGS.items())
    for variant, plan in mapping.plans.items()
    for place in lists(plan)
]
KINDS = st.sampled_from(["text", "named", "unnamed", "number", "list", "nothing", "blank"])


def nested(path: tuple[Step, ...], value: Any) -> Any:
    for step in reversed(path):
        value = {step: value}
    return value


def both(first: dict[Any, Any], second: dict[Any, Any]) -> dict[Any, Any]:
    """Two nested objects as one."""
    shared = {name: both(first[name], second[name]) for name in first.keys() & second.keys()}
    return {**first, **second, **shared}


@pytest.mark.parametrize(
    ("source", "variant", "field", "path", "name"),
    PLACES,
    ids=[f"{source}-{variant}-{field}" for source, variant, field, *_ in PLACES],
)
@FUZZ
@given(kinds=st.lists(KINDS, min_size=1, max_size=6))
def test_every_item_is_read_or_counted(
    source: str,
    variant: str | None,
    field: str,
    path: tuple[Step, ...],
    name: tuple[Step, ...],
    kinds: list[str],
) -> None:
    items: list[Any] = []
    marks: list[str] = []
    for n, kind in enumerate(kinds):
        mark = f"Zeta{n}{n}word"
        if kind in ("nothing", "blank"):
            items.append(None if kind == "nothing" else {})
            continue
        marks.append(str(70_001 + n) if kind == "number" else mark)
        items.append(
            {
                "text": mark,
                "named": nested(name, mark) if name else {"name": mark},
                "unnamed": {"zz": mark},
                "number": 70_001 + n,
                "list": [{"zz": mark}],
            }[kind]
        )
    mapping = MAPPINGS[source]
    plan = mapping.plans[variant]
    named = plan.fields.get("given_name") or plan.fields["full_name"]
    row = {mapping.key: "k", **both(nested(named.steps[0], "Ada"), nested(path, items))}
    if mapping.discriminator:
        row[mapping.discriminator] = variant
    counted, record = unread(source, row)
    lost = [mark for mark in marks if mark not in record]
    assert sum(counted.values()) == len(lost)
    assert {of for of, _ in counted} <= {field}


def test_what_is_counted_says_nothing_of_the_row() -> None:
    counted, _ = unread("linkedin", person(skills=[{"level": "Quill"}], experiences=["Quill"]))
    assert "Quill" not in str(counted)
    assert len(counted) == 2

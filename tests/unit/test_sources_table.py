"""The table of vendors and sections in docs/sources.md says what the samples and cases show."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from tests.paths import REPOSITORY
from tests.source_rows import DATA

from profiles.extraction.reader import read_row
from profiles.models import SourceRecord
from profiles.storage.mappings import load_mappings

SECTIONS = {
    "projects": ["projects"],
    "volunteer work": ["volunteering"],
    "awards": ["awards"],
    "volunteer work, awards": ["volunteering", "awards"],
    "publications, patents": ["publications", "patents"],
    "publications, patents, talks": ["publications", "patents", "talks"],
    "courses, test scores": ["courses", "test_scores"],
    "courses, organisations": ["courses", "organisations"],
    "organisations": ["organisations"],
    "certificates with issuer": ["certifications"],
    "certificates": ["certifications", "additional"],
    "language levels": ["languages"],
    "languages with level": ["languages"],
    "levels and years of skills": ["skill_levels"],
}
"""By the row of the table what a record calls it; one of a row's sections makes it true."""
VARIANTS = {
    "Proxycurl, EnrichLayer": "proxycurl", "dev_fusion": "apify_dev_fusion",
    "harvestapi": "apify_harvestapi", "Bright Data": "brightdata",
    "People Data Labs": "people_data_labs", "PhantomBuster": "phantombuster",
    "JSON Resume": "jsonresume", "OpenResume": "openresume", "Affinda": "affinda",
    "Textkernel": "textkernel", "pyresparser": "pyresparser", "Lemlist": None,
}  # fmt: skip


def table() -> list[tuple[str, str, str]]:
    """(row, vendor, cell) of each cell that is about a section."""
    text = (REPOSITORY / "docs" / "sources.md").read_text(encoding="utf-8")
    cells = []
    head: list[str] = []
    for line in text.splitlines():
        parts = [part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        if parts[:1] == ["section"]:
            head = parts
        elif parts and parts[0] in SECTIONS:
            cells += [(parts[0], vendor, cell) for vendor, cell in zip(head, parts, strict=True)]
    return [cell for cell in cells if cell[1] != "section"]


@cache
def shown() -> dict[str | None, set[str]]:
    """The sections that the samples and cases have, by variant."""
    found: dict[str | None, set[str]] = {}
    for name in ("vendor_samples.jsonl", "input_cases.jsonl"):
        for line in (DATA / name).read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            record = read_row(load()[case["source"]], case["input"])
            label = case["input"].get("vendor") or case["input"].get("parser")
            if isinstance(record, SourceRecord) and (label or case["source"] == "lemlist"):
                sections = {entry.section for entry in record.entries}
                found.setdefault("proxycurl" if label == "enrichlayer" else label, set()).update(
                    sections
                )
    return found


@cache
def load():
    return load_mappings()


@pytest.mark.parametrize(("row", "vendor", "cell"), table())
def test_a_cell_of_the_table_is_true(row: str, vendor: str, cell: str) -> None:
    sections = shown()[VARIANTS[vendor]].intersection(SECTIONS[row])
    assert bool(sections) == (cell not in ("-", "in the lines")), sections


def test_the_table_has_every_vendor() -> None:
    assert {vendor for _, vendor, _ in table()} == set(VARIANTS)

"""Prints what the modules that may be compiled make of many inputs, one line each.

    python -m tests.compiled_outputs PEOPLE [FOLDER]

With FOLDER the build in it is used, and nothing is printed when it does not fit; without, the
source. The lines of both have to be the same, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from profiles import compiled


def _nested(depth: int, member: str | None = None) -> Any:
    """Lists in lists, or objects under `member`."""
    value: Any = "Go"
    for _ in range(depth):
        value = [value] if member is None else {member: value, "FoundYear": True}
    return value


NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 2019, 201903, 20190301, 1_551_398_400, 1_551_398_400_000, 2019.0,
    3.5, 10**400, -(10**30), 1e308, float("nan"), float("inf"), "", " ", "\x00", "a\x00b", "\ud83d",
    "\u202e", "null", "NaN", "[", '"[1', "9" * 5000, "[" * 3_000, "0000-00-00", "99/99/9999",
    "2019-20", "Müller", "+49 30 1234567", 9_845_012_345, [], {}, [[]], [None], ["a", 1, 2.5],
    {"": None}, {"name": 5}, {"year": 10**12}, {"year": "x", "month": []}, {"year": 2019.0},
    {"month": 13, "year": 2020}, {"IsCurrentDate": 1}, _nested(20), _nested(21), _nested(900),
    _nested(2, "year"), _nested(900, "year"), _nested(900, "Date"), _nested(900, "text"),
)  # fmt: skip
"""Values of kinds that compiled code might insist on, or count differently."""

_PLACES = 8
"""Of a row, that get them."""


def main(arguments: list[str]) -> int:
    if len(arguments) > 1:
        os.environ.pop(compiled.SWITCH, None)
        use = compiled.activate(Path(arguments[1]))
        if use.state != "used":
            sys.stderr.write(f"{use.detail}\n")
            return 1
        from profiles.standardization import dates

        assert dates.__file__.endswith(".so"), dates.__file__
    for line in _lines(int(arguments[0])):
        sys.stdout.write(f"{line}\n")
    return 0


def _lines(people: int) -> Iterator[str]:
    yield from _of_people(people)
    yield from _of_handed_rows()
    yield from _of_texts()


def _of_people(people: int) -> Iterator[str]:
    from profiles.extraction.reader import read_row
    from profiles.extraction.record_json import decode, encode
    from profiles.models import Candidate, SourceRecord
    from profiles.rendering.markdown import render
    from profiles.sample.population import Population
    from profiles.sample.rows import rows_of
    from profiles.sample.writer import COLUMNS
    from profiles.storage.mappings import load_mappings
    from profiles.storage.taxonomy import load_vocabulary

    mappings = {mapping.table.split(".")[-1]: mapping for mapping in load_mappings().values()}
    vocabulary = load_vocabulary()
    population = Population(5)
    for number in range(people):
        records = []
        for row in rows_of(population, number)[1]:
            cells: dict[str, Any] = dict(zip(COLUMNS[row.table], row.values, strict=True))
            unread: list[tuple[str, str]] = []
            record = read_row(mappings[row.table], cells, unread)
            yield _line(row.table, number, record, unread)
            if isinstance(record, SourceRecord):
                encoded = encode(record)
                yield _line("record", number, encoded)
                records.append(decode(encoded))
        document = render(Candidate(number, tuple(records)), vocabulary=vocabulary)
        yield _line("document", number, document)


def _of_handed_rows() -> Iterator[str]:
    """The handed rows, and each of them with one value after another replaced by a nasty one."""
    from profiles.extraction.reader import read_row
    from profiles.storage.mappings import load_mappings
    from tests.source_rows import SOURCES, edge_cases, report_rows

    mappings = load_mappings()
    rows = [(case["source"], case["row"]) for case in edge_cases()] + report_rows()
    for n, (table, row) in enumerate(rows):
        mapping = mappings[SOURCES[table]]
        unread: list[tuple[str, str]] = []
        yield _line(table, n, read_row(mapping, row, unread), unread)
        opened = {name: _opened(value) for name, value in row.items()}
        for place in islice(_places(opened), _PLACES):
            for k, value in enumerate(NASTY):
                unread = []
                found = read_row(mapping, _with(opened, place, value), unread)
                yield _line(table, n, place, k, found, unread)


def _of_texts() -> Iterator[str]:
    """Each text of the handed rows, and the nasty values, by all that reads or cleans text."""
    from profiles.standardization import (
        companies,
        contacts,
        dates,
        emails,
        flags,
        linkedin,
        names,
        phones,
        text,
    )  # fmt: skip
    from tests.source_rows import edge_cases, report_rows

    of_anything: tuple[Callable[[Any], object], ...] = (
        text.clean_line, text.clean_block, text.is_placeholder, names.standardize_name,
        dates.parse_date, dates.parse_range, dates.is_present, flags.goes_on,
        emails.canonical_email,
        linkedin.public_identifier, linkedin.member_id, linkedin.company_reference,
        companies.employer_key, companies.domain_key,
        lambda value: phones.to_e164(value, region="IN"),
    )  # fmt: skip
    of_text: tuple[Callable[[str], object], ...] = (
        text.fold, text.split_sentences, contacts.redact_contacts, names.name_key, phones.is_filler,
    )  # fmt: skip
    rows = [case["row"] for case in edge_cases()] + [row for _, row in report_rows()]
    found = dict.fromkeys(text for row in rows for text in _texts(_opened(row)))
    for n, value in enumerate((*found, *NASTY)):
        yield _line("text", n, *(function(value) for function in of_anything))
        if isinstance(value, str):
            yield _line("words", n, *(function(value) for function in of_text))


def _line(*parts: object) -> str:
    """The digest of it all behind what it is of; a failure names itself in full."""
    whole = repr(parts).encode("utf-8", "surrogatepass")
    what = " ".join(str(part) for part in parts[:2])
    failed = f" {parts!r}" if b"reader_failed" in whole else ""
    return f"{what} {hashlib.sha256(whole).hexdigest()[:16]}{failed}"


def _opened(value: Any) -> Any:
    """A value with JSON text in it decoded, so that there are places inside."""
    if isinstance(value, dict):
        return {name: _opened(member) for name, member in value.items()}
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        members = enumerate(value)
    for name, member in members:
        yield (*path, name)
        yield from _places(member, (*path, name))


def _with(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _with(value[path[0]], path[1:], new)
    return copy


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _texts(member)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

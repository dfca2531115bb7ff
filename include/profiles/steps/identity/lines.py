"""What other processes make of records and pairs: lines, as COPY reads them.

Imports no driver and no settings: each process would spend a third of a second on them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec

from profiles.resolution.blocking import JobMark
from profiles.resolution.comparison import RESOLVER_VERSION, compare
from profiles.resolution.facts import IdentityRecord, decode_or_none
from profiles.resolution.features import RowFeatures, describe, encode_features
from profiles.resolution.quarantine import Corpus

_decode_features = msgspec.json.Decoder(RowFeatures).decode
_encode = msgspec.json.Encoder().encode

Row = tuple[Any, ...]


def copy_text(value: str) -> str:
    """A text as the text format of COPY has it."""
    for special, escaped in _ESCAPES:
        if special in value:
            value = value.replace(special, escaped)
    return value


_ESCAPES = (("\\", r"\\"), ("\t", r"\t"), ("\n", r"\n"), ("\r", r"\r"))


def describe_records(batch: list[Row]) -> tuple[bytes, bytes, bytes, int, int]:
    """The new and the known of the rows, and the keys of both, as lines for COPY: they are cheap to
    hand over; how many records there were, and how many could not be read."""
    new: list[str] = []
    known: list[str] = []
    keys: list[str] = []
    unreadable = 0
    for row_id, is_new, source, source_key, record_hash, text in batch:
        record = decode_or_none(text)
        unreadable += record is None
        found = describe(record or IdentityRecord(source=source, source_key=source_key))
        facts = found.features
        name = r"\N" if facts.name is None else copy_text(facts.name)
        terms = found.terms and '"' + found.terms.replace("\t", '","') + '"'  # folded words
        (new if is_new else known).append(
            f"{row_id}\t{source}\t{copy_text(source_key)}\t{record_hash}\t{RESOLVER_VERSION}\t"
            f"{name}\t{copy_text(encode_features(facts))}\t{{{terms}}}\n"
        )
        keys += [f"{row_id}\t{kind}\t{copy_text(value)}{_UNMARKED}" for kind, value in facts.keys]
        keys += [
            f"{row_id}\t{kind}\t{value}{_marked(mark)}"  # folded words
            for (kind, value), mark in islice(found.keys.items(), len(facts.keys), None)
        ]
    rows, known_rows, all_keys = ("".join(lines).encode() for lines in (new, known, keys))
    return rows, known_rows, all_keys, len(batch), unreadable


_UNMARKED = "\t\\N\t\\N\t\\N\n"


@lru_cache(maxsize=1_024)
def _marked(mark: JobMark) -> str:
    words, first, last = mark
    if first is None:
        return _UNMARKED if words is None else f"\t{words}\t\\N\t\\N\n"
    return f"\t{words}\t{first}\t{last}\n"


def accepted_pairs(batch: tuple[list[Row], dict[int, bytes]], corpus: Corpus) -> tuple[int, bytes]:
    """How many pairs of a batch are accepted, and they as lines of `identity_edge`."""
    pairs, texts = batch
    accepted: list[str] = []
    last, row = None, None
    for lo, hi in pairs:
        # One at a time: the facts of a whole batch leave the processor's cache, and that takes half
        # as long again.
        if row is None or lo != last:
            last, row = lo, _decode_features(texts[lo])
        evidence = compare(row, _decode_features(texts[hi]), corpus)
        if evidence.accepted:
            signals = _encode(evidence.signals).decode()
            accepted.append(f"{lo}\t{hi}\t{evidence.score}\t{signals}\n")
    return len(accepted), "".join(accepted).encode()

"""Reads the source records that resolution has not seen and says which of them changed identity.

A record whose job descriptions changed and nothing else is read, found equal and left alone.
"""

from __future__ import annotations

from typing import NamedTuple

from profiles.resolution.comparison import RESOLVER_VERSION
from profiles.resolution.facts import IdentityRecord, decode_or_none
from profiles.resolution.features import describe, encode_features
from profiles.resolution.job_marks import marked_keys
from profiles.steps.identity.overlap import Submit, overlapped
from profiles.steps.stage import Counts
from profiles.storage.identities import IdentityStore, Row, batches

READ_BATCH = 1_000


class _Described(NamedTuple):
    """Rows of the tables incoming and incoming_key, and how many records could not be read."""

    rows: list[Row]
    keys: list[Row]
    unreadable: int


def read_changes(store: IdentityStore, counts: Counts, beside: Submit) -> None:
    """Fills the tables incoming, incoming_key, changed and vanished of this transaction."""
    counts["new"] = store.count("SELECT count(*) FROM unread WHERE is_new")
    store.analyze("unread")
    counts["vanished"] = store.execute("find_vanished")
    store.execute("release_vanished")
    store.execute("restore_returned")
    records = batches(store.stream("select_unread"), READ_BATCH)
    for found in overlapped(_describe, records, beside=beside):
        counts["unreadable"] += found.unreadable
        counts["read"] += store.copy(
            "COPY incoming (row_id, source, source_key, record_hash, name, features) FROM STDIN",
            found.rows,
        )
        store.copy(
            "COPY incoming_key (row_id, kind, value, title_words, first_start, last_start) "
            "FROM STDIN",
            found.keys,
        )
    store.analyze("incoming (row_id)", "incoming_key", "vanished")
    store.execute("find_changed", version=RESOLVER_VERSION)
    store.analyze("changed")
    if counts["new"] < counts["read"]:
        store.execute("update_rows", version=RESOLVER_VERSION)
    store.execute("insert_rows", version=RESOLVER_VERSION)
    counts["changed"] = store.count("SELECT count(*) FROM changed")


def _describe(batch: list[Row]) -> _Described:
    described = _Described([], [], 0)
    unreadable = 0
    for row_id, source, source_key, record_hash, text in batch:
        record = decode_or_none(text)
        unreadable += record is None
        found = describe(record or IdentityRecord(source=source, source_key=source_key))
        facts = found.features
        described.rows.append(
            (row_id, source, source_key, record_hash, facts.name, encode_features(facts))
        )
        described.keys.extend((row_id, *key) for key in marked_keys(found))
    return described._replace(unreadable=unreadable)

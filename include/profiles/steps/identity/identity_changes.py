"""Reads the source records that resolution has not seen and says which of them changed identity.

A record whose job descriptions changed and nothing else is read, found equal and left alone.
"""

from __future__ import annotations

from profiles.resolution.comparison import RESOLVER_VERSION
from profiles.resolution.facts import IdentityRecord, decode_or_none
from profiles.resolution.features import describe
from profiles.resolution.handover import encode_features
from profiles.resolution.job_marks import marked_keys
from profiles.steps.stage import Counts
from profiles.storage.identities import IdentityStore, Row, batches

READ_BATCH = 1_000
REBUILD_FROM = 1_000
REBUILD_SHARE = 2
"""Indexes are built again when at least so many rows and one in so many changed."""


def is_most(rows: float, known: float) -> bool:
    """Whether so many of the known rows are written that building indexes again is cheaper."""
    return rows >= REBUILD_FROM and rows * REBUILD_SHARE > known


def read_changes(store: IdentityStore, counts: Counts) -> bool:
    """Fills the tables incoming, incoming_key, changed and vanished of this transaction.

    On a night of mostly new rows those that extract described go straight to where they are kept,
    and their keys to the table described_key; returns whether they did.
    """
    unread = store.execute("find_unread", version=RESOLVER_VERSION)
    counts["new"] = store.count("SELECT count(*) FROM unread WHERE is_new")
    store.analyze("unread")
    counts["vanished"] = store.execute("find_vanished")
    store.execute("release_vanished")
    store.execute("restore_returned")
    direct = _take_described(store, counts, unread)
    if counts["described"] < unread:
        _read_records(store, counts)
    store.analyze("incoming (row_id)", "incoming_key", "vanished")
    store.execute("find_changed", version=RESOLVER_VERSION)
    store.analyze("changed")
    if counts["new"] < counts["read"]:
        store.execute("update_rows", version=RESOLVER_VERSION)
    store.execute("insert_rows", version=RESOLVER_VERSION)
    counts["changed"] = store.count("SELECT count(*) FROM changed")
    return direct


def _take_described(store: IdentityStore, counts: Counts, unread: int) -> bool:
    """The facts that extract derived when it read the rows; the rest is read from the records."""
    store.execute("lock_described")
    store.analyze("synthesis.described_row (source, source_key, record_hash)")
    known = store.count("SELECT count(*) FROM synthesis.identity_row") if counts["new"] else 0
    if direct := is_most(counts["new"], counts["new"] + known):
        store.execute("use_cores")
        store.execute("drop_row_indexes")
        counts["described"] = store.execute("store_described", version=RESOLVER_VERSION)
        store.execute("build_row_indexes")
        store.analyze("changed", "synthesis.identity_row (row_id, source, source_key, record_hash)")
        first_row = store.count("SELECT min(row_id) FROM unread WHERE is_new")
        store.execute("create_described_key", first_row=first_row, version=RESOLVER_VERSION)
    if counts["described"] < unread:
        counts["described"] += store.execute("take_described", version=RESOLVER_VERSION)
        store.execute("take_described_keys", version=RESOLVER_VERSION)
        store.analyze("incoming (row_id)")
    counts["read"] += counts["described"]
    return direct


def _read_records(store: IdentityStore, counts: Counts) -> None:
    store.execute("create_undescribed")
    store.analyze("undescribed")
    for batch in batches(store.stream("select_unread"), READ_BATCH):
        _store_batch(store, batch, counts)


def _store_batch(store: IdentityStore, batch: list[Row], counts: Counts) -> None:
    described = []
    for row_id, source, source_key, record_hash, text in batch:
        record = decode_or_none(text)
        counts["unreadable"] += record is None
        found = describe(record or IdentityRecord(source=source, source_key=source_key))
        described.append((row_id, record_hash, found.features, tuple(marked_keys(found))))
    counts["read"] += len(batch)
    store.copy(
        "COPY incoming (row_id, source, source_key, record_hash, name, features) FROM STDIN",
        (
            (row_id, *facts.ref, record_hash, facts.name, encode_features(facts))
            for row_id, record_hash, facts, _ in described
        ),
    )
    store.copy(
        "COPY incoming_key (row_id, kind, value, title_words, first_start, last_start) FROM STDIN",
        ((row_id, *key) for row_id, _, _, keys in described for key in keys),
    )

"""Decides which source rows are one person, touching only what changed since the last time.

Changed rows are read and described; rows that hold a key that became generic, or whose frequency
took a step, count as changed. They are compared with the rows they share a key with. The
neighbourhoods along accepted pairs and former candidates are clustered again: pairs depend on two
rows and the corpus alone, clusters on their component, so the result equals a run over everything.
One transaction: a failed resolve leaves the last one in place.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial

from psycopg.types.json import Json

from profiles.resolution import quarantine
from profiles.resolution.blocking import WEAK_KINDS
from profiles.resolution.comparison import PAIR_LIMITS, RESOLVER_VERSION
from profiles.resolution.quarantine import LEAST_ROWS, Corpus
from profiles.settings import load_settings
from profiles.steps.identity.identity_decisions import (
    Decided,
    decide_span,
    read_spans,
    store_decided,
)
from profiles.steps.identity.lines import accepted_pairs, describe_records
from profiles.steps.identity.overlap import Submit, companion, overlapped
from profiles.steps.stage import Counts, stage
from profiles.storage.connection import Database
from profiles.storage.identities import IdentityStore, Row, batches, read_corpus
from profiles.storage.sql_files import count, execute

log = logging.getLogger(__name__)

READ_BATCH = 1_000
PAIR_BATCH = 5_000
BULK_SHARE = 10
"""Statistics are taken again when more than one row in this many changed."""

REBUILD_FROM = 1_000
"""Rows read from which, where they are most, the indexes of keys are built again: 400,000 keys
take 4 s then, and 9 to 12 s with the indexes there."""

_ROW_COLUMNS = "(row_id, source, source_key, record_hash, resolver_version, name, features, terms)"
_ANALYZED_SOURCES = "synthesis.candidate_source (source, source_key, candidate_id)"

_COUNTS = (
    "new", "read", "unreadable", "vanished", "changed", "decisions",
    "requarantined_rows", "reweighed_rows", "generic_keys", "pairs", "accepted_pairs", "affected",
    "created", "merged", "moved", "revived", "reassigned_rows", "retired", "returned",
    "undecided", "undecided_without_employer", "candidates",
)  # fmt: skip


def run(database: Database, *, run_id: str) -> Counts:
    """Brings candidates up to date with `synthesis.source_record`; returns counts."""
    with (
        stage(database, run_id=run_id, name="resolve_identities") as counts,
        database.lock("resolve"),
        database.connect() as connection,
    ):
        counts.update(dict.fromkeys(_COUNTS, 0))
        store = IdentityStore(connection, run_id=run_id)
        store.execute("create_work_tables")
        unread = store.execute("find_unread", version=RESOLVER_VERSION)
        with companion(unread) as beside:
            _read_changes(store, counts, unread, beside)
            counts["decisions"] = store.execute("claim_decisions")
            constraints = store.read_constraints()
            if counts["changed"] or counts["vanished"] or counts["decisions"]:
                _update_keys(store, counts)
                corpus = read_corpus(store.connection)
                _update_pairs(store, counts, corpus, beside)
                _find_affected(store, counts)
                decide = partial(decide_span, corpus=corpus, constraints=constraints)
                _store_decided(store, counts, overlapped(decide, read_spans(store), beside=beside))
                if _is_bulk(store, counts):
                    # Rendering begins long before autovacuum would notice: a plan for tables of
                    # unknown contents reads every record for each batch of people.
                    store.analyze("synthesis.candidate", _ANALYZED_SOURCES)
        counts["generic_keys"] = store.count("SELECT count(*) FROM synthesis.generic_key")
        undecided = store.stream("count_undecided", weak_kinds=list(WEAK_KINDS))
        ((counts["undecided"], counts["undecided_without_employer"]),) = undecided
        counts["retired"] = store.execute("retire_candidates")
        if store.count("SELECT count(*) FROM synthesis.candidate WHERE retired_at IS NOT NULL"):
            counts["returned"] = store.execute("revive_candidates")
        counts["candidates"] = store.count(
            "SELECT count(*) FROM synthesis.candidate "
            "WHERE merged_into IS NULL AND retired_at IS NULL"
        )
    return counts


def ranges(database: Database, *, shards: int | None = None) -> list[dict[str, int]]:
    """Candidate id ranges, both ends included, that cover every id and take about equally long to
    render. At least one, at most `shards`, by default `PROFILES_RENDER_SHARDS`."""
    shards = shards or load_settings().render_shards
    with database.connect() as connection:
        rows = execute(connection, "resolve/select_ranges", shards=shards).fetchall()
        highest = count(
            connection, "SELECT coalesce(max(candidate_id), 0) FROM synthesis.candidate"
        )
    uppers = [upper for (upper,) in rows[:-1]] + [highest]
    lowers = [0] + [upper + 1 for upper in uppers[:-1]]
    return [{"lo": lo, "hi": hi} for lo, hi in zip(lowers, uppers, strict=True)]


def _read_changes(store: IdentityStore, counts: Counts, unread: int, beside: Submit) -> None:
    """Fill the tables of this transaction; a record with equal facts is left alone."""
    counts["new"] = store.count("SELECT count(*) FROM unread WHERE is_new")
    store.analyze("unread")
    counts["vanished"] = store.execute("find_vanished")
    store.execute("release_vanished")
    store.execute("restore_returned")
    store.execute("find_generic_lost")
    store.execute("delete_old_keys")
    known = store.count("SELECT count(*) FROM synthesis.identity_row")
    is_most = unread >= REBUILD_FROM and unread > known - unread + counts["new"]
    if is_most:
        store.execute("drop_key_indexes")
    records = batches(store.stream("select_unread"), READ_BATCH)
    for new, old, keys, read, unreadable in overlapped(describe_records, records, beside=beside):
        counts["read"] += read
        counts["unreadable"] += unreadable
        store.copy_lines(f"COPY synthesis.identity_row {_ROW_COLUMNS} FROM STDIN", new)
        store.copy_lines(f"COPY incoming {_ROW_COLUMNS} FROM STDIN", old)
        store.copy_lines(
            "COPY synthesis.identity_key "
            "(row_id, kind, value, title_words, first_start, last_start) FROM STDIN",
            keys,
        )
    if is_most:
        store.execute("build_key_indexes")
    store.analyze("incoming (row_id)", "vanished")
    store.execute("find_changed")
    store.analyze("changed")
    store.execute("update_rows")
    counts["changed"] = store.count("SELECT count(*) FROM changed")


def _update_keys(store: IdentityStore, counts: Counts) -> None:
    store.execute("delete_vanished_rows")
    known = store.count("SELECT count(*) FROM synthesis.identity_row")
    if _is_bulk(store, counts):
        store.analyze(
            "synthesis.identity_key (row_id, kind, value)",
            "synthesis.identity_row (row_id, source, source_key)",
        )
    limits = {
        "weak_kinds": list(WEAK_KINDS),
        "max_names": quarantine.MAX_NAMES,
        "max_block_rows": Json(quarantine.MAX_BLOCK_ROWS),
    }
    store.execute(
        "find_crowded",
        {"keys": "all_keys" if 2 * counts["changed"] > known else "changed_keys"},
        **limits,
    )
    store.analyze("touched_key")
    crowded = store.stream("select_crowded_keys", max_rows=quarantine.MAX_STRONG_ROWS, **limits)
    generic = [
        (kind, value, reason)
        for kind, value, rows, names in crowded
        if (reason := quarantine.generic_reason(kind=kind, rows=rows, names=filter(None, names)))
    ]
    store.copy("COPY generic_now (kind, value, reason) FROM STDIN", generic)
    store.execute("count_terms", least=LEAST_ROWS)
    if counts["changed"] < known:  # else they are marked already
        counts["requarantined_rows"] = store.execute("mark_flipped_holders")
        counts["reweighed_rows"] = store.execute("mark_term_holders")
    store.execute("delete_ungeneric_keys")
    store.execute("insert_generic_keys")
    store.execute("store_terms")
    store.analyze("changed")


def _is_bulk(store: IdentityStore, counts: Counts) -> bool:
    """Return whether the changes outdate the statistics of the kept tables."""
    known = store.count(
        "SELECT reltuples FROM pg_class WHERE oid = 'synthesis.identity_row'::regclass"
    )
    return counts["changed"] * BULK_SHARE > known


def _update_pairs(store: IdentityStore, counts: Counts, corpus: Corpus, beside: Submit) -> None:
    store.execute("drop_edges")
    changed = counts["changed"] + counts["requarantined_rows"] + counts["reweighed_rows"]
    is_all = changed == store.count("SELECT count(*) FROM synthesis.identity_row")
    parts = {name: name for name in ("may_be_one_job", "pair_points")}
    parts["pairs"] = "all_pairs" if is_all else "changed_pairs"
    if is_all:
        store.execute("hash_in_order")
    counts["pairs"] = store.execute("find_pairs", parts, **PAIR_LIMITS)
    store.execute("plan_freely")
    compared = partial(accepted_pairs, corpus=corpus)
    for accepted, lines in overlapped(compared, _read_pairs(store), beside=beside):
        counts["accepted_pairs"] += accepted
        store.copy_lines("COPY synthesis.identity_edge (lo, hi, score, signals) FROM STDIN", lines)
    if _is_bulk(store, counts):
        store.analyze("synthesis.identity_edge (lo, hi)")


def _read_pairs(store: IdentityStore) -> Iterator[tuple[list[Row], dict[int, bytes]]]:
    """Batches of pairs, each with the facts of its rows: a row has two pairs or three, and in this
    order most of them in one batch."""
    for pairs in batches(store.stream("select_pairs"), PAIR_BATCH):
        yield pairs, store.features({row_id for pair in pairs for row_id in pair})


def _find_affected(store: IdentityStore, counts: Counts) -> None:
    """Rows to decide again: closed under accepted pairs, former candidates and decisions."""
    store.execute("seed_affected")
    known = store.count("SELECT count(*) FROM synthesis.identity_row")
    affected = store.count("SELECT count(*) FROM affected")
    step = 0
    while affected < known:
        store.analyze("affected")
        found = store.execute("expand_affected", step=step)
        if not found:
            break
        affected += found
        step += 1
    counts["affected"] = affected
    store.analyze("affected")


def _store_decided(store: IdentityStore, counts: Counts, spans: Iterator[Decided]) -> None:
    for decided in spans:
        store_decided(store, decided, counts)
    store.analyze("assigned (source, source_key, candidate_id)")
    store.execute("insert_candidates")
    counts["revived"] = store.execute("unmerge_candidates")
    store.execute("record_merges")
    store.execute("record_moves")
    counts["reassigned_rows"] = store.execute("upsert_candidate_source")

"""Renders the document of every candidate whose records changed, in bounded memory."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from psycopg.types.json import set_json_loads

from profiles.models import Candidate, PartialDate, ProfileDocument, SourceRecord
from profiles.models.record_json import decode
from profiles.rendering.markdown import render, renderer_version
from profiles.steps.stage import Counts, room_for_whole_tables, stage
from profiles.storage.connection import Database, begin
from profiles.storage.sql_files import Connection, copy_rows, execute, load
from profiles.storage.taxonomy import load_reader_text, load_vocabulary

log = logging.getLogger(__name__)

BATCH = 500
_COUNTS = (
    "candidates", "added", "changed", "unchanged", "thin", "trimmed", "empty", "unreadable",
    "deleted", "reader_text",
)  # fmt: skip


def run(database: Database, *, run_id: str, lo: int, hi: int) -> Counts:
    """Renders the candidates lo..hi, both included, and returns counts.

    A candidate is rendered when its rows, their membership, the renderer or the vocabulary changed.
    Documents of retired and merged candidates are deleted. Each batch is one transaction. `empty`
    records say nothing that may be shown; `unreadable` ones were written by another version, and
    the candidate keeps its document until extract has read that row again.
    """
    vocabulary, detector = load_vocabulary(), load_reader_text()
    rendered = partial(render, vocabulary=vocabulary, detector=detector)
    renderer = f"{renderer_version(vocabulary, detector)}/"
    with stage(database, run_id=run_id, name="render_profiles", part=f"{lo}-{hi}") as counts:
        counts.update(dict.fromkeys(_COUNTS, 0))
        # One snapshot for the hashes and the records they stand for: a row that changes
        # meanwhile is rendered by the next run instead of being stored under a wrong hash.
        with database.connect(snapshot=True) as reader, database.connect() as writer:
            # The driver hands over the bytes of a record, which are never made a text of their own.
            set_json_loads(decode, reader)
            room_for_whole_tables(reader)
            counts["deleted"] = execute(writer, "render/delete_gone", lo=lo, hi=hi).rowcount
            writer.commit()
            with reader.cursor(name="changed_candidates") as cursor:
                execute(cursor, "render/find_changed", renderer=renderer, lo=lo, hi=hi)
                while batch := cursor.fetchmany(BATCH):
                    _render_batch(reader, writer, batch, rendered, counts)
                    writer.commit()
        if counts["unreadable"]:
            log.warning("%s candidates wait for extract to read a row again", counts["unreadable"])
        counts["unchanged"] = counts["candidates"] - sum(
            counts[name] for name in ("added", "changed", "empty")
        )
    return counts


def _render_batch(
    reader: Connection,
    writer: Connection,
    batch: Sequence[tuple[int, str]],
    rendered: Callable[[Candidate], ProfileDocument | None],
    counts: Counts,
) -> None:
    documents, empty = [], []
    hashes = dict(batch)
    rows = execute(reader, "render/select_records", candidate_ids=list(hashes))
    for candidate_id, members in groupby(rows, key=itemgetter(0)):
        records: list[SourceRecord | None] = [record for _, record in members]
        if None in records:
            counts["unreadable"] += 1
            continue
        counts["candidates"] += 1
        document = rendered(Candidate(candidate_id, tuple(filter(None, records))))
        if document is None:
            empty.append(candidate_id)
        else:
            documents.append(document)
    added, changed = _store(writer, documents, empty, hashes)
    counts["added"] += added
    counts["changed"] += changed
    counts["empty"] += len(empty)
    counts["thin"] += sum(document.is_thin for document in documents)
    counts["trimmed"] += sum(bool(document.trimmed) for document in documents)
    execute(writer, "render/forget_reader_text", candidate_ids=list(hashes))
    found = [msgspec.structs.asdict(text) for each in documents for text in each.reader_text]
    with writer.cursor() as cursor:
        cursor.executemany(load("render/upsert_reader_text"), found)
    counts["reader_text"] += len(found)


def _store(
    writer: Connection,
    documents: Sequence[ProfileDocument],
    empty: Sequence[int],
    hashes: dict[int, str],
) -> tuple[int, int]:
    """Writes a batch; returns how many documents are new and how many texts changed."""
    begin(writer)
    execute(writer, "render/create_rendered")
    lines = [_document_row(each, hashes[each.candidate_id]) for each in documents]
    copy_rows(writer, load("render/copy_documents"), lines, types=_DOCUMENT_TYPES)
    ids = [document.candidate_id for document in documents]
    execute(writer, "render/delete_old_experience", candidate_ids=[*ids, *empty])
    jobs = (row for document in documents for row in _experience_rows(document))
    copy_rows(writer, load("render/copy_experience"), jobs)
    if empty:
        execute(writer, "render/delete_undocumented", candidate_ids=list(empty))
    added, changed = execute(writer, "render/upsert_documents").fetchone() or (0, 0)
    return added, changed


_DOCUMENT_TYPES = (
    "int8", "text", "text", "text", "text", "int4", "int4", "text", "text", "bytea", "text[]",
    "bool", "text", "text", "text", "text", "int2",
)  # fmt: skip
"""Of `_document_row`. In binary COPY jsonb travels as the bytes of JSON behind its version."""
_JSONB_VERSION = b"\x01"


def _document_row(document: ProfileDocument, input_hash: str) -> tuple[Any, ...]:
    return (
        document.candidate_id,
        document.full_name,
        document.markdown,
        document.content_hash,
        input_hash,
        document.word_count,
        document.token_estimate,
        document.renderer_version,
        document.as_of,
        _JSONB_VERSION + msgspec.json.encode(document.choices),
        list(document.trimmed),
        document.is_thin,
        *msgspec.structs.astuple(document.facts),
    )


def _experience_rows(document: ProfileDocument) -> Iterator[tuple[Any, ...]]:
    for job in document.experience:
        yield (
            document.candidate_id,
            job.n,
            job.employer,
            job.employer_key,
            job.company_linkedin_id,
            job.company_domain,
            job.title,
            job.start and _month(job.start.year, job.start.month),
            job.end and _month(job.end.year, job.end.month),
            job.is_current,
            job.months,
            _array(job.sources),
        )


@lru_cache(maxsize=4_096)
def _month(year: int, month: int | None) -> str:
    return str(PartialDate(year, month))


@lru_cache(maxsize=1_024)
def _array(texts: tuple[str, ...]) -> str:
    """The texts as COPY reads an array: a list costs the driver as much as the rest of a row."""
    escaped = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return "{" + ",".join(f'"{text}"' for text in escaped) + "}"

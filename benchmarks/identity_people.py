"""Generated people as the resolver finds them: extracted records in Postgres, truth beside them.

`prepare` writes what `extract_sources` would write, with the project's own adapters, without the
raw source tables: those would be ten times the size and nothing here reads them. `bench.truth`
says who each source row is about. Pairs are counted in SQL, so memory does not grow with people.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
import orjson

from profiles.extraction.mapping import SourceMapping
from profiles.extraction.reader import read_row
from profiles.models import RowRejection, SourceRecord
from profiles.models.record_json import decode, digest, encode
from profiles.operations import apply_migrations
from profiles.resolution.blocking import KeyKind
from profiles.resolution.features import RowFeatures
from profiles.resolution.scripts import latin_words
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from sample_data.population import Population
from sample_data.rows import rows_of
from sample_data.writer import COLUMNS

SHARD = 2_000
WORKERS = 2
_TAIL = re.compile(r"(?:(?<=[._-])|(?<=zz))[0-9a-f]+\Z|[0-9a-f]*\d[0-9a-f]*\Z")

COPY_RECORDS = (
    "COPY synthesis.source_record "
    "(source, source_key, record_hash, record, change_token, extractor_version) "
    "FROM STDIN"
)


_PAIRS = """
WITH owned AS (
  SELECT c.candidate_id, t.person
  FROM bench.truth AS t
  JOIN synthesis.candidate_source AS c USING (source, source_key)
), found AS (
  SELECT count(*) AS n FROM owned GROUP BY candidate_id
), "true" AS (
  SELECT count(*) AS n FROM owned GROUP BY person
), both_ AS (
  SELECT count(*) AS n FROM owned GROUP BY candidate_id, person
), mixed AS (
  SELECT FROM owned GROUP BY candidate_id HAVING count(DISTINCT person) > 1
)
SELECT (SELECT sum(n * (n - 1) / 2) FROM found), (SELECT sum(n * (n - 1) / 2) FROM "true"),
       (SELECT sum(n * (n - 1) / 2) FROM both_),
       (SELECT count(*) FROM owned), (SELECT count(*) FROM bench.truth),
       (SELECT count(*) FROM mixed)
"""


# Blocks that the pair budget dropped are left out, as the resolver leaves them out.
_FACTS = """
SELECT t.person, r.row_id, r.features,
       (SELECT coalesce(json_agg(json_build_array(k.kind, k.value)), '[]'::json)
        FROM synthesis.identity_key AS k
        WHERE k.row_id = r.row_id AND NOT EXISTS (
          SELECT FROM synthesis.generic_key AS g
          WHERE g.kind = k.kind AND g.value = k.value
            AND g.kind IN ('name', 'name_employer', 'initial', 'career')))
FROM synthesis.identity_row AS r
JOIN bench.truth AS t USING (source, source_key)
"""
_decode_features = msgspec.json.Decoder(RowFeatures).decode


@dataclass(frozen=True)
class Accuracy:
    """Pairs of rows: found, true, and both."""

    found: int
    true: int
    both: int
    mixed: int

    @property
    def precision(self) -> float:
        """Share of the found pairs that are true."""
        return self.both / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Share of the true pairs that were found."""
        return self.both / max(self.true, 1)


def prepare(database: Database, *, people: int, seed: int) -> int:
    """Fills an empty database with the records of that many persons; returns how many rows."""
    create_truth(database)
    shards = [
        (database.url, seed, first, min(first + SHARD, people)) for first in range(0, people, SHARD)
    ]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(WORKERS, mp_context=context) as pool:
        rows = sum(pool.map(_write_shard, shards))
    with database.connect() as connection:
        connection.execute("ANALYZE synthesis.source_record")
    return rows


def create_truth(database: Database) -> None:
    """Makes an empty database ready for records and their truth."""
    apply_migrations.run(database)
    with database.connect() as connection:
        connection.execute("CREATE SCHEMA bench")
        connection.execute(
            "CREATE TABLE bench.truth (source text, source_key text, person bigint NOT NULL, "
            "PRIMARY KEY (source, source_key))"
        )


def _write_shard(shard: tuple[str, int, int, int]) -> int:
    url, seed, first, last = shard
    records: list[tuple[str, ...]] = []
    truth: list[tuple[str, str, int]] = []
    for number in range(first, last):
        for record in _records(seed, number):
            records.append(stored_record(record))
            truth.append((record.source, record.source_key, number))
    # By table, as extract writes them: a person's rows do not lie side by side.
    records.sort(key=lambda row: row[:2])
    with Database(url).connect() as connection, connection.cursor() as cursor:
        with cursor.copy(COPY_RECORDS) as copy:
            for row in records:
                copy.write_row((*row, "1", "1"))
        with cursor.copy("COPY bench.truth (source, source_key, person) FROM STDIN") as copy:
            for line in truth:
                copy.write_row(line)
    return len(records)


def _records(seed: int, number: int) -> Iterator[SourceRecord]:
    """The person's rows as the adapters read them."""
    for row in rows_of(_population(seed), number)[1]:
        mapping = _mappings()[f"src.{row.table}"]
        cells = dict(zip(COLUMNS[row.table], row.values, strict=True))
        record = read_row(mapping, {name: cells[name] for name in mapping.columns})
        if isinstance(record, RowRejection):
            raise SystemExit(f"row {row.key} of {row.table} was rejected: {record.reason}")
        yield record


def stored_record(record: SourceRecord) -> tuple[str, ...]:
    encoded = encode(record)
    return (record.source, record.source_key, digest(encoded), encoded.decode())


@cache
def _population(seed: int) -> Population:
    return Population(seed)


@cache
def _mappings() -> dict[str, SourceMapping]:
    return {mapping.table: mapping for mapping in load_mappings().values()}


def scramble(database: Database, *, seed: int) -> int:
    """Replaces every digit or hex suffix inside a mailbox or vanity; returns the changed keys.

    One key gets one replacement in all rows, drawn from its digest, so equality of whole keys
    stays and whatever the suffix gave away is gone.
    """
    changed = 0
    with database.connect() as reading, database.connect() as writing:
        writing.execute("CREATE TEMP TABLE scrambled (source text, source_key text, record jsonb)")
        with (
            reading.cursor(name="records") as records,
            writing.cursor().copy("COPY scrambled FROM STDIN") as copy,
        ):
            records.itersize = 1_000
            records.execute("SELECT source, source_key, record::text FROM synthesis.source_record")
            for source, source_key, text in records:
                record = decode(text)
                other = msgspec.structs.replace(
                    record,
                    emails=tuple(_scrambled_mailbox(email, seed) for email in record.emails),
                    linkedin_id=record.linkedin_id and _scrambled(record.linkedin_id, seed),
                )
                if other != record:
                    copy.write_row((source, source_key, encode(other).decode()))
                    changed += 1
        writing.execute(
            "UPDATE synthesis.source_record AS r SET record = s.record, "
            "record_hash = md5(s.record::text) FROM scrambled AS s "
            "WHERE s.source = r.source AND s.source_key = r.source_key"
        )
    return changed


def _scrambled_mailbox(email: str, seed: int) -> str:
    local, _, domain = email.partition("@")
    return f"{_scrambled(local, seed, whole=email)}@{domain}"


def _scrambled(text: str, seed: int, *, whole: str | None = None) -> str:
    found = _TAIL.search(text)
    if found is None:
        return text
    drawn = hashlib.blake2b(f"{seed}|{whole or text}".encode(), digest_size=8)
    suffix = str(int(drawn.hexdigest(), 16)) if found[0].isdigit() else drawn.hexdigest()
    return text[: found.start()] + suffix


def accuracy(database: Database) -> Accuracy:
    """Pairwise accuracy of `synthesis.candidate_source` against `bench.truth`."""
    with database.connect() as connection:
        row = connection.execute(_PAIRS).fetchone()
    if row is None or row[3] != row[4]:
        raise SystemExit("the resolver did not assign every row, or assigned others")
    return Accuracy(int(row[0]), int(row[1]), int(row[2]), int(row[5]))


def export_facts(database: Database, path: Path) -> int:
    """Writes the standardised facts of every resolved row as JSON lines; returns how many."""
    rows = 0
    with (
        database.connect() as connection,
        connection.cursor(name="facts") as facts,
        path.open("wb") as out,
    ):
        facts.itersize = 1_000
        for person, row_id, features, keys in facts.execute(_FACTS):
            row = _decode_features(features)
            words = latin_words(row.name or "")
            of_kind = {kind.value: [v for k, v in keys if k == kind] for kind in KeyKind}
            line = {
                "unique_id": row_id,
                "person": person,
                "given": words[0] if words else None,
                "family": words[-1] if len(words) > 1 else None,
                "linkedin": next(iter(of_kind["linkedin"]), None),
                "emails": of_kind["email"],
                "phones": of_kind["phone"],
                "member_ids": of_kind["member_id"],
                "name_employer": of_kind["name_employer"] + of_kind["initial"],
                "career": of_kind["career"],
                "employers": sorted({spell.employer for spell in row.spells}),
                "starts": sorted(
                    {f"{s.employer} {s.start}" for s in row.spells if s.start and s.precise}
                ),
                "titles": sorted({spell.title for spell in row.spells if spell.title}),
                "schools": row.schools,
                "cities": row.cities,
            }
            # An empty list would count as a list that differs, None says nothing.
            stated = {name: value for name, value in line.items() if value not in ([], ())}
            out.write(orjson.dumps(stated) + b"\n")
            rows += 1
    return rows

"""Tags every person with business domains, from the industries of the employers.

No model: vendors' claims about companies are normalised in Python by chunks (labels and names are
text rules), everything over sets is SQL. A person's tags depend on their own jobs, the industry
table, the taxonomy and the rules here, so while those three stay the same only people whose jobs
changed are looked at; a night without any ends at once. What the taxonomy does not know is counted
on the nights that look at everybody. A second run over the same data writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import orjson
import pandas as pd
from psycopg import sql

from profiles.errors import MappingError
from profiles.settings import load_settings
from profiles.standardization.companies import domain_key, employer_key
from profiles.standardization.identifiers import company_reference
from profiles.standardization.text import clean_line
from profiles.steps.check_sources import industry_problems
from profiles.steps.stage import Counts, room_for_whole_tables, stage
from profiles.storage.connection import Database
from profiles.storage.mappings import industry_rows
from profiles.storage.sql_files import Connection, compose, copy_rows, count, execute, load, records
from profiles.storage.taxonomy import load_domains
from profiles.tagging import IndustryTaxonomy, label_key

CHUNK_ROWS = 20_000

TAGGING_VERSION = "2"
"""Raise it with every change of the rules, those in SQL included: everybody is looked at again."""
EVERYBODY_FROM_SHARE = 0.2
"""Share of changed people from which on all are looked at, and the unknown counted again."""

# A code says what its vendor looked up, a label only what it printed; a vendor's first claim about
# a company is its own choice.
_LABEL_WEIGHT, _CODE_WEIGHT, _PRIMARY_BONUS = 1.0, 1.25, 0.25

_Claim = tuple[str | None, str | None, str | None, str | None, str | None, str | None, float]


def run(database: Database, *, run_id: str) -> Counts:
    """Brings `domain_tag` and `unknown_industry` up to date and returns counts.

    Counts: `looked_at` people, and what was read for them: `claims` of the industry table and
    `claims_without_domain`, `employers` and `employers_tagged`; `changed` and `removed` tags of
    this run. Of all people: `candidates` with a tag, `tags`, `unknown` labels and companies.
    """
    taxonomy = load_domains()
    settings = load_settings()
    industries = industry_rows(settings)
    with (
        stage(database, run_id=run_id, name="tag_domains") as counts,
        database.lock("tag_domains"),
        database.connect() as connection,
    ):
        room_for_whole_tables(connection)
        if problems := industry_problems(connection, settings):
            raise MappingError(problems)
        counts.update(dict.fromkeys(_LOOKED_AT, 0))
        everybody = _create_scope(connection, industries, taxonomy)
        counts["looked_at"] = count(connection, "SELECT count(*) FROM scope")
        if everybody or counts["looked_at"]:
            execute(connection, "tag/create_company_claim")
            claims = _claims(database, industries, taxonomy)
            copy_rows(connection, load("tag/copy_company_claims"), claims)
            for name in _MATCHING:
                execute(connection, f"tag/{name}")
            counts.update(_store(connection, run_id=run_id, everybody=everybody))
        counts.update(*records(connection, "tag/count_tags"))
    return counts


_MATCHING = ("index_company_claims", "create_employers", "match_employers", "choose_domains")
_LOOKED_AT = (
    "looked_at", "claims", "claims_without_domain", "employers", "employers_tagged", "changed",
    "removed",
)  # fmt: skip


def _create_scope(
    connection: Connection, industries: sql.Composed, taxonomy: IndustryTaxonomy
) -> bool:
    """Fills `scope` with the people to look at; returns whether it is everybody."""
    statement = compose("tag/digest_industries", industries=industries)
    ((read,),) = connection.execute(statement, {}).fetchall()
    digest = f"{TAGGING_VERSION}/{taxonomy.digest}/{read}"
    held = connection.execute("SELECT digest FROM synthesis.tagged_by").fetchone()
    execute(connection, "tag/create_scope")
    everybody = held is None or held[0] != digest
    if everybody:
        execute(connection, "tag/empty_untagged")
    else:
        execute(connection, "tag/claim_untagged")
        changed = count(connection, "SELECT count(*) FROM scope")
        known = count(connection, "SELECT count(*) FROM synthesis.document")
        everybody = changed > EVERYBODY_FROM_SHARE * known
    if everybody:
        execute(connection, "tag/widen_scope")
        connection.execute("DELETE FROM synthesis.tagged_by")
        connection.execute("INSERT INTO synthesis.tagged_by (digest) VALUES (%s)", (digest,))
    connection.execute("ANALYZE scope")
    return everybody


def _claims(
    database: Database, industries: sql.Composed, taxonomy: IndustryTaxonomy
) -> Iterator[_Claim]:
    """The normalised claims, read in chunks so that memory does not grow with the table."""
    with database.engine.connect() as reader:
        streaming = reader.execution_options(stream_results=True)
        query = industries.as_string()
        for frame in pd.read_sql(query, streaming, chunksize=CHUNK_ROWS, dtype=object):
            yield from _normalised(frame, taxonomy)


def _normalised(frame: pd.DataFrame, taxonomy: IndustryTaxonomy) -> Iterator[_Claim]:
    for row in frame.itertuples(index=False):
        references = {
            company_reference(row.company_linkedin_id),
            company_reference(row.company_linkedin_url),
        } - {None}
        number = next((value for value in references if value and value.isdecimal()), None)
        slug = next((value for value in references if value and not value.isdecimal()), None)
        has_code = taxonomy.known_code(row.industry_code) is not None
        weight = _CODE_WEIGHT if has_code else _LABEL_WEIGHT
        stated = orjson.loads(row.industry) if isinstance(row.industry, str) else None
        for label in (stated or [None]) if isinstance(stated, list) and not has_code else [stated]:
            code = taxonomy.code(label=label, code=row.industry_code)
            yield (
                number,
                slug,
                domain_key(row.company_domain),
                employer_key(clean_line(row.company_name)),
                taxonomy.domain_by_code[code] if code is not None else None,
                label_key(label) if code is None else None,
                weight + (_PRIMARY_BONUS if row.is_primary is True else 0.0),
            )


def _store(connection: Connection, *, run_id: str, everybody: bool) -> Counts:
    execute(connection, "tag/create_wanted_tags")
    removed = execute(connection, "tag/delete_old_tags").rowcount
    changed = execute(connection, "tag/upsert_tags").rowcount
    if everybody:
        execute(connection, "tag/create_unknown")
        execute(connection, "tag/delete_old_unknown")
        execute(connection, "tag/upsert_unknown", run_id=run_id)
    (employers,) = records(connection, "tag/count_employers")
    return {**employers, "changed": changed, "removed": removed}

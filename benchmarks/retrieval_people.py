"""Generated people as documents of three kinds, and as rows of the serving table.

The rows go through the production steps in a throwaway Postgres: extract, resolve, render, tag,
publish, index. A candidate stands for the person that most of its rows belong to.

raw          every value of every row of the candidate, without keys, joined by line breaks
markdown     the document that the model is given
synthesised  what is published: summary, skills and domains. The summary is extractive: sentences of
             the document, because no model answers 3,000 times on a laptop
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import sql

from benchmarks.retrieval_queries import Truth
from benchmarks.truth import TABLES
from profiles.models import Rejection, RejectionReason
from profiles.operations import apply_migrations
from profiles.params import RunParams
from profiles.standardization.skills import Vocabulary
from profiles.steps import (
    check_sources,
    extract_sources,
    index_documents,
    publish,
    render_profiles,
    resolve_identities,
    tag_domains,
)
from profiles.storage.connection import Database
from profiles.storage.runs import start_run
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.extractive import extractive_summary
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from sample_data import load_sample, write_sample
from sample_data.population import Population

RUN = "retrieval"
PROMPTS = Path(__file__).resolve().parents[1] / "include" / "prompts"

_RELEASE = """
INSERT INTO synthesis.release (release_id, state, engine, model, model_revision, engine_profile,
  prompt_digest, schema_digest, sampling_digest, renderer_version, prompt, sampling, approved_at)
VALUES ('bench', 'approved', 'none', 'none', '1', 'bench', 'p', 's', 'd', '1', '{}', '{}', now())
"""
_ANSWER = """
INSERT INTO synthesis.completion (candidate_id, fingerprint, attempt_id, run_id, batch_id,
  release_id, content_hash, attempt, is_terminal, is_accepted, outcome, method, raw_text,
  summary, skills, finish_reason, prompt_tokens, completion_tokens, cached_tokens, seconds)
SELECT candidate_id, 'bench', 'bench', %(run)s, 1, 'bench', content_hash, 1, true, true,
  'extractive',  'extractive', '{}', %(summary)s, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'provenance', 'both')), '[]')
    FROM unnest(%(skills)s::text[]) AS name), 'stop', 1, 1, 0, 1
FROM synthesis.document WHERE candidate_id = %(id)s
"""
_DOCUMENT = """
WITH born AS (
  INSERT INTO synthesis.candidate (candidate_id, created_run) OVERRIDING SYSTEM VALUE
  VALUES (%(id)s, 'bench') RETURNING candidate_id)
INSERT INTO synthesis.document (candidate_id, markdown, content_hash, input_hash, word_count,
  token_estimate, renderer_version, too_thin, title, employer, place)
SELECT candidate_id, %(text)s, md5(%(text)s), '', 1, 1, '1', false,
  (regexp_match(%(text)s, '\n### ([^\n]+?) — [^\n]+'))[1],
  (regexp_match(%(text)s, '\n### [^\n]+? — ([^\n]+)'))[1],
  (regexp_match(%(text)s, '\n([^\n#]+) · [0-9]+ years? of'))[1]
FROM born
"""
_PLANNED = """
WITH item AS (
  INSERT INTO synthesis.run_item (run_id, candidate_id, fingerprint, content_hash, reason, priority,
    token_estimate, outcome, ended_at)
  SELECT %(run)s, candidate_id, fingerprint, content_hash, 'new', 1, 1, 'extractive', now()
  FROM synthesis.completion WHERE run_id = %(run)s RETURNING 1)
UPDATE synthesis.run SET (candidates, too_thin, planned, fresh, stop_at, planned_at) = (
  SELECT count(*), count(*) FILTER (WHERE too_thin), (SELECT count(*) FROM item),
    count(*) FILTER (WHERE NOT too_thin) - (SELECT count(*) FROM item),
    now() + interval '1 hour', now()
  FROM synthesis.document)
WHERE run_id = %(run)s
"""


@dataclass(slots=True)
class Person:
    """A candidate's truth and its documents."""

    truth: Any
    raw: str
    markdown: str
    too_thin: bool
    domains: tuple[str, ...]
    summary: str = ""
    skills: tuple[str, ...] = ()

    @property
    def synthesised(self) -> str:
        """The published text of this person."""
        lines = (self.summary, ", ".join(self.skills), ", ".join(self.domains))
        return "\n".join(line for line in lines if line)


def load_people(database: Database, folder: Path, *, people: int, seed: int) -> list[Person]:
    """Generates people, puts them through every step but the model's, and reads them back."""
    write_sample(folder, people=people, seed=seed)
    load_sample(database, folder=folder)
    make_documents(database, run_id=RUN)
    everyone = _read(database, Population(seed), _owners(folder))
    vocabulary = load_vocabulary()
    for person in everyone:
        if not person.too_thin:
            _write_extract(person, vocabulary)
    _publish(database, everyone)
    return everyone


def make_documents(database: Database, *, run_id: str) -> None:
    """Every step of a new run before the plan, over the source tables of a new database."""
    apply_migrations.run(database)
    start_run(database, run_id=run_id, params=RunParams())
    for source in check_sources.run(database, run_id=run_id, params=RunParams()):
        extract_sources.run(database, run_id=run_id, source=source)
    resolve_identities.run(database, run_id=run_id)
    for ids in resolve_identities.ranges(database):
        render_profiles.run(database, run_id=run_id, **ids)
    tag_domains.run(database, run_id=run_id)


def publish_people(database: Database, people: Sequence[Person]) -> None:
    """Publishes people who have documents and texts but no source rows."""
    apply_migrations.run(database)
    start_run(database, run_id=RUN, params=RunParams())
    with database.connect() as connection, connection.cursor() as cursor:
        for person in people:
            cursor.execute(_DOCUMENT, {"id": person.truth.candidate_id, "text": person.markdown})
    _publish(database, people)


def _publish(database: Database, everyone: Sequence[Person]) -> None:
    with database.connect() as connection, connection.cursor() as cursor:
        cursor.execute(_RELEASE)
        cursor.executemany(
            _ANSWER,
            [
                {"run": RUN, "id": person.truth.candidate_id, "summary": person.summary or None,
                 "skills": list(person.skills)}
                for person in everyone if not person.too_thin
            ],
        )  # fmt: skip
        cursor.execute(_PLANNED, {"run": RUN})
    publish.run(database, run_id=RUN, planned=True, tagged=True)
    index_documents.refresh(database)
    index_documents.refresh_names(database)


def _write_extract(person: Person, vocabulary: Vocabulary) -> None:
    """The extractive summary within the length of a production profile, as after a refusal."""
    verdict = extractive_summary(
        Rejection(RejectionReason.EMPTY, "not asked", ()),
        document=person.markdown,
        word_count=len(person.markdown.split()),
        profile=load_engine_profile("structured", PROMPTS),
        vocabulary=vocabulary,
    )
    person.skills = tuple(skill.name for skill in verdict.skills)
    person.summary = verdict.summary or ""


def _owners(folder: Path) -> dict[tuple[str, str], int]:
    with (folder / "truth.tsv").open(encoding="utf-8") as lines:
        next(lines)
        parts = (line.split("\t") for line in lines)
        return {(TABLES[p[0]], p[1]): int(p[2][1:]) for p in parts if p[0] in TABLES}


def _read(
    database: Database, population: Population, owners: dict[tuple[str, str], int]
) -> list[Person]:
    raw: dict[int, list[str]] = defaultdict(list)
    rows_of: dict[int, list[int]] = defaultdict(list)
    with database.connect() as connection:
        for table, source in TABLES.items():
            found = connection.execute(
                sql.SQL(
                    "SELECT c.candidate_id, c.source_key, to_jsonb(t) FROM {} AS t "
                    "JOIN synthesis.candidate_source AS c "
                    "ON c.source = %s AND c.source_key = t.id::text ORDER BY 1, 2"
                ).format(sql.Identifier("src", table)),
                (source,),
            )
            for candidate, key, row in found:
                raw[candidate].append("\n".join(_values(row)))
                rows_of[candidate].append(owners[source, key])
        documents = connection.execute(
            "SELECT d.candidate_id, d.markdown, d.too_thin, "
            "array(SELECT domain FROM synthesis.domain_tag AS t "
            "      WHERE t.candidate_id = d.candidate_id ORDER BY 1) "
            "FROM synthesis.document AS d ORDER BY 1"
        ).fetchall()
    return [
        Person(
            truth=Truth(candidate, population.person(_most(rows_of[candidate]))),
            raw="\n".join(raw[candidate]),
            markdown=markdown,
            too_thin=too_thin,
            domains=tuple(domains),
        )
        for candidate, markdown, too_thin, domains in documents
    ]


def _most(people: Sequence[int]) -> int:
    return max(sorted(set(people)), key=people.count)


def _values(value: Any) -> Iterator[str]:
    """Every text and number of a row, in order, without keys."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _values(item)
    elif isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, bool):
        yield str(value)

"""Search from Python, and a team's own check of it: saved queries with the people they should find.

A check file is YAML: `queries`, each with `query`, `expect` (candidate ids), and optionally
`skills`, `domains` and `within` (places that count, default 10). `check` compares the places of the
expected people with an earlier check, or with the answers of a release. Ids and counts only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from profiles.embedding import EmbeddingModel
from profiles.settings import load_settings, read_yaml
from profiles.storage.connection import Database
from profiles.storage.releases import find_release
from profiles.storage.sql_files import Connection, execute, records

MAX_PLACES = 200


class SavedQuery(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str
    skills: list[str] = []
    domains: list[str] = []
    expect: tuple[int, ...] = Field(min_length=1)
    within: int = Field(default=10, ge=1, le=MAX_PLACES)


class _CheckFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    queries: tuple[SavedQuery, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The places of the expected people before and after; None where one is not among the places
    that count, `before` None when nothing was known."""

    query: str
    before: tuple[int | None, ...] | None
    after: tuple[int | None, ...]

    @property
    def verdict(self) -> str:
        """`better`, `worse` or `same`; without a before `found` or `missing`."""
        if self.before is None:
            return "missing" if None in self.after else "found"
        old, new = _merit(self.before), _merit(self.after)
        return "same" if old == new else "better" if new > old else "worse"


def find(
    database: Database,
    query: str,
    *,
    skills: Sequence[str] = (),
    domains: Sequence[str] = (),
    k: int = 20,
) -> list[dict[str, Any]]:
    """The best people for a query; by vector too where vectors are kept."""
    (meaning,) = _meanings([query])
    values = {"query": query, "skills": list(skills), "domains": list(domains), "k": k}
    with database.connect() as connection:
        return records(connection, "search/find", **values, meaning=meaning)


def load_queries(path: Path) -> tuple[SavedQuery, ...]:
    advice = "a check file has `queries`, each with `query` and `expect`, a list of candidate ids"
    return read_yaml(_CheckFile, path, advice=advice).queries


def check(database: Database, path: Path) -> list[QueryResult]:
    """Each query's places now and at the check before, which lie beside the file."""
    queries = load_queries(path)
    record = path.with_suffix(".places.json")
    known = json.loads(record.read_text()) if record.is_file() else {}
    with database.connect() as connection:
        places = _places(connection, queries)
    results, written = [], {}
    for saved, after in zip(queries, places, strict=True):
        written[saved.query] = now = dict(zip(map(str, saved.expect), after, strict=True))
        before = known.get(saved.query, {})
        # An earlier check that knew another set of people says nothing.
        is_same = before.keys() == now.keys()
        old = tuple(before[whom] for whom in now) if is_same else None
        results.append(QueryResult(saved.query, old, after))
    record.write_text(json.dumps(written, indent=1) + "\n")
    return results


def compare_release(database: Database, path: Path, release: str) -> list[QueryResult]:
    """Places in the serving table, and with the answers of a release, put there and rolled back."""
    queries = load_queries(path)
    with database.connect() as connection, connection.transaction(force_rollback=True):
        release_id = find_release(connection, release).release_id
        before = _places(connection, queries)
        execute(connection, "search/put_release", release_id=release_id)
        after = _places(connection, queries)
    return list(map(QueryResult, (saved.query for saved in queries), before, after))


def _places(connection: Connection, queries: Sequence[SavedQuery]) -> list[tuple[int | None, ...]]:
    found = []
    meanings = _meanings([saved.query for saved in queries])
    for saved, meaning in zip(queries, meanings, strict=True):
        values = saved.model_dump(include={"query", "skills", "domains"})
        rows = execute(connection, "search/find", **values, k=saved.within, meaning=meaning)
        places = {row[0]: place for place, row in enumerate(rows, start=1)}
        found.append(tuple(places.get(wanted) for wanted in saved.expect))
    return found


def _meanings(texts: Sequence[str]) -> list[list[float] | None]:
    """The vectors of queries, or Nones where no vectors are kept."""
    settings = load_settings()
    if settings.embeddings == "off":
        return [None] * len(texts)
    model = EmbeddingModel(settings.embeddings_dir)
    return [list(vector) for vector in model.embed(texts, is_query=True)]


def _merit(places: Sequence[int | None]) -> tuple[int, float]:
    """Sort key: the number found, then their places."""
    return sum(place is not None for place in places), sum(1 / place for place in places if place)

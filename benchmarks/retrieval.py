"""Retrieval quality: by single texts, and by synthesis.search_candidates.

    python -m benchmarks.retrieval --n 3000 --seed 21 --vectors --json out.json
    python -m benchmarks.retrieval --answers FOLDER     # documents and answers of a strong model

benchmarks/retrieval_people.py makes the documents, benchmarks/retrieval_queries.py queries and
grades, which know nothing of the search. Each query ranks everybody by

raw, markdown, synthesised  one text of each person, by BM25 (bm25s; English stop words, Snowball
                            stems) and by ts_rank over a tsvector, any word of the query matching
search                      synthesis.search_candidates over the published table
search_vectors              the same with the query's vector (`--vectors`)

ndcg10    nDCG of the first ten, by grade
recall50  share of the people of grade 2 among the first fifty
p95_ms    of the query in Postgres, its embedding left out, on the machine that measures
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from typing import Any

import bm25s
import ir_measures
import Stemmer
from ir_measures import R, nDCG

from benchmarks.people import say
from benchmarks.retrieval_people import Person, load_people
from benchmarks.retrieval_queries import Query, queries
from benchmarks.retrieval_small import load_answers
from profiles.embedding import EmbeddingModel
from profiles.settings import load_settings
from profiles.steps import embed
from profiles.storage.connection import Database, open_database
from scripts import embedded

TEXTS = ("raw", "markdown", "synthesised")
DEPTH = 50
_MEASURES = {"ndcg10": nDCG @ 10, "recall50": R(rel=2) @ 50}
_RESAMPLES = 1_000
_TS_RANK = """
SELECT d.candidate_id, ts_rank(d.search, a.query)
FROM (SELECT replace(plainto_tsquery('english', %s)::text, '&', '|')::tsquery AS query) AS a
JOIN searched AS d ON d.kind = %s AND d.search @@ a.query
ORDER BY 2 DESC, 1 LIMIT 50
"""
_SEARCH = "SELECT * FROM synthesis.search_candidates(%s, k => 50, meaning => %s::real[])"

Ranking = dict[str, dict[str, float]]
"""Query key → candidate id → score."""


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=3_000, help="people (default 3,000)")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--each", type=int, default=40, help="queries of each kind (default 40)")
    parser.add_argument("--vectors", action="store_true", help="embed all profiles too")
    parser.add_argument("--answers", type=Path, help="folder with documents.jsonl, answers.jsonl")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with embedded.throwaway() as (folder, _):
        database = open_database()
        if options.answers:
            people, asked = load_answers(database, options.answers)
        else:
            sample = folder / "sample"
            people = load_people(database, sample, people=options.n, seed=options.seed)
            truths = [person.truth for person in people]
            asked = queries(truths, each=options.each, seed=options.seed)
        texts = TEXTS[1:] if options.answers else TEXTS
        result = {"seed": options.seed} | measure(
            database, people, asked, texts=texts, vectors=options.vectors
        )
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def measure(
    database: Database,
    people: Sequence[Person],
    asked: Sequence[Query],
    *,
    texts: Sequence[str],
    vectors: bool,
) -> dict[str, Any]:
    """Ranks the people by every query in every way and scores the rankings."""
    say(f"{len(people)} candidates, {len(asked)} queries")
    rankings: dict[str, Ranking] = {f"bm25_{text}": _bm25(people, asked, text) for text in texts}
    times: dict[str, float] = {}
    _fill(database, people, texts)
    for text in texts:
        rankings[f"ts_rank_{text}"], times[f"ts_rank_{text}"] = _timed(
            database, asked, _TS_RANK, lambda query, text=text: (query.text, text)
        )
    rankings["search"], times["search"] = _timed(
        database, asked, _SEARCH, lambda query: (query.text, None)
    )
    if vectors:
        meanings = _embed(database, asked)
        rankings["search_vectors"], times["search_vectors"] = _timed(
            database, asked, _SEARCH, lambda query: (query.text, meanings[query.key])
        )
    scores = {way: _scores(asked, ranking) for way, ranking in rankings.items()}
    means = {
        way: {name: round(fmean(values.values()), 4) for name, values in of.items()}
        | ({"p95_ms": times[way]} if way in times else {})
        for way, of in scores.items()
    }
    singles = [way for way in means if not way.startswith("search")]
    best = max(singles, key=lambda way: means[way]["ndcg10"])
    return {
        "candidates": len(people),
        "queries": dict(Counter(query.kind for query in asked)),
        "grade_2_of_a_query": round(fmean(_count(query) for query in asked), 1),
        "with_summary": sum(bool(person.summary) for person in people),
        "rows": means,
        "best_single_row": best,
        "search_to_best": {
            way: round(means[way]["ndcg10"] / means[best]["ndcg10"], 3)
            for way in means
            if way.startswith("search")
        },
        "search_less_best": _difference(scores["search"], scores[best]),
        "ndcg10_by_kind": {
            kind: {
                way: round(fmean(of["ndcg10"][q.key] for q in asked if q.kind == kind), 4)
                for way, of in scores.items()
            }
            for kind in dict.fromkeys(query.kind for query in asked)
        },
    }


def _count(query: Query) -> int:
    return sum(grade == 2 for grade in query.grades.values())


def _bm25(people: Sequence[Person], asked: Sequence[Query], text: str) -> Ranking:
    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25()
    index.index(tokens([getattr(person, text) for person in people]), show_progress=False)
    places, scores = index.retrieve(
        tokens([query.text for query in asked]), k=min(DEPTH, len(people)), show_progress=False
    )
    return {
        query.key: {
            str(people[place].truth.candidate_id): float(score)
            for place, score in zip(row, values, strict=True)
            if score > 0
        }
        for query, row, values in zip(asked, places, scores, strict=True)
    }


def _fill(database: Database, people: Sequence[Person], texts: Sequence[str]) -> None:
    """A table of the single texts, as a search without this project would have it."""
    with database.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE searched (candidate_id int, kind text, search tsvector)")
        cursor.executemany(
            "INSERT INTO searched VALUES (%s, %s, to_tsvector('english', %s))",
            [(p.truth.candidate_id, text, getattr(p, text)) for p in people for text in texts],
        )
        cursor.execute("CREATE INDEX ON searched USING gin (search)")


def _timed(
    database: Database,
    asked: Sequence[Query],
    statement: str,
    values: Callable[[Query], tuple[Any, ...]],
) -> tuple[Ranking, float]:
    """The ranking of every query, and the 95th percentile of their milliseconds."""
    ranking: Ranking = {}
    took = []
    with database.connect() as connection:
        for query in asked:
            started = time.perf_counter()
            rows = connection.execute(statement, values(query)).fetchall()  # type: ignore[call-overload]
            took.append((time.perf_counter() - started) * 1_000)
            ranking[query.key] = {str(candidate): score for candidate, score in rows}
    return ranking, round(quantiles(took, n=20)[-1], 1)


def _embed(database: Database, asked: Sequence[Query]) -> dict[str, list[float]]:
    """Embeds the published profiles as the task does; returns the vectors of the queries."""
    settings = load_settings()
    embedded_profiles = -1
    while embedded_profiles:
        embedded_profiles, _ = embed.refresh(database, settings)
        say(f"embedded {embedded_profiles} profiles")
    embed.index_vectors(database, settings.embeddings_dir.name)
    model = EmbeddingModel(settings.embeddings_dir)
    vectors = model.embed([query.text for query in asked], is_query=True)
    return {query.key: list(vector) for query, vector in zip(asked, vectors, strict=True)}


def _scores(asked: Sequence[Query], ranking: Ranking) -> dict[str, dict[str, float]]:
    """Measure → query key → value."""
    right = {query.key: {str(one): grade for one, grade in query.grades.items()} for query in asked}
    names = {measure: name for name, measure in _MEASURES.items()}
    # A query without any hit is missing from what the library yields: zero.
    values = {name: dict.fromkeys(right, 0.0) for name in _MEASURES}
    for found in ir_measures.iter_calc(list(_MEASURES.values()), right, ranking):
        values[names[found.measure]][found.query_id] = found.value
    return values


def _difference(
    left: dict[str, dict[str, float]], right: dict[str, dict[str, float]]
) -> list[float]:
    """The mean difference of nDCG and its 95 % interval by a paired bootstrap over queries."""
    differences = [left["ndcg10"][key] - right["ndcg10"][key] for key in left["ndcg10"]]
    stream = Random("bootstrap")
    means = sorted(
        fmean(stream.choices(differences, k=len(differences))) for _ in range(_RESAMPLES)
    )
    low, high = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES)]
    return [round(value, 4) for value in (fmean(differences), low, high)]


if __name__ == "__main__":
    sys.exit(main())

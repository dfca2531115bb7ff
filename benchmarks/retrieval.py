"""How well people are found by raw rows, by normalised documents and by synthesised profiles.

    python -m benchmarks.retrieval --n 400 --seed 21 --json out.json

See benchmarks/retrieval_people.py for the three kinds of documents and the queries. Each query
ranks all documents of one kind in three ways:

fulltext           BM25 (bm25s; English stop words, Snowball stems)
postgres_fulltext  ts_rank over a tsvector; any word of the query may match. The synthesised one is
                   that of the serving table: skills, summary, domains by weight
vector             cosine of all-MiniLM-L6-v2 vectors; long documents by chunks

ndcg10    nDCG of the first ten, every relevant person counting one
recall50  share of the relevant people among the first fifty

`--model M` asks the embedded 135M model about the first M people; the summaries of the others, and
of those whose answer the gate refused, are extractive. `synthesised_methods` counts both. The
differences come with a 95 % interval from a paired bootstrap over queries.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import bm25s
import ir_measures
import numpy as np
import Stemmer
from ir_measures import R, nDCG

from benchmarks.people import REPOSITORY, say
from benchmarks.retrieval_people import Person, Query, load_people, queries
from profiles.embedding import EMBEDDING_MODEL, EmbeddingModel
from profiles.models import Profile, Rejection, RejectionReason
from profiles.standardization.skills import Vocabulary
from profiles.storage.connection import Database, open_database
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.engines.llama_cpp import LlamaCppEngine
from profiles.synthesis.engines.model_files import locate_model
from profiles.synthesis.lane.prompting import (
    Prompter,
    engine_context_tokens,
    load_engine_profile,
    token_counter,
)
from profiles.synthesis.process.protocol import EngineJob
from profiles.validation import extractive_summary, judge
from scripts import embedded

PROMPTS = REPOSITORY / "include" / "prompts"
KINDS = ("raw", "markdown", "synthesised")
DEPTH = 50
_MEASURES = {"ndcg10": nDCG @ 10, "recall50": R @ 50}
_RESAMPLES = 2_000
_SEARCH = """
WITH asked AS (
  SELECT number, replace(plainto_tsquery('english', text)::text, '&', '|')::tsquery AS query
  FROM unnest(%s::text[]) WITH ORDINALITY AS q (text, number)
)
SELECT a.number, d.candidate_id, ts_rank(d.search, a.query)
FROM asked AS a JOIN searched AS d ON d.kind = %s AND d.search @@ a.query
"""
_FILL = """
INSERT INTO searched
SELECT %(id)s, 'raw', to_tsvector('english', %(raw)s)
UNION ALL SELECT %(id)s, 'markdown', to_tsvector('english', %(markdown)s)
UNION ALL SELECT %(id)s, 'synthesised',
  synthesis.answer_vector(%(skills)s::text[], %(summary)s)
  || synthesis.name_vector(%(domains)s::text[], 'C')
"""

Ranking = dict[str, dict[str, float]]
"""Query key → candidate id → score."""


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=400, help="people (default 400)")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--each", type=int, default=40, help="queries of each kind (default 40)")
    parser.add_argument("--model", type=int, default=0, help="people the 135M model writes about")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="profiles-benchmark-"))
    folder.chmod(0o755)
    server = embedded.start(folder, durable=False)
    try:
        embedded.ensure_database(server, "profiles")
        os.environ["PROFILES_DATABASE_URL"] = server.url("profiles")
        result = measure(
            open_database(), folder, people=options.n, seed=options.seed, each=options.each,
            by_model=options.model,
        )  # fmt: skip
    finally:
        embedded.remove(folder)
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def measure(
    database: Database, folder: Path, *, people: int, seed: int, each: int, by_model: int
) -> dict[str, Any]:
    """Makes the documents, ranks them by every query and scores the rankings."""
    everyone = load_people(database, folder / "sample", people=people, seed=seed)
    asked = queries(everyone, each=each, seed=seed)
    say(f"{len(everyone)} candidates, {len(asked)} queries")
    vocabulary = load_vocabulary()
    model = asyncio.run(_by_model(everyone[:by_model], seed, vocabulary)) if by_model else None
    for person in everyone:
        if not person.summary and not person.too_thin:
            _by_extract(person, vocabulary)
    say(f"summaries: {dict(Counter(person.method for person in everyone))}")
    rankings = {
        "fulltext": {kind: _bm25(everyone, asked, kind) for kind in KINDS},
        "postgres_fulltext": _postgres(database, everyone, asked),
        "vector": _vectors(everyone, asked),
    }
    scores = {
        way: {kind: _scores(asked, ranking) for kind, ranking in kinds.items()}
        for way, kinds in rankings.items()
    }
    return {
        "people": people,
        "candidates": len(everyone),
        "seed": seed,
        "queries": dict(Counter(query.kind for query in asked)),
        "relevant_of_a_query": round(fmean(len(query.relevant) for query in asked), 1),
        "embedding_model": EMBEDDING_MODEL,
        "summary_model": model,
        "synthesised_methods": dict(Counter(person.method for person in everyone)),
        "words_of_a_document": {
            kind: round(fmean(len(_text(person, kind).split()) for person in everyone))
            for kind in KINDS
        },
        **{way: {kind: _means(of) for kind, of in kinds.items()} for way, kinds in scores.items()},
        "synthesised_against": {
            way: {
                kind: {
                    name: _difference(kinds["synthesised"], kinds[kind], name, seed)
                    for name in _MEASURES
                }
                for kind in ("raw", "markdown")
            }
            for way, kinds in scores.items()
        },
        "by_query": _by_query(asked, scores),
    }


async def _by_model(people: Sequence[Person], seed: int, vocabulary: Vocabulary) -> str:
    """Summaries of the embedded model, where the gate accepts them; returns the model's name."""
    profile = load_engine_profile("prose", PROMPTS)
    count_tokens = token_counter()
    files = locate_model("llama_cpp")
    context = engine_context_tokens(profile, count_tokens)
    engine = LlamaCppEngine(EngineJob("llama_cpp", files.path, context_tokens=context))
    engine.load()
    prompter = Prompter(profile, count_tokens)
    done = 0

    async def ask(person: Person) -> None:
        nonlocal done
        given = {"document": person.markdown, "word_count": len(person.markdown.split())}
        request = prompter.request(
            **given, request_id=str(person.truth.candidate_id), seed=seed, max_new_tokens=None
        )
        verdict = judge(
            await engine.generate(request), **given, profile=profile, vocabulary=vocabulary
        )
        if isinstance(verdict, Profile):
            _publish(person, verdict)
        done += 1
        if done % 20 == 0:
            say(f"asked about {done} of {len(people)} people")

    try:
        await asyncio.gather(*(ask(person) for person in people if not person.too_thin))
    finally:
        engine.close()
    return files.name


def _by_extract(person: Person, vocabulary: Vocabulary) -> None:
    """The extractive summary within the length of a production profile, as after a refusal."""
    verdict = extractive_summary(
        Rejection(RejectionReason.EMPTY, "not asked", ()),
        document=person.markdown,
        word_count=len(person.markdown.split()),
        profile=load_engine_profile("structured", PROMPTS),
        vocabulary=vocabulary,
    )
    _publish(person, verdict)


def _publish(person: Person, verdict: Profile | Rejection) -> None:
    person.skills = tuple(skill.name for skill in verdict.skills)
    if isinstance(verdict, Profile):
        person.summary, person.method = verdict.summary, str(verdict.method)
    else:
        person.method = "rejected"


def _text(person: Person, kind: str) -> str:
    text: str = getattr(person, kind)
    return text


def _bm25(people: Sequence[Person], asked: Sequence[Query], kind: str) -> Ranking:
    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25()
    index.index(tokens([_text(person, kind) for person in people]), show_progress=False)
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


def _postgres(
    database: Database, people: Sequence[Person], asked: Sequence[Query]
) -> dict[str, Ranking]:
    with database.connect() as connection:
        connection.execute(
            "CREATE TEMP TABLE searched (candidate_id int, kind text, search tsvector)"
        )
        with connection.cursor() as cursor:
            cursor.executemany(
                _FILL,
                [
                    {
                        "id": person.truth.candidate_id,
                        "raw": person.raw,
                        "markdown": person.markdown,
                        "skills": list(person.skills),
                        "summary": person.summary,
                        "domains": list(person.domains),
                    }
                    for person in people
                ],
            )
        found: dict[str, Ranking] = {}
        for kind in KINDS:
            ranking: Ranking = {query.key: {} for query in asked}
            texts = [query.text for query in asked]
            for number, candidate, score in connection.execute(_SEARCH, (texts, kind)):
                ranking[asked[number - 1].key][str(candidate)] = score
            found[kind] = ranking
    return found


def _vectors(people: Sequence[Person], asked: Sequence[Query]) -> dict[str, Ranking]:
    found: dict[str, Ranking] = {}
    with EmbeddingModel() as model:
        wanted = np.array(model.embed([query.text for query in asked]))
        for kind in KINDS:
            rows: list[tuple[float, ...]] = []
            for start in range(0, len(people), 50):
                rows += model.embed([_text(person, kind) for person in people[start : start + 50]])
                say(f"embedded {len(rows)} of {len(people)} {kind} documents")
            scores = wanted @ np.array(rows).T
            found[kind] = {
                query.key: {
                    str(people[place].truth.candidate_id): float(scores[number, place])
                    for place in np.argsort(-scores[number], kind="stable")[:DEPTH]
                }
                for number, query in enumerate(asked)
            }
    return found


def _scores(asked: Sequence[Query], ranking: Ranking) -> dict[str, dict[str, float]]:
    """Measure → query key → value."""
    right = {query.key: {str(one): 1 for one in query.relevant} for query in asked}
    names = {measure: name for name, measure in _MEASURES.items()}
    # A query without any hit is missing from what the library yields: zero.
    values = {name: dict.fromkeys(right, 0.0) for name in _MEASURES}
    for found in ir_measures.iter_calc(list(_MEASURES.values()), right, ranking):
        values[names[found.measure]][found.query_id] = found.value
    return values


def _means(values: dict[str, dict[str, float]]) -> dict[str, float]:
    return {name: round(fmean(of.values()), 4) for name, of in values.items()}


def _difference(
    left: dict[str, dict[str, float]], right: dict[str, dict[str, float]], name: str, seed: int
) -> list[float]:
    """The mean difference and its 95 % interval: [mean, low, high]."""
    differences = [left[name][key] - right[name][key] for key in left[name]]
    stream = Random(f"{seed}/bootstrap")
    means = sorted(
        fmean(stream.choices(differences, k=len(differences))) for _ in range(_RESAMPLES)
    )
    low, high = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES)]
    return [round(value, 4) for value in (fmean(differences), low, high)]


def _by_query(asked: Sequence[Query], scores: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """nDCG of each kind of query."""
    of_a_kind: dict[str, list[str]] = defaultdict(list)
    for query in asked:
        of_a_kind[query.kind].append(query.key)
    return {
        kind: {
            way: {
                document: round(fmean(values["ndcg10"][key] for key in keys), 4)
                for document, values in kinds.items()
            }
            for way, kinds in scores.items()
        }
        for kind, keys in of_a_kind.items()
    }


if __name__ == "__main__":
    sys.exit(main())

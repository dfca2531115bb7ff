"""How long synthesis.search_candidates takes over a published table; called by benchmarks.publish.

Queries are of the shapes that recruiters type: a title and a place, skills, a level, a domain, a
sentence of common words, a misspelt name, words that hardly anybody has.
"""

from __future__ import annotations

import random
import time
from statistics import quantiles
from typing import Any

from profiles.steps import index_documents
from profiles.storage.connection import Database

_QUERIES = 210
_SEARCH = "SELECT candidate_id FROM synthesis.search_candidates(%s, %s, %s, 20)"


def measure(database: Database, words: list[str], *, seed: int) -> dict[str, Any]:
    """Indexes what search uses and asks; milliseconds by percentile, a shape's slowest included.

    `words` are those of the texts, the commonest first; the last ones are names of skills too.
    """
    started = time.monotonic()
    documents = index_documents.refresh(database)
    names = index_documents.refresh_names(database)
    indexed = time.monotonic() - started
    with database.connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE synthesis.document_search, synthesis.search_name")
        connection.execute("ANALYZE synthesis.candidate_synthesis, synthesis.search_term")
    shapes = _shapes(words, random.Random(seed))
    took: dict[str, list[float]] = {}
    found = 0
    with database.connect() as connection:
        for number in range(_QUERIES):
            shape, query, skills, domains = shapes[number % len(shapes)](number)
            started = time.perf_counter()
            rows = connection.execute(_SEARCH, (query, skills, domains)).fetchall()
            took.setdefault(shape, []).append((time.perf_counter() - started) * 1_000)
            found += bool(rows)
    everything = [value for values in took.values() for value in values]
    steps = quantiles(everything, n=100)
    return {
        "documents": documents,
        "names": names,
        "index_seconds": round(indexed, 1),
        "queries": len(everything),
        "with_hits": found,
        "p50_ms": round(steps[49], 1),
        "p95_ms": round(steps[94], 1),
        "worst_ms": {shape: round(max(values), 1) for shape, values in took.items()},
    }


def _shapes(words: list[str], chance: random.Random) -> list[Any]:
    skills = [word.title() for word in words[-1_500:]]

    def skill() -> str:
        return skills[int(len(skills) * chance.random() ** 2.5)]

    def common() -> str:
        return words[chance.randrange(60)]

    def place() -> str:
        return f"Place{int(400 * chance.random() ** 2.5)}"

    def misspelt() -> str:
        name = skill()
        return name[:3] + name[4:] if len(name) > 8 else name

    return [
        lambda n: ("title and place", f"Senior {skills[n % 40]} Engineer {place()}", [], []),
        lambda n: ("skills", f"{skill()}, {skill()} and {skill()}", [], []),
        lambda n: ("title alone", f"{skills[n % 40]} Engineer", [], []),
        lambda n: ("common words", " ".join(common() for _ in range(6)), [], []),
        lambda n: ("filters", f"Engineer {common()}", [skill()], [f"domain {n % 40}"]),
        lambda n: ("misspelt", f"{misspelt()} {place()}", [], []),
        lambda n: ("sentence", f"We are hiring a Lead {skill()} Engineer who knows {skill()} and "
                   f"{common()} without {skill()} in {place()}", [], []),
    ]  # fmt: skip

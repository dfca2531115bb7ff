"""Latency of synthesis.search_candidates over a large table.

    python -m benchmarks.search_speed --n 475000 --json benchmarks/results/search_speed.json

Starts a throwaway Postgres and fills the serving table and the vectors of documents in SQL:
summaries of about 450 words and documents of 600 that hold them (4,000 different ones), and for
each person a title, a place, 20 skills and a domain of their own. Words are invented, with the
frequencies of a Zipf distribution. Queries are of the shapes that recruiters type: a title and a
place, skills, a level, a domain, a sentence of common words, a misspelt name.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.publish import SKILLS, fill_words, run_script, say
from profiles.operations import apply_migrations
from profiles.steps import index_documents
from profiles.storage.connection import Database
from scripts import embedded

_QUERIES = 210
_SEARCH = "SELECT candidate_id FROM synthesis.search_candidates(%s, %s, %s, 20)"
_FILL = """
SET maintenance_work_mem = '1GB';
CREATE TABLE bench.body AS
SELECT b AS n,
  synthesis.answer_vector('{}', (SELECT string_agg(f.text, ' ') FROM generate_series(1, 9) AS k
    JOIN bench.fragment AS f ON f.n = bench.pick(b * 64 + k, 4000))) AS summary,
  (SELECT string_agg(f.text, ' ') FROM generate_series(10, 12) AS k
    JOIN bench.fragment AS f ON f.n = bench.pick(b * 64 + k, 4000)) AS rest
FROM generate_series(0, %(bodies)s) AS b;
ALTER TABLE bench.body ADD PRIMARY KEY (n);
CREATE TABLE bench.person AS
SELECT g AS id, bench.pick(g * 11, %(bodies)s + 1) AS body,
  concat_ws(' ',
    (ARRAY['Senior', 'Lead', 'Junior', 'Head', 'Staff'])[bench.pick(g * 3, 8) + 1], r.name,
    'Engineer') AS title,
  'Place' || bench.skewed(g * 7, 400) AS place,
  ARRAY(SELECT DISTINCT s.name FROM generate_series(1, 20) AS k
        JOIN bench.skill AS s ON s.n = bench.skewed(g * 32 + k, 1500)) AS skills,
  ARRAY['domain ' || bench.skewed(g * 17, 40)] AS domains
FROM generate_series(1, %(n)s) AS g
JOIN bench.skill AS r ON r.n = bench.skewed(g * 5, 40);
INSERT INTO synthesis.candidate (candidate_id, created_run) OVERRIDING SYSTEM VALUE
SELECT id, 'bench' FROM bench.person;
INSERT INTO synthesis.document (candidate_id, markdown, content_hash, input_hash, word_count,
  token_estimate, renderer_version, too_thin)
SELECT id, '', 'x', '', 600, 900, '1', false FROM bench.person;
DROP INDEX synthesis.candidate_synthesis_search;
DROP INDEX synthesis.candidate_synthesis_skills;
DROP INDEX synthesis.candidate_synthesis_domains;
DROP INDEX synthesis.document_search_vector;
INSERT INTO synthesis.candidate_synthesis (candidate_id, full_name, title, place, country,
  years_of_experience, skills, domains, search, search_version, content_hash, run_id)
SELECT p.id, 'Ada Testwell', p.title, p.place, 'DE', bench.pick(p.id, 30), p.skills, p.domains,
  b.summary || (synthesis.answer_vector(p.skills, '')
    || synthesis.fact_vector(p.title, 'Company', p.place, 'DE', p.skills, p.domains)),
  1, 'x', 'bench'
FROM bench.person AS p JOIN bench.body AS b ON b.n = p.body;
INSERT INTO synthesis.document_search (candidate_id, content_hash, published_at, vector)
SELECT p.id, 'x', s.published_at, setweight(b.summary, 'D')
  || synthesis.person_vector(p.id, s.search, concat_ws(' ', p.title, p.place, b.rest))
FROM bench.person AS p JOIN bench.body AS b ON b.n = p.body
JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = p.id;
CREATE INDEX candidate_synthesis_search ON synthesis.candidate_synthesis USING gin (search);
CREATE INDEX candidate_synthesis_skills ON synthesis.candidate_synthesis USING gin (skills);
CREATE INDEX candidate_synthesis_domains ON synthesis.candidate_synthesis USING gin (domains);
CREATE INDEX document_search_vector ON synthesis.document_search USING gin (vector);
VACUUM ANALYZE synthesis.candidate_synthesis_rows;
VACUUM ANALYZE synthesis.document_search
"""


def main() -> int:
    """Fills the table, asks, and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=475_000, help="people (default 475,000)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with embedded.throwaway() as (_, url):
        database = Database(url)
        apply_migrations.run(database)
        words = fill_words(database, people=0, seed=options.seed)
        run_script(database, _FILL, {"n": options.n, "bodies": 3_999})
        say("filled")
        result = {
            "people": options.n,
            "seed": options.seed,
            "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        } | measure(database, words, seed=options.seed)
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def measure(database: Database, words: list[str], *, seed: int) -> dict[str, Any]:
    """Milliseconds by percentile, and the slowest query of each shape.

    `words` are those of the texts, the commonest first; the last ones are names of skills too.
    """
    started = time.monotonic()
    names = index_documents.refresh_names(database)
    named = time.monotonic() - started
    shapes = _shapes(words, random.Random(seed))
    took: dict[str, list[float]] = {}
    used: list[float] = []
    found = 0
    with database.connect(autocommit=True) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        pid = row[0] if row else 0
        for number in range(-len(shapes), _QUERIES):
            shape, query, skills, domains = shapes[number % len(shapes)](abs(number))
            cpu, started = _cpu_ms(pid), time.perf_counter()
            rows = connection.execute(_SEARCH, (query, skills, domains)).fetchall()
            if number >= 0:
                took.setdefault(shape, []).append((time.perf_counter() - started) * 1_000)
                used.append(_cpu_ms(pid) - cpu)
                found += bool(rows)
    steps = quantiles([value for values in took.values() for value in values], n=100)
    return {
        "names": names,
        "name_seconds": round(named, 1),
        "queries": _QUERIES,
        "with_hits": found,
        "p50_ms": round(steps[49], 1),
        "p95_ms": round(steps[94], 1),
        "mean_cpu_ms": round(sum(used) / len(used), 1),
        "p95_cpu_ms": round(quantiles(used, n=20)[-1], 1),
        "p95_ms_by_shape": {
            shape: round(quantiles(values, n=20)[-1], 1) for shape, values in took.items()
        },
    }


def _cpu_ms(pid: int) -> float:
    """CPU milliseconds of the server's process so far, which a busy machine stretches less."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:13])) * 1_000 / os.sysconf("SC_CLK_TCK")


def _shapes(words: list[str], chance: random.Random) -> list[Any]:
    skills = ["Python", *(word.title() for word in words[-SKILLS:])]

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


if __name__ == "__main__":
    sys.exit(main())

"""Fills a migrated database with invented people and runs, all in SQL, for `benchmarks.page`.

Everybody has a document, an answer and a row in the serving table; 3 in 100 answers were refused.
There are 400 ended runs and one that is half done on eight lanes with a card each.
"""

from __future__ import annotations

import random
from typing import Any

import yaml

from profiles.settings import INCLUDE_DIR
from profiles.storage.connection import Database

ENDED_RUN = "scheduled__2026-03-01T22:00:00+00:00"
RUNNING_RUN = "scheduled__2026-03-02T22:00:00+00:00"
FRAGMENT_WORDS = 25
LANES, OLD_RUNS = 8, 400

_FRAGMENTS, _WORDS = 4_000, 12_000
_SYLLABLES = ("ba", "con", "del", "fra", "gor", "hin", "ist", "kel", "lor", "mar", "nis", "ope")
_STOP_WORDS = ("the", "of", "and", "to", "a", "in", "for", "with", "on", "at", "by", "from")
_FIRST_NAMES = ("Ada", "Bela", "Chidi", "Dunya", "Emre", "Faye", "Goran", "Hana", "Ivo", "Jun")

_TOOLS = """
CREATE SCHEMA bench;
CREATE TABLE bench.fragment (n int PRIMARY KEY, text text NOT NULL);
CREATE TABLE bench.name (n int PRIMARY KEY, text text NOT NULL);
CREATE TABLE bench.skill (n int PRIMARY KEY, text text NOT NULL);
CREATE TABLE bench.domain (n int PRIMARY KEY, text text NOT NULL);
CREATE FUNCTION bench.pick(seed bigint, choices int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN ((hashint8extended(seed, 7) & 2147483647) %% choices)::int;
CREATE FUNCTION bench.skewed(seed bigint, choices int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN floor(choices * power((hashint8extended(seed, 9) & 2147483647) / 2147483648.0, 2.5))::int;
INSERT INTO synthesis.release (release_id, state, engine, model, model_revision, engine_profile,
  prompt_digest, schema_digest, sampling_digest, renderer_version, prompt, sampling, approved_at)
VALUES ('bench', 'approved', 'sglang', 'gpt-oss-20b', '1', 'structured', 'p', 's', 'd', '1', '{}',
  '{}', now())
"""

_RUNS = """
INSERT INTO synthesis.run (run_id, state, release_id, candidates, fresh, too_thin, planned,
  started_at, planned_at, published_at, published, ended_at)
SELECT 'scheduled__' || n, 'succeeded', 'bench', %(n)s, %(n)s - %(n)s / 50, 0, %(n)s / 50,
  now() - make_interval(days => n + 1), now() - make_interval(days => n + 1),
  now() - make_interval(days => n), %(n)s / 50, now() - make_interval(days => n)
FROM generate_series(1, %(old)s) AS n;
INSERT INTO synthesis.run (run_id, state, release_id, candidates, fresh, too_thin, planned,
  started_at, planned_at, published_at, published, ended_at)
VALUES (%(ended)s, 'succeeded', 'bench', %(n)s, 0, 0, %(n)s, now() - interval '30 h',
  now() - interval '29 h', now() - interval '20 h', %(n)s, now() - interval '20 h');
INSERT INTO synthesis.run (run_id, state, release_id, candidates, fresh, too_thin, planned,
  started_at, planned_at, stop_at, settings)
VALUES (%(running)s, 'running', 'bench', %(n)s, 0, 0, %(n)s, now() - interval '5 h',
  now() - interval '4 h', now() + interval '4 h', '{"batch_size": 64}');
"""

_PEOPLE = """
INSERT INTO synthesis.candidate (candidate_id, created_run) OVERRIDING SYSTEM VALUE
SELECT g, 'bench' FROM generate_series(1, %(n)s) AS g;
INSERT INTO synthesis.candidate_source (source, source_key, candidate_id, rule, assigned_run)
SELECT s.source, g::text, g, 'new', 'bench'
FROM generate_series(1, %(n)s) AS g
JOIN (VALUES ('linkedin', 85), ('resume', 60), ('weekday', 35), ('lemlist', 30))
  AS s (source, share)
  ON bench.pick(%(seed)s + g * 8 + s.share, 100) < s.share;
INSERT INTO synthesis.document (candidate_id, full_name, markdown, content_hash, input_hash,
  word_count, token_estimate, renderer_version, too_thin, changed_at)
SELECT g, named.full_name, '# ' || named.full_name || E'\n\n' || said.text, md5(g::text), '', 700,
  900, '1', g %% 60 = 0, now() - make_interval(days => bench.pick(g, 400))
FROM generate_series(1, %(n)s) AS g,
LATERAL (
  SELECT (%(first_names)s::text[])[1 + bench.pick(g * 2, 10)] || ' '
    || initcap((SELECT text FROM bench.name WHERE n = bench.pick(g * 3, %(words)s))) AS full_name
) AS named,
LATERAL (
  SELECT string_agg(f.text, E'.\n') AS text
  FROM generate_series(1, 2 * %(parts)s) AS k
  JOIN bench.fragment AS f ON f.n = bench.pick(%(seed)s + g * 64 + k, %(fragments)s)
) AS said;
INSERT INTO synthesis.domain_tag
SELECT g, t.text, 12, 1.0 / k, '{}'
FROM generate_series(1, %(n)s) AS g CROSS JOIN generate_series(1, 2) AS k
JOIN bench.domain AS t ON t.n = bench.skewed(%(seed)s + g * 8 + k, %(domains)s)
ON CONFLICT DO NOTHING;
"""

_ANSWERS = """
INSERT INTO synthesis.completion (candidate_id, fingerprint, attempt_id, run_id, batch_id,
  release_id, content_hash, attempt, is_terminal, is_accepted, outcome, reason, method, raw_text,
  summary, skills, finish_reason, prompt_tokens, completion_tokens, cached_tokens, seconds,
  created_at)
SELECT g, md5('f' || g), '1.1', %(ended)s, 1, 'bench', md5(g::text), 1, true, g %% 33 <> 0,
  CASE WHEN g %% 33 = 0 THEN 'rejected' WHEN g %% 20 = 0 THEN 'repaired' ELSE 'valid' END,
  CASE WHEN g %% 33 = 0 THEN (ARRAY['too_short', 'ungrounded', 'unparsable'])[1 + g %% 3]
       WHEN g %% 20 = 0 THEN 'truncated' END,
  'model', '{}', said.summary, listed.skills, 'stop', 1400, 800, 300, 9,
  now() - interval '20 h'
FROM generate_series(1, %(n)s) AS g,
LATERAL (
  SELECT string_agg(f.text, ' ') AS summary
  FROM generate_series(1, %(parts)s) AS k
  JOIN bench.fragment AS f ON f.n = bench.pick(%(seed)s + g * 32 + k, %(fragments)s)
) AS said,
LATERAL (
  SELECT jsonb_agg(jsonb_build_object('name', s.text, 'provenance', 'both')) AS skills
  FROM (SELECT DISTINCT bench.skewed(%(seed)s + g * 32 + k, %(skills)s) AS n
        FROM generate_series(1, 24) AS k LIMIT 20) AS chosen
  JOIN bench.skill AS s USING (n)
) AS listed
WHERE g %% 60 <> 0;
INSERT INTO synthesis.candidate_synthesis (candidate_id, full_name, summary, skills, domains,
  method, search, model, prompt_version, release_id, fingerprint, content_hash, run_id,
  synthesised_at)
SELECT c.candidate_id, d.full_name, c.summary, synthesis.skill_names(c.skills),
  ARRAY(SELECT t.domain FROM synthesis.domain_tag AS t WHERE t.candidate_id = c.candidate_id),
  'model', c.search_vector, 'gpt-oss-20b', 'structured', 'bench', c.fingerprint, c.content_hash,
  c.run_id, now() - make_interval(days => bench.skewed(c.candidate_id, 500))
FROM synthesis.completion AS c
JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id
WHERE c.is_accepted;
"""

_ITEMS = """
INSERT INTO synthesis.run_item (run_id, candidate_id, fingerprint, content_hash, reason, priority,
  token_estimate, outcome, ended_at)
SELECT %(ended)s, candidate_id, fingerprint, content_hash, 'new', 1, 900, outcome, created_at
FROM synthesis.completion;
INSERT INTO synthesis.run_item (run_id, candidate_id, fingerprint, content_hash, reason, priority,
  token_estimate)
SELECT %(running)s, g, md5('g' || g), md5(g::text), 'prompt_changed', 1, 900
FROM generate_series(1, %(n)s) AS g;
UPDATE synthesis.run_item SET outcome = 'valid', ended_at = now()
WHERE run_id = %(running)s AND candidate_id <= %(n)s / 2;
"""

_LANES = """
INSERT INTO synthesis.lane (run_id, lane, state, host, pid, cards, parallelism, engine, model,
  load_seconds, warm_up_seconds, counters, gauges, started_at)
SELECT %(running)s, l, 'running', 'gpu-host-' || l / 2, 100, ARRAY['GPU-' || l], 'TP=1', 'sglang',
  'gpt-oss-20b', 31, 5,
  jsonb_build_object('valid', %(n)s / 16, 'prompt_tokens', %(n)s * 90, 'cached_tokens', %(n)s * 20,
    'completion_tokens', %(n)s * 50), '{"running": 96, "waiting": 104, "token_usage": 0.8}',
  now() - interval '4 h'
FROM generate_series(0, %(lanes)s - 1) AS l;
INSERT INTO synthesis.batch (run_id, lane, state, size, leased_at, expires_at, ended_at)
SELECT %(running)s, n %% %(lanes)s, CASE WHEN n < 40 THEN 'leased' ELSE 'done' END, 64, now(),
  now() + interval '2 min', CASE WHEN n < 40 THEN NULL ELSE now() END
FROM generate_series(0, %(n)s / 128) AS n;
INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value)
SELECT %(running)s, n %% %(lanes)s, 'batch',
  now() - make_interval(secs => 14400.0 * n / greatest(%(n)s / 128, 1)),
  jsonb_build_object('done', 64, 'seconds', 14400.0 * %(lanes)s / greatest(%(n)s / 128, 1),
    'completion_tokens', 51200, 'prompt_tokens', 90000, 'waiting', 104)
FROM generate_series(0, %(n)s / 128) AS n;
INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value)
SELECT %(running)s, l, 'gpu', now() - make_interval(secs => s * 5), jsonb_build_object(
  'uuid', 'GPU-' || l, 'name', 'NVIDIA GeForce RTX 4090',
  'celsius', 68 + bench.pick(s + l * 9999, 14),
  'watts', 380 + bench.pick(s + l * 99, 60), 'utilisation', 90 + bench.pick(s + l * 999, 10),
  'memory_used_mb', 21000 + l, 'memory_total_mb', 24564,
  'throttle',
  CASE WHEN l = 3 AND s BETWEEN 1000 AND 1040 THEN '["sw_thermal"]' ELSE '[]' END::jsonb)
FROM generate_series(0, %(lanes)s - 1) AS l, generate_series(0, 2880) AS s;
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, peak_mb)
SELECT %(running)s, 'render_profiles', 'range ' || n, '{"rendered": 4000, "unchanged": 12}', 90, 180
FROM generate_series(1, 120) AS n;
VACUUM ANALYZE;
"""

_HISTORY = """
INSERT INTO synthesis.coverage (run_id, taken_at, candidates, states, sources, ages, domains,
  skills, gate, tokens)
SELECT r.run_id, r.ended_at, c.candidates, c.states, c.sources, c.ages, c.domains, c.skills, c.gate,
  c.tokens
FROM synthesis.run AS r JOIN synthesis.coverage AS c ON c.run_id = %(ended)s
WHERE r.run_id <> %(ended)s AND r.ended_at IS NOT NULL
"""


def fill(database: Database, *, people: int, seed: int, words: int) -> None:
    """Makes everything but coverage; `words` is the length of a summary, a document has twice."""
    chance = random.Random(seed)
    names = _vocabulary(chance)
    skills, domains = _shuffled_names(chance, "skills"), _shuffled_names(chance, "domains")
    lexicon = [*_STOP_WORDS, *names]
    weights = [0.5 / len(_STOP_WORDS)] * len(_STOP_WORDS) + [
        0.05 / (rank + 3) for rank in range(_WORDS)
    ]
    values = {
        "n": people,
        "seed": seed,
        "old": OLD_RUNS,
        "ended": ENDED_RUN,
        "running": RUNNING_RUN,
        "parts": max(1, words // FRAGMENT_WORDS),
        "fragments": _FRAGMENTS,
        "words": _WORDS,
        "skills": len(skills),
        "domains": len(domains),
        "lanes": LANES,
        "first_names": list(_FIRST_NAMES),
    }
    script(database, _TOOLS, values)
    with database.connect() as connection, connection.cursor() as cursor:
        with cursor.copy("COPY bench.fragment FROM STDIN") as copy:
            for n in range(_FRAGMENTS):
                copy.write_row((n, " ".join(chance.choices(lexicon, weights, k=FRAGMENT_WORDS))))
        for table, texts in (("name", names), ("skill", skills), ("domain", domains)):
            with cursor.copy(f"COPY bench.{table} FROM STDIN") as copy:
                for n, text in enumerate(texts):
                    copy.write_row((n, text))
    for part in (_RUNS, _PEOPLE, _ANSWERS, _ITEMS, _LANES):
        script(database, part, values)


def copy_history(database: Database) -> None:
    """Gives every old run the coverage of `ENDED_RUN`."""
    script(database, _HISTORY, {"ended": ENDED_RUN})


def script(database: Database, text: str, values: dict[str, Any]) -> None:
    """Runs statements one by one, each in a transaction of its own."""
    with database.connect(autocommit=True) as connection:
        for statement in text.split(";\n"):
            if statement.strip():
                connection.execute(statement.rstrip().rstrip(";"), values)  # type: ignore[arg-type]


def _shuffled_names(chance: random.Random, name: str) -> list[str]:
    """The canonical names of include/taxonomy/<name>.yaml; the first one will be the commonest."""
    path = INCLUDE_DIR / "taxonomy" / f"{name}.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))[name]
    groups = content.values() if name == "skills" else [content]
    found = sorted(str(key) for group in groups for key in group)
    chance.shuffle(found)
    return found


def _vocabulary(chance: random.Random) -> list[str]:
    made: set[str] = set()
    while len(made) < _WORDS:
        made.add("".join(chance.choices(_SYLLABLES, k=chance.randint(2, 5))))
    found = sorted(made)
    chance.shuffle(found)
    return found

"""Cost of publishing: the first night, an unchanged one, one with 1 % new, one with all new.

    python -m benchmarks.publish --n 100000 --seed 7 --json out.json

Starts a throwaway Postgres with its default settings (fsync on), makes n people with an accepted
completion each in SQL (a summary of about 450 words and 20 skills), and calls the step `publish`
as the DAG does. A reader counts and searches the serving table all the while: `fewest_rows` is the
smallest count that it saw, the seconds are its slowest query, the one that waited for the swap
among them.

The words are invented, with the frequencies of a Zipf distribution, the commonest being English
stop words, because dictionary look-ups and posting lists depend on frequencies.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

from profiles.operations import apply_migrations
from profiles.params import RunParams
from profiles.steps import publish
from profiles.storage.connection import Database
from profiles.storage.runs import start_run
from scripts import embedded

STOP_WORDS = ["the", "of", "and", "to", "a", "in", "for", "with", "on", "at", "by", "from", "as"]
WORDS, FRAGMENTS, FRAGMENT_WORDS = 12_000, 4_000, 50
STOP_SHARE = 0.5
"""Stop words per other word, as in English prose: a third of the text."""
SYLLABLES = [
    "ba", "con", "del", "fra", "gor", "hin", "ist", "kel", "lor", "mar", "nis", "ope", "sta",
]  # fmt: skip
ENDINGS = ["", "s", "ed", "ing", "er"]
DOMAINS, SKILLS = 40, 1_500

CREATE = """
CREATE SCHEMA bench;
CREATE TABLE bench.fragment (n int PRIMARY KEY, text text NOT NULL);
CREATE TABLE bench.skill (n int PRIMARY KEY, name text NOT NULL);
CREATE FUNCTION bench.pick(seed bigint, choices int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN ((hashint8extended(seed, 7) & 2147483647) % choices)::int;
CREATE FUNCTION bench.skewed(seed bigint, choices int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN floor(choices * power((hashint8extended(seed, 9) & 2147483647) / 2147483648.0, 2.5))::int;
INSERT INTO synthesis.release (release_id, state, engine, model, model_revision, engine_profile,
  prompt_digest, schema_digest, sampling_digest, renderer_version, prompt, sampling, approved_at)
VALUES ('bench', 'approved', 'none', 'none', '1', 'bench', 'p', 's', 'd', '1', '{}', '{}', now());
"""

PEOPLE = """
INSERT INTO synthesis.candidate (candidate_id, created_run) OVERRIDING SYSTEM VALUE
SELECT g, 'bench' FROM generate_series(1, %(n)s) AS g;
INSERT INTO synthesis.document (candidate_id, full_name, markdown, content_hash, input_hash,
  word_count, token_estimate, renderer_version, too_thin)
SELECT g, 'Ada Testwell ' || g, '# Ada Testwell', encode(sha256(g::text::bytea), 'hex'), '', 700,
  900, '1', false
FROM generate_series(1, %(n)s) AS g;
INSERT INTO synthesis.domain_tag
SELECT g, 'domain ' || bench.skewed(%(seed)s + g * 8 + k, %(domains)s), 12, 1.0 / k, '{}'
FROM generate_series(1, %(n)s) AS g, generate_series(1, 2) AS k
ON CONFLICT DO NOTHING;
ANALYZE synthesis.candidate, synthesis.document, synthesis.domain_tag;
"""

COMPLETIONS = """
INSERT INTO synthesis.completion (candidate_id, fingerprint, attempt_id, run_id, batch_id,
  release_id, content_hash, attempt, is_terminal, is_accepted, outcome, method, raw_text,
  summary, skills, finish_reason, prompt_tokens, completion_tokens, cached_tokens, seconds,
  created_at)
SELECT g, md5(%(run_id)s::text), %(run_id)s, %(run_id)s, 1, 'bench',
  encode(sha256(g::text::bytea), 'hex'), 1, true, true, 'valid', 'model', '{}', said.summary,
  listed.skills, 'stop', 1, 1, 0, 1, clock_timestamp()
FROM generate_series(1, %(n)s) AS g,
LATERAL (
  SELECT string_agg(f.text, ' ') AS summary
  FROM generate_series(1, 9) AS k
  JOIN bench.fragment AS f ON f.n = bench.pick(%(salt)s + g * 32 + k, %(fragments)s)
) AS said,
LATERAL (
  SELECT jsonb_agg(jsonb_build_object('name', s.name, 'provenance', 'both')) AS skills
  FROM (SELECT DISTINCT bench.skewed(%(salt)s + g * 32 + k, %(skills)s) AS n
        FROM generate_series(1, 24) AS k LIMIT 20) AS chosen
  JOIN bench.skill AS s USING (n)
) AS listed
WHERE g %% %(every)s = 0
"""

PLAN = """
INSERT INTO synthesis.run_item (run_id, candidate_id, fingerprint, content_hash, reason, priority,
  token_estimate, outcome, ended_at)
SELECT %(run_id)s, candidate_id, fingerprint, content_hash, 'new', 1, 900, 'valid', now()
FROM synthesis.completion WHERE run_id = %(run_id)s;
UPDATE synthesis.run SET candidates = %(n)s, too_thin = 0,
  planned = (SELECT count(*) FROM synthesis.run_item WHERE run_id = %(run_id)s),
  fresh = %(n)s - (SELECT count(*) FROM synthesis.run_item WHERE run_id = %(run_id)s),
  stop_at = now() + interval '1 hour', planned_at = now()
WHERE run_id = %(run_id)s;
ANALYZE synthesis.completion;
"""

SEARCH = """
SELECT candidate_id FROM synthesis.candidate_synthesis
WHERE search @@ websearch_to_tsquery('english', %s) AND skills @> ARRAY[%s] LIMIT 20
"""


def main() -> int:
    """Runs the nights one after the other and prints one line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=20_000, help="people (default 20,000)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()

    with embedded.throwaway(durable=True) as (_, url):
        result = measure(Database(url), people=options.n, seed=options.seed)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def measure(database: Database, *, people: int, seed: int) -> dict[str, Any]:
    """The figures of the four nights."""
    apply_migrations.run(database)
    vocabulary = fill_words(database, people=people, seed=seed)
    nights = {}
    for night, every in (("first", 1), ("unchanged", 0), ("one percent", 100), ("all", 1)):
        _plan(database, night=night, every=every, people=people, seed=seed)
        nights[night] = _publish(database, night, vocabulary)
        say(f"{people} people, {night:<12} {nights[night]}")
    with database.connect() as connection:
        version, size = connection.execute(
            "SELECT current_setting('server_version'), "
            "sum(pg_total_relation_size(relid)) / 1048576 "
            "FROM pg_partition_tree('synthesis.candidate_synthesis')"
        ).fetchone() or ("", 0)
    return {
        "people": people,
        "seed": seed,
        "postgres": version,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "table_mb": int(size),
        "nights": nights,
    }


def fill_words(database: Database, *, people: int, seed: int) -> list[str]:
    """Makes words, skills and people; returns the words, the commonest first."""
    chance = random.Random(seed)
    made: set[str] = set()
    while len(made) < WORDS:
        made.add(
            "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4)) + chance.choices(ENDINGS))
        )
    words = sorted(made)
    chance.shuffle(words)
    weights = [1 / (rank + 3) for rank in range(WORDS)]
    share = sum(weights) * STOP_SHARE / len(STOP_WORDS)
    lexicon, chances = [*STOP_WORDS, *words], [share] * len(STOP_WORDS) + weights
    skills = ["Python", *(word.title() for word in words[-SKILLS:])]
    with database.connect() as connection, connection.cursor() as cursor:
        cursor.execute(CREATE)
        with cursor.copy("COPY bench.fragment FROM STDIN") as copy:
            for n in range(FRAGMENTS):
                copy.write_row((n, " ".join(chance.choices(lexicon, chances, k=FRAGMENT_WORDS))))
        with cursor.copy("COPY bench.skill FROM STDIN") as copy:
            for n, name in enumerate(skills):
                copy.write_row((n, name))
    run_script(database, PEOPLE, {"n": people, "seed": seed, "domains": DOMAINS})
    return words


def _plan(database: Database, *, night: str, every: int, people: int, seed: int) -> None:
    """A planned and answered run in which each `every`-th person got a new completion."""
    start_run(database, run_id=night, params=RunParams())
    values = {
        "run_id": night, "n": people, "every": every, "fragments": FRAGMENTS,
        "skills": SKILLS, "salt": seed * 1_000_003 + len(night) * 10**10,
    }  # fmt: skip
    run_script(database, (COMPLETIONS + ";" if every else "") + PLAN, values)


def run_script(database: Database, script: str, values: dict[str, Any]) -> None:
    with database.connect(autocommit=True) as connection:
        for statement in script.split(";"):
            if statement.strip():
                connection.execute(statement, values)  # type: ignore[arg-type]


def _publish(database: Database, night: str, words: list[str]) -> dict[str, Any]:
    reader = Reader(database, words)
    before = reader.count()
    reader.start()
    cpu, wal = _server_cpu(), _wal(database)
    started = time.monotonic()
    counts = publish.run(database, run_id=night, planned=True, tagged=True)
    seconds = time.monotonic() - started
    reader.stop()
    return {
        "published": counts["published"],
        "rebuilt": bool(counts.get("rebuilt")),
        "server_cpu_seconds": round(_server_cpu() - cpu, 2),
        "wal_mb": round((_wal(database) - wal) / 1e6, 1),
        "seconds": round(seconds, 2),
        "rows_per_second": round(counts["published"] / seconds),
        "rows_before": before,
        "fewest_rows": reader.fewest_rows,
        "reads": reader.reads,
        "slowest_count_seconds": round(reader.slowest_count, 2),
        "slowest_search_seconds": round(reader.slowest_search, 2),
    }


def _server_cpu() -> float:
    """CPU seconds of every Postgres process that descends from this server, the ended ones too."""
    ticks = os.sysconf("SC_CLK_TCK")
    folder = os.environ["PROFILES_DATABASE_URL"].split("host=")[1]
    main_pid = Path(folder, "postmaster.pid").read_text().split()[0]
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, fields = stat.parent.name, stat.read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if pid == main_pid:
            total += sum(map(int, fields[11:15]))
        elif fields[1] == main_pid:
            total += sum(map(int, fields[11:13]))
    return total / ticks


def _wal(database: Database) -> int:
    """Position of the write-ahead log, in bytes."""
    with database.connect() as connection:
        row = connection.execute("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint").fetchone()
    return int(row[0]) if row else 0


class Reader(threading.Thread):
    """A user of the serving table: counts it and searches it, twice a second."""

    def __init__(self, database: Database, words: list[str]) -> None:
        super().__init__(daemon=True)
        self._database = database
        self._words = words
        self._ended = threading.Event()
        self.reads = 0
        self.fewest_rows: int | None = None
        self.slowest_count = self.slowest_search = 0.0

    def count(self) -> int:
        """Rows of the serving table now."""
        with self._database.connect() as connection:
            row = connection.execute("SELECT count(*) FROM synthesis.candidate_synthesis")
            return int((row.fetchone() or (0,))[0])

    def run(self) -> None:
        """Reads until `stop`."""
        while not self._ended.wait(0.5):
            started = time.monotonic()
            rows = self.count()
            counted = time.monotonic()
            with self._database.connect() as connection:
                word = self._words[self.reads % 400]
                connection.execute(SEARCH, (word, "Python")).fetchall()
            self.reads += 1
            self.fewest_rows = rows if self.fewest_rows is None else min(rows, self.fewest_rows)
            self.slowest_count = max(self.slowest_count, counted - started)
            self.slowest_search = max(self.slowest_search, time.monotonic() - counted)

    def stop(self) -> None:
        """Waits for the read that is under way."""
        self._ended.set()
        self.join()


def say(line: str) -> None:
    """Prints at once, also into a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

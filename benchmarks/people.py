"""Generated people in a throwaway Postgres, JSON lines, and result files that several runs fill."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
TABLES_OF_PEOPLE = (
    "linkedin_profiles",
    "weekday_candidates",
    "parsed_resumes",
    "lemlist_leads",
)
_FEWEST_A_PROCESS = 500
_MOST_A_BLOCK = 5_000
"""People whose rows lie on disk as files at a time, for each process: 80 MB."""


@contextmanager
def generated_people(
    people: int, seed: int, *, processes: int | None = None, parent: Path | None = None
) -> Iterator[Path]:
    """A folder to work in; PROFILES_DATABASE_URL then names a database with `people` people.

    One that it names already stays as it is, and nothing is generated.

    Args:
        people: How many, from number 0 on.
        seed: Of the generator.
        processes: How many generate and load at once, by default one a core.
        parent: Where the folder is made, with the server's data in it, by default the system's
            temporary folder. 475,000 people take about 40 GB at most.
    """
    if parent is not None:
        parent.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONPATH"] = os.pathsep.join((str(REPOSITORY), str(REPOSITORY / "include")))
    if os.environ.get("PROFILES_DATABASE_URL"):
        with tempfile.TemporaryDirectory(prefix="profiles-benchmark-", dir=parent) as made:
            yield Path(made)
        return
    from scripts import embedded

    with embedded.throwaway(parent) as (folder, _):
        started = time.monotonic()
        loaded = _generate(folder, people, seed, processes or len(os.sched_getaffinity(0)))
        say(f"{people} people, seed {seed}, in {time.monotonic() - started:.0f} s: {loaded}")
        yield folder


def in_own_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """A process inherits its parent's peak memory, so this one must stay small: nothing but
    children loads rows.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def write_figures(path: Path, people: int, figures: dict[str, Any]) -> None:
    """Puts figures under the number of people into a file that may hold others already."""
    held = json.loads(path.read_text()) if path.exists() else {}
    held.setdefault(str(people), {}).update(figures)
    ordered = dict(sorted(held.items(), key=lambda item: int(item[0])))
    path.write_text(json.dumps(ordered, indent=1, default=str) + "\n")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def say(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _generate(folder: Path, people: int, seed: int, processes: int) -> dict[str, int]:
    """Writes and loads people in blocks, each by a process, so that a process and its files stay
    small. Every block holds the same companies; the first one loads them."""
    in_own_process(_migrate)
    block = max(_FEWEST_A_PROCESS, min(_MOST_A_BLOCK, -(-people // processes)))
    total: Counter[str] = Counter(in_own_process(_load_first, folder, min(block, people), seed))
    done, started = min(block, people), time.monotonic()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        blocks = [
            pool.submit(_load_more, folder, min(block, people - start), seed, start)
            for start in range(block, people, block)
        ]
        for loaded in as_completed(blocks):
            count, rows = loaded.result()
            total.update(rows)
            done += count
            if done * _PROGRESS_LINES // people > (done - count) * _PROGRESS_LINES // people:
                say(f"generated {done} of {people} people, {time.monotonic() - started:.0f} s")
    in_own_process(_settle)
    return dict(total)


_PROGRESS_LINES = 10


def _settle() -> None:
    """Apply what autovacuum would have done to tables that a team fills every day."""
    from profiles.storage.connection import open_database

    with open_database().connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def _migrate() -> None:
    from profiles.operations import apply_migrations
    from profiles.storage.connection import open_database

    apply_migrations.run(open_database())


def _load_first(parent: Path, people: int, seed: int) -> dict[str, int]:
    from sample_data import write_sample

    folder = parent / "from-0"
    write_sample(folder, people=people, seed=seed)
    return load_folder(folder)


def _load_more(parent: Path, people: int, seed: int, start: int) -> tuple[int, dict[str, int]]:
    """Straight into the tables, beside other processes: what is generated has no key twice."""
    from psycopg import sql

    from profiles.storage.connection import open_database
    from profiles.storage.sql_files import qualified
    from sample_data import write_sample

    folder = parent / f"from-{start}"
    write_sample(folder, people=people, seed=seed, start=start)
    loaded = {}
    with open_database().connect() as connection, connection.cursor() as cursor:
        for table in TABLES_OF_PEOPLE:
            copy_in = sql.SQL("COPY {} FROM STDIN").format(qualified(f"src.{table}"))
            with (folder / f"{table}.copy").open("rb") as lines, cursor.copy(copy_in) as copy:
                while chunk := lines.read(1 << 20):
                    copy.write(chunk)
            loaded[table] = cursor.rowcount
    shutil.rmtree(folder)
    return people, loaded


def load_folder(folder: Path) -> dict[str, int]:
    """Loads a folder of generated tables, and forgets it."""
    from profiles.storage.connection import open_database
    from sample_data import load_sample

    try:
        return load_sample(open_database(), folder=folder)
    finally:
        shutil.rmtree(folder)

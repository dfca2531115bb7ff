"""Generated people in a throwaway Postgres, and result files that several runs fill."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
_FEWEST_A_PROCESS = 2_000


@contextmanager
def generated_people(people: int, seed: int) -> Iterator[Path]:
    """A folder to work in; PROFILES_DATABASE_URL then names a database with `people` people.

    One that it names already stays as it is, and nothing is generated.
    """
    folder = Path(tempfile.mkdtemp(prefix="profiles-benchmark-"))
    folder.chmod(0o755)
    os.environ["PYTHONPATH"] = os.pathsep.join((str(REPOSITORY), str(REPOSITORY / "include")))
    if os.environ.get("PROFILES_DATABASE_URL"):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return
    from profiles import embedded

    server = embedded.start(folder, durable=False)
    try:
        embedded.ensure_database(server, "profiles")
        os.environ["PROFILES_DATABASE_URL"] = server.url("profiles")
        started = time.monotonic()
        loaded = _generate(folder, people, seed)
        say(f"{people} people, seed {seed}, in {time.monotonic() - started:.0f} s: {loaded}")
        yield folder
    finally:
        os.environ.pop("PROFILES_DATABASE_URL", None)
        embedded.remove(folder)
        shutil.rmtree(folder, ignore_errors=True)


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


def say(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _generate(folder: Path, people: int, seed: int) -> dict[str, int]:
    """Writes and loads people in blocks, each by a process, so that disk holds a block at most."""
    in_own_process(_migrate)
    workers = os.cpu_count() or 1
    block = max(_FEWEST_A_PROCESS, min(20_000, -(-people // workers)))
    starts = range(0, people, block)
    context = multiprocessing.get_context("spawn")
    total: dict[str, int] = {}
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        written = [
            pool.submit(_write, folder / f"from-{start}", min(block, people - start), seed, start)
            for start in starts
        ]
        for part in written:
            for table, rows in in_own_process(load_folder, part.result()).items():
                total[table] = total.get(table, 0) + rows
    in_own_process(_settle)
    return total


def _settle() -> None:
    """What autovacuum has long done to tables that a team fills every day."""
    from profiles.storage.connection import open_database

    with open_database().connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def _migrate() -> None:
    from profiles.steps import apply_migrations
    from profiles.storage.connection import open_database

    apply_migrations.run(open_database())


def _write(folder: Path, people: int, seed: int, start: int) -> Path:
    from profiles.sample import write_sample

    write_sample(folder, people=people, seed=seed, start=start)
    return folder


def load_folder(folder: Path) -> dict[str, int]:
    """Loads a folder of generated tables, and forgets it."""
    from profiles.sample import load_sample
    from profiles.storage.connection import open_database

    try:
        return load_sample(open_database(), folder=folder)
    finally:
        shutil.rmtree(folder)

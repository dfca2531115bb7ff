"""Gives a command started from a bare shell the environment of this clone.

That is `.env`, then `.profiles/env`, which `make` writes and which names the embedded server and
Airflow's home. `.env` wins, so that an edited one holds before the next `make`. A shell that names
a database or an Airflow of its own is left alone.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import MutableMapping
from pathlib import Path

CLONE = Path(__file__).resolve().parents[3]
_OWN = ("PROFILES_DATABASE_URL", "AIRFLOW_CONN_PROFILES_DB", "AIRFLOW_HOME")


def adopt(
    environment: MutableMapping[str, str] = os.environ, *, clone: Path = CLONE
) -> tuple[str, ...]:
    """Sets what the clone's files name and `environment` lacks; returns the names that were set."""
    if any(environment.get(name) for name in _OWN):
        return ()
    found = _written(clone / ".profiles" / "env") | _asked(clone / ".env")
    adopted = {name: value for name, value in found.items() if name not in environment}
    environment.update(adopted)
    return tuple(adopted)


def _written(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    exported = [
        line.removeprefix("export ")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("export ") and not line.startswith("export PATH=")
    ]
    return dict(word.split("=", 1) for line in exported for word in shlex.split(line))


def _asked(file: Path) -> dict[str, str]:
    from dotenv import dotenv_values

    return {
        name: value for name, value in dotenv_values(file, encoding="utf-8-sig").items() if value
    }

"""Gives a command started from a bare shell the environment that `make` wrote for this clone.

`.profiles/env` names the embedded server and Airflow's home. A shell that names a database or an
Airflow of its own is left alone.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import MutableMapping
from pathlib import Path

CLONE_ENV = Path(__file__).resolve().parents[2] / ".profiles" / "env"
_OWN = ("PROFILES_DATABASE_URL", "AIRFLOW_CONN_PROFILES_DB", "AIRFLOW_HOME")


def adopt(
    environment: MutableMapping[str, str] = os.environ, *, file: Path = CLONE_ENV
) -> tuple[str, ...]:
    """Sets what the file exports and `environment` lacks; returns the names that were set."""
    if any(environment.get(name) for name in _OWN) or not file.exists():
        return ()
    exported = [
        line.removeprefix("export ")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("export ") and not line.startswith("export PATH=")
    ]
    found = dict(word.split("=", 1) for line in exported for word in shlex.split(line))
    adopted = {name: value for name, value in found.items() if name not in environment}
    environment.update(adopted)
    return tuple(adopted)

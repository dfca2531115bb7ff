"""Shared parts of all commands: environment, database, output and number arguments.

A command started from a bare shell gets the environment of this clone: that of `.env`, then of
`.profiles/env`, which `make` writes and which names the embedded server and Airflow's home. `.env`
wins, so that an edited one holds before the next `make`. A shell that names a database or an
Airflow of its own is left alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from profiles.storage.connection import Database


CLONE = Path(__file__).resolve().parents[3]
_OWN = ("PROFILES_DATABASE_URL", "AIRFLOW_CONN_PROFILES_DB", "AIRFLOW_HOME")


def adopt(environment: MutableMapping[str, str] = os.environ, *, clone: Path = CLONE) -> None:
    """Sets what the clone's files name and `environment` lacks."""
    if any(environment.get(name) for name in _OWN):
        return
    from dotenv import dotenv_values

    written = clone / ".profiles" / "env"
    text = written.read_text(encoding="utf-8") if written.exists() else ""
    exported = (word.split("=", 1) for word in shlex.split(text, comments=True) if "=" in word)
    asked = dotenv_values(clone / ".env", encoding="utf-8-sig")
    found = dict(exported) | {name: value for name, value in asked.items() if value}
    found.pop("PATH", None)
    environment.update({name: value for name, value in found.items() if name not in environment})


def open_database_of(options: argparse.Namespace) -> Database:
    """The database of this command, named to the person: with several it is easy to mistake one."""
    from profiles.storage.connection import open_database

    database = open_database()
    if not options.json:
        print(f"database {database.location}", file=sys.stderr)
    return database


def open_migrated(options: argparse.Namespace) -> Database:
    """The database of this command, once its schema is what this version expects."""
    from profiles.storage import migrations

    database = open_database_of(options)
    migrations.require(database)
    return database


def show(options: argparse.Namespace, found: Any, *, next_step: str | None = None) -> None:
    """Print the result as JSON, or as YAML and what to do next."""
    text = json.dumps(found, indent=2, default=str)
    if options.json:
        print(text)
        return
    # Through JSON: YAML has no dates, enums and tuples of ours.
    form: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "default_flow_style": None}
    print(yaml.safe_dump(json.loads(text), **form, width=sys.maxsize), end="")
    if next_step:
        print(f"next: {next_step}")


def print_error(options: argparse.Namespace, error: Exception, message: str) -> None:
    if options.json:
        print(json.dumps({"error": type(error).__name__, "message": message}))
    else:
        print(f"{type(error).__name__}: {message}", file=sys.stderr)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number

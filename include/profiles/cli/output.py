"""Shared parts of all commands: the database, the output and the number arguments."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from profiles.storage.connection import Database


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


def print_values(
    options: argparse.Namespace, values: dict[str, Any], *, next_step: str | None
) -> None:
    print_found(options, values, [*_lines(values), *([f"next: {next_step}"] if next_step else [])])


def print_found(options: argparse.Namespace, found: Any, lines: Iterable[str]) -> None:
    """Print the result as JSON, or as lines for a person."""
    print(json.dumps(found, indent=2, default=str) if options.json else "\n".join(lines))


def print_error(options: argparse.Namespace, error: Exception, message: str) -> None:
    if options.json:
        print(json.dumps({"error": type(error).__name__, "message": message}))
    else:
        print(f"{type(error).__name__}: {message}", file=sys.stderr)


def _lines(values: dict[str, Any], indent: str = "") -> list[str]:
    width = max((len(str(key)) for key in values), default=0)
    lines = []
    for key, value in values.items():
        if isinstance(value, dict):
            lines.append(f"{indent}{key}")
            lines.extend(_lines(value, indent + "  "))
            continue
        texts = value if isinstance(value, list | tuple) else [value]
        shown = [line for text in texts for line in str("-" if text is None else text).split("\n")]
        for number, line in enumerate(shown or ["-"]):
            lines.append(f"{indent}{'' if number else str(key):<{width}}  {line}")
    return lines


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number

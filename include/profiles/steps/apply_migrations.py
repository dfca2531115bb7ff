"""Brings schema `synthesis` to this version of the package."""

from __future__ import annotations

from profiles.storage import migrations
from profiles.storage.connection import Database


def run(database: Database) -> list[str]:
    """Applies what is pending and returns the names, oldest first."""
    return [f"{migration.version:04d}_{migration.name}" for migration in migrations.apply(database)]

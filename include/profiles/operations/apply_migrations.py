"""Brings schema `synthesis` to this version of the package."""

from __future__ import annotations

import logging

from profiles.operations.roles import apply_roles
from profiles.storage import migrations
from profiles.storage.connection import Database

log = logging.getLogger(__name__)


def run(database: Database) -> list[str]:
    applied = migrations.apply(database)
    for problem in apply_roles(database):
        log.warning("roles: %s", problem)
    return [migration.path.stem for migration in applied]

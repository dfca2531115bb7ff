"""What the Compose service `airflow-init` runs: login, Airflow's metadata, pool, our schema."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from profiles.storage import migrations
from profiles.storage.connection import open_database
from scripts.airflow_env import ADMIN, write_private
from scripts.console import say
from scripts.prepare_airflow import migrate_metadata, write_pool_and_connections


def main() -> int:
    """Prepares what every other service waits for. Safe to run again."""
    passwords = Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"])
    write_private(passwords, json.dumps({ADMIN: os.environ["AIRFLOW_ADMIN_PASSWORD"]}) + "\n")
    migrate_metadata()
    write_pool_and_connections({})  # the Connections come from the environment
    applied = migrations.apply(open_database())
    say(f"airflow-init: metadata migrated, pool gpu there, {len(applied)} migrations applied")
    return 0


if __name__ == "__main__":
    sys.exit(main())

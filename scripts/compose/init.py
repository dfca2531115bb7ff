"""Setup by the Compose service `airflow-init`: login, Airflow's metadata, pool, our schema."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from profiles.operations import apply_migrations
from profiles.storage.connection import open_database
from scripts.airflow_env import ADMIN, write_private
from scripts.console import say
from scripts.prepare_airflow import migrate_metadata, write_pool_and_connections


def main() -> int:
    """Prepares what every other service waits for. Safe to run again."""
    passwords = Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"])
    write_private(passwords, json.dumps({ADMIN: os.environ["AIRFLOW_ADMIN_PASSWORD"]}) + "\n")
    migrate_metadata()
    # In the metadata, so that workers get them through the API server and hold no password of it.
    names = {"profiles_db": "PROFILES_DB_URI", "profiles_ro": "PROFILES_RO_URI"}
    write_pool_and_connections({name: os.environ[uri] for name, uri in names.items()})
    database = open_database()
    apply_migrations.run(database)
    with database.connect() as connection:
        # Made by databases.sh; on a Postgres of the team's own its login is theirs.
        if connection.execute("SELECT to_regrole('profiles_ro')").fetchone() != (None,):
            connection.execute("GRANT profiles_page TO profiles_ro")
    say("airflow-init: metadata, pool gpu, Connections, migrations and roles are there")
    return 0


if __name__ == "__main__":
    sys.exit(main())

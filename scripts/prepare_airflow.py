"""Brings Airflow's metadata database to where the pipeline needs it. Safe to run again.

Runs in the environment of `scripts.airflow_env`: migrates the metadata, makes pool `gpu` and the
Connections given as JSON on standard input. What an operator changed in the UI stays: a pool that
exists is left alone, and so is a Connection whose description is no longer ours. The Connections
as they are then go to the file named by the one argument, for commands that run outside a task.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from profiles.settings import load_settings
from profiles.storage.connection import connection_url
from scripts.airflow_env import write_private

POOL = "gpu"
POOL_DESCRIPTION = "One slot per lane, a lane being one engine on one GPU (or GPU group)"
DESCRIPTION = "Written by make; change the description and make leaves it alone"


def main() -> int:
    """Migrates, then writes pool and Connections; Airflow's own messages go to our output."""
    migrate_metadata()
    uris = write_pool_and_connections(json.load(sys.stdin))
    write_private(Path(sys.argv[1]), json.dumps(uris) + "\n")
    return 0


def migrate_metadata() -> None:
    """`airflow db migrate`, in this process: importing Airflow takes most of the time."""
    from airflow.cli.cli_parser import get_parser

    arguments = get_parser().parse_args(["db", "migrate"])
    arguments.func(arguments)


def write_pool_and_connections(uris: dict[str, str]) -> dict[str, str]:
    """Makes what is missing, renews the Connections that are ours; returns the URLs in force."""
    from airflow.models.connection import Connection as StoredConnection
    from airflow.models.pool import Pool
    from airflow.utils.session import create_session
    from sqlalchemy import select

    in_force = {name: f"postgresql://{uri.split('://', 1)[1]}" for name, uri in uris.items()}
    with create_session() as session:
        if session.scalar(select(Pool).where(Pool.pool == POOL)) is None:
            session.add(
                Pool(
                    pool=POOL,
                    slots=load_settings().lanes,
                    description=POOL_DESCRIPTION,
                    include_deferred=False,
                )
            )
        for name, uri in uris.items():
            found = session.scalar(select(StoredConnection).where(StoredConnection.conn_id == name))
            if found is not None and found.description != DESCRIPTION:
                in_force[name] = connection_url(found)
                continue
            if found is not None:
                session.delete(found)
                session.flush()
            session.add(StoredConnection(conn_id=name, uri=uri, description=DESCRIPTION))
    return in_force


if __name__ == "__main__":
    sys.exit(main())

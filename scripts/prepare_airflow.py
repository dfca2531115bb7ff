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
from typing import TYPE_CHECKING

from psycopg.conninfo import conninfo_to_dict

from profiles.settings import load_settings
from profiles.storage.connection import connection_url
from scripts.airflow_env import write_private

if TYPE_CHECKING:
    from airflow.models.connection import Connection as StoredConnection

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


def stored_connection(name: str, address: str, *, read_only: bool) -> StoredConnection:
    """An Airflow Connection of a libpq address, or of Airflow's own JSON.

    Field by field: no address is put together as text, so that any password survives.
    """
    from airflow.models.connection import Connection as StoredConnection

    if address.lstrip().startswith("{"):
        found = StoredConnection.from_json(address, conn_id=name)
        extra = dict(found.extra_dejson)
    else:
        extra = {name: str(value) for name, value in conninfo_to_dict(address).items()}
        port = extra.get("port", "")
        found = StoredConnection(
            conn_id=name,
            conn_type="postgres",
            login=extra.pop("user", None),
            password=extra.pop("password", None),
            host=extra.pop("host", None),
            schema=extra.pop("dbname", None),
            port=int(extra.pop("port")) if port.isdigit() else None,
        )
    if read_only:
        options = f"{extra.get('options', '')} -c default_transaction_read_only=on"
        extra["options"] = options.strip()
    found.extra = json.dumps(extra) if extra else None
    found.description = DESCRIPTION
    return found


def write_pool_and_connections(uris: dict[str, str]) -> dict[str, str]:
    """Makes what is missing, renews the Connections that are ours; returns the addresses in force.

    One with the address of `profiles_db` only reads: it has no role of its own.
    """
    from airflow.models.connection import Connection as StoredConnection
    from airflow.models.pool import Pool
    from airflow.utils.session import create_session
    from sqlalchemy import select

    in_force: dict[str, str] = {}
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
            read_only = name != "profiles_db" and uri == uris.get("profiles_db")
            stored = stored_connection(name, uri, read_only=read_only)
            session.add(stored)
            in_force[name] = connection_url(stored)
    return in_force


if __name__ == "__main__":
    sys.exit(main())

"""Checks of `profiles doctor` on Airflow: its metadata database, pool and Connections."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from profiles.doctor import Finding, guarded

if TYPE_CHECKING:
    from sqlalchemy import Connection

POOL = "gpu"
CONNECTIONS = ("profiles_db", "profiles_ro")


def airflow_findings(lanes: int) -> list[Finding]:
    """Metadata database, pool and Connections; one finding when there is no Airflow to ask."""
    name = "Airflow metadata"
    if not ({"AIRFLOW_HOME", "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"} & os.environ.keys()):
        remedy = ". .profiles/env   (make up or make demo writes it)"
        return [Finding(name, None, "this shell knows no Airflow: AIRFLOW_HOME is not set", remedy)]
    found: list[Finding] = []

    def look() -> Finding:
        from airflow.configuration import conf
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        engine = create_engine(conf.get("database", "sql_alchemy_conn"), poolclass=NullPool)
        with engine.connect() as connection:
            version = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
            detail = f"{engine.url.database} on {engine.dialect.name}, schema {version.scalar()}"
            found.append(guarded(f"pool {POOL}", lambda: _pool(connection, lanes)))
            found.extend(_connection(connection, name) for name in CONNECTIONS)
        return Finding(name, True, detail)

    metadata_finding = guarded(name, look)
    if metadata_finding.ok is False:
        remedy = "start the database, then `airflow db migrate` (make up does both)"
        metadata_finding = replace(metadata_finding, remedy=remedy)
    return [metadata_finding, *found]


def _pool(connection: Connection, lanes: int) -> Finding:
    name = f"pool {POOL}"
    known = connection.exec_driver_sql("SELECT pool, slots FROM slot_pool").all()
    slots = {row.pool: row.slots for row in known}.get(POOL)
    remedy = f"airflow pools set {POOL} {lanes} 'one slot per lane'"
    if slots is None:
        return Finding(name, False, "does not exist", remedy)
    if slots != lanes:
        detail = f"{slots} slots, but PROFILES_LANES is {lanes}: lanes wait or slots stay idle"
        return Finding(name, False, detail, remedy)
    return Finding(name, True, f"{slots} slots, as many as PROFILES_LANES")


def _connection(connection: Connection, conn_id: str) -> Finding:
    name = f"connection {conn_id}"
    if os.environ.get(f"AIRFLOW_CONN_{conn_id.upper()}"):
        return Finding(name, True, "from the environment")
    known = connection.exec_driver_sql("SELECT conn_id, conn_type FROM connection").all()
    types = {row.conn_id: row.conn_type for row in known}
    if conn_id in types:
        return Finding(name, True, f"in Airflow's metadata, type {types[conn_id]}")
    remedy = f"airflow connections add {conn_id} --conn-uri postgresql://USER:PASSWORD@HOST/DB"
    return Finding(name, False, "does not exist", remedy)

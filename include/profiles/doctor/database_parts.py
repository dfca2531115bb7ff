"""Checks of `profiles doctor` on the databases: ours with the source tables, and Airflow's."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from profiles.doctor import Finding, guarded
from profiles.operations.check_mappings import check
from profiles.operations.roles import standing
from profiles.storage import migrations
from profiles.storage.connection import open_database
from profiles.storage.sql_files import execute
from profiles.storage.tombstones import secret_standing

if TYPE_CHECKING:
    from sqlalchemy import Connection

READER_TEXT = "text to a reader"
POOL = "gpu"
CONNECTIONS = ("profiles_db", "profiles_ro")

_WITHOUT = {
    "pg_trgm": "misspelt skills are not found without pg_trgm",
    "vector": "search by vector reads every row without pgvector",
}


def database_findings() -> list[Finding]:
    checks = {
        "schema": schema,
        "source tables": source_tables,
        "role": roles,
        READER_TEXT: reader_text,
        "erasure secret": lambda: Finding(*secret_standing(open_database())),
        "search": search,
    }
    database = guarded("database", server)
    if database.ok is not False:
        return [database, *(guarded(name, check) for name, check in checks.items())]
    remedy = (
        "in a clone `. .profiles/env` names the embedded server; make demo or make up starts it"
    )
    if "refused the connection" in database.detail:
        remedy = "correct user and password of PROFILES_DATABASE_URL or Connection profiles_db"
    unseen = Finding(None, "no database to look at")
    return [database._replace(remedy=remedy), *(unseen._replace(name=name) for name in checks)]


def server() -> Finding:
    database = open_database()
    with database.connect() as connection:
        version = connection.info.parameter_status("server_version") or "?"
    return Finding(True, f"PostgreSQL {version.partition(' ')[0]} at {database.location}")


def schema() -> Finding:
    waiting = migrations.pending(open_database())
    if waiting:
        names = ", ".join(item.path.stem for item in waiting)
        remedy = "`profiles migrate`, or run DAG initialize_database"
        return Finding(False, f"migrations to apply: {names}", remedy)
    return Finding(True, f"{len(migrations.available())} migrations, all applied")


def source_tables() -> Finding:
    """The tables as the next run would find them, and what of their rows nobody reads."""
    found = check(open_database())
    if found.problems:
        detail = "; ".join(found.problems)
        return Finding(False, detail, "correct these; `profiles check` lists them")
    rows = ", ".join(f"{table} {number:,} rows" for table, number in found.rows.items())
    details = [rows, *found.warnings]
    if found.unread:
        details.append(f"unmapped paths: {'; '.join(found.unread)}")
    remedy = "map them in include/sources, or list them there under ignored"
    return Finding(None if found.warnings else True, "; ".join(details), remedy)


def roles() -> Finding:
    return Finding(*standing(open_database()))


def reader_text() -> Finding:
    """Finding on source rows with text that addresses its reader; documents leave that out."""
    with open_database().connect() as connection:
        if connection.execute("SELECT to_regclass('synthesis.reader_text')").fetchone() == (None,):
            return Finding(None, "no schema to look at")
        found = execute(connection, "report/select_reader_text").fetchall()
    if not found:
        return Finding(True, "no source row addresses a reader")
    rows = ", ".join(f"{source}:{key} {field}" for source, key, field, _ in found)
    detail = f"{found[0][3]} fields of source rows, left out of documents: {rows}"
    return Finding(None, detail, "look at the rows and at who sent them")


def search() -> Finding:
    """Extensions that search is better with; it works without."""
    with open_database().connect() as connection:
        standings = {name: migrations.extension_standing(connection, name) for name in _WITHOUT}
    lacking = {name: offered for name, (known, offered) in standings.items() if known is None}
    if not lacking:
        return Finding(True, "pg_trgm and pgvector")
    remedies = [
        f"CREATE EXTENSION {name};" if is_available else f"install {name} on the server;"
        for name, is_available in lacking.items()
    ]
    return Finding(None, "; ".join(_WITHOUT[name] for name in lacking), " ".join(remedies))


def airflow_findings(lanes: int) -> list[Finding]:
    """Metadata database, pool and Connections; one finding when there is no Airflow to ask."""
    name = "Airflow metadata"
    if not ({"AIRFLOW_HOME", "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"} & os.environ.keys()):
        remedy = ". .profiles/env   (make up or make demo writes it)"
        return [Finding(None, "this shell knows no Airflow: AIRFLOW_HOME is not set", remedy, name)]
    found: list[Finding] = []

    def look() -> Finding:
        from airflow.configuration import conf
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        engine = create_engine(conf.get("database", "sql_alchemy_conn"), poolclass=NullPool)
        with engine.connect() as connection:
            version = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
            detail = f"{engine.url.database} on {engine.dialect.name}, schema {version.scalar()}"
            found.append(guarded(f"pool {POOL}", partial(_pool, connection, lanes)))
            for conn_id in CONNECTIONS:
                found.append(guarded(f"connection {conn_id}", partial(_known, connection, conn_id)))
        return Finding(True, detail)

    metadata = guarded(name, look)
    if metadata.ok is False:
        remedy = "start the database, then `airflow db migrate` (make up does both)"
        metadata = metadata._replace(remedy=remedy)
    return [metadata, *found]


def _pool(connection: Connection, lanes: int) -> Finding:
    slots = connection.exec_driver_sql("SELECT slots FROM slot_pool WHERE pool = 'gpu'").scalar()
    remedy = f"airflow pools set {POOL} {lanes} 'one slot per lane'"
    if slots is None:
        return Finding(False, "does not exist", remedy)
    if slots != lanes:
        detail = f"{slots} slots, but PROFILES_LANES is {lanes}: lanes wait or slots stay idle"
        return Finding(False, detail, remedy)
    return Finding(True, f"{slots} slots, as many as PROFILES_LANES")


def _known(connection: Connection, conn_id: str) -> Finding:
    if os.environ.get(f"AIRFLOW_CONN_{conn_id.upper()}"):
        return Finding(True, "from the environment")
    known = connection.exec_driver_sql("SELECT conn_id, conn_type FROM connection").all()
    for name, conn_type in known:
        if name == conn_id:
            return Finding(True, f"in Airflow's metadata, type {conn_type}")
    remedy = f"airflow connections add {conn_id} --conn-uri postgresql://USER:PASSWORD@HOST/DB"
    return Finding(False, "does not exist", remedy)

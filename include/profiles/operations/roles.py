"""Group roles with least rights: the pipeline, readers of its result, the operator's page.

Applied after every migration, because a new table has no rights yet. Logins are the team's: they
become members with `GRANT profiles_pipeline TO …`. Source tables are read-only by right for a
login that is a member and does not own them.
"""

from __future__ import annotations

from functools import partial

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from profiles.errors import MappingError
from profiles.settings import load_settings
from profiles.storage.connection import Database, begin
from profiles.storage.lock_waits import in_short_waits
from profiles.storage.mappings import load_mappings
from profiles.storage.sql_files import Connection, execute

PIPELINE = "profiles_pipeline"
_SHOWN = 5


def apply_roles(database: Database) -> list[str]:
    """Creates the roles and gives them their rights; returns what is left to a person."""
    with database.connect() as connection:
        role, may_create, missing = _state(connection)
        if missing and not may_create:
            return [
                f"roles {', '.join(missing)} do not exist and {role} may not create them; an "
                f"administrator runs `psql -f include/sql/create_roles.sql` and `GRANT {PIPELINE} "
                f"TO {role} WITH ADMIN OPTION`, then `profiles migrate` gives them their rights"
            ]
        execute(connection, "create_roles/create")
        # A role is the whole server's: migrations of its other databases must not wait for this
        # one's tables. Without their rights roles are harmless; the next call gives them.
        connection.commit()
        begin(connection)
        try:
            in_short_waits(
                connection,
                partial(execute, connection, "roles/own_and_grant"),
                what=f"handing schema synthesis to {PIPELINE}",
                again="run `profiles migrate` or DAG initialize_database again",
            )
        except psycopg.errors.InsufficientPrivilege as error:
            reason = error.diag.message_primary
            return [
                f"{role} cannot hand schema synthesis to {PIPELINE} ({reason}); a superuser runs "
                "`profiles migrate` once"
            ]
        try:
            return _grant_sources(connection)
        except MappingError as error:
            # Airflow has to start all the same: its first run records the fault for everybody.
            return [f"no rights to source tables were granted, because of a mapping: {error}"]


def standing(database: Database) -> tuple[bool | None, str]:
    """Return whether this deployment's login has only the rights it needs (else None), and a
    message: source and other tables that it could change, or own ones that it cannot write."""
    with database.connect() as connection:
        role, _, missing_roles = _state(connection)
        rights = execute(connection, "roles/select_writable").fetchall()
        lacking = [name for name, is_ours, may in rights if is_ours and not may]
        if lacking:
            # It may have no right to the sources' schema either, not even to look.
            return False, (
                f"{role} cannot write {_shortened(lacking)}, which every run needs; an "
                f"administrator runs GRANT {PIPELINE} TO {role}"
            )
        sources = _sources(connection)
    writable = [name for name, _, _, is_owner, may_write, _ in sources if is_owner or may_write]
    others = [name for name, is_ours, may in rights if may and not is_ours and name not in writable]
    if not writable and not others:
        return True, f"{role} can write schema synthesis alone"
    missing = "; `profiles migrate` creates that role" if missing_roles else ""
    return None, (
        f"{role} could write {', '.join(filter(None, (*writable, _shortened(others))))}; better "
        "run as a login of its own: CREATE ROLE … LOGIN PASSWORD …; GRANT "
        f"{PIPELINE} TO …{missing}"
    )


def _shortened(names: list[str]) -> str:
    more = [f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
    return ", ".join([*names[:_SHOWN], *more])


def _state(connection: Connection) -> TupleRow:
    """Role of the session, whether it may create roles, and which are missing."""
    (row,) = execute(connection, "roles/select_state").fetchall()
    return tuple(row)


def _sources(connection: Connection) -> list[TupleRow]:
    wanted = [load_settings().industry_table]
    for mapping in load_mappings().values():
        wanted += [mapping.table, *(child.table for child in mapping.children.values())]
    return execute(connection, "roles/select_sources", tables=wanted).fetchall()


def _grant_sources(connection: Connection) -> list[str]:
    problems = []
    for name, schema, table, _, _, may_grant in _sources(connection):
        if not may_grant:
            problems.append(
                f"the owner of {name} runs `GRANT USAGE ON SCHEMA {schema} TO {PIPELINE}; GRANT "
                f"SELECT ON {name} TO {PIPELINE}`"
            )
            continue
        grant = sql.SQL("GRANT USAGE ON SCHEMA {0} TO {2}; GRANT SELECT ON {0}.{1} TO {2}")
        connection.execute(grant.format(*map(sql.Identifier, (schema, table, PIPELINE))))
    return problems

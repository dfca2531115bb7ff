"""What a lane has to know of the run it works for."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg.rows import dict_row

from profiles.errors import SettingsError
from profiles.params import RunParams
from profiles.planning import ReleaseKey
from profiles.storage.connection import Database
from profiles.storage.sql_files import load


@dataclass(frozen=True, slots=True)
class Assignment:
    """The run's Params and the release that its items were fingerprinted with."""

    run_id: str
    params: RunParams
    release: ReleaseKey


def read_assignment(database: Database, *, run_id: str) -> Assignment:
    """The assignment of a planned run.

    Raises:
        SettingsError: the run does not exist or was never planned.
    """
    with (
        database.connect() as connection,
        connection.cursor(row_factory=dict_row) as cursor,
    ):
        row = cursor.execute(load("synthesis/select_assignment"), {"run_id": run_id}).fetchone()
    if row is None or row["engine"] is None:
        raise SettingsError(
            f"run {run_id} has no plan; clear plan_synthesis with what follows, then its lanes"
        )
    params = RunParams.from_mapping(row.pop("params"))
    return Assignment(run_id=run_id, params=params, release=ReleaseKey(**row))

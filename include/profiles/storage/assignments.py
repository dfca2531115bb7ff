"""What a lane has to know of the run it works for."""

from __future__ import annotations

from dataclasses import dataclass

from profiles.errors import SettingsError
from profiles.params import RunParams
from profiles.storage.connection import Database
from profiles.storage.releases import Release, find_release


@dataclass(frozen=True, slots=True)
class Assignment:
    """The run's Params and the release that its items were fingerprinted with."""

    run_id: str
    params: RunParams
    release: Release


def read_assignment(database: Database, *, run_id: str) -> Assignment:
    """The assignment of a planned run.

    Raises:
        SettingsError: the run does not exist or was never planned.
    """
    with database.connect() as connection:
        row = connection.execute(
            "SELECT params, release_id FROM synthesis.run WHERE run_id = %s", (run_id,)
        ).fetchone()
        if row is None or row[1] is None:
            raise SettingsError(
                f"run {run_id} has no plan; clear plan_synthesis with what follows, then its lanes"
            )
        return Assignment(
            run_id=run_id,
            params=RunParams.from_mapping(row[0]),
            release=find_release(connection, row[1]),
        )

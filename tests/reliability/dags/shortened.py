"""The real DAG for Airflow with shorter waits, and once more, as `hasty_synthesis`, with lanes
that time out and a deadline that passes. (Airflow reads no file without its name in it.)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.reliability.timing import DEADLINE_SECONDS, LANE_SECONDS

_SOURCE = (Path(__file__).parents[3] / "dags" / "profile_synthesis.py").read_text(encoding="utf-8")
_TIMEOUT = "execution_timeout=timedelta(hours=MAX_WINDOW_HOURS + 1)"


def _changed(changes: dict[str, str]) -> Any:
    """The DAG that the changed source makes; every change must find its text."""
    source = _SOURCE
    for old, new in changes.items():
        if old not in source:
            raise ValueError(f"dags/profile_synthesis.py no longer has {old!r}; change this file")
        source = source.replace(old, new)
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(source + "\nmade = profile_synthesis()\n", "profile_synthesis", "exec"), names)
    return names["made"]


_SCHEDULE = "schedule=CronTriggerTimetable(schedule()[0], timezone=schedule()[1])"
_DEADLINE = "interval=timedelta(hours=MAX_WINDOW_HOURS + 1)"
_SHORT = {
    '"retry_delay": timedelta(seconds=30)': '"retry_delay": timedelta(seconds=2)',
    # The last line makes the DAG, and it is made below.
    "\nprofile_synthesis()\n": "\n",
}
nightly = _changed(_SHORT)
hasty = _changed(
    _SHORT
    | {
        'dag_id="profile_synthesis"': 'dag_id="hasty_synthesis"',
        _TIMEOUT: f"execution_timeout=timedelta(seconds={LANE_SECONDS})",
        _DEADLINE: f"interval=timedelta(seconds={DEADLINE_SECONDS})",
        _SCHEDULE: "schedule=None",
    }
)

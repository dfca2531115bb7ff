"""One small run through the real steps; texts in it would be scripts if they were HTML."""

from __future__ import annotations

import pytest

from profiles.steps import publish, synthesise, verify_run
from profiles.steps.reports import run_report
from profiles.storage.connection import Database
from tests.planned_runs import add_documents, approve_newest, plan, use_scripted_engine

RUN = "manual__2026-03-01T22:00:00+00:00"
HOSTILE = "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 1'>"
"""Planted where text of people, models or errors is shown."""

PEOPLE = 12


def use_engine(patch: pytest.MonkeyPatch) -> None:
    """An engine half of whose answers are too short, however often it is asked."""
    use_scripted_engine(
        patch,
        engine_options='{"faults": {"short": 0.5, "sticky": true}}',
        extractive_fallback="false",
    )


def make(database: Database, patch: pytest.MonkeyPatch) -> None:
    """Twelve people: one too thin, some refused for being too short, the rest published."""
    use_engine(patch)
    ids = add_documents(database, PEOPLE, thin=[0])
    plan(database, RUN, lanes=1)
    approve_newest(database)
    synthesise.run(database, run_id=RUN, lane=0)
    publish.run(database, run_id=RUN, planned=True, tagged=True)
    run_report.store(database, run_id=RUN)
    verify_run.run(database, run_id=RUN, published=True)
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET notice = %s", (HOSTILE,))
        connection.execute("UPDATE synthesis.lane SET reason = %s, host = %s", (HOSTILE, HOSTILE))
        connection.execute(
            "UPDATE synthesis.document SET full_name = %s WHERE candidate_id = %s",
            (HOSTILE, ids[1]),
        )
        connection.execute(
            "UPDATE synthesis.coverage SET domains = jsonb_build_array(jsonb_build_object('name', "
            "%s::text, 'candidates', 3))",
            (HOSTILE,),
        )

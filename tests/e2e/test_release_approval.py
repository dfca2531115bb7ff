"""The DAG that asks a person, on a real Airflow: the answer comes through its REST API."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.dag_runs import load_dag
from tests.planned_runs import add_documents, one, plan, rows, use_scripted_engine

from profiles.settings import INCLUDE_DIR
from profiles.steps import synthesise
from profiles.storage.connection import Database

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("default")]

DETAILS = "/api/v2/dags/release_approval/dagRuns/{run_id}/taskInstances/decide/-1/hitlDetails"


@pytest.fixture(scope="module")
def api(airflow_metadata: None) -> Iterator[Any]:
    """Airflow's REST API in this process, as a user who may answer."""
    from airflow.api_fastapi.app import create_app, purge_cached_app
    from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser
    from airflow.api_fastapi.core_api.security import get_user
    from fastapi.testclient import TestClient

    purge_cached_app()
    app = create_app(apps="core")
    user = SimpleAuthManagerUser(username="rita.reviewer", role="admin")
    app.dependency_overrides[get_user] = lambda: user
    yield TestClient(app)
    purge_cached_app()


def answer_when_asked(api: Any, choice: str, asked: dict[str, Any]) -> threading.Thread:
    """Waits for the question, keeps it in `asked` and answers it."""

    def answer() -> None:
        until = time.monotonic() + 240
        while time.monotonic() < until and not asked:
            found = api.get(
                "/api/v2/dags/release_approval/dagRuns/~/hitlDetails?response_received=false"
            ).json()
            for detail in found.get("hitl_details", ()):
                if detail["task_instance"]["state"] in ("awaiting_input", "deferred"):
                    asked.update(detail)
            time.sleep(0.5)
        run_id = asked["task_instance"]["dag_run_id"]
        given = api.patch(
            DETAILS.format(run_id=run_id), json={"chosen_options": [choice], "params_input": {}}
        )
        asked["status"] = given.status_code

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    return thread


def decide(api: Any, choice: str, **params: Any) -> tuple[str, dict[str, str], dict[str, Any]]:
    """One run of release_approval that gets `choice`; its state, its tasks, what was asked."""
    asked: dict[str, Any] = {}
    thread = answer_when_asked(api, choice, asked)
    run = load_dag("release_approval").test(run_conf=params)
    thread.join(timeout=60)
    tasks = {ti.task_id: str(ti.state) for ti in run.get_task_instances()}
    return str(run.state), tasks, asked


def test_a_person_approves_or_refuses_what_a_canary_has_shown(
    database: Database, api: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_DB", database.url)
    use_scripted_engine(monkeypatch, prompts_dir=tmp_path / "prompts")
    shutil.copytree(INCLUDE_DIR / "prompts", tmp_path / "prompts")
    add_documents(database, 8)
    for lane in plan(database, "night", lanes=1):
        synthesise.run(database, run_id="night", lane=lane["lane"])
    system = tmp_path / "prompts" / "structured" / "system.md"
    system.write_text(system.read_text() + "\nBe brief.\n")

    state, tasks, asked = decide(api, "Reject", documents=5)

    assert state == "success"
    assert asked["status"] == 200
    assert tasks == {
        "plan_canary": "success",
        "synthesise": "success",
        "compare": "success",
        "decide": "success",
        "approve_release": "skipped",
        "refuse_release": "success",
    }
    refused, approved = one_release(database, "refused"), one_release(database, "approved")
    assert refused[1] == "a user of Airflow"
    assert "| answers | 5 | 5 |" in asked["body"]
    assert "prompt changed" in asked["body"]
    assert refused[0][:12] in asked["subject"]
    assert_holds_no_text(database, json.dumps(asked))

    state, tasks, asked = decide(api, "Approve", documents=5, release=refused[0][:12])

    assert state == "success"
    # All was asked by the first canary.
    assert tasks["synthesise"] == "skipped"
    assert (tasks["approve_release"], tasks["refuse_release"]) == ("success", "skipped")
    assert one_release(database, "approved") == (refused[0], "rita.reviewer")
    assert one_release(database, "superseded")[0] == approved[0]


def one_release(database: Database, state: str) -> tuple[str, str]:
    return one(
        database, "SELECT release_id, decided_by FROM synthesis.release WHERE state = %s", state
    )


def assert_holds_no_text(database: Database, said: str) -> None:
    """Neither a name nor a sentence of a profile is in what Airflow keeps of the question."""
    for name, summary in rows(
        database,
        "SELECT d.full_name, c.summary FROM synthesis.document AS d "
        "LEFT JOIN synthesis.completion AS c USING (candidate_id)",
    ):
        assert not name or name not in said
        assert not summary or summary[:40] not in said

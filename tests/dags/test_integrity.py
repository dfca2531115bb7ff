"""The DAG files parse, cheaply, into exactly the graph that the documentation shows."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import jsonschema
import pytest
from tests.paths import REPOSITORY

EDGES = {
    "check_sources": {"extract_sources"},
    "extract_sources": {"resolve_identities"},
    "resolve_identities": {"render_profiles"},
    "render_profiles": {"plan_synthesis", "tag_domains"},
    "plan_synthesis": {"synthesise", "publish"},
    "synthesise": {"publish"},
    "tag_domains": {"publish"},
    "publish": {"report", "embed_profiles", "plan_judging", "verify_run"},
    "report": {"verify_run"},
    "embed_profiles": {"verify_run"},
    "plan_judging": {"judge_profiles"},
    "judge_profiles": {"verify_run"},
    "verify_run": set(),
}
MAPPED = {"extract_sources", "render_profiles", "synthesise", "judge_profiles"}


@pytest.fixture
def dag(dag_bag: Any) -> Any:
    return dag_bag.dags["profile_synthesis"]


def test_every_dag_file_parses(dag_bag: Any):
    assert dag_bag.import_errors == {}
    assert set(dag_bag.dags) == {
        "profile_synthesis",
        "release_approval",
        "candidate_actions",
        "initialize_database",
    }


def test_the_failure_matrix_finds_what_it_shortens():
    from tests.reliability.dags import shortened

    assert {shortened.nightly.dag_id, shortened.hasty.dag_id} == {
        "profile_synthesis",
        "hasty_synthesis",
    }


def test_the_graph_is_the_documented_one(dag: Any):
    assert {task.task_id: task.downstream_task_ids for task in dag.tasks} == EDGES


@pytest.mark.filterwarnings("ignore:GitWildMatchPattern:DeprecationWarning")
def test_the_deadline_is_one_that_lets_a_failed_run_be_cleared(dag: Any):
    """Airflow's own DAGRUN_QUEUED_AT does not: apache/airflow#70368."""
    from airflow.serialization.decoders import decode_deadline_alert
    from airflow.serialization.definitions.deadline import SerializedReferenceModels
    from airflow.serialization.encoders import encode_deadline_alert

    (alert,) = dag.deadline if isinstance(dag.deadline, list) else [dag.deadline]
    stored = encode_deadline_alert(alert)
    reference = decode_deadline_alert(stored).reference
    late = reference.evaluate_with(session=None, interval=alert.interval, dag_id="", run_id="")

    assert not SerializedReferenceModels.is_builtin_reference(reference.reference_name)
    assert isinstance(reference, SerializedReferenceModels.TYPES.DAGRUN)
    assert abs(late - datetime.now(UTC) - timedelta(hours=21)) < timedelta(minutes=1)


def test_lanes_ranges_and_sources_are_mapped(dag: Any):
    assert {task.task_id for task in dag.tasks if task.is_mapped} == MAPPED


def test_what_runs_an_engine_uses_queue_and_pool_gpu_and_nothing_else_does(dag: Any):
    engines = {"synthesise", "judge_profiles"}
    assert {task.task_id for task in dag.tasks if task.pool == "gpu"} == engines
    assert {task.task_id for task in dag.tasks if task.queue == "gpu"} == engines


def test_what_must_run_after_a_failure_waits_for_all_done(dag: Any):
    all_done = {task.task_id for task in dag.tasks if task.trigger_rule == "all_done"}
    assert all_done == {"publish", "report", "verify_run"}


def test_every_task_has_an_owner_a_timeout_and_retries(dag_bag: Any):
    for dag in dag_bag.dags.values():
        assert dag.tags
        assert dag.doc_md
        for task in dag.tasks:
            arguments = task.partial_kwargs if task.is_mapped else vars(task)
            assert arguments["owner"] == "profiles"
            # A task that waits for a person holds no slot, and bounds the wait itself.
            bound = "response_timeout" if task.task_id == "decide" else "execution_timeout"
            assert isinstance(arguments[bound], timedelta)
            assert arguments["retries"] is not None


@pytest.mark.parametrize("task_id", ["publish", "report", "verify_run"])
def test_a_task_that_was_killed_is_retried(dag: Any, task_id: str):
    assert dag.get_task(task_id).retries == 2


def test_a_lane_may_run_for_the_longest_window(dag: Any):
    from profiles.params import MAX_WINDOW_HOURS

    lane = dag.get_task("synthesise")
    assert lane.partial_kwargs["execution_timeout"] > timedelta(hours=MAX_WINDOW_HOURS)


def test_a_run_has_a_deadline_an_hour_after_the_longest_window(dag: Any):
    from profiles.params import MAX_WINDOW_HOURS

    (deadline,) = dag.deadline
    assert deadline.interval == timedelta(hours=MAX_WINDOW_HOURS + 1)
    assert deadline.callback.path == "profiles.alerts.on_late"


def test_a_person_is_asked_after_the_canary_and_decides_what_follows(dag_bag: Any):
    dag = dag_bag.dags["release_approval"]
    assert {task.task_id: task.downstream_task_ids for task in dag.tasks} == {
        "plan_canary": {"synthesise", "compare"},
        "synthesise": {"compare"},
        "compare": {"decide"},
        "decide": {"approve_release"},
        "approve_release": {"refuse_release"},
        "refuse_release": set(),
    }
    canary = dag.get_task("synthesise")
    assert (canary.queue, canary.pool) == ("gpu", "gpu")


def test_the_params_of_the_canary_are_the_fields_of_canary_params(dag_bag: Any):
    from profiles.params import CanaryParams

    dag = dag_bag.dags["release_approval"]
    assert set(dag.params) == set(CanaryParams.__dataclass_fields__)
    for name in dag.params:
        param = dag.params.get_param(name)
        jsonschema.validate(json.loads(json.dumps(param.value)), param.schema)


def test_every_dag_tells_when_it_fails(dag_bag: Any):
    from profiles.alerts import on_failure

    silent = [name for name, dag in dag_bag.dags.items() if dag.on_failure_callback != on_failure]
    assert silent == []


def test_nightly_without_catchup_and_one_run_at_a_time(dag: Any):
    assert dag.catchup is False
    assert dag.max_active_runs == 1


def test_publish_owns_the_asset(dag: Any):
    outlets = {task.task_id: task.outlets for task in dag.tasks if not task.is_mapped}
    names = {
        task_id: [asset.name for asset in assets] for task_id, assets in outlets.items() if assets
    }
    assert names == {"publish": ["candidate_synthesis"]}


def test_every_param_has_a_default_that_its_own_schema_accepts(dag: Any):
    for name in dag.params:
        param = dag.params.get_param(name)
        assert param.schema.get("type"), name
        assert param.description, name
        jsonschema.validate(json.loads(json.dumps(param.value)), param.schema)


def test_params_are_the_fields_of_run_params(dag: Any):
    from profiles.params import RunParams

    assert set(dag.params) == set(RunParams.__dataclass_fields__)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("limit", 0),
        ("lanes", 0),
        ("window_hours", 0),
        ("window_hours", 0.05),
        ("window_hours", 21),
        ("release", "a prompt"),
        ("candidate_ids", ["x"]),
        ("sources", ["drop table"]),
        ("force", "yes"),
    ],
)
def test_a_bad_param_is_refused_by_the_form(dag: Any, name: str, bad: object):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(bad, dag.params.get_param(name).schema)


def test_parsing_loads_neither_pandas_nor_a_driver_nor_an_engine():
    # SQLAlchemy is not in the list: airflow.sdk itself loads it.
    script = (
        "import sys, runpy;"
        "import airflow.sdk, profiles.params; airflow_loads = set(sys.modules);"
        "runpy.run_path('dags/profile_synthesis.py');"
        "runpy.run_path('dags/initialize_database.py');"
        "runpy.run_path('dags/release_approval.py');"
        "runpy.run_path('dags/candidate_actions.py');"
        "print(sorted(m.split('.')[0] for m in set(sys.modules) - airflow_loads"
        " if m.split('.')[0] in"
        " {'pandas','psycopg','sglang','torch','xllamacpp','pydantic_settings'}))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    assert printed.splitlines()[-1] == "[]"


def test_a_schedule_without_a_time_zone_is_refused(monkeypatch: pytest.MonkeyPatch):
    from profiles.errors import SettingsError
    from profiles.params import schedule

    monkeypatch.setenv("PROFILES_SCHEDULE", "0 22 * * *")
    with pytest.raises(SettingsError, match="five cron fields and a time zone"):
        schedule()


def test_parsing_a_second_time_costs_little(dag_bag: Any):
    from airflow.dag_processing.dagbag import DagBag

    started = time.perf_counter()
    DagBag(dag_folder=str(REPOSITORY / "dags"), load_op_links=False)
    # Not a benchmark: a guard against work at parse time, which costs seconds, not milliseconds.
    assert time.perf_counter() - started < 10

"""The DAG behind the page's actions: its graph, its Params and what they refuse."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from profiles.errors import SettingsError
from profiles.params import Action, ActionParams


@pytest.fixture
def dag(dag_bag: Any) -> Any:
    return dag_bag.dags["candidate_actions"]


def test_one_task_acts_and_the_other_starts_the_run_it_asks_for(dag: Any):
    assert {task.task_id: task.downstream_task_ids for task in dag.tasks} == {
        "apply_action": {"start_run"},
        "start_run": set(),
    }
    assert dag.get_task("start_run").is_mapped
    assert dag.get_task("start_run").partial_kwargs["trigger_dag_id"] == "profile_synthesis"


def test_only_a_person_starts_it_and_no_pause_holds_it(dag: Any):
    assert dag.timetable.can_be_scheduled is False
    assert dag.is_paused_upon_creation is False


def test_params_are_the_fields_of_action_params(dag: Any):
    assert set(dag.params) == set(ActionParams.__dataclass_fields__)
    for name in dag.params:
        param = dag.params.get_param(name)
        assert param.schema.get("type"), name
        assert param.description, name
        if name != "action":
            jsonschema.validate(json.loads(json.dumps(param.value)), param.schema)


def test_the_form_offers_every_action_and_has_no_default_for_it(dag: Any):
    action = dag.params.get_param("action")
    assert action.schema["enum"] == [action.value for action in Action]
    assert not action.has_value


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("action", "drop"),
        ("action", None),
        ("candidate_ids", ["ada@mail-example.com"]),
        ("candidate_ids", [0]),
        ("candidate_ids", list(range(1, 1002))),
        ("reason", "dislike"),
        ("run", "x'; DROP TABLE synthesis.run --"),
        ("row_ids", ["linkedin:ada-testwell"]),
        ("confirm", "yes"),
    ],
)
def test_a_bad_param_is_refused_by_the_form(dag: Any, name: str, bad: object):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(bad, dag.params.get_param(name).schema)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"action": "retry"}, "needs candidate_ids, reason or run"),
        ({"action": "retry", "candidate_ids": [1], "confirm": 1}, "no use for confirm"),
        ({"action": "resynthesise"}, "needs candidate_ids"),
        ({"action": "resynthesise", "candidate_ids": [1], "run": "r"}, "no use for run"),
        ({"action": "split", "candidate_ids": [1]}, "needs row_ids"),
        ({"action": "split", "candidate_ids": [1, 2], "row_ids": [1]}, "needs 1 in candidate_ids"),
        ({"action": "merge", "candidate_ids": [1]}, "needs 2 in candidate_ids"),
        ({"action": "merge", "candidate_ids": [1, 1]}, "needs 2 in candidate_ids"),
        ({"action": "erase", "candidate_ids": [1]}, "confirm must repeat"),
        ({"action": "erase", "candidate_ids": [1], "confirm": 2}, "confirm must repeat"),
        ({"action": "erase", "candidate_ids": [], "confirm": 1}, "needs 1 in candidate_ids"),
        ({"action": "erase", "candidate_ids": [1, 2], "confirm": 1}, "needs 1 in candidate_ids"),
    ],
)
def test_a_combination_without_sense_is_refused(values: dict[str, Any], said: str):
    with pytest.raises(SettingsError, match=said):
        ActionParams.from_mapping(values)


def test_empty_fields_of_the_form_mean_nothing_given():
    asked = ActionParams.from_mapping(
        {"action": "retry", "candidate_ids": None, "reason": "", "run": "night", "row_ids": []}
    )
    assert asked == ActionParams(action=Action.RETRY, run="night")

"""Task `report` makes the report first, and shows a button that leads to it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from profiles.operators import RunReportLink


# Airflow reads plugins/.airflowignore through a pattern class that pathspec has renamed.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_report_task_alone_has_the_link_also_as_the_ui_reads_the_dag(dag_bag: Any):
    from airflow.serialization.serialized_objects import DagSerialization

    dag = dag_bag.dags["profile_synthesis"]
    stored = DagSerialization.from_dict(DagSerialization.to_dict(dag))
    links = {
        task.task_id: [link.name for link in task.operator_extra_links]
        for task in stored.tasks
        if task.operator_extra_links
    }
    assert links == {"report": ["Run report"]}
    assert stored.get_task("report").operator_extra_links[0].xcom_key == RunReportLink().xcom_key


def test_the_link_leads_to_the_page_of_the_run_whatever_its_id_holds():
    run_id = "manual__2026-01-01T00:00:00+00:00&x=1"
    link = RunReportLink().get_link(None, ti_key=SimpleNamespace(run_id=run_id))  # type: ignore[arg-type]
    assert link == "profiles/report?run=manual__2026-01-01T00%3A00%3A00%2B00%3A00%26x%3D1"


def test_the_report_is_there_when_search_preview_fails(dag_bag: Any, monkeypatch: Any):
    from profiles import task_runner
    from profiles.steps import index_documents

    done = []

    def run_step(step: Any, **given: Any) -> dict[str, int]:
        if step is index_documents.run:
            raise TimeoutError
        done.append(step.__module__.rsplit(".", 1)[-1])
        return {}

    monkeypatch.setattr(task_runner, "run_step", run_step)
    report = dag_bag.dags["profile_synthesis"].get_task("report")
    with pytest.raises(TimeoutError):
        report.python_callable(run_id="night")
    assert done == ["retention", "run_report"]

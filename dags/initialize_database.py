"""
### Create or upgrade schema `synthesis`

Applies the pending files of `include/sql/migrations`, each once, each in its own transaction. Run
it by hand after installing a new version; with nothing pending it does nothing.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.sdk import dag, task

from profiles.alerts import on_failure


@dag(
    dag_id="initialize_database",
    doc_md=__doc__,
    schedule=None,
    catchup=False,
    max_active_runs=1,
    on_failure_callback=on_failure,
    default_args={"owner": "profiles", "retries": 0, "execution_timeout": timedelta(hours=1)},
    tags=["profiles"],
)
def initialize_database() -> None:
    @task
    def apply_migrations() -> list[str]:
        from profiles import task_runner
        from profiles.operations import apply_migrations

        return task_runner.run_step(apply_migrations.run)

    apply_migrations()


initialize_database()

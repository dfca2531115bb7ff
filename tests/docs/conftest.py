"""A database like the one that a reader of the tutorial has after the first night."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from profiles.operations import apply_migrations
from profiles.params import RunParams
from profiles.steps import (
    check_sources,
    extract_sources,
    plan_synthesis,
    publish,
    render_profiles,
    resolve_identities,
    synthesise,
    tag_domains,
    verify_run,
)
from profiles.steps.reports import run_report
from profiles.storage.connection import Database
from tests.docs.pages import blocks_of
from tests.paths import REPOSITORY
from tests.planned_runs import ENGINE

TUTORIAL = REPOSITORY / "docs" / "tutorial.md"
RUN = "manual__2026-03-01T22:00:00+00:00"
_NAME = "docs_tutorial"

__all__ = ["RUN", "TUTORIAL"]


@pytest.fixture(scope="session")
def dag_bag() -> Any:
    """All DAG files of dags/, as the DAG processor reads them."""
    from airflow.dag_processing.dagbag import DagBag

    return DagBag(dag_folder=str(REPOSITORY / "dags"), load_op_links=False)


@pytest.fixture(scope="session")
def tutorial_settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of the tutorial, with its mappings in a folder."""
    folder: Path = tmp_path_factory.mktemp("our_sources")
    for block in blocks_of(TUTORIAL):
        if block.language == "yaml":
            name = block.text.split("\n", 1)[0].removeprefix("# our_sources/").strip()
            (folder / name).write_text(block.text, encoding="utf-8")
    return {
        "PROFILES_SOURCES_DIR": str(folder),
        "PROFILES_INDUSTRY_TABLE": "crm.employers",
        "PROFILES_INDUSTRY_COLUMNS": json.dumps(
            {"company_name": "employer", "company_domain": "web", "industry": "sector"}
            | dict.fromkeys(
                ("company_linkedin_id", "company_linkedin_url", "industry_code", "is_primary"), ""
            )
        ),
        "PROFILES_ENGINE": ENGINE,
        "PROFILES_REPORTS": str(tmp_path_factory.mktemp("reports")),
    }


@pytest.fixture(scope="session")
def tutorial_database(
    postgres_server: str, tutorial_settings: dict[str, str]
) -> Iterator[Database]:
    """The tutorial's tables, read, merged, answered by the scripted engine and published."""
    with psycopg.connect(postgres_server.format("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {_NAME}")
    database = Database(postgres_server.format(_NAME))
    with database.connect() as connection:
        connection.execute((TUTORIAL.with_suffix("") / "own_tables.sql").read_text())
    with pytest.MonkeyPatch.context() as environment:
        for name, value in tutorial_settings.items():
            environment.setenv(name, value)
        apply_migrations.run(database)
        _night(database)
    yield database
    with psycopg.connect(postgres_server.format("postgres"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {_NAME} WITH (FORCE)")


def _night(database: Database) -> None:
    """Steps of the DAG, in its order, without Airflow."""
    params = RunParams()
    for source in check_sources.run(database, run_id=RUN, params=params):
        extract_sources.run(database, run_id=RUN, source=source)
    resolve_identities.run(database, run_id=RUN)
    for shard in resolve_identities.ranges(database):
        render_profiles.run(database, run_id=RUN, **shard)
    for lane in plan_synthesis.run(database, run_id=RUN, params=params):
        synthesise.run(database, run_id=RUN, lane=lane["lane"])
    tag_domains.run(database, run_id=RUN)
    publish.run(database, run_id=RUN, planned=True, tagged=True)
    run_report.run(database, run_id=RUN)
    verify_run.run(database, run_id=RUN, published=True)

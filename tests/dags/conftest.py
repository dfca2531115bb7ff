"""The DAGs of this repository, parsed once."""

from __future__ import annotations

from typing import Any

import pytest
from tests.paths import REPOSITORY


@pytest.fixture(scope="session")
def dag_bag() -> Any:
    """All DAG files of dags/, as the DAG processor reads them."""
    from airflow.dag_processing.dagbag import DagBag

    return DagBag(dag_folder=str(REPOSITORY / "dags"), load_op_links=False)

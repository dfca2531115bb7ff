"""`python -m scripts.dag_test DAG_ID [DATE [JSON]]`: `airflow dags test`, without the deadline.

With a deadline Airflow 3.3.2 ends a test run in an error: it looks the deadline up in its database
under the id of one that was never stored there. A run in one process has nobody to tell anyway.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

_READERS: tuple[Callable[[str], Any], ...] = (datetime.fromisoformat, json.loads)


def load_dag(dag_id: str) -> Any:
    """The DAG as `dag.test()` can run it.

    Raises:
        KeyError: the DAG does not parse, or there is none.
    """
    from airflow.dag_processing.dagbag import DagBag

    dag = DagBag(load_op_links=False).dags[dag_id]
    dag.deadline = None
    return dag


def main(arguments: Sequence[str]) -> int:
    dag_id, *more = arguments
    chosen: dict[str, Any] = {}
    for name, read, text in zip(("logical_date", "run_conf"), _READERS, more, strict=False):
        chosen[name] = read(text)
    run = load_dag(dag_id).test(**chosen)
    return 0 if str(run.state) == "success" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

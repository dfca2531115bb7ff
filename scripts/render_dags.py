"""The part of docs/reference.md about DAGs and their tasks, from the text of the DAG files.

Read as text, so that no Airflow is needed; a test compares the names with what Airflow parses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["dags"]


def dags(folder: Path) -> list[str]:
    """The rows of a table: DAG, what it is for, and its tasks in the order of the file."""
    rows = ["| DAG | what for | tasks |", "|---|---|---|"]
    for path in sorted(folder.glob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        title = (ast.get_docstring(module) or "").splitlines()[0].lstrip("# ")
        tasks = ", ".join(f"`{name}`" for name in dict.fromkeys(_tasks(module)))
        rows.append(f"| `{path.stem}` | {title} | {tasks} |")
    return rows


def _tasks(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef(name=name, decorator_list=found) if any(map(_is_task, found)):
                yield name
            case ast.keyword(arg="task_id", value=ast.Constant(value=str(name))):
                yield name


def _is_task(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called).split(".")[0] == "task"

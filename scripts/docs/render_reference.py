"""Writes docs/reference.md from the code: settings, DAGs, Params, commands, tables and views.

`python -m scripts.docs.render_reference` writes it, `--check` fails where it is not up to
date, as a test does. Comments of the migrations are the tables' descriptions.
"""

from __future__ import annotations

import argparse
import ast
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.airflow_env import REPOSITORY
from scripts.docs.render_commands import commands

TARGET = REPOSITORY / "docs" / "reference.md"
_TABLE = re.compile(
    r"((?:^-- .*\n)+)CREATE (?:UNLOGGED )?(TABLE|VIEW) (synthesis\.\w+)", flags=re.MULTILINE
)


def main() -> int:
    """Writes or checks the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    text = reference()
    if parser.parse_args().check:
        return 0 if TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


def reference() -> str:
    """The text of docs/reference.md."""
    return "\n".join(
        [
            "# Reference",
            "",
            "Made from the code by `python -m scripts.docs.render_reference`; do not edit.",
            "",
            "## Settings",
            "",
            "Environment variables, or lines of `.env`, with their defaults.",
            "",
            *_settings(),
            "",
            "## DAGs",
            "",
            *dags(REPOSITORY / "dags"),
            "",
            "## Params",
            "",
            "Of `profile_synthesis`, in the trigger form:",
            "",
            *_params("profile_synthesis"),
            "",
            "Of `candidate_actions`:",
            "",
            *_params("candidate_actions"),
            "",
            "Of `release_approval`:",
            "",
            *_params("release_approval"),
            "",
            "## Connections",
            "",
            "| Connection | what for |",
            "|---|---|",
            "| `profiles_db` | Postgres with the source tables and schema `synthesis` |",
            "| `profiles_ro` | the same database through role `profiles_ro`, which may only read |",
            "| `profiles_erasure` | its password is the secret of erased people's tombstones |",
            "",
            "## Commands",
            "",
            *commands(),
            "",
            "## Tables",
            "",
            "All in schema `synthesis`, made by `profiles migrate`; of each, what one row is.",
            "",
            *_tables(),
            "",
        ]
    )


def _settings() -> list[str]:
    from profiles.params import DEFAULT_SCHEDULE
    from profiles.settings import INCLUDE_DIR, Settings

    rows = [
        f"- `PROFILES_SCHEDULE` (`{DEFAULT_SCHEDULE}`): Start of the nightly run, five cron fields "
        "and an IANA time zone."
    ]
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if isinstance(default, Path) and field.default_factory:
            default = None  # It depends on the environment, and the description says how.
        if isinstance(default, Path):
            default = _portable(default, INCLUDE_DIR)
        shown = f" (`{default}`)" if default not in (None, "") else ""
        text = " ".join(str(field.description).split())
        rows.append(f"- `PROFILES_{name.upper()}`{shown}: {text}")
    return rows


def _portable(path: Path, include: Path) -> str:
    if path.is_relative_to(include):
        return f"include/{path.relative_to(include)}"
    if path.is_relative_to(include.parent / ".profiles"):
        return str(path.relative_to(include.parent))
    return {"python": "the pipeline's own"}.get(path.name[:6], f"<temporary folder>/{path.name}")


def _params(dag_id: str) -> list[str]:
    # As Airflow does: DAG files may import what lies in the folder of the plugins.
    plugins = str(REPOSITORY / "plugins")
    if plugins not in sys.path:
        sys.path.append(plugins)
    dag_file = runpy.run_path(str(REPOSITORY / "dags" / f"{dag_id}.py"))
    rows = []
    for name, param in dag_file["PARAMS"].items():
        has_value = param.has_value and param.value not in (None, "", [])
        shown = f" (`{param.value}`)" if has_value else ""
        rows.append(f"- `{name}`{shown}: {param.description}")
    return rows


def _tables() -> list[str]:
    found: dict[str, str] = {}
    for path in sorted((REPOSITORY / "include" / "sql" / "migrations").glob("*.sql")):
        statements = path.read_text(encoding="utf-8")
        for dropped in re.findall(r"^DROP TABLE (\S+);", statements, re.MULTILINE):
            found.pop(dropped, None)
        for comment, _, name in _TABLE.findall(statements):
            text = " ".join(line.removeprefix("-- ").strip() for line in comment.splitlines())
            purpose = re.split(r";| \(|\. |\.$", text.removeprefix("One row per "), maxsplit=1)[0]
            is_derived = "safe to lose" in text.lower() and "never safe" not in text.lower()
            found[name] = f"{purpose}. Safe to lose" if is_derived else purpose
    return [f"- `{name}`: {text}." for name, text in found.items()]


def dags(folder: Path) -> list[str]:
    """The rows of a table: DAG, what it is for, and its tasks in the order of the file.

    Read as text, so that no Airflow is needed; a test compares the names with what Airflow parses.
    """
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


if __name__ == "__main__":
    sys.exit(main())

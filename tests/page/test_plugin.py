"""Modules that Airflow loads from the plugins folder, in every one of its processes."""

from __future__ import annotations

import ast
import asyncio

import pytest

from tests.paths import REPOSITORY

PLUGINS = REPOSITORY / "plugins"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_airflow_loads_the_registration_and_no_other_module():
    # Each module that it loads gets a bare name in sys.modules, such as `database`.
    from airflow._shared.module_loading import find_path_from_directory

    found = {
        str(path)
        for path in find_path_from_directory(PLUGINS, ".airflowignore", "glob")
        if path.endswith(".py") and "profile_runs" in path
    }
    assert found == {str(PLUGINS / "profile_runs" / "plugin.py")}


def test_the_registration_imports_airflow_alone():
    """So that a task does not pay for the page."""
    tree = ast.parse((PLUGINS / "profile_runs" / "plugin.py").read_text())
    imported = {
        name
        for node in tree.body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported == {"__future__", "typing", "airflow.plugins_manager"}


def test_a_search_is_not_in_the_address_that_airflow_logs(monkeypatch):
    from profile_runs import api
    from profile_runs.plugin import LazyPage

    seen = []

    async def page(scope, *_):
        seen.append(scope["query_string"])

    monkeypatch.setattr(api, "app", page)
    scope = {"type": "http", "query_string": b"q=Ines"}
    asyncio.run(LazyPage()(scope, None, None))
    assert (seen, scope["query_string"]) == ([b"q=Ines"], b"")


def test_nothing_of_another_host_is_asked_for():
    """Vendored files may name their home in a comment."""
    ours = [
        path
        for path in (PLUGINS / "profile_runs" / "static").iterdir()
        if path.suffix in (".html", ".css", ".js")
    ]
    assert len(ours) > 10
    for path in ours:
        text = path.read_text()
        assert "http://" not in text, path
        assert "https://" not in text, path
        assert "innerHTML" not in text, path

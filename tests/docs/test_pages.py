"""The site builds without a broken link, and nothing that an operator can set is left out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from profiles.settings import Settings
from profiles.storage.connection import Database
from scripts.docs.docs_site import site_links
from scripts.docs.render_commands import command_names
from tests.docs.pages import name_of, pages
from tests.paths import REPOSITORY

_LINK = re.compile(r"\]\(([^()\s]+)\)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=REPOSITORY,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_the_site_builds_strictly_and_asks_no_other_host_for_anything(site: Path):
    assert (site / "index.html").exists()
    assert (site / "contributing.html").exists()
    loaded = re.compile(
        r"<(?:script|img|iframe)[^>]*\ssrc=\"(?:https?:)?//|<link[^>]*\shref=\"(?:https?:)?//"
    )
    wrong = [
        str(page.relative_to(site))
        for page in site.rglob("*.html")
        if loaded.search(page.read_text(encoding="utf-8"))
    ]
    assert wrong == []


def test_every_page_is_in_the_navigation(site: Path):
    home = (site / "index.html").read_text(encoding="utf-8")
    for path in sorted((REPOSITORY / "docs").rglob("*.md")):
        page = path.relative_to(REPOSITORY / "docs").with_suffix(".html")
        assert f'href="{page}"' in home or page.name == "index.html", page


def test_links_of_every_page_lead_to_files_of_the_repository():
    wrong = []
    for path in pages():
        for link in _LINK.findall(path.read_text(encoding="utf-8")):
            target = link.partition("#")[0]
            if target and not re.match(r"[a-z]+:", target) and not (path.parent / target).exists():
                wrong.append(f"{name_of(path)}: {link}")
    assert wrong == []


def test_a_link_out_of_the_site_becomes_text_and_names_the_file():
    assert site_links("[a](../include/sql)", "b.md") == "a (`include/sql`)"
    assert site_links("[c](../../CONTRIBUTING.md#d)", "how-to/b.md") == "[c](../contributing.md#d)"
    assert site_links("[docs](docs/releases.md)", "changelog.md") == "[docs](releases.md)"
    assert (
        site_links("[x](https://a.example), [y](#z)", "b.md") == "[x](https://a.example), [y](#z)"
    )
    with pytest.raises(FileNotFoundError, match=r"docs/b\.md: link to \.\./nothing"):
        site_links("[a](../nothing)", "b.md")


def test_every_setting_command_and_table_is_in_the_documentation(tutorial_database: Database):
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages())
    with tutorial_database.connect() as connection:
        tables = connection.execute(
            "SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'synthesis'::regnamespace "
            "AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition "
            "AND c.relname <> 'schema_migration'"
        ).fetchall()
    wanted = [f"PROFILES_{name.upper()}" for name in Settings.model_fields]
    wanted += [f"profiles {name}" for name in command_names()]
    wanted += [f"synthesis.{name}" for (name,) in tables]
    assert len(tables) > 20
    assert [name for name in wanted if not re.search(rf"{re.escape(name)}\b", text)] == []


def test_every_param_and_task_of_every_dag_is_in_the_documentation(dag_bag: object):
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages())
    missing = [
        f"{dag_id}.{name}"
        for dag_id, dag in dag_bag.dags.items()  # type: ignore[attr-defined]
        for name in [*dag.params, *dag.task_ids, dag_id]
        if f"`{name}`" not in text
    ]
    assert missing == []


def test_every_argument_of_every_command_is_explained():
    text = (REPOSITORY / "docs" / "reference.md").read_text(encoding="utf-8")
    section = text.partition("## Commands")[2].partition("## Tables")[0]
    assert re.findall(r"^- (`.*`): -$", section, flags=re.MULTILINE) == []

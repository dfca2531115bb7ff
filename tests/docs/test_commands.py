"""Every command of the documentation runs, or exists as it is called and says what it needs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest
import yaml

from profiles.settings import Settings
from profiles.storage.connection import Database
from scripts.docs.render_commands import command_names
from tests.docs.pages import LANGUAGES, NEEDS, Block, blocks, inline_code, name_of, pages
from tests.docs.shell import commands, fault, make_targets, runs_at_once
from tests.paths import REPOSITORY

_BY_PAGE = {
    page: list(found)
    for page, found in groupby(filter(runs_at_once, blocks("sh")), key=lambda block: block.page)
}
_SQL = [block for block in blocks("sql") if not block.needs]
_LEFT = {
    ("README.md", "make test"): "ci",
    ("README.md", "python3.12 -m venv"): "gpu",
    ("CONTRIBUTING.md", "make test"): "ci",
    ("CONTRIBUTING.md", "make lock"): "index",
    ("docs/how-to/more-gpus.md", "make gpu-worker"): "gpu",
    ("docs/how-to/own-model.md", "python3.12 -m venv"): "gpu",
    ("docs/how-to/own-model.md", "profiles tune"): "gpu",
    ("docs/how-to/own-prompt.md", "profiles releases show"): "data",
    ("docs/how-to/own-prompt.md", "profiles releases approve"): "data",
    ("docs/how-to/search.md", "make embeddings"): "index",
    ("docs/operations.md", "cp .env.example"): "docker",
    ("docs/operations.md", "make gpu-worker"): "gpu",
    ("docs/privacy.md", "profiles erase"): "data",
}
"""All that is not run, by page and how the block begins. Another one needs a line here."""


def test_a_block_names_its_language_and_a_marker_its_reason():
    wrong = [
        f"{block}: {block.language or 'no language'} {block.needs}"
        for block in blocks()
        if block.language not in LANGUAGES or (block.needs and block.needs not in NEEDS)
    ]
    assert wrong == [], f"languages are {sorted(LANGUAGES)}, markers {sorted(NEEDS)}"


def test_every_shell_block_is_shell():
    wrong = []
    for block in blocks("sh"):
        checked = subprocess.run(
            ["bash", "-n"], input=block.text, capture_output=True, text=True, check=False
        )
        if checked.returncode:
            wrong.append(f"{block}: {checked.stderr}")
    assert wrong == []


def test_every_command_exists_with_the_options_that_it_is_given():
    wrong = [
        f"{block}: {' '.join(words)}: {said}"
        for block in blocks("sh")
        for words in commands(block.text)
        if (said := fault(words))
    ]
    assert wrong == []


def test_commands_named_within_sentences_exist_too():
    wrong = [
        f"{name_of(path)}: {code}"
        for path in pages()
        for code in inline_code(path)
        if not _exists(code)
    ]
    assert wrong == []


def _exists(code: str) -> bool:
    """Return whether a command can be called as a sentence names it; anything else can."""
    match code.split():
        case ["make", target, *_] if target.isalpha():
            return target in make_targets()
        case ["profiles", name, *_] if name.isalpha():
            return name.isupper() or set(name.split("|")) <= set(command_names())
        case ["airflow", "edge", *_]:
            return True  # of a provider that is not installed here
        case ["python", "-m", *_] | ["docker", "compose", *_] | ["airflow", _, *_]:
            return "…" in code or not fault(shlex.split(code))
    return True


def test_what_is_not_run_is_listed_here():
    found = [(block.page, block.text, block.needs) for block in blocks("sh") if block.needs]
    left = [
        (page, text, needs)
        for page, text, needs in found
        if not any(
            page == listed and text.startswith(begins) and needs == reason
            for (listed, begins), reason in _LEFT.items()
        )
    ]
    assert left == []
    unused = [
        f"{page}: {begins}"
        for page, begins in _LEFT
        if not any(page == block and text.startswith(begins) for block, text, _ in found)
    ]
    assert unused == []


def test_what_ci_runs_itself_is_what_it_runs():
    ran = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    wrong = [
        f"{block}: {' '.join(words)}"
        for block in blocks("sh")
        if block.needs == "ci"
        for words in commands(block.text)
        if " ".join(words[:2]) not in ran
    ]
    assert wrong == []


def test_every_other_block_is_on_a_page_that_the_tests_of_a_reader_follow():
    walk = (REPOSITORY / "tests" / "reader" / "test_pages.py").read_text(encoding="utf-8")
    left = [block for block in blocks("sh") if not (block.needs or runs_at_once(block))]
    assert [str(block) for block in left if f'"{block.page}"' not in walk] == []


@pytest.mark.release
@pytest.mark.parametrize("page", sorted(_BY_PAGE))
def test_the_commands_of_a_page_run(
    page: str, tutorial_database: Database, tutorial_settings: dict[str, str], tmp_path: Path
):
    clone = tmp_path / "clone"
    clone.mkdir()
    for entry in REPOSITORY.iterdir():
        if not entry.name.startswith("."):
            (clone / entry.name).symlink_to(entry)
    environment = {
        **{name: os.environ[name] for name in ("LANG", "TZ", "TMPDIR") if name in os.environ},
        **tutorial_settings,
        "PROFILES_DATABASE_URL": tutorial_database.url,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY),
        "HOME": str(tmp_path),
    }
    for block in _BY_PAGE[page]:
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.text],
            cwd=clone,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert ran.returncode == 0, f"{block}\n{ran.stdout}{ran.stderr}"


@pytest.mark.parametrize("page", sorted({block.page for block in _SQL}))
def test_the_queries_of_a_page_run(page: str, tutorial_database: Database):
    with tutorial_database.connect() as connection:
        for block in _SQL:
            if block.page == page:
                try:
                    connection.execute(block.text)
                except Exception as error:
                    raise AssertionError(f"{block}: {error}") from error
        connection.rollback()


def test_every_other_block_can_be_read_as_what_it_is():
    for block in blocks("python"):
        compile(block.text, str(block), "exec")
    for block in blocks("yaml"):
        assert isinstance(yaml.safe_load(block.text), dict), str(block)


def test_every_line_of_an_env_file_is_a_setting():
    known = {f"PROFILES_{name.upper()}" for name in Settings.model_fields}
    example = (REPOSITORY / ".env.example").read_text(encoding="utf-8")
    known |= set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", example, flags=re.MULTILINE))
    wrong = [
        f"{block}: {line}"
        for block in blocks("ini")
        for line in block.text.splitlines()
        if line and not line.startswith("#") and line.partition("=")[0] not in known
    ]
    assert wrong == []


def test_the_checks_see_what_is_wrong():
    assert list(commands("A=1 profiles plan --limit 5 >x 2>&1 | tee y && make demo # z\n")) == [
        ["profiles", "plan", "--limit", "5"],
        ["tee", "y"],
        ["make", "demo"],
    ]
    for good in ("make demo", "profiles status --max-age 26h", "python -m scripts.services up"):
        assert fault(good.split()) is None
    for bad in (
        "make dmeo",
        "profiles stauts",
        "profiles plan --limt 5",
        "python -m scripts.nothing",
        "docker compose --profile nothing up",
        "docker compose up airflow-nothing",
        "airflow pools sett gpu 2 x",
    ):
        assert fault(bad.split()) is not None, bad
    assert str(Block("p.md", 3, "sh", "", "")) == "p.md:3"

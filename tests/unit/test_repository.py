"""Rules for the repository as a whole: nothing of one machine in it, and no gaps."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict

from profiles.errors import SettingsError
from profiles.settings import Settings
from profiles.storage.connection import connection_url
from profiles.storage.sql_files import SQL_DIR, load
from scripts import airflow_env, distributed, prepare_airflow, run_tests

REPOSITORY = Path(__file__).resolve().parents[2]
SECRETS = (
    "POSTGRES_PASSWORD",
    "OWNER_PASSWORD",
    "READ_ONLY_PASSWORD",
    "AIRFLOW_ADMIN_PASSWORD",
    "AIRFLOW__CORE__FERNET_KEY",
    "AIRFLOW__API_AUTH__JWT_SECRET",
)
"""Files that a GPU host never holds."""
LOCKS = sorted(REPOSITORY.glob("requirements*.txt"))

# Spelled in pieces, so that this file passes its own test.
_ONE_MACHINE = re.compile(
    "|".join(
        [
            "/" + r"work/(main|shared|\.library)",
            "/" + r"root/(?!\W)",
            r"files\." + r"pythonhosted\.org",
            r"pypi\." + r"org/simple",
            r"deb\." + r"debian\.org",
            r"registry\." + r"npmjs\.org",
            "--(extra-)?index" + "-url",
        ]
    )
)


def _tracked() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True
    )
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    return [REPOSITORY / name for name in listing.stdout.split("\0") if name]


def test_no_tracked_file_names_a_folder_of_one_machine_or_a_registry_host() -> None:
    found = [
        f"{path.relative_to(REPOSITORY)}:{number}"
        for path in _tracked()
        if path.is_file()
        for number, line in enumerate(
            path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1
        )
        # The one flag of the Makefile that keeps hosts out of the lock files.
        if _ONE_MACHINE.search(line.replace("--no-emit-index" + "-url", ""))
    ]
    assert found == []


def test_no_tracked_file_is_a_secret_or_generated() -> None:
    names = {path.relative_to(REPOSITORY).as_posix() for path in _tracked()}
    assert ".env" not in names
    assert not [name for name in names if name.startswith((".venv", ".profiles"))]
    assert not [name for name in names if name.endswith((".log", ".pyc", ".gguf", ".whl"))]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_locked_requirement_is_pinned_and_hashed(lock: Path) -> None:
    text = re.sub(r"\\\n\s*", " ", lock.read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"^[A-Za-z0-9._\[\]-]+==[^\s;]+", line), line[:60]
        assert " --hash=sha256:" in line, line[:60]
    assert "://" not in text


def test_the_lock_files_are_the_ones_that_make_installs() -> None:
    names = {lock.name for lock in LOCKS}
    assert {
        "requirements.txt",
        "requirements-dev.txt",
        "requirements-build.txt",
        "requirements-model.txt",
    } <= names


def test_every_direct_dependency_is_in_its_lock() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    locked = {
        name: {
            _normalised(match)
            for match in re.findall(r"^([A-Za-z0-9._-]+)==", path.read_text(), re.MULTILINE)
        }
        for name, path in ((path.name, path) for path in LOCKS)
    }
    for lock, wanted in (
        ("requirements.txt", [*project["dependencies"], *extras["embedded"]]),
        ("requirements-dev.txt", [*project["dependencies"], *extras["embedded"], *extras["dev"]]),
    ):
        names = {_normalised(re.split(r"[\[<>=!~; ]", item, maxsplit=1)[0]) for item in wanted}
        assert names <= locked[lock]


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_example_environment_lists_every_setting_and_no_other() -> None:
    text = (REPOSITORY / ".env.example").read_text()
    listed = set(re.findall(r"^#?(PROFILES_[A-Z_]+)=", text, re.MULTILINE))
    settings = {f"PROFILES_{name.upper()}" for name in Settings.model_fields}
    assert listed == settings | {"PROFILES_SCHEDULE"}


def test_the_example_environment_shows_the_real_defaults() -> None:
    text = (REPOSITORY / ".env.example").read_text()
    shown = dict(re.findall(r"^#(PROFILES_[A-Z_]+)=(.*)$", text, re.MULTILINE))
    for name, field in Settings.model_fields.items():
        default = field.default
        value = shown[f"PROFILES_{name.upper()}"]
        if isinstance(default, bool):
            assert value == str(default).lower(), name
        elif isinstance(default, int | float):
            assert float(value) == default, name
        elif isinstance(default, str) and name != "database_url":
            assert value == default, name


def test_a_copied_example_environment_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text((REPOSITORY / ".env.example").read_text())
    assert airflow_env.read_dotenv(tmp_path / ".env") == {}


def test_compose_asks_for_every_secret_and_the_example_lists_it() -> None:
    text = (REPOSITORY / "docker-compose.yaml").read_text()
    required = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    assert {"POSTGRES_PASSWORD", "AIRFLOW__CORE__FERNET_KEY"} <= required
    example = (REPOSITORY / ".env.example").read_text()
    assert [name for name in required if f"#{name}=" not in example] == []


def _compose(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((REPOSITORY / name).read_text())["services"]
    return found


def test_compose_services_tell_whether_they_are_healthy() -> None:
    services = _compose("docker-compose.yaml")
    assert set(services) == {
        "postgres", "redis", "airflow-init", "api-server", "scheduler", "dag-processor",
        "triggerer", "worker", "gpu-worker",
    }  # fmt: skip
    joined = services["gpu-worker"]["extends"]
    assert joined == {"file": "docker-compose.gpu.yaml", "service": "gpu-worker"}
    assert services["gpu-worker"]["profiles"] == ["gpu"]
    services["gpu-worker"] |= _compose(joined["file"])["gpu-worker"]
    assert [name for name in services if "healthcheck" not in services[name]] == ["airflow-init"]
    unlimited = [name for name in services if "mem_limit" not in services[name]]
    assert unlimited == ["airflow-init"]


def test_a_gpu_worker_of_compose_has_its_cards_and_time_to_drain_and_no_password_of_metadata() -> (
    None
):
    worker = _compose("docker-compose.gpu.yaml")["gpu-worker"]
    devices = worker["deploy"]["resources"]["reservations"]["devices"]
    assert devices[0]["capabilities"] == ["gpu"]
    assert (worker["shm_size"], worker["init"]) == ("16gb", True)
    assert worker["stop_grace_period"] == "2m"
    assert Settings().drain_seconds < 120 - 30
    held = " ".join(worker["environment"].values())
    assert [name for name in SECRETS if name in held] == []
    withheld = {name for name, value in worker["environment"].items() if value == ""}
    assert set(SECRETS) <= withheld


def test_a_worker_runs_without_what_opens_the_metadata() -> None:
    composed = airflow_env.compose({}, server=None) | dict.fromkeys(SECRETS, "secret")
    kept = distributed.worker_environment(composed | {airflow_env.METADATA_URL: "postgresql://"})
    assert [name for name in (*SECRETS, airflow_env.METADATA_URL) if name in kept] == []
    assert kept["AIRFLOW__CORE__DAGS_FOLDER"]


def test_a_gpu_host_joins_with_addresses_alone_and_is_told_what_is_missing() -> None:
    with pytest.raises(SettingsError, match="BROKER and API not given"):
        distributed.joining_environment({})
    with pytest.raises(SettingsError, match="BROKER must be redis://"):
        distributed.joining_environment({"BROKER": "amqp://h/0", "API": "http://h:8080"})
    joined = distributed.joining_environment(
        {"BROKER": "redis://:p@h:6379/0", "API": "http://h:8080/", "POSTGRES": "postgresql://h/p"}
    )
    assert joined["AIRFLOW__CELERY__RESULT_BACKEND"] == "redis://:p@h:6379/1"
    assert joined["AIRFLOW__CORE__EXECUTION_API_SERVER_URL"] == "http://h:8080/execution/"
    assert joined["PROFILES_DATABASE_URL"] == "postgresql://h/p"
    assert joined["AIRFLOW__CORE__EXECUTOR"] == "CeleryExecutor"


def test_what_a_person_sets_wins_over_the_dotenv_and_that_over_what_is_composed(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env").write_text(
        "\ufeffPROFILES_PLAIN=1\n"
        "# comment\nPROFILES_LANES=3   # two cards\nexport PROFILES_ENGINE='llama_cpp'\nEMPTY=\n"
        'AIRFLOW__CORE__EXECUTOR="Other"\n'
    )
    asked = airflow_env.user_environment(tmp_path, {"PROFILES_LANES": "5"})
    assert asked == {
        "PROFILES_PLAIN": "1",
        "PROFILES_LANES": "5",
        "PROFILES_ENGINE": "llama_cpp",
        "AIRFLOW__CORE__EXECUTOR": "Other",
    }
    composed = airflow_env.compose(asked, server=None, home=tmp_path / "home")
    assert composed["AIRFLOW__CORE__EXECUTOR"] == "Other"
    assert composed["AIRFLOW__CORE__LOAD_EXAMPLES"] == "False"


def test_a_shell_that_sourced_the_generated_file_still_means_the_embedded_server(
    tmp_path: Path,
) -> None:
    asked = {"PROFILES_LANES": "5"}
    path = airflow_env.write_shell_file(
        {**asked, "PROFILES_DATABASE_URL": "postgresql://postgres:@/profiles?host=/a b"},
        user_settings=asked,
        home=tmp_path,
    )
    assert path.stat().st_mode & 0o077 == 0
    shown = subprocess.run(
        ["sh", "-c", '. "$1" && env', "sh", path], capture_output=True, text=True, env={}
    ).stdout
    sourced = dict(line.split("=", 1) for line in shown.splitlines())
    assert sourced["PROFILES_DATABASE_URL"] == "postgresql://postgres:@/profiles?host=/a b"

    again = airflow_env.user_environment(tmp_path, sourced)

    assert "PROFILES_DATABASE_URL" not in again
    assert again["PROFILES_LANES"] == "5"
    changed = airflow_env.user_environment(
        tmp_path, {**sourced, "PROFILES_DATABASE_URL": "postgresql://db.internal/mine"}
    )
    assert changed["PROFILES_DATABASE_URL"] == "postgresql://db.internal/mine"


def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    first = airflow_env.load_secrets(tmp_path)
    assert airflow_env.load_secrets(tmp_path) == first
    for path in (tmp_path / "secrets.json", airflow_env.passwords_file(tmp_path)):
        assert path.stat().st_mode & 0o077 == 0


def test_what_redis_holds_is_for_its_owner_alone(tmp_path: Path, monkeypatch) -> None:
    """Queued tasks have tokens; an earlier version left the folder open."""
    monkeypatch.setattr(distributed, "HOME", tmp_path)
    monkeypatch.setattr(distributed, "find_redis_server", lambda: "redis-server")
    monkeypatch.setattr(airflow_env, "load_secrets", lambda: SimpleNamespace(redis_password="p4ss"))
    (tmp_path / "redis").mkdir(mode=0o755)
    program = distributed._redis({}, 6379)
    assert "p4ss" not in " ".join(program.command)
    assert "p4ss" in (tmp_path / "redis" / "redis.conf").read_text()
    for path in (tmp_path / "redis", tmp_path / "redis" / "redis.conf"):
        assert path.stat().st_mode & 0o077 == 0


def test_a_read_only_connection_on_a_users_server_cannot_write() -> None:
    for own in (
        "postgresql://u:p%40ss%25@h/db?sslmode=require",
        "host=h dbname=db user=u password='p@ss%' sslmode=require",
        '{"conn_type": "postgres", "host": "h", "schema": "db", "login": "u", '
        '"password": "p@ss%", "extra": {"sslmode": "require"}}',
    ):
        found = airflow_env.connections({"PROFILES_DATABASE_URL": own}, server=None)
        for name, is_read_only in (("profiles_db", False), ("profiles_ro", True)):
            stored = prepare_airflow.stored_connection(name, found[name], read_only=is_read_only)
            named = conninfo_to_dict(connection_url(stored))
            assert named.pop("options", None) == (
                "-c default_transaction_read_only=on" if is_read_only else None
            )
            assert named == {
                "host": "h", "dbname": "db", "user": "u", "password": "p@ss%",
                "sslmode": "require",
            }  # fmt: skip


def test_every_test_folder_belongs_to_a_stage() -> None:
    folders = {
        path.parent.name for path in REPOSITORY.glob("tests/*/test_*.py")
    } - {"gpu"}  # fmt: skip
    assert folders <= {name for stage in run_tests.STAGES for name in run_tests.folders_of(stage)}


def test_every_statement_of_a_sql_file_states_its_purpose() -> None:
    for path in SQL_DIR.glob("*.sql"):
        names = re.findall(r"^-- name: (\w+)$", path.read_text(), flags=re.MULTILINE)
        assert len(names) == len(set(names)), path
        for name in names:
            assert load(f"{path.stem}/{name}").startswith("-- Purpose: "), (path.name, name)


def test_every_statement_that_code_names_exists() -> None:
    known = "|".join(path.stem for path in SQL_DIR.glob("*.sql"))
    named = re.compile(rf'"((?:{known})/\w+)"')
    for folder in ("include", "plugins", "scripts", "benchmarks", "tests"):
        for path in (REPOSITORY / folder).rglob("*.py"):
            for name in named.findall(path.read_text()):
                load(name)


@pytest.mark.parametrize(
    "path", sorted((REPOSITORY / "benchmarks").rglob("*.py")), ids=lambda path: path.stem
)
def test_what_a_benchmark_imports_of_ours_is_there(path: Path):
    """Inside functions too, and without the packages of a GPU machine."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(
            ("profiles", "scripts")
        ):
            module = importlib.import_module(str(node.module))
            for name in node.names:
                if not hasattr(module, name.name):
                    importlib.import_module(f"{node.module}.{name.name}")

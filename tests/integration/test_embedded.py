"""The embedded Postgres, started for real."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from profiles.errors import DatabaseUnavailableError, SettingsError
from profiles.storage.connection import Database
from scripts import embedded
from scripts.embedded import files as embedded_files
from scripts.embedded.files import EmbeddedServer

pytestmark = pytest.mark.release

is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs a system user")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the server's own user can enter, which pytest's tmp_path is not for root."""
    path = Path(tempfile.mkdtemp(prefix="profiles-embedded-", dir="/tmp"))
    path.chmod(0o755)
    yield path
    for home in path.rglob("postgres.json"):
        embedded.remove(home.parent)
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    """One server for the tests that only look, started under a caller's odd environment."""
    path = Path(tempfile.mkdtemp(prefix="profiles-embedded-", dir="/tmp"))
    path.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PGHOST", "PGDATA", "PGUSER", "PGOPTIONS"):
            patch.setenv(name, "nowhere")
        patch.setenv("PGPORT", "9")
        patch.setenv("LC_ALL", "C")
        started = embedded.start(path, durable=False)
    yield started
    embedded.remove(path)
    shutil.rmtree(path)


def _value(server: EmbeddedServer, query: str, database: str = "postgres") -> object:
    with Database(server.url(database)).connect() as connection:
        row = connection.execute(query).fetchone()  # type: ignore[call-overload]
    return row[0] if row else None


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_second_start_finds_the_running_server_and_its_data(folder: Path) -> None:
    first = embedded.start(folder, durable=False)
    assert embedded.ensure_database(first, "kept")
    started_at = _value(first, "SELECT pg_postmaster_start_time()")

    again = embedded.start(folder, durable=False)

    assert again == first
    assert _value(again, "SELECT pg_postmaster_start_time()") == started_at
    assert not embedded.ensure_database(again, "kept")


def test_data_survives_a_stop(folder: Path) -> None:
    server = embedded.start(folder, durable=False)
    embedded.ensure_database(server, "kept")
    with Database(server.url("kept")).connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 7 AS n")

    assert embedded.stop(folder)
    assert embedded.running(folder) is None
    assert not embedded.stop(folder)
    with pytest.raises(DatabaseUnavailableError), Database(server.url("kept")).connect():
        pass

    assert _value(embedded.start(folder, durable=False), "SELECT n FROM t", "kept") == 7


def test_a_removed_server_leaves_nothing(folder: Path) -> None:
    home = folder / "home"
    server = embedded.start(home, durable=False)
    embedded.remove(home)
    assert embedded.running(home) is None
    assert not Path(server.data).exists()
    assert not Path(server.socket_dir).exists()


def test_a_server_whose_process_was_killed_starts_again(folder: Path) -> None:
    server = embedded.start(folder, durable=False)
    pid = int((Path(server.data) / "postmaster.pid").read_text().split()[0])
    os.kill(pid, 9)
    assert _value(embedded.start(folder, durable=False), "SELECT 1") == 1


@pytest.mark.parametrize("name", ["it's größe", "d" * 120])
def test_odd_and_long_clone_paths_get_a_short_socket_folder(folder: Path, name: str) -> None:
    server = embedded.start(folder / name / ".profiles", durable=False)
    assert len(server.socket_dir) < 92
    assert set(server.socket_dir) <= embedded_files._PLAIN
    assert server.data.startswith(str(folder / name))
    assert _value(server, "SELECT current_setting('data_directory')") == server.data


def test_it_listens_on_no_network_address_and_only_its_owner_reaches_the_socket(
    server: EmbeddedServer,
) -> None:
    assert _value(server, "SELECT current_setting('listen_addresses')") == ""
    assert _mode(Path(server.socket_dir)) == 0o700
    assert _mode(Path(server.data)) == 0o700


def test_text_rules_do_not_depend_on_the_callers_locale(server: EmbeddedServer) -> None:
    assert _value(server, "SELECT lower('ÄÖÜ') || current_setting('server_encoding')") == "äöüUTF8"
    assert _value(server, "SELECT current_setting('timezone')") == "UTC"


def test_the_callers_pg_variables_do_not_lead_astray(
    server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PGHOST", "PGDATA", "PGUSER", "PGDATABASE"):
        monkeypatch.setenv(name, "nowhere")
    monkeypatch.setenv("PGPORT", "9")
    assert embedded.running(Path(server.home)) == server
    assert _value(server, "SELECT current_user") == "postgres"


def test_the_servers_log_holds_no_statement_and_no_row(server: EmbeddedServer) -> None:
    with Database(server.url("postgres")).connect(autocommit=True) as connection:
        connection.execute("CREATE TABLE t (mail text PRIMARY KEY)")
        connection.execute("INSERT INTO t VALUES ('secret@example.com')")
        with pytest.raises(Exception, match="duplicate"):
            connection.execute("INSERT INTO t VALUES ('secret@example.com')")
    log = server.log_file.read_text()
    assert "duplicate key" in log
    assert "secret" not in log


def test_only_a_throwaway_server_runs_without_fsync(folder: Path, server: EmbeddedServer) -> None:
    assert _value(embedded.start(folder), "SHOW fsync") == "on"
    assert _value(server, "SHOW fsync") == "off"


def test_a_copied_clone_gets_a_server_of_its_own(folder: Path) -> None:
    original = embedded.start(folder / "original", durable=False)
    embedded.ensure_database(original, "first")
    subprocess.run(["cp", "-a", folder / "original", folder / "copy"], check=True)

    copy = embedded.start(folder / "copy", durable=False)

    assert copy.data != original.data
    assert copy.socket_dir != original.socket_dir
    assert _value(copy, "SELECT count(*) FROM pg_database WHERE datname = 'first'") == 1
    assert _value(original, "SELECT current_setting('data_directory')") == original.data


def test_a_clone_moved_while_its_server_ran_goes_on_at_the_new_place(folder: Path) -> None:
    before = embedded.start(folder / "before", durable=False)
    embedded.ensure_database(before, "kept")
    (folder / "before").rename(folder / "after")

    after = embedded.start(folder / "after", durable=False)

    assert _value(after, "SELECT count(*) FROM pg_database WHERE datname = 'kept'") == 1
    assert _value(after, "SELECT current_setting('data_directory')") == after.data


def test_a_socket_folder_that_somebody_else_made_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    home = folder / "with space"
    squatted = Path("/tmp") / f"profiles-{embedded_files._key(home)}"
    squatted.mkdir()
    try:
        with pytest.raises(SettingsError, match="belongs to"):
            embedded.start(home, durable=False)
    finally:
        squatted.rmdir()


@is_root
def test_root_gets_a_server_of_a_system_user(server: EmbeddedServer) -> None:
    assert server.owner == embedded_files.SYSTEM_USER
    assert Path(server.data).owner() == embedded_files.SYSTEM_USER


@is_root
def test_a_clone_that_user_cannot_enter_keeps_its_permissions(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    server = embedded.start(closed / "clone" / ".profiles", durable=False)
    assert _mode(closed) == 0o700
    assert Path(server.data).is_relative_to(embedded_files.SYSTEM_FOLDER)
    assert _value(server, "SELECT 1") == 1
    embedded.remove(closed / "clone" / ".profiles")
    assert not Path(server.data).exists()


@is_root
def test_binaries_that_user_cannot_reach_are_copied(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    real = embedded_files._wheel_binaries()
    site = closed / "site-packages"
    for part in (real.parent, real.parent.with_name(f"{real.parent.name}.libs")):
        shutil.copytree(part, site / part.name)
    hidden = site / real.parent.name / real.name
    monkeypatch.setattr(embedded_files, "_wheel_binaries", lambda: hidden)

    server = embedded.start(folder / "home", durable=False)

    assert Path(server.binaries).is_relative_to(embedded_files.SYSTEM_FOLDER)
    assert _value(server, "SELECT 1") == 1
    assert _mode(closed) == 0o700


def test_an_ordinary_user_runs_it_too(folder: Path) -> None:
    """As `nobody` when the tests run as root; else the other tests have shown it."""
    if os.geteuid() != 0:
        pytest.skip("these tests run as an ordinary user")
    script = (
        "import sys; from pathlib import Path; from scripts import embedded\n"
        "home = Path(sys.argv[1])\n"
        "server = embedded.start(home, durable=False)\n"
        "assert server.owner == '' and embedded.running(home) == server\n"
        "embedded.remove(home)\n"
    )
    home = folder / "home"
    home.mkdir()
    shutil.chown(home, "nobody")
    result = subprocess.run(
        [_reachable_python(), "-c", script, home],
        user="nobody",
        extra_groups=[],
        cwd="/",
        env={"PYTHONPATH": os.pathsep.join(_import_paths()), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
    )
    if "Permission denied" in result.stderr or "ModuleNotFoundError" in result.stderr:
        pytest.skip("nobody cannot read this clone")
    assert result.returncode == 0, result.stderr


def _reachable_python() -> str:
    for python in ("/usr/bin/python3", "/usr/local/bin/python3"):
        if Path(python).exists():
            version = subprocess.run(
                [python, "-c", "import sys; print(sys.version_info[:2] == (3, 11))"],
                capture_output=True,
                text=True,
            ).stdout
            if "True" in version:
                return python
    pytest.skip("no interpreter that nobody may run")


def _import_paths() -> list[str]:
    package = Path(embedded.__file__).resolve().parents[1]
    wheels = embedded_files._wheel_binaries().parents[1]
    return [str(package), str(wheels)]

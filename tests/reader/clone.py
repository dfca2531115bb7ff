"""A copy of the working tree in which a reader's commands run, with an environment of its own.

Nothing of the tree that the tests run from changes: the copy has its own `.venv`, `.profiles` and
`.env`. Its `.venv` links to the installed packages instead of downloading them, all but this one:
`make` installs that itself, as it does for a reader, and so does everything that the reader types.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.paths import REPOSITORY

_OURS = ("__editable__.candidate_profiles", "candidate_profiles-", "__pycache__")
_KEPT = ("LANG", "TZ", "TMPDIR")
_STAMP = """
from scripts import setup
(setup.VENV / "profiles-dev.stamp").write_text(setup._dev_digest())
"""


@contextmanager
def clone() -> Iterator[Path]:
    """The copy's folder; everything that was started in it is stopped and deleted at the end.

    Below /tmp and open to all, because root's Postgres runs as a user who has to enter it.
    """
    folder = Path(tempfile.mkdtemp(prefix="profiles-reader-", dir="/tmp"))
    folder.chmod(0o755)
    copy = folder / "clone"
    try:
        _copy_tree(copy)
        _make_environment(copy)
        yield copy
    finally:
        # Also `down`: it stops what runs, and deletes what root's Postgres keeps outside.
        subprocess.run(["make", "clean"], cwd=copy, env=environment(copy), check=False)
        shutil.rmtree(folder, ignore_errors=True)


def environment(copy: Path) -> dict[str, str]:
    """Environment of a reader's new shell: the programs of the system, and those of the copy."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {
        "PATH": f"{copy / '.venv' / 'bin'}:{_system_path()}",
        "HOME": str(copy.parent),
        "AIRFLOW__API__PORT": port(copy),
    }


def _system_path() -> str:
    """PATH without the environment that runs the tests."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(name for name in folders if Path(name) != Path(sys.prefix) / "bin")


def port(copy: Path) -> str:
    """The same free port for all shells of one copy: 8080 may be the developer's own Airflow."""
    known = copy.parent / "port"
    if not known.exists():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            known.write_text(str(probe.getsockname()[1]))
    return known.read_text()


def _copy_tree(copy: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        check=False,
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    for name in listed.stdout.rstrip("\0").split("\0"):
        if not (REPOSITORY / name).is_file():
            continue
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / name, target)


def _make_environment(copy: Path) -> None:
    """Files that the first `make` would have made, but for the package itself."""
    venv, python = copy / ".venv", copy / ".venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    version = ".".join(map(str, sys.version_info[:2]))
    (venv / "profiles-venv").write_text(f"{venv}\n{version}\n")
    _link_packages(venv)
    _link_programs(Path(sys.prefix) / "bin", venv / "bin")
    shutil.copytree(REPOSITORY / ".profiles" / "models", copy / ".profiles" / "models")
    command = [python, "-c", _STAMP]
    subprocess.run(command, cwd=copy, env={"PATH": os.environ["PATH"]}, check=True)


def _link_packages(venv: Path) -> None:
    (installed,) = Path(sys.prefix).glob("lib/python3*/site-packages")
    (packages,) = venv.glob("lib/python3*/site-packages")
    for entry in installed.iterdir():
        if not entry.name.startswith(_OURS):
            (packages / entry.name).symlink_to(entry)


def _link_programs(installed: Path, programs: Path) -> None:
    """Scripts name their interpreter, so they are written again; programs are linked."""
    for path in installed.iterdir():
        target = programs / path.name
        if target.exists() or path.name == "profiles" or path.is_dir():
            continue
        with path.open("rb") as program:
            head = program.readline(256)
        if head == f"#!{installed}/python\n".encode():
            _, _, rest = path.read_text(encoding="utf-8").partition("\n")
            target.write_text(f"#!{programs / 'python'}\n{rest}", encoding="utf-8")
            target.chmod(0o755)
        else:
            target.symlink_to(path)

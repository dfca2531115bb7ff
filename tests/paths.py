"""Paths of the repository, its test data, and the output of test runs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED_DATA = Path(os.environ.get("PROFILES_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))

_MEMORY = Path("/dev/shm")
_ROOM = 2 << 30


def scratch_folder(prefix: str) -> Path:
    """A new folder that everybody may enter, because root's Postgres runs as another user.

    In memory where there is room: a database has 400 files, and a disk takes 20 times as long to
    make them. Below /tmp otherwise, as in a container with 64 MB of it.
    """
    parent = "/tmp"
    if os.access(_MEMORY, os.W_OK):
        found = os.statvfs(_MEMORY)
        if found.f_bavail * found.f_frsize >= _ROOM and not found.f_flag & os.ST_NOEXEC:
            parent = str(_MEMORY)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    folder.chmod(0o755)
    return folder

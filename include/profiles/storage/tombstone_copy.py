"""A copy of the tombstones outside the database, because a restored backup knows fewer of them.

Every erasure renews it. A line is the HMAC of one key and its kind, which says nothing without the
secret.
"""

from __future__ import annotations

import os
from pathlib import Path

from profiles.errors import ErasureError
from profiles.settings import INCLUDE_DIR, load_settings
from profiles.storage.connection import Database

__all__ = ["export_tombstones", "read_copy", "tombstone_file"]


def tombstone_file() -> Path:
    """The deployment's own: PROFILES_TOMBSTONE_FILE, or beside Airflow's files."""
    settings = load_settings()
    if settings.tombstone_file is not None:
        return settings.tombstone_file.expanduser().absolute()
    if airflow_home := os.environ.get("AIRFLOW_HOME"):
        return Path(airflow_home).expanduser() / "tombstones.txt"
    return INCLUDE_DIR.parent / ".profiles" / "tombstones.txt"


def export_tombstones(database: Database, path: Path | None = None) -> int:
    """Adds the tombstones of the database to the file; returns how many it has."""
    path = path or tombstone_file()
    with database.connect() as connection:
        rows = connection.execute("SELECT hmac, kind FROM synthesis.tombstone").fetchall()
    known = {(bytes(digest), kind) for digest, kind in rows} | set(read_copy(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.writelines(f"{digest.hex()} {kind}\n" for digest, kind in sorted(known))
    draft.replace(path)
    return len(known)


def read_copy(path: Path) -> list[tuple[bytes, str]]:
    """HMAC and kind of each tombstone of the file; none where there is no file.

    Raises:
        ErasureError: it is another file.
    """
    if not path.is_file():
        return []
    try:
        lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
        return [(bytes.fromhex(digest), kind) for digest, kind in lines]
    except ValueError as error:
        raise ErasureError(f"{path} is no file of tombstones ({type(error).__name__})") from None

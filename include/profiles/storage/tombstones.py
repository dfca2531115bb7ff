"""Tombstones: what keeps an erased person out without keeping who it was.

A tombstone is the HMAC-SHA256 of a source key, or of an identity key that belonged to nobody else;
one of kind `secret` stands for each secret in use, or a wrong one would let everybody back in. The
secret is `PROFILES_ERASURE_KEY`, else the Connection `profiles_erasure`; several are separated by
commas, the newest first. Every erasure renews a copy in a file: a restored backup knows fewer.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from profiles.errors import ErasureError, SecretsUnavailableError, SettingsError
from profiles.models import SourceRecord
from profiles.resolution.blocking import IdentityKey, strong_keys
from profiles.resolution.facts import IdentityRecord
from profiles.settings import load_settings, whole_file
from profiles.storage.connection import Database
from profiles.storage.sql_files import Connection

log = logging.getLogger(__name__)

SOURCE_ROW = "source_row"
_SECRET: IdentityKey = ("secret", "profiles tombstones")
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Tombstones:
    """The tombstones of all erased people; empty and without secrets where nobody was erased."""

    secrets: Sequence[bytes] = ()
    hmacs: frozenset[bytes] = frozenset()

    def hold(
        self, source: str, source_key: str, record: SourceRecord | IdentityRecord | None = None
    ) -> bool:
        """Return whether the row or a contact key of its record is an erased person's."""
        if not self.hmacs:
            return False
        keys = [(SOURCE_ROW, _row(source, source_key)), *(strong_keys(record) if record else ())]
        return any(_hmac(secret, key) in self.hmacs for key in keys for secret in self.secrets)


def read_tombstones(connection: Connection) -> Tombstones:
    """All tombstones, with the secrets that made them."""
    found = connection.execute("SELECT hmac, kind FROM synthesis.tombstone").fetchall()
    if not found:
        return Tombstones()
    secrets = erasure_keys()
    known = {_hmac(secret, _SECRET) for secret in secrets}
    if unknown := sum(kind == _SECRET[0] and digest not in known for digest, kind in found):
        raise SettingsError(
            f"{unknown} secrets of tombstones are missing, so erased people would come back; add "
            f"the old ones to PROFILES_ERASURE_KEY or Connection '{CONNECTION_ID}', after the new "
            "one and a comma"
        )
    return Tombstones(secrets, frozenset(digest for digest, _ in found))


def secret_standing(database: Database) -> tuple[bool | None, str]:
    """Return whether there is a secret (None where none is needed yet), and a message."""
    # A schema without the table is another finding.
    with suppress(psycopg.Error), database.connect() as connection:
        read_tombstones(connection)
    try:
        count = len(erasure_keys())
    except SettingsError as error:
        return None, f"nobody can be erased: {error}"
    return True, f"{count} at hand"


def add_tombstones(
    connection: Connection, *, rows: Iterable[tuple[str, str]], keys: Iterable[IdentityKey]
) -> int:
    """Writes tombstones with the newest secret and returns how many are new."""
    read_tombstones(connection)
    secret = erasure_keys()[0]
    insert_tombstones(connection, [(_hmac(secret, _SECRET), _SECRET[0])])
    wanted = [*((SOURCE_ROW, _row(*row)) for row in rows), *keys]
    return insert_tombstones(connection, [(_hmac(secret, key), key[0]) for key in wanted])


def insert_tombstones(connection: Connection, lines: Sequence[tuple[bytes, str]]) -> int:
    return connection.execute(
        "INSERT INTO synthesis.tombstone (hmac, kind) "
        "SELECT * FROM unnest(%s::bytea[], %s::text[]) ON CONFLICT (hmac) DO NOTHING",
        ([digest for digest, _ in lines], [kind for _, kind in lines]),
    ).rowcount


def _row(source: str, source_key: str) -> str:
    return f"{source}{_SEPARATOR}{source_key}"


def _hmac(secret: bytes, key: IdentityKey) -> bytes:
    return hmac.digest(secret, _SEPARATOR.join(key).encode("utf-8", "surrogatepass"), "sha256")


def export_tombstones(database: Database, path: Path | None = None) -> int:
    """Adds the tombstones of the database to the file; returns how many it has."""
    path = path or load_settings().tombstone_file
    with database.connect() as connection:
        rows = connection.execute("SELECT hmac, kind FROM synthesis.tombstone").fetchall()
    known = {(bytes(digest), kind) for digest, kind in rows} | set(read_copy(path))
    with whole_file(path, advice="free space, or set PROFILES_TOMBSTONE_FILE") as file:
        file.writelines(f"{digest.hex()} {kind}\n".encode() for digest, kind in sorted(known))
    return len(known)


def read_copy(path: Path) -> list[tuple[bytes, str]]:
    """HMAC and kind of each tombstone of the file; none where there is no file."""
    if not path.is_file():
        return []
    try:
        lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
        return [(bytes.fromhex(digest), kind) for digest, kind in lines]
    except ValueError as error:
        raise ErasureError(f"{path} is no file of tombstones ({type(error).__name__})") from None


CONNECTION_ID = "profiles_erasure"
MIN_LENGTH = 16

_HOW = (
    'make one with `python3 -c "import secrets; print(secrets.token_urlsafe(32))"`, keep it '
    "outside the database, and set PROFILES_ERASURE_KEY or the password of Connection "
    f"'{CONNECTION_ID}'"
)


def erasure_keys() -> tuple[bytes, ...]:
    """The secrets, newest first. SecretsUnavailableError where Airflow could not be asked."""
    setting = load_settings().erasure_key
    text = (setting.get_secret_value() if setting else "") or _connection_password()
    keys = tuple(part.strip().encode() for part in text.split(",") if part.strip())
    if not keys:
        raise SettingsError(
            "no secret for tombstones: PROFILES_ERASURE_KEY is not set "
            f"and the Airflow Connection '{CONNECTION_ID}' does not exist, has no password, or "
            f"its secrets backend does not answer; {_HOW}"
        )
    if any(len(key) < MIN_LENGTH for key in keys):
        raise SettingsError(
            f"a secret for tombstones is shorter than {MIN_LENGTH} characters; {_HOW}"
        )
    return keys


def _connection_password() -> str:
    from airflow.sdk import BaseHook
    from airflow.sdk.exceptions import AirflowNotFoundException

    try:
        return BaseHook.get_connection(CONNECTION_ID).password or ""
    except AirflowNotFoundException:
        # Also where a backend fails: Airflow asks the next one and keeps to itself what happened.
        return ""
    except PermissionError as error:  # AirflowSecretsBackendAccessDenied is one
        raise SettingsError(
            "PROFILES_ERASURE_KEY is not set and Airflow's secrets backend denies the Connection "
            f"'{CONNECTION_ID}' to this process; allow it there, or set PROFILES_ERASURE_KEY"
        ) from error
    except Exception as error:  # each backend has its own
        log.debug("connection %s could not be read", CONNECTION_ID, exc_info=True)
        raise SecretsUnavailableError(
            f"Airflow could not read the Connection '{CONNECTION_ID}' "
            f"({type(error).__name__}) and PROFILES_ERASURE_KEY is not set; check the secrets "
            "backend and retry"
        ) from error

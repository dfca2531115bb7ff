"""Tombstones: what keeps an erased person out without keeping who it was.

A tombstone is the HMAC-SHA256 of one source key or of one identity key that belonged to nobody
else. A tombstone of kind `secret` stands for each secret in use: without it a wrong secret would
match nothing and let everybody back in without a word.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import psycopg
from psycopg.rows import TupleRow

from profiles.errors import SettingsError
from profiles.models import SourceRecord
from profiles.resolution.blocking import IdentityKey, strong_keys
from profiles.resolution.facts import IdentityRecord
from profiles.storage.connection import Database
from profiles.storage.erasure_key import CONNECTION_ID, erasure_keys

__all__ = ["Tombstones", "add_tombstones", "read_tombstones", "secret_standing"]

Connection = psycopg.Connection[TupleRow]

SOURCE_ROW = "source_row"
_SECRET: IdentityKey = ("secret", "profiles tombstones")
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Tombstones:
    """The tombstones of all erased people; empty and without secrets where nobody was erased."""

    secrets: Sequence[bytes] = ()
    hmacs: frozenset[bytes] = frozenset()

    def row_is_erased(self, source: str, source_key: str) -> bool:
        """Whether this source row belonged to an erased person."""
        return bool(self.hmacs) and self._holds((SOURCE_ROW, _row(source, source_key)))

    def record_is_erased(self, record: SourceRecord | IdentityRecord) -> bool:
        """Whether the row, or one of its e-mails, phones or LinkedIn ids, is an erased person's."""
        if not self.hmacs:
            return False
        row = (SOURCE_ROW, _row(record.source, record.source_key))
        return any(map(self._holds, (row, *strong_keys(record))))

    def _holds(self, key: IdentityKey) -> bool:
        return any(_hmac(secret, key) in self.hmacs for secret in self.secrets)


def read_tombstones(connection: Connection) -> Tombstones:
    """All tombstones, with the secrets that made them.

    Raises:
        SettingsError: there are tombstones, and a secret that made some of them is not at hand.
    """
    found = connection.execute("SELECT hmac, kind FROM synthesis.tombstone").fetchall()
    if not found:
        return Tombstones()
    secrets = erasure_keys()
    known = {_hmac(secret, _SECRET) for secret in secrets}
    unknown = sum(kind == _SECRET[0] and digest not in known for digest, kind in found)
    if unknown:
        raise SettingsError(
            f"{unknown} secrets that tombstones of erased people were made with are not at hand, "
            "so erased people would come back; give PROFILES_ERASURE_KEY or the Connection "
            f"'{CONNECTION_ID}' the old secret again, after the new one and a comma if it was "
            "rotated"
        )
    return Tombstones(secrets, frozenset(digest for digest, _ in found))


def secret_standing(database: Database) -> tuple[bool | None, str]:
    """Whether there is a secret, None where nobody needs one yet; and a sentence.

    Raises:
        SettingsError: people were erased, and a secret that their tombstones need is not at hand.
        SecretsUnavailableError: Airflow could not be asked for it.
        DatabaseUnavailableError: the server does not answer.
    """
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
    """Writes tombstones with the newest secret and returns how many are new.

    Raises:
        SettingsError: there is no secret, or an older one is not at hand.
    """
    read_tombstones(connection)
    secret = erasure_keys()[0]
    wanted = [*((SOURCE_ROW, _row(*row)) for row in rows), *keys]
    insert = (
        "INSERT INTO synthesis.tombstone (hmac, kind) "
        "SELECT * FROM unnest(%s::bytea[], %s::text[]) ON CONFLICT (hmac) DO NOTHING"
    )
    connection.execute(insert, ([_hmac(secret, _SECRET)], [_SECRET[0]]))
    return connection.execute(
        insert, ([_hmac(secret, key) for key in wanted], [kind for kind, _ in wanted])
    ).rowcount


def _row(source: str, source_key: str) -> str:
    return f"{source}{_SEPARATOR}{source_key}"


def _hmac(secret: bytes, key: IdentityKey) -> bytes:
    return hmac.digest(secret, _SEPARATOR.join(key).encode("utf-8", "surrogatepass"), "sha256")

"""The secret of the tombstones: `PROFILES_ERASURE_KEY`, else the Connection `profiles_erasure`.

Without it a tombstone says nothing about anybody, so it lives outside the database. Several are
parted by commas, the newest first: what an older one made stays valid after a rotation.
"""

from __future__ import annotations

import logging
import os
from urllib.parse import unquote, urlsplit

from profiles.errors import SecretsUnavailableError, SettingsError
from profiles.settings import load_settings

__all__ = ["CONNECTION_ID", "MIN_LENGTH", "erasure_keys"]

log = logging.getLogger(__name__)

CONNECTION_ID = "profiles_erasure"
MIN_LENGTH = 16

_HOW = (
    'make one with `python3 -c "import secrets; print(secrets.token_urlsafe(32))"`, keep it '
    "outside the database, and set PROFILES_ERASURE_KEY or the password of Connection "
    f"'{CONNECTION_ID}'"
)


def erasure_keys() -> tuple[bytes, ...]:
    """The secrets, newest first.

    Raises:
        SettingsError: there is none, one is too short to keep anything secret, or the secrets
            backend denies it.
        SecretsUnavailableError: Airflow could not be asked for it.
    """
    setting = load_settings().erasure_key
    text = (setting.get_secret_value() if setting else "") or _connection_password()
    keys = tuple(part.strip().encode() for part in text.split(",") if part.strip())
    if not keys:
        raise SettingsError(
            "there is no secret for tombstones of erased people: PROFILES_ERASURE_KEY is not set "
            f"and the Airflow Connection '{CONNECTION_ID}' does not exist, has no password, or "
            f"its secrets backend does not answer; {_HOW}"
        )
    if any(len(key) < MIN_LENGTH for key in keys):
        raise SettingsError(
            f"a secret for tombstones has less than {MIN_LENGTH} characters; {_HOW}"
        )
    return keys


def _connection_password() -> str:
    from_environment = os.environ.get(f"AIRFLOW_CONN_{CONNECTION_ID.upper()}", "")
    if "://" in from_environment:
        # The commands need not load Airflow to read a plain address.
        return unquote(urlsplit(from_environment).password or "")
    try:
        from airflow.sdk import BaseHook
        from airflow.sdk.exceptions import AirflowNotFoundException
    except ImportError:
        return ""
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
        log.debug("connection %s could not be asked for", CONNECTION_ID, exc_info=True)
        raise SecretsUnavailableError(
            f"Airflow could not be asked for the Connection '{CONNECTION_ID}' "
            f"({type(error).__name__}) and PROFILES_ERASURE_KEY is not set; look at the secrets "
            "backend and try again"
        ) from error

"""The secret of the tombstones: what is said of a secrets backend that does not give it."""

from __future__ import annotations

import pytest
from airflow.sdk.exceptions import AirflowNotFoundException, AirflowSecretsBackendAccessDenied

from profiles.errors import ProfilesError, SecretsUnavailableError, SettingsError
from profiles.storage.tombstones import erasure_keys


@pytest.mark.parametrize(
    ("error", "raised", "said"),
    [
        (AirflowNotFoundException("none"), SettingsError, "does not exist, has no password, or"),
        (AirflowSecretsBackendAccessDenied("no"), SettingsError, "denies the Connection"),
        (TimeoutError("away"), SecretsUnavailableError, r"could not read .*TimeoutError"),
    ],
)
def test_a_connection_that_is_denied_or_away_is_told_from_one_that_is_missing(
    error: Exception,
    raised: type[ProfilesError],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: str) -> None:
        raise error

    monkeypatch.delenv("PROFILES_ERASURE_KEY", raising=False)
    monkeypatch.delenv("AIRFLOW_CONN_PROFILES_ERASURE", raising=False)
    monkeypatch.setattr("airflow.sdk.BaseHook.get_connection", refuse)
    with pytest.raises(raised, match=said):
        erasure_keys()

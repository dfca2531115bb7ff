"""Access rights: who may see the page and who may act.

Airflow does not authenticate a plugin's application, so the whole of it depends on `may_read`.
Actions are DAG runs, made by the browser through Airflow's own API, which judges the right again:
what is said here only decides which buttons are shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from airflow.api_fastapi.app import get_auth_manager
from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity, DagDetails
from airflow.api_fastapi.core_api.security import GetUserDep, requires_access_dag
from pydantic import BaseModel

from profiles.errors import SecretsUnavailableError, SettingsError
from profiles.storage.tombstones import erasure_keys

PROFILES_DAG = "profile_synthesis"
ACTIONS_DAG = "candidate_actions"
_REMEMBERED_SECONDS = 60

may_read: Callable[..., Any] = requires_access_dag(
    "GET", DagAccessEntity.RUN, param_dag_id=PROFILES_DAG
)
"""Dependency: 401 for nobody, 403 for a user who may not read the runs of the DAG."""


class Rights(BaseModel):
    """Rights of the signed-in user here. `cannot_erase` is what erasing needs and lacks."""

    user: str
    may_act: bool
    actions_dag: str
    cannot_erase: str | None = None


def rights(user: GetUserDep) -> Rights:
    """Dependency: the rights of the user of this request."""
    allowed = get_auth_manager().is_authorized_dag(
        method="POST",
        access_entity=DagAccessEntity.RUN,
        details=DagDetails(id=ACTIONS_DAG),
        user=user,
    )
    return Rights(
        user=user.get_name(),
        may_act=allowed,
        actions_dag=ACTIONS_DAG,
        cannot_erase=_missing_secret() if allowed else None,
    )


def _missing_secret() -> str | None:
    """Why an erasure would fail for want of a secret, as far as this server sees its settings.

    Every page asks, and a secrets backend may be slow or charge for an answer.
    """
    return _missing_secret_at(int(time.monotonic() // _REMEMBERED_SECONDS))


@lru_cache(maxsize=1)
def _missing_secret_at(_minute: int) -> str | None:
    try:
        erasure_keys()
    except (SettingsError, SecretsUnavailableError) as error:
        return str(error)
    return None

"""The few calls to Airflow's REST API that `make up` needs."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import datetime
from typing import Any

TIMEOUT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class AirflowApi:
    """An API server on this machine; `token` is empty for what needs no login."""

    port: int
    token: str = ""

    @classmethod
    def login(cls, port: int, *, user: str, password: str) -> AirflowApi | None:
        """A logged-in client, None when the server refuses the login or does not answer."""
        answer = cls(port).call("/auth/token", {"username": user, "password": password})
        return cls(port, answer["access_token"]) if answer and "access_token" in answer else None

    def call(self, path: str, body: dict[str, str] | None = None) -> dict[str, Any] | None:
        """The JSON object at `path`, None when there is none; a `body` is posted."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers=headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                found = json.load(answer)
        except (urllib.error.URLError, TimeoutError, ConnectionError, json.JSONDecodeError):
            return None
        return found if isinstance(found, dict) else None

    def healthy(self, *, since: datetime) -> set[str]:
        """The components that Airflow calls healthy and, where they have one, whose heartbeat is
        not older than `since`: one that lost its database is healthy for a minute after its last.
        """
        report = self.call("/api/v2/monitor/health") or {}
        return {
            name
            for name, part in report.items()
            if part and part.get("status") == "healthy" and _newest_heartbeat(part, since) >= since
        }

    def import_errors(self) -> dict[str, str]:
        """DAG file to the last line of its import error."""
        report = self.call("/api/v2/importErrors") or {}
        return {
            item["filename"]: item["stack_trace"].strip().splitlines()[-1]
            for item in report.get("import_errors", ())
        }

    def has_dag(self, dag_id: str) -> bool:
        """Return whether the DAG was parsed and stored."""
        return self.call(f"/api/v2/dags/{dag_id}") is not None


def _newest_heartbeat(part: dict[str, Any], default: datetime) -> datetime:
    beats = [value for name, value in part.items() if name.endswith("_heartbeat") and value]
    return max((datetime.fromisoformat(beat) for beat in beats), default=default)

"""A reader's steps in Airflow's pages: sign in, unpause, trigger, and look at a run."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.page.airflow_server import AirflowServer

_DAG = "/api/v2/dags/profile_synthesis"
_SECONDS = 600


@dataclass(frozen=True)
class SignedIn:
    """The Airflow that `make up` started, with its address and login taken from what it printed."""

    server: AirflowServer
    token: str

    @classmethod
    def with_what_is_printed(cls, said: str) -> SignedIn:
        told = dict(re.findall(r"^  (UI|login|password) +(\S+)$", said, flags=re.MULTILINE))
        server = AirflowServer(told["UI"], Path())
        login = {"username": told["login"], "password": told["password"]}
        answer = server.request("POST", "/auth/token", body=login)
        assert answer.status == 201, answer
        return cls(server, str(answer.json()["access_token"]))

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer as JSON, None for an empty one; an error fails the test."""
        answer = self.server.request(method, path, token=self.token, body=body)
        assert answer.status < 300, (path, answer)
        return answer.json() if answer.body else None

    def is_paused(self) -> bool:
        return bool(self.ask("GET", _DAG)["is_paused"])

    def unpauses(self) -> None:
        self.ask("PATCH", _DAG, {"is_paused": False})

    def triggers(self) -> str:
        """The id of a new run."""
        return str(self.ask("POST", f"{_DAG}/dagRuns", {"logical_date": None})["dag_run_id"])

    def deletes(self, run_id: str) -> None:
        self.ask("DELETE", f"{_DAG}/dagRuns/{run_id}")

    def state_of(self, run_id: str) -> str:
        return str(self.ask("GET", f"{_DAG}/dagRuns/{run_id}")["state"])

    def waits_for(self, run_id: str) -> str:
        """The state in which the run ends."""
        deadline = time.monotonic() + _SECONDS
        while (state := self.state_of(run_id)) not in ("success", "failed"):
            assert time.monotonic() < deadline, f"{run_id} is still {state}"
            time.sleep(1)
        return state

    def links_of(self, run_id: str, task_id: str) -> dict[str, str]:
        """The buttons in tab *Details* of a task, by name."""
        path = f"{_DAG}/dagRuns/{run_id}/taskInstances/{task_id}/links"
        return dict(self.ask("GET", path)["extra_links"])

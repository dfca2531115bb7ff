"""Where an engine's own output goes."""

from __future__ import annotations

import os
import stat
import tempfile

import pytest

from profiles.errors import EngineJobError
from profiles.steps.lane_assembly import engine_log_path
from profiles.synthesis.engine_client import EngineClient, EngineJob


def test_engine_logs_go_to_the_home_of_this_airflow(tmp_path, monkeypatch):
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))
    assert engine_log_path("run 1", 2) == tmp_path / "engine-logs/run_1-lane-2.log"


@pytest.mark.parametrize("home", [None, ""])
def test_without_an_airflow_home_each_user_has_a_folder_of_his_own(tmp_path, monkeypatch, home):
    monkeypatch.delenv("AIRFLOW_HOME")
    if home is not None:
        monkeypatch.setenv("AIRFLOW_HOME", home)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for uid in (1001, 1002):
        monkeypatch.setattr(os, "getuid", lambda uid=uid: uid)
        assert engine_log_path("r", 0).parent == tmp_path / f"profiles-engine-logs-{uid}"


def test_the_folder_of_a_log_is_for_its_owner_alone(tmp_path):
    client = EngineClient(
        EngineJob("none"),
        python=tmp_path / "no-python",
        log_path=tmp_path / "logs/lane.log",
        start_timeout=1,
        silence_timeout=1,
    )
    with pytest.raises(EngineJobError):
        client.start()
    assert stat.S_IMODE((tmp_path / "logs").stat().st_mode) == 0o700

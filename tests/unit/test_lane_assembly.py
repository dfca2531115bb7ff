"""Destination of an engine's own output."""

from __future__ import annotations

import os
import stat
import tempfile

import pytest

from profiles.errors import EngineJobError
from profiles.models import WorkItem
from profiles.params import RunParams
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import choose_engine
from profiles.steps.lanes.lane_assembly import build_lane, engine_log_path
from profiles.storage.leases import LaneQueue
from profiles.synthesis.gpu.cards import CardWatch
from profiles.synthesis.gpu.device_lock import DeviceClaim
from profiles.synthesis.lane.lane import LaneControl
from profiles.synthesis.lane.window import Job
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, EngineReady


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


def test_compiled_kernels_are_kept_where_the_operator_says_else_at_home(tmp_path, monkeypatch):
    assert Settings(engine_cache_dir=tmp_path / "mine").engine_cache_dir == tmp_path / "mine"
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))
    assert Settings().engine_cache_dir == tmp_path / "engine-cache"
    monkeypatch.delenv("AIRFLOW_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert Settings().engine_cache_dir == tmp_path / "caches/profiles-engine"


def lane_of(tmp_path, engine, **settings):
    """The lane of a folder without weights, and its profile."""
    (tmp_path / "config.json").write_text("{}")
    settings = Settings(engine=engine, model=str(tmp_path), **settings)
    choice = choose_engine(settings, RunParams())
    lane = build_lane(
        LaneQueue(None, "r", 0, 60),
        settings,
        choice,
        DeviceClaim(()),
        CardWatch(()),
        LaneControl(),
    )
    return lane, choice.profile


@pytest.mark.parametrize(
    ("engine", "seconds", "requests"),
    [("sglang", 120, 24), ("sglang", 0, 0), ("vllm", 120, 24), ("openai", 120, 0)],
)
def test_only_an_engine_that_compiles_kernels_is_warmed_up(tmp_path, engine, seconds, requests):
    lane, _ = lane_of(tmp_path, engine, warm_up_seconds=seconds)
    ready = EngineReady(engine, "1", "m", 2500, 4096, running=16)
    assert len(lane.new_warm_up(ready)) == requests


def test_every_attempt_after_the_first_may_be_longer(tmp_path):
    lane, profile = lane_of(tmp_path, "sglang")
    item = WorkItem(1, "0" * 32, "h", "# Ada\n\n## Skills\nGo\n", 5)
    caps = [lane.new_request(Job(item, 1, n)).sampling.max_new_tokens for n in (1, 2, 3)]
    longer = profile.retry_max_new_tokens
    assert caps == [profile.sampling.max_new_tokens, longer, longer]


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

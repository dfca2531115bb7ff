"""`profiles plan` says what the run costs, from what the last runs measured."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from tests.planned_runs import LANE_KEY, add_documents, plan, use_scripted_engine

from profiles.cli import main
from profiles.params import RunParams
from profiles.steps import plan_synthesis
from profiles.storage.leases import LaneQueue


@pytest.fixture(autouse=True)
def scripted(monkeypatch):
    use_scripted_engine(monkeypatch, model="model-a")


def lane_that_gave(database, run_id, lane, tokens, seconds, *, cards=("0",)):
    """A lane's row that ended well, `seconds` after its load."""
    queue = LaneQueue(database, run_id, lane, 60)
    queue.open_lane(LANE_KEY, cards=cards, reason="")
    queue.close_lane(succeeded=True, counters={"completion_tokens": tokens, "valid": 10})
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.lane SET started_at = ended_at - make_interval(secs => %s), "
            "load_seconds = 0, warm_up_seconds = 0 WHERE run_id = %s AND lane = %s",
            (seconds, run_id, lane),
        )
    return queue


def sample(second, watts):
    return {
        "sampled_at": (datetime.now(UTC) + timedelta(seconds=second)).isoformat(),
        "index": 0,
        "uuid": "GPU-a",
        "name": "RTX 4090",
        "celsius": 70,
        "watts": watts,
        "utilisation": 90,
        "memory_used_mb": 1,
        "memory_total_mb": 2,
        "throttle": (),
    }


def test_the_rate_is_the_median_lane_and_the_watts_are_the_samples(database):
    add_documents(database, 4)
    plan(database, "run-1")
    queue = lane_that_gave(database, "run-1", 0, 8000, 10, cards=("0", "1"))
    lane_that_gave(database, "run-1", 1, 8000, 8, cards=("2", "3"))
    lane_that_gave(database, "run-1", 2, 8000, 1000, cards=("4", "5"))
    queue.store_gpu_samples([sample(0, 200.0), sample(5, 400.0)])
    preview = plan_synthesis.preview(database, params=RunParams())
    cost, estimate = preview["cost"], preview["estimate"]
    assert estimate["tokens_per_second"] == pytest.approx(800)
    assert cost["rate_from"] == "median of 3 lanes of 1 runs in 30 days, the newest run-1"
    assert (cost["cards_per_lane"], cost["watts_per_card"]) == (2, 300)
    assert estimate["output_tokens"] == 4 * 800


def test_the_command_prints_rows_hours_and_energy(database, monkeypatch, capsys):
    add_documents(database, 3)
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    assert main(["plan", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimate"]["documents"] == 3
    assert "PROFILES_MEASURED" in found["cost"]["rate_from"]
    assert found["cost"]["energy_kwh"] is None
    assert main(["plan"]) == 0
    said = capsys.readouterr().out
    assert "gpu_hours" in said
    assert "energy_kwh" in said

"""GPU samples in the database, and what the report makes of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.fake_nvml import Nvml
from tests.planned_runs import ENGINE, add_documents, plan, use_scripted_engine

from profiles.steps import synthesise
from profiles.steps.reports.run_report import build_report
from profiles.storage.leases import LaneQueue
from profiles.synthesis.gpu import device_lock, gpu_monitor

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def scripted(monkeypatch):
    use_scripted_engine(monkeypatch)


def sample(second, **changes):
    values = {
        "sampled_at": (START + timedelta(seconds=second)).isoformat(),
        "index": 0,
        "uuid": "GPU-a",
        "name": "RTX 4090",
        "celsius": 70,
        "watts": 300.0,
        "utilisation": 90,
        "memory_used_mb": 20480,
        "memory_total_mb": 24576,
        "throttle": (),
    }
    return {**values, **changes}


def test_the_report_sums_heat_power_energy_and_slow_downs_per_lane_and_card(database):
    add_documents(database, 1)
    plan(database, "run-1")
    samples = [
        sample(0),
        sample(5, celsius=81, throttle=("sw_power_cap", "hw_thermal")),
        sample(10, watts=360.0, throttle=("sw_power_cap",)),
        sample(20),
        # A gap: what the card did meanwhile is not known, and only a minute of it is reckoned.
        sample(1000),
    ]
    queue = LaneQueue(database, "run-1", 0, 60)
    queue.store_gpu_samples(samples)
    LaneQueue(database, "run-1", 1, 60).store_gpu_samples([sample(0, uuid="GPU-b", watts=None)])
    report = build_report(database, run_id="run-1")
    first, second = report["gpus"]
    assert (first["lane"], first["uuid"], first["card"]) == (0, "GPU-a", "RTX 4090")
    assert (first["samples"], first["max_celsius"]) == (5, 81)
    assert first["seconds"] == pytest.approx(80)
    assert first["kwh"] == pytest.approx((300 * 70 + 360 * 10) / 3_600_000)
    assert first["mean_watts"] == pytest.approx((300 * 70 + 360 * 10) / 80)
    assert first["throttled_seconds"] == pytest.approx(15)
    assert first["throttled_by"] == {"sw_power_cap": 15.0, "hw_thermal": 5.0}
    assert (second["lane"], second["kwh"], second["mean_watts"]) == (1, None, None)
    assert report["energy_kwh"] == pytest.approx(first["kwh"], abs=1e-4)


def test_a_run_without_samples_has_no_energy(database):
    add_documents(database, 1)
    plan(database, "run-1")
    report = build_report(database, run_id="run-1")
    assert (report["gpus"], report["energy_kwh"]) == ([], None)


def test_a_lane_watches_the_card_that_it_holds(database, monkeypatch, tmp_path):
    add_documents(database, 2)
    monkeypatch.setattr(device_lock, "TERMS", {ENGINE: device_lock.TERMS["sglang"]})
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("PROFILES_DEVICE_LOCK_DIR", str(tmp_path))
    monkeypatch.setattr(gpu_monitor, "pynvml", Nvml([71]))
    plan(database, "run-1")
    synthesise.run(database, run_id="run-1", lane=0)
    (card,) = build_report(database, run_id="run-1")["gpus"]
    assert (card["lane"], card["uuid"], card["max_celsius"]) == (0, "GPU-b", 71)

"""The monitor against a stand-in for NVML: what is sampled, warned about, kept and lost."""

from __future__ import annotations

import logging
import time
from unittest import mock

import pytest
from tests.fake_nvml import Nvml

from profiles.errors import DatabaseUnavailableError
from profiles.synthesis.gpu import gpu_monitor
from profiles.synthesis.gpu.gpu_monitor import GpuMonitor, throttle_reasons


def watch(nvml, *, cards=("0",), samples=1, store=None):
    """The samples that were stored while `samples` rounds were taken."""
    kept: list = []
    monitor = GpuMonitor(cards, store or kept.extend, sample_seconds=0.001, warn_celsius=85)
    with mock.patch.object(gpu_monitor, "pynvml", nvml), monitor:
        deadline = time.monotonic() + 20
        while monitor.stored + len(monitor._pending) < samples and time.monotonic() < deadline:
            time.sleep(0.002)
    return kept, monitor


def test_a_sample_holds_every_figure_of_the_lanes_cards():
    kept, _ = watch(Nvml(), cards=("0", "GPU-b"), samples=2)
    assert {sample["uuid"] for sample in kept} == {"GPU-a", "GPU-b"}
    row = dict(kept[0])
    assert row.pop("sampled_at").endswith("+00:00")
    assert row == {
        "index": 0,
        "uuid": "GPU-a",
        "name": "RTX 4090",
        "celsius": 60,
        "watts": 351.5,
        "utilisation": 97,
        "memory_used_mb": 20480,
        "memory_total_mb": 24576,
        "throttle": ("sw_power_cap", "hw_thermal"),
    }


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        (0x00, ()),
        (0x01, ()),
        (0x02 | 0x10 | 0x100, ()),
        (0x04, ("sw_power_cap",)),
        (0x08, ("hw_slowdown",)),
        (0x20, ("sw_thermal",)),
        (0x40, ("hw_thermal",)),
        (0x80, ("power_brake",)),
        (0x08 | 0x40, ("hw_slowdown", "hw_thermal")),
        (0x400, ("reason_0x400",)),
    ],
)
def test_throttle_reasons_are_words(bits, words):
    assert throttle_reasons(bits) == words


def test_it_knows_the_bits_as_nvml_names_them():
    pynvml = pytest.importorskip("pynvml")
    names = {
        "SwPowerCap": "sw_power_cap",
        "HwSlowdown": "hw_slowdown",
        "SwThermalSlowdown": "sw_thermal",
        "HwThermalSlowdown": "hw_thermal",
        "HwPowerBrakeSlowdown": "power_brake",
    }
    for name, word in names.items():
        assert throttle_reasons(getattr(pynvml, f"nvmlClocksThrottleReason{name}")) == (word,)


def test_heat_is_warned_about_once_a_rise_and_the_card_is_named(caplog):
    watch(Nvml([84, 85, 90, 84, 86, 70, 88, 88, 60]), samples=9)
    warnings = [item.getMessage() for item in caplog.records if "PROFILES_GPU_WARN" in item.msg]
    assert len(warnings) == 2
    assert "GPU 0 (RTX 4090, GPU-a)" in warnings[0]
    assert "85 °C" in warnings[0]
    assert "sw_power_cap, hw_thermal" in warnings[0]


def test_what_a_card_does_not_tell_is_none():
    deaf = ["nvmlDeviceGetPowerUsage", "nvmlDeviceGetMemoryInfo", "nvmlDeviceGetTemperature"]
    kept, _ = watch(Nvml(deaf=deaf))
    assert (kept[0]["watts"], kept[0]["memory_used_mb"], kept[0]["celsius"]) == (None, None, None)
    assert kept[0]["utilisation"] == 97


def test_without_nvml_there_is_one_line_and_no_thread(caplog):
    caplog.set_level(logging.INFO)
    kept, monitor = watch(Nvml(missing=True), samples=0)
    assert (kept, monitor.stored) == ([], 0)
    assert [item.getMessage() for item in caplog.records] == [
        "GPUs are not monitored: NVML: Driver Not Loaded"
    ]


def test_a_lane_without_cards_asks_nothing(caplog):
    caplog.set_level(logging.INFO)
    watch(Nvml(missing=True), cards=(), samples=0)
    assert caplog.records == []


def test_a_card_that_is_not_there_does_not_hide_the_others():
    kept, _ = watch(Nvml(), cards=("7", "1"))
    assert {sample["uuid"] for sample in kept} == {"GPU-b"}


def test_samples_wait_for_a_database_that_is_away_and_are_lost_with_the_lane(caplog):
    caplog.set_level(logging.INFO)

    def away(samples):
        raise DatabaseUnavailableError("gone")

    nvml = Nvml()
    _, monitor = watch(nvml, store=away, samples=5)
    assert monitor.stored == 0
    assert nvml.is_shut
    assert f"0 GPU samples stored, {len(monitor._pending)} lost" in caplog.text


def test_samples_of_an_outage_are_stored_when_it_is_over():
    kept: list = []
    answers = iter([DatabaseUnavailableError("gone")])

    def store(samples):
        for error in answers:
            raise error
        kept.extend(samples)

    _, monitor = watch(Nvml(), store=store, samples=2)
    assert len(kept) == monitor.stored >= 2
    assert monitor._pending == []

"""GPU hours, energy, and where each figure is from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from profiles.planning import NightEstimate
from profiles.settings import Settings
from profiles.steps.reports.plan_cost import (
    Measured,
    local_cost,
    plan_cost,
)

UNMEASURED = Measured(None, None, 0, 0, None, None, None)


def test_energy_has_a_price_only_where_one_is_set():
    assert local_cost(2, 0.6, None)["electricity"] is None
    assert local_cost(0, None, 0.2) == {"gpu_hours": 0, "kwh": None, "electricity": None}


def night(rate=3000.0):
    return NightEstimate(
        documents=475_000,
        prompt_tokens=475_000_000,
        output_tokens_each=800,
        lanes=2,
        tokens_per_second=rate,
        window_hours=8,
    )


def test_an_unmeasured_plan_says_which_settings_it_reckons_with():
    cost = plan_cost(night(), UNMEASURED, Settings(electricity_price=0.25), cards_per_lane=1)
    assert cost["gpu_hours"] == 35.19
    assert cost["energy_kwh"] == pytest.approx(12.315, abs=0.001)
    assert cost["electricity_cost"] == 3.08
    assert "PROFILES_MEASURED_TOKENS_PER_SECOND" in cost["rate_from"]
    assert "PROFILES_CARD_WATTS" in cost["watts_from"]
    assert (cost["rows"], cost["output_tokens"]) == (475_000, 380_000_000)


def test_a_measured_plan_reckons_with_what_was_measured_and_says_so():
    measured = Measured(800, 6000, 3, 6, "run-9", 2.0, 250.0)
    cost = plan_cost(night(6000), measured, Settings(), cards_per_lane=1)
    assert (cost["gpu_hours"], cost["energy_kwh"]) == (35.19, 8.796)
    assert cost["rate_from"] == "median of 6 lanes of 3 runs in 30 days, the newest run-9"
    assert cost["watts_from"].startswith("mean of the GPU samples")
    assert cost["electricity_cost"] is None


def test_an_engine_without_a_card_has_no_energy():
    measured = replace(UNMEASURED, cards=0.0)
    cost = plan_cost(night(), measured, Settings(), cards_per_lane=1)
    assert (cost["gpu_hours"], cost["energy_kwh"], cost["watts_per_card"]) == (0, None, None)
    assert cost["watts_from"] == "the engine needs no GPU"

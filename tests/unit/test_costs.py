"""GPU hours, energy, and where each figure is from."""

from __future__ import annotations

from dataclasses import replace

from profiles.planning import Measured, NightEstimate, plan_cost

UNMEASURED = Measured(None, None, 0, 0, None, None, None)


def night(rate=3000.0):
    return NightEstimate(
        documents=475_000,
        prompt_tokens=475_000_000,
        output_tokens_each=800,
        lanes=2,
        tokens_per_second=rate,
        window_hours=8,
    )


def test_an_unmeasured_plan_says_which_setting_it_reckons_with_and_guesses_no_energy():
    cost = plan_cost(night(), UNMEASURED, cards_per_lane=1)
    assert cost["gpu_hours"] == 35.19
    assert (cost["energy_kwh"], cost["watts_per_card"]) == (None, None)
    assert "PROFILES_MEASURED_TOKENS_PER_SECOND" in cost["rate_from"]


def test_a_measured_plan_reckons_with_what_was_measured_and_says_so():
    measured = Measured(800, 6000, 3, 6, "run-9", 2.0, 250.0)
    cost = plan_cost(night(6000), measured, cards_per_lane=1)
    assert (cost["gpu_hours"], cost["energy_kwh"]) == (35.19, 8.796)
    assert cost["rate_from"] == "median of 6 lanes of 3 runs in 30 days, the newest run-9"


def test_an_engine_without_a_card_has_no_energy():
    measured = replace(UNMEASURED, cards=0.0, watts=250.0)
    cost = plan_cost(night(), measured, cards_per_lane=1)
    assert (cost["gpu_hours"], cost["energy_kwh"], cost["watts_per_card"]) == (0, None, None)

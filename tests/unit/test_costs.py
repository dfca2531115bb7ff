"""Bills of hosted models, the own energy, and the price file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from profiles.errors import SettingsError
from profiles.planning import NightEstimate
from profiles.settings import INCLUDE_DIR, Settings
from profiles.steps.reports.plan_cost import (
    HostedModel,
    Measured,
    load_prices,
    local_cost,
    plan_cost,
)

NIGHT = (475_000_000, 380_000_000)
UNMEASURED = Measured(None, None, 0, 0, None, None, None)


def hosted(**changes):
    values = {
        "provider": "Northvale",
        "model": "small",
        "input": 0.10,
        "output": 0.50,
        "checked": "2026-11",
        "source": "https://northvale.example/prices",
    }
    return HostedModel.model_validate({**values, **changes})


def test_dollars_are_tokens_times_price_and_batches_are_cheaper():
    cost = hosted(batch_discount=0.5).cost(*NIGHT)
    assert (cost["dollars"], cost["batch_dollars"]) == (237.5, 118.75)
    assert hosted().cost(*NIGHT)["batch_dollars"] is None
    assert (cost["checked"], cost["source"]) == ("2026-11", "https://northvale.example/prices")


def test_every_price_that_ships_has_a_date_and_a_public_source():
    models = load_prices(INCLUDE_DIR / "prices" / "hosted_models.yaml")
    assert len(models) >= 3
    assert len({model.name for model in models}) == len(models)
    assert all(model.output > 0 and model.cost(*NIGHT)["dollars"] > 0 for model in models)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: 3", "models: Input should be a valid tuple"),
        ("[1, 2]", "the file: Input should be a valid dictionary"),
        ("a: [", "is no YAML"),
        ("models: [{provider: A}]", r"models\.0\.model: Field required"),
        (
            "models: [{provider: A, model: b, input: 1, output: 2, checked: soon, "
            "source: 'https://a.example', cached: 1}]",
            "checked: .*cached: Extra",
        ),
    ],
)
def test_a_wrong_price_file_is_told_where(tmp_path, text, said):
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=said):
        load_prices(path)


def test_a_whole_date_is_read_too(tmp_path):
    path = tmp_path / "prices.yaml"
    path.write_text(
        "models: [{provider: A, model: b, input: 1, output: 2, checked: 2026-11-05, "
        "source: 'https://a.example'}]"
    )
    assert load_prices(path)[0].checked == "2026-11-05"


def test_a_missing_price_file_says_which_setting(tmp_path):
    with pytest.raises(SettingsError, match="PROFILES_PRICES_FILE"):
        load_prices(tmp_path / "none.yaml")


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

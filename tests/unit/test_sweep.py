"""One factor at a time: the fastest is kept, failures are noted, time ends it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from profiles.errors import EngineError
from profiles.operations.tune import Sweep, factors_of, sweep
from profiles.synthesis.engines.engine_terms import SGLANG, VLLM
from profiles.synthesis.process.protocol import EngineReady
from profiles.synthesis.process.trial import PassFigures

PASS = PassFigures(
    requests=100,
    ok=100,
    failed=0,
    ended=True,
    seconds=10,
    output_tokens=1000,
    prompt_tokens=1000,
    cached_tokens=0,
    output_tokens_per_second=100,
    cached_share=0,
    retractions=0,
    retractions_per_minute=0,
    most_running=10,
    most_waiting=0,
    most_token_usage=0.5,
    peak_mib=None,
)


READY = EngineReady("sglang", "0.5.23", "m", 10, 4096, 1.0, {"arguments": {}})


def figures(rate: float, failed: int = 0) -> PassFigures:
    return replace(PASS, output_tokens_per_second=rate, failed=failed, ok=100 - failed)


class Engines:
    """Trials of 10 s each; the rate of the options decides."""

    def __init__(self, rates: dict[str, float | PassFigures | EngineError]) -> None:
        self.now = 0.0
        self.asked: list[dict[str, Any]] = []
        self._rates = rates

    def run(self, options: dict[str, Any]) -> tuple[EngineReady, PassFigures]:
        self.now += 10
        self.asked.append(options)
        rate = 100.0
        for name, value in options.items():
            found = self._rates.get(f"{name}={value}", 1.0)
            if isinstance(found, EngineError):
                raise found
            if isinstance(found, PassFigures):
                return READY, found
            rate *= found
        return READY, figures(rate)

    def sweep(self, *factors: tuple[dict[str, Any], ...], seconds: float = 1000) -> Sweep:
        return sweep(
            {"base": 1}, lambda _: factors, self.run, clock=lambda: self.now, deadline=seconds
        )


A = ({"a": 1}, {"a": 2})
B = ({"b": 1}, {"b": 2})


def test_the_fastest_value_of_each_factor_is_kept_and_built_on():
    engines = Engines({"a=1": 1.2, "a=2": 1.5, "b=1": 0.5, "b=2": 1.1})
    found = engines.sweep(A, B)
    assert found.options == {"base": 1, "a": 2, "b": 2}
    assert max(trial.rate for trial in found.trials if trial.kept) == pytest.approx(165)
    assert engines.asked[3] == {"base": 1, "a": 2, "b": 1}
    assert [trial.kept for trial in found.trials] == [True, False, True, False, True]


def test_a_gain_within_noise_changes_nothing():
    assert Engines({"a=1": 1.015, "a=2": 0.9}).sweep(A).options == {"base": 1}


def test_a_trial_that_fails_is_noted_and_passed_over():
    error = EngineError("no memory")
    found = Engines({"a=1": error, "a=2": 1.3}).sweep(A)
    assert found.options == {"base": 1, "a": 2}
    assert found.trials[1].error == "no memory"
    assert not found.trials[1].kept
    assert not found.trials[1].figures


def test_speed_that_loses_requests_does_not_count():
    found = Engines({"a=1": figures(500, failed=5)}).sweep(A)
    assert found.options == {"base": 1}
    assert "5 of 100 requests failed" in str(found.trials[1].error)


def test_no_trial_begins_that_would_end_after_the_deadline():
    found = Engines({"a=1": 1.2, "b=1": 2.0}).sweep(A, B, seconds=35)
    assert len(found.trials) == 3
    assert found.untried == 2
    assert found.options == {"base": 1, "a": 1}


def test_settings_that_do_not_run_at_all_are_no_result():
    with pytest.raises(EngineError):
        Engines({"base=1": EngineError("no memory")}).sweep(A)


def test_factors_are_the_values_that_the_plan_did_not_take():
    arguments = {
        "max_running_requests": 120,
        "chunked_prefill_size": 2048,
        "mem_fraction_static": 0.844,
        "swa_full_tokens_ratio": 0.3,
        "disable_prefill_cuda_graph": True,
    }
    factors = factors_of(SGLANG, arguments)
    assert factors[0][1] == {"max_running_requests": 152, "cuda_graph_max_bs_decode": 152}
    assert factors[1:3] == [
        ({"kv_cache_dtype": "fp8_e4m3"}, {"kv_cache_dtype": "fp8_e5m2"}),
        ({"disable_prefill_cuda_graph": False},),
    ], "what was worth most comes first"
    assert [change["chunked_prefill_size"] for change in factors[3][:3]] == [512, 1024, 4096]
    assert ({"schedule_conservativeness": 0.3}, {"schedule_conservativeness": 1.3}) in factors
    assert ({"schedule_policy": "lpm"},) in factors
    assert ({"mem_fraction_static": 0.824}, {"mem_fraction_static": 0.864}) in factors
    changed = {name for factor in factors for change in factor for name in change}
    assert "swa_full_tokens_ratio" in changed


def test_vllms_factors_start_from_its_own_plan():
    arguments = {
        "max_num_seqs": 120,
        "max_num_batched_tokens": 2048,
        "gpu_memory_utilization": 0.936,
    }
    factors = factors_of(VLLM, arguments)
    assert factors[0][1] == {"max_num_seqs": 152, "max_cudagraph_capture_size": 152}
    assert ({"gpu_memory_utilization": 0.916}, {"gpu_memory_utilization": 0.956}) in factors
    assert {"max_num_batched_tokens": 2048} not in [c for factor in factors for c in factor]

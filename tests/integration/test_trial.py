"""A trial of settings is one real engine process: loaded, warmed up, asked, measured and ended."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from profiles.errors import EngineError, EngineJobError
from profiles.models import Message, Request, Sampling
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob
from profiles.synthesis.process.trial import PassFigures, run_trial


def requests(count: int, prefix: str = "") -> list[Request]:
    message = Message("user", "Profile: She leads the payments team of a bank.\n\nSummary")
    return [Request(f"{prefix}{number}", (message,), Sampling()) for number in range(count)]


def client(tmp_path: Path, engine: str, **options: object) -> EngineClient:
    return EngineClient(
        EngineJob(engine, options=dict(options), max_in_flight=4),
        python=Path(sys.executable),
        log_path=tmp_path / "engine.log",
        start_timeout=60,
        silence_timeout=30,
    )


def trial(
    tmp_path: Path, *, count: int = 12, seconds: float = 30, **options: object
) -> PassFigures:
    engine = client(tmp_path, "tests.scripted_engine:ScriptedEngine", **options)
    warm_up = requests(3, "w")
    ready, figures = run_trial(engine, requests(count), window=4, warm_up=warm_up, seconds=seconds)
    assert ready.load_seconds > 0
    return figures


def test_the_measured_pass_is_counted_apart_from_the_warm_up(tmp_path):
    figures = trial(tmp_path)
    assert (figures.requests, figures.ok, figures.failed) == (12, 12, 0)
    assert figures.ended
    assert figures.output_tokens_per_second > 0


def test_requests_that_fail_are_counted_and_earn_no_tokens(tmp_path):
    figures = trial(tmp_path, faults={"error": 1, "sticky": True})
    assert (figures.ok, figures.failed) == (0, 12)
    assert figures.errors == {"scripted": 12}
    assert figures.output_tokens_per_second == 0


def test_a_pass_that_takes_too_long_says_so(tmp_path):
    figures = trial(tmp_path, count=400, seconds=1, delay=0.3)
    assert not figures.ended
    assert 0 < figures.ok < 400


def test_retractions_are_those_of_the_measured_pass(tmp_path):
    (tmp_path / "engine.log").write_text("KV cache pool is full. #retracted_reqs: 9, x\n")
    figures = trial(tmp_path, log_line="KV cache pool is full. #retracted_reqs: 2, #new: 1")
    # The engine writes the line with each of 15 answers, 12 of them in the measured pass.
    assert figures.retractions == 24
    assert figures.retractions_per_minute > 24


def test_an_engine_that_cannot_start_raises(tmp_path):
    with pytest.raises(EngineJobError, match="no_such_module"):
        run_trial(client(tmp_path, "no_such_module:Engine"), [], window=4, warm_up=[], seconds=5)


def test_an_engine_that_dies_raises(tmp_path):
    with pytest.raises(EngineError, match="ended while running"):
        trial(tmp_path, faults={"crash_after": 5})

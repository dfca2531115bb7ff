"""The GPU benchmarks run to their end, against stand-ins for SGLang and for the card."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmarks.isolation import case
from tests.paths import REPOSITORY

pytestmark = pytest.mark.release
CARDS = """#!{python}
import sys
card = {{"index": "{{n}}", "uuid": "GPU-{{n}}", "name": "Imaginary H100", "memory.total": "81559",
        "memory.used": "15000", "memory.free": "60000",
        "compute_cap": "9.0", "driver_version": "580.1"}}
named = [item.partition("=")[2] for item in sys.argv if item.startswith("--id=")]
for item in sys.argv:
    if item.startswith("--query-gpu="):
        for n in named[0].split(",") if named else "01":
            print(", ".join(card[name].format(n=n) for name in item.partition("=")[2].split(",")))
"""
CONFIG = {
    "model_type": "gpt_oss",
    "num_hidden_layers": 24,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "hidden_size": 2880,
    "vocab_size": 201088,
    "sliding_window": 128,
    "layer_types": ["sliding_attention", "full_attention"] * 12,
    "quantization_config": {"quant_method": "mxfp4"},
    "max_position_embeddings": 8192,
}
Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs one benchmark with its arguments and returns what it wrote."""
    program = tmp_path / "bin" / "nvidia-smi"
    program.parent.mkdir()
    program.write_text(CARDS.format(python=sys.executable))
    program.chmod(0o755)
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text(json.dumps(CONFIG))
    path = [REPOSITORY / "include", REPOSITORY, REPOSITORY / "tests" / "fake_sglang"]

    def run(module: str, *arguments: object, out: str = "out.json", cards: str = "0") -> Any:
        given = [str(item) for item in arguments]
        if module != "gpu_lane" and "--join" not in given and "--merge" not in given:
            given += ["--model", str(model), "--log", str(tmp_path / "engine.log")]
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{module}", *given, "--json", str(tmp_path / out)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env={
                **os.environ,
                "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": os.pathsep.join(map(str, path)),
                "CUDA_VISIBLE_DEVICES": cards,
            },
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads((tmp_path / out).read_text())

    return run


FEED = ("--n", 6, "--batch", 2, "--warm-n", 2)


def test_the_feed_of_one_engine_has_every_pass_and_the_ratios(run: Run) -> None:
    small = '{"chunked_prefill_size": 256, "disable_prefill_cuda_graph": true}'
    found = run("engine_feed", *FEED, "--order", "cab", "--budget-mib", 0, "--options", small)
    assert found["ours"]["warm_sizes_seconds"] > 4 * 0.3, "each size is a step of its own"
    passes = found["ours"]["passes"]
    assert [item["pass"] for item in passes] == ["c", "a", "b"]
    assert [len(item.get("batch_seconds", ())) for item in passes] == [1, 3, 0]
    assert all(item["failed"] == 0 for item in passes)
    assert found["settings"]["mem_fraction_static"] > 0.8
    assert {"ours_over_ceiling", "ours_over_loop", "tail_share_at_batches_of_1000"} <= found.keys()


def test_the_passes_of_two_cards_are_joined_and_kept_apart(run: Run, tmp_path: Path) -> None:
    feed = (*FEED, "--no-warm-sizes")
    run("engine_feed", *feed, "--order", "cab", out="1.json")
    run("engine_feed", *feed, "--order", "bac", out="2.json")
    found = run("engine_feed", "--join", tmp_path / "1.json", tmp_path / "2.json")
    assert [item["pass"] for item in found["ours"]["passes"]] == list("cabbac")
    assert [len(engine["passes"]) for engine in found["engines"]] == [3, 3]
    assert found["order"] == "cab bac"
    assert "mem_fraction_static" not in found["settings"], "KV tokens stand for the card"


def test_a_setting_is_compared_with_the_base_and_a_failure_is_a_row(run: Run) -> None:
    rows = "base,fp8_e5m2,chunk_16384,fa3,base"
    found = run("settings_sweep", "--n", 4, "--warm-n", 2, "--rows", rows)
    first, fp8, chunk, fa3, last = found["rows"]
    assert round((first["ratio_to_base"] + last["ratio_to_base"]) / 2, 1) == 1
    assert found["base"][0]["runs"] == 2
    assert fp8["settings"]["max_total_tokens"] > 1.9 * first["settings"]["max_total_tokens"]
    assert chunk["settings"]["max_total_tokens"] < first["settings"]["max_total_tokens"]
    assert fa3["error"].startswith("not runnable here")


def test_a_setting_that_leaves_no_room_is_a_row_that_says_so(run: Run) -> None:
    large = ("--weight-bytes", 21_000_000_000)
    found = run("settings_sweep", "--n", 2, "--warm-n", 2, "--rows", "chunk_16384", *large)
    assert "do not fit" in found["rows"][0]["error"]


def test_the_check_of_an_engine_asks_every_pass_and_lets_it_drain(run: Run) -> None:
    options = '{"skip_tokenizer_init": true}'
    found = run("engine_check", "--synthetic", 6, "--end", "drain", "--options", options)
    for name in ("cold", "warm", "repetition_penalty_1.05"):
        assert (found[name]["ok"], found[name]["failed"], found[name]["ended"]) == (6, 0, True)
        assert found[name]["cached_tokens"] == 6 * 5
    assert found["too_long"]["bad"].endswith("context tokens")
    assert [found["too_long"][f"good-{number}"] for number in range(4)] == ["stop"] * 4
    assert found["drain"]["exit_code"] == 0
    assert found["client_exit_code"] == 0


def test_a_lane_survives_what_the_endurance_check_does_to_it(run: Run, tmp_path: Path) -> None:
    found = run("endurance_check", "--n", 120, "--running", 8, "--locks", tmp_path / "locks")
    for name in ("scheduler", "memory"):
        assert (found[name]["answered"], found[name]["lost"]) == (120, 0)
    assert found["scheduler"]["engine_deaths"] == 1
    assert 0 < found["scheduler"]["asked_again"] <= 8
    assert "mem_fraction_static 0.985 -> 0.8" in found["memory"]["memory_steps"][0]
    assert all(found[name]["held"] for name in ("scheduler", "memory"))


def test_the_search_for_requests_that_end_engines_refuses_those_alone() -> None:
    assert case(300, 2, window=64, seed=3)["refused"] == 2
    assert case(300, 0, window=64, seed=3)["refused"] == 0


def test_the_lane_benchmark_goes_from_extract_to_publish(
    run: Run, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    found = run(
        "gpu_lane",
        *("--engine", "tests.scripted_engine:ScriptedEngine", "--options", "{}"),
        *("--people", 12, "--alone", 3),
    )
    night = found["night"]
    assert sum(night["outcomes"].values()) == night["lane"]["documents"] > 0
    assert night["publish"]["published"] > 0
    assert found["alone"]["ok"] == 3
    assert found["lane_over_alone"] > 0

"""One engine per card, on one host."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest
from tests.unit.test_parallelism import GPT_OSS, RTX_4090

from profiles.errors import EngineJobError, SettingsError
from profiles.synthesis.gpu.device_lock import cards_needed, claim_devices, visible_cards


def claim(tmp_path, needed=1, cards=("0", "1")):
    return claim_devices(needed, cards=cards, lock_dir=tmp_path / "locks")


def test_each_claim_gets_a_card_of_its_own_until_none_is_left(tmp_path):
    first, second = claim(tmp_path), claim(tmp_path)
    assert (first.cards, second.cards) == (("0",), ("1",))
    assert claim(tmp_path) is None
    first.close()
    assert claim(tmp_path).cards == ("0",)


def test_a_claim_that_fails_keeps_no_card(tmp_path):
    held = claim(tmp_path, cards=("0",))
    assert claim(tmp_path, needed=2) is None
    assert claim(tmp_path).cards == ("1",)
    held.close()


def test_a_card_is_free_when_the_last_process_that_holds_its_lock_is_gone(tmp_path):
    held = claim(tmp_path, cards=("0",))
    child = subprocess.Popen(["sleep", "600"], pass_fds=held.descriptors)
    held.close()
    assert claim(tmp_path, cards=("0",)) is None
    child.kill()
    child.wait()
    assert claim(tmp_path, cards=("0",)) is not None


def test_the_engine_sees_its_own_cards_alone(tmp_path):
    assert claim(tmp_path, needed=2).environment == {"CUDA_VISIBLE_DEVICES": "0,1"}
    assert claim(tmp_path, needed=0).environment == {}


def test_a_host_with_too_few_cards_refuses(tmp_path):
    with pytest.raises(EngineJobError, match="needs 3 GPUs and this host has 2"):
        claim(tmp_path, needed=3)


@pytest.fixture
def private_umask():
    before = os.umask(0o077)
    yield
    os.umask(before)


def modes(tmp_path):
    paths = [tmp_path / "locks", *(tmp_path / "locks").iterdir()]
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_every_user_of_the_host_may_lock_whatever_the_umask(tmp_path, private_umask):
    claim(tmp_path).close()
    assert modes(tmp_path) == {"locks": 0o1777, "gpu-0.lock": 0o666}


def test_a_folder_that_exists_keeps_its_mode(tmp_path, private_umask):
    (tmp_path / "locks").mkdir(mode=0o700)
    claim(tmp_path).close()
    assert modes(tmp_path)["locks"] == 0o700


def test_a_file_of_another_user_is_opened_without_creating_it(tmp_path, monkeypatch):
    claim(tmp_path).close()

    def open_protected(path, flags, *args, **kwargs):
        """As in a sticky folder under fs.protected_regular."""
        if flags & os.O_CREAT:
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, *args, **kwargs)

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    real_open = os.open
    monkeypatch.setattr(os, "open", open_protected)
    monkeypatch.setattr(os, "fchmod", refuse)
    assert claim(tmp_path).cards == ("0",)


def test_a_folder_that_cannot_be_used_names_its_setting_and_keeps_no_card(tmp_path):
    (tmp_path / "locks/gpu-1.lock").mkdir(parents=True)
    with pytest.raises(SettingsError, match="PROFILES_DEVICE_LOCK_DIR"):
        claim(tmp_path, needed=2)
    assert claim(tmp_path).cards == ("0",)
    with pytest.raises(SettingsError, match="PROFILES_DEVICE_LOCK_DIR"):
        claim(tmp_path / "locks/gpu-0.lock")


@pytest.mark.parametrize(
    ("engine", "options", "expected"),
    [
        ("llama_cpp", {}, 0),
        ("openai", {"tp_size": 2}, 0),
        ("tests.scripted_engine:ScriptedEngine", {}, 0),
        ("sglang", {}, 1),
        ("sglang", {"tp_size": 2}, 2),
        ("vllm", {}, 1),
        ("vllm", {"tensor_parallel_size": 2, "pipeline_parallel_size": 2}, 4),
        ("vllm", {"device": "cpu"}, 0),
    ],
)
def test_only_gpu_engines_need_cards(engine, options, expected):
    assert cards_needed(engine, options) == expected


def test_cards_are_those_the_environment_names_else_the_device_nodes(tmp_path, monkeypatch):
    for name in ("nvidia10", "nvidia2", "nvidiactl", "nvidia-uvm"):
        (tmp_path / name).touch()
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert visible_cards(tmp_path) == ("2", "10")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-abc, 1")
    assert visible_cards(tmp_path) == ("GPU-abc", "1")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert visible_cards(tmp_path) == ()


def gpt_oss(folder: Path, weight_bytes: int) -> str:
    (folder / "config.json").write_text(json.dumps({**GPT_OSS, "quantization_config": None}))
    with (folder / "model.safetensors").open("wb") as weights:
        weights.truncate(weight_bytes)
    return str(folder)


@pytest.mark.parametrize(
    ("weight_bytes", "options", "expected"),
    [
        (10 << 30, {}, 1),
        (39 << 30, {}, 2),
        (39 << 30, {"tp_size": 4}, 4),
        (10 << 30, {"tp_size": 2, "pp_size": 2}, 4),
        (39 << 30, {"quantization": "fp8"}, 1),
    ],
)
def test_a_model_too_large_for_one_card_takes_as_many_as_the_plan_splits_it_over(
    weight_bytes, options, expected, tmp_path, monkeypatch
):
    monkeypatch.setattr(
        "profiles.synthesis.gpu.parallelism.visible_gpus", lambda: (RTX_4090, RTX_4090)
    )
    assert cards_needed("sglang", options, gpt_oss(tmp_path, weight_bytes)) == expected


def test_a_model_that_fits_no_split_is_refused_before_a_card_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr("profiles.synthesis.gpu.parallelism.visible_gpus", lambda: (RTX_4090,))
    with pytest.raises(EngineJobError, match="do not fit 1 x RTX 4090"):
        cards_needed("sglang", {}, gpt_oss(tmp_path, 39 << 30))

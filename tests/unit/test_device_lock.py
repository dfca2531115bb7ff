"""One engine per card, on one host."""

from __future__ import annotations

import pytest

from profiles.errors import EngineJobError
from profiles.synthesis.device_lock import cards_needed, claim_devices, visible_cards


def claim(tmp_path, needed=1, cards=("0", "1")):
    return claim_devices(needed, cards=cards, lock_dir=tmp_path / "locks")


def test_each_claim_gets_a_card_of_its_own_until_none_is_left(tmp_path):
    first, second = claim(tmp_path), claim(tmp_path)
    assert (first.cards, second.cards) == (("0",), ("1",))
    assert claim(tmp_path) is None
    first.release()
    assert claim(tmp_path).cards == ("0",)


def test_a_claim_that_fails_keeps_no_card(tmp_path):
    held = claim(tmp_path, cards=("0",))
    assert claim(tmp_path, needed=2) is None
    assert claim(tmp_path).cards == ("1",)
    held.release()


def test_the_engine_sees_its_own_cards_alone(tmp_path):
    assert claim(tmp_path, needed=2).environment == {"CUDA_VISIBLE_DEVICES": "0,1"}
    assert claim(tmp_path, needed=0).environment == {}


def test_a_host_with_too_few_cards_refuses(tmp_path):
    with pytest.raises(EngineJobError, match="needs 3 GPUs and this host shows 2"):
        claim(tmp_path, needed=3)


@pytest.mark.parametrize(
    ("engine", "options", "expected"),
    [
        ("llama_cpp", {}, 0),
        ("openai", {"tp_size": 2}, 0),
        ("tests.scripted_engine:ScriptedEngine", {}, 0),
        ("sglang", {}, 1),
        ("sglang", {"tp_size": 2}, 2),
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

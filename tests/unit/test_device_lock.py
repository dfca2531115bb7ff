"""One engine per card, on one host."""

from __future__ import annotations

import os
import stat

import pytest

from profiles.errors import EngineJobError, SettingsError
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


@pytest.fixture
def private_umask():
    before = os.umask(0o077)
    yield
    os.umask(before)


def modes(tmp_path):
    paths = [tmp_path / "locks", *(tmp_path / "locks").iterdir()]
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_every_user_of_the_host_may_lock_whatever_the_umask(tmp_path, private_umask):
    claim(tmp_path).release()
    assert modes(tmp_path) == {"locks": 0o1777, "gpu-0.lock": 0o666}


def test_a_folder_that_exists_keeps_its_mode(tmp_path, private_umask):
    (tmp_path / "locks").mkdir(mode=0o700)
    claim(tmp_path).release()
    assert modes(tmp_path)["locks"] == 0o700


def test_a_file_of_another_user_is_opened_without_creating_it(tmp_path, monkeypatch):
    claim(tmp_path).release()

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

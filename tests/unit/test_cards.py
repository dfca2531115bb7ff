"""GPUs that a process may use, read with nvidia-smi."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.synthesis.gpu.cards import visible_gpus
from profiles.synthesis.gpu.model_shape import Card


@pytest.fixture
def nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def install(script: str) -> None:
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    return install


TWO = "echo '0, GPU-a, RTX 4090, 24564, 8.9'; echo '1, GPU-b, H100, 81559, 9.0'"


@pytest.mark.parametrize(
    ("visible", "names"),
    [
        (None, ["RTX 4090", "H100"]),
        ("1", ["H100"]),
        ("GPU-a", ["RTX 4090"]),
        ("", []),
    ],
)
def test_the_visible_cards_are_described(nvidia_smi, monkeypatch, visible, names):
    nvidia_smi(TWO)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert [card.name for card in visible_gpus()] == names


def test_memory_and_capability_are_numbers(nvidia_smi):
    nvidia_smi(TWO)
    assert visible_gpus()[0] == Card("RTX 4090", 24564 << 20, (8, 9))


@pytest.mark.parametrize(
    "script", ["exit 9", "echo 'No devices were found'", "echo '0, a, b, c, d'"]
)
def test_where_the_cards_cannot_be_told_there_are_none(nvidia_smi, script):
    nvidia_smi(script)
    assert visible_gpus() == ()


def test_without_nvidia_smi_there_are_none(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert visible_gpus() == ()

"""Name of a model, and its revision, which follows its content alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from profiles.errors import EngineJobError
from profiles.synthesis.engines.model_files import EMBEDDED_MODEL, locate_model


def model_folder(path: Path, weights: bytes = b"weights") -> Path:
    path.mkdir()
    (path / "config.json").write_text("{}")
    (path / "model.safetensors").write_bytes(weights)
    return path


def test_llama_cpp_takes_the_embedded_model_when_none_is_named(tmp_path: Path):
    (tmp_path / EMBEDDED_MODEL).write_bytes(b"GGUF")
    found = locate_model("llama_cpp", models_dir=tmp_path)
    assert (found.name, found.path) == (EMBEDDED_MODEL, str(tmp_path / EMBEDDED_MODEL))


@pytest.mark.parametrize(
    ("engine", "model", "hint"),
    [
        ("llama_cpp", "", "make setup"),
        ("llama_cpp", "x.gguf", "GGUF"),
        ("sglang", "", "config"),
        ("vllm", "", "vllm needs"),
    ],
)
def test_a_missing_model_says_what_to_do(engine, model, hint, tmp_path: Path):
    with pytest.raises(EngineJobError, match=hint):
        locate_model(engine, model, models_dir=tmp_path)


def test_a_copy_elsewhere_at_another_time_has_the_same_revision(tmp_path: Path):
    one, other = model_folder(tmp_path / "a"), model_folder(tmp_path / "b")
    os.utime(other / "config.json", (1, 1))
    (other / "README.md").write_text("not part of the model")
    assert locate_model("sglang", str(one)).revision == locate_model("sglang", str(other)).revision


def test_other_content_of_the_same_size_has_another_revision(tmp_path: Path):
    one = model_folder(tmp_path / "a", b"weights")
    other = model_folder(tmp_path / "b", b"weighty")
    assert locate_model("sglang", str(one)).revision != locate_model("sglang", str(other)).revision


@pytest.mark.parametrize("place", [0, 20 << 20, (40 << 20) - 1])
def test_a_large_file_is_sampled_from_its_beginning_to_its_end(place, tmp_path: Path):
    path = tmp_path / "m.gguf"
    with path.open("wb") as stream:
        stream.truncate(40 << 20)
    before = locate_model("llama_cpp", str(path)).revision
    # Pieces lie closer together than this run of bytes is long.
    changed = b"x" * min((3 << 20), (40 << 20) - place)
    with path.open("r+b") as stream:
        stream.seek(place)
        stream.write(changed)
    assert locate_model("llama_cpp", str(path)).revision != before


def test_the_operators_revision_wins(tmp_path: Path):
    folder = model_folder(tmp_path / "a")
    assert locate_model("sglang", str(folder), revision="r7").revision == "r7"


def test_a_server_is_known_by_name_alone():
    assert locate_model("openai", "small-model").name == "small-model"


def test_another_engine_needs_no_model():
    assert locate_model("tests.scripted_engine:ScriptedEngine").name == "ScriptedEngine"

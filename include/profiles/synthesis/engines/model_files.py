"""The model that an engine loads, and the revision of its files.

The revision enters the fingerprint of every profile, so it depends on the files' content and on
nothing else: no path, no time stamp. Weights are sampled, because hashing 13 GB takes longer than
planning a night; everything small is hashed whole.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from profiles.errors import EngineJobError
from profiles.synthesis.engines.engine_terms import TERMS

MODELS_DIR = Path(__file__).resolve().parents[4] / ".profiles" / "models"
"""Folder in which `make` installs the embedded model."""
EMBEDDED_MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"

_WHOLE_BELOW = 32 << 20
_SAMPLE = 1 << 20
_SAMPLES = 16
_MODEL_SUFFIXES = frozenset({".safetensors", ".bin", ".gguf", ".json", ".jinja", ".model", ".txt"})


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """`path` goes to the engine, `name` to people and lineage, `revision` to the fingerprint."""

    path: str
    name: str
    revision: str


def locate_model(
    engine: str, model: str = "", *, revision: str = "", models_dir: Path = MODELS_DIR
) -> ModelFiles:
    """The model of a deployment or a run; the embedded one when nothing is named for llama_cpp. A
    given `revision` wins over the derived one; for `openai` nothing else tells it."""
    if engine == "openai":
        return ModelFiles(model, model or "served", revision or "served")
    path = Path(model).expanduser()
    if engine == "llama_cpp":
        path = path if model else models_dir / EMBEDDED_MODEL
        if not path.is_file():
            raise EngineJobError(
                f"engine llama_cpp needs a GGUF file, which {path} is not; run make setup for the "
                "embedded model, or set PROFILES_MODEL"
            )
    elif engine in TERMS:
        if not model or not (path / "config.json").is_file():
            raise EngineJobError(
                f"engine {engine} needs a Hugging Face folder with config.json, which {model!r} is "
                "not; set PROFILES_MODEL to one on this machine"
            )
    elif not model or not path.exists():
        return ModelFiles(model, model or engine.rpartition(":")[2], revision or "unversioned")
    resolved = path.resolve()
    if revision:
        # A host without the files plans with the same name, and cannot follow a link.
        return ModelFiles(str(resolved), path.name, revision)
    return ModelFiles(str(resolved), resolved.name, _digest(resolved))


def _digest(path: Path) -> str:
    """Sixteen hex digits over names, sizes and contents of the model's files."""
    digest = hashlib.sha256()
    files = (file for file in path.iterdir() if file.suffix in _MODEL_SUFFIXES)
    for file in [path] if path.is_file() else sorted(files):
        size = file.stat().st_size
        # The name of a lone file is no part of the model: a copy under another name is the same.
        digest.update(f"{'' if path.is_file() else file.name}\0{size}\0".encode())
        with file.open("rb") as stream:
            if size <= _WHOLE_BELOW:
                digest.update(stream.read())
                continue
            step = (size - _SAMPLE) / (_SAMPLES - 1)
            for number in range(_SAMPLES):
                stream.seek(round(number * step))
                digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()[:16]

"""Vectors of texts from a small model on the CPU, by ONNX Runtime, without network.

A model is a folder as sentence-transformers publishes it, with ONNX weights; its name is the
folder's. A long text is cut into chunks by the model's tokenizer; its vector is the mean of theirs,
weighted by tokens and scaled to length one. Knows no database.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from profiles.errors import EngineJobError

_BATCH = 16
_DEFAULT_TOKENS = 512


def locate_embedding_model(folder: Path) -> tuple[Path, Path]:
    weights = folder / "model.onnx"
    if not weights.is_file():
        weights = folder / "onnx" / "model.onnx"
    for path in (weights, folder / "tokenizer.json"):
        if not path.is_file():
            raise EngineJobError(
                f"the embedding model lacks {path}; run `make embeddings`, set "
                "PROFILES_EMBEDDINGS_DIR to a folder with ONNX weights, or set "
                "PROFILES_EMBEDDINGS=off"
            )
    return weights, folder / "tokenizer.json"


def embedding_revision(folder: Path) -> str:
    """A digest of the model's files: other weights make every vector again."""
    digest = hashlib.sha256()
    for path in locate_embedding_model(folder):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class EmbeddingModel:
    """One model, loaded. `name` and `dimension` tell its vectors from others'."""

    def __init__(self, folder: Path) -> None:
        weights, tokenizer = locate_embedding_model(folder)
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise EngineJobError(
                "this interpreter lacks onnxruntime or tokenizers; install the extra "
                "`embeddings`, or set PROFILES_EMBEDDINGS=off"
            ) from error
        self.name = folder.name
        self._tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        tokens = _config(folder / "sentence_bert_config.json").get("max_seq_length")
        self._tokenizer.enable_truncation(int(tokens or _DEFAULT_TOKENS))
        pooling = _config(folder / "1_Pooling" / "config.json")
        self._takes_first = bool(pooling.get("pooling_mode_cls_token"))
        self._prompts = _config(folder / "config_sentence_transformers.json").get("prompts", {})
        self._session = onnxruntime.InferenceSession(
            str(weights), providers=["CPUExecutionProvider"]
        )
        self._inputs = [each.name for each in self._session.get_inputs()]
        self.dimension = int(self._session.get_outputs()[0].shape[-1])

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[tuple[float, ...]]:
        """One vector of length one for each text, in order; zeros for an empty text."""
        prompt = self._prompts.get("query" if is_query else "passage", "")
        encodings = self._tokenizer.encode_batch([prompt + text for text in texts])
        chunks = [
            (owner, chunk)
            for owner, encoding in enumerate(encodings)
            if texts[owner].strip()
            for chunk in (encoding, *encoding.overflowing)
        ]
        # Neighbours in size share a call, so that none waits for a much longer one.
        chunks.sort(key=lambda pair: len(pair[1].ids))
        total = np.zeros((len(texts), self.dimension))
        for start in range(0, len(chunks), _BATCH):
            owners, batch = zip(*chunks[start : start + _BATCH], strict=True)
            for owner, chunk, vector in zip(owners, batch, self._vectors(batch), strict=True):
                total[owner] += len(chunk.ids) * vector
        lengths = np.linalg.norm(total, axis=1, keepdims=True)
        return list(map(tuple, (total / np.where(lengths > 0, lengths, 1)).tolist()))

    def _vectors(self, chunks: Sequence[Any]) -> Any:
        ids = np.zeros((len(chunks), max(len(chunk.ids) for chunk in chunks)), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, chunk in enumerate(chunks):
            ids[row, : len(chunk.ids)] = chunk.ids
            mask[row, : len(chunk.ids)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        if output.ndim == 3 and self._takes_first:
            output = output[:, 0]
        elif output.ndim == 3:
            output = (output * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return output / np.linalg.norm(output, axis=1, keepdims=True)


def _config(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text())) if path.is_file() else {}

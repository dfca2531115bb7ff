"""all-MiniLM-L6-v2 in this process, by the llama.cpp of the xllamacpp wheel, without network.

The model was trained on 256 word pieces, two of which mark begin and end, so a longer text is cut
into chunks. Its vector is the mean of their unit vectors, each weighted by its word pieces, scaled
to length one: nothing of a document is left out, and a long chunk counts for more than a short one.
"""

from __future__ import annotations

import json
import math
import os
import queue
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

from profiles.embedding.chunks import Chunk, split
from profiles.embedding.wordpieces import WordPieces
from profiles.errors import EngineError, EngineJobError
from profiles.synthesis.engines.llama_cpp import close_to_others
from profiles.synthesis.engines.model_files import MODELS_DIR

__all__ = ["DIMENSION", "EMBEDDING_MODEL", "EmbeddingModel", "locate_embedding_model", "pool"]

DIMENSION = 384
EMBEDDING_MODEL = "all-MiniLM-L6-v2"
CHUNK_PIECES = 254

_FILE = "all-MiniLM-L6-v2.gguf"
_PIECES_FILE = "all-MiniLM-L6-v2.vocab.txt"
_CONTEXT = 512
"""Twice what a chunk has, so that a piece counted otherwise here than by the engine is no error."""
_CALL_CHUNKS = 16
_MOST_COPIES = 8


def locate_embedding_model(folder: Path = MODELS_DIR) -> tuple[Path, Path]:
    """The GGUF file and the list of its word pieces.

    Raises:
        EngineJobError: they were not set up.
    """
    model, pieces = folder / _FILE, folder / _PIECES_FILE
    for path in (model, pieces):
        if not path.is_file():
            raise EngineJobError(
                f"the embedding model needs {path} and it is not there; run `make embeddings`, or "
                "set PROFILES_EMBEDDINGS=off"
            )
    return model, pieces


class EmbeddingModel:
    """Copies of the model, one thread each: threads of one copy wait for each other.

    Close it, or use it in a `with`. `copies` 0 is one for each core, eight at most.
    """

    def __init__(self, folder: Path = MODELS_DIR, *, copies: int = 0) -> None:
        model, pieces = locate_embedding_model(folder)
        self.pieces = WordPieces.from_file(pieces)
        copies = copies or min(len(os.sched_getaffinity(0)), _MOST_COPIES)
        self._servers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for _ in range(copies):
            self._servers.put(_server(model))
        self._pool = ThreadPoolExecutor(copies, thread_name_prefix="embedding")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """One unit vector of 384 numbers for each text, in order; zeros for an empty text.

        Raises:
            EngineError: the engine refused a text; the message has no word of it.
        """
        parts = [split(text, self.pieces, limit=CHUNK_PIECES) for text in texts]
        chunks = [chunk for of_a_text in parts for chunk in of_a_text]
        # Neighbours in size share a call, so that none waits for a much longer one.
        order = sorted(range(len(chunks)), key=lambda number: chunks[number].pieces)
        calls = [
            order[start : start + _CALL_CHUNKS] for start in range(0, len(order), _CALL_CHUNKS)
        ]
        vectors: dict[int, tuple[float, ...]] = {}
        answers = self._pool.map(self._call, [[chunks[n].text for n in call] for call in calls])
        for call, answer in zip(calls, answers, strict=True):
            vectors.update(zip(call, answer, strict=True))
        found = iter(vectors[number] for number in range(len(chunks)))
        return [pool([(chunk, next(found)) for chunk in of_a_text]) for of_a_text in parts]

    def count_tokens(self, text: str) -> int:
        """Word pieces of a text as the engine counts them, the two marks included."""
        server = self._servers.get()
        try:
            answer = _answer(server, [text])
        finally:
            self._servers.put(server)
        return int(answer["usage"]["prompt_tokens"])

    def close(self) -> None:
        """Drops the copies."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._servers = queue.SimpleQueue()

    def _call(self, texts: list[str]) -> list[tuple[float, ...]]:
        # As many threads as copies: there is always an idle one.
        server = self._servers.get()
        try:
            answer = _answer(server, texts)
        finally:
            self._servers.put(server)
        return [tuple(item["embedding"]) for item in answer["data"]]


def pool(parts: Sequence[tuple[Chunk, tuple[float, ...]]]) -> tuple[float, ...]:
    """The mean of the vectors weighted by word pieces, scaled to length one; zeros for none."""
    total = [0.0] * DIMENSION
    for chunk, vector in parts:
        for place, value in enumerate(vector):
            total[place] += chunk.pieces * value
    length = math.sqrt(sum(value * value for value in total))
    return tuple(value / length for value in total) if length else tuple(total)


def _server(model: Path) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise EngineJobError(
            "this interpreter has no xllamacpp, which embeds; install the extra `embedded`, or set "
            "PROFILES_EMBEDDINGS=off"
        ) from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.embedding = True
    # A text of an encoder goes in at once, so the batch is as large as the context.
    parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = _CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    close_to_others(parameters)
    try:
        return xllamacpp.Server(parameters)
    except (RuntimeError, ValueError) as error:
        raise EngineError(f"llama.cpp could not load {model.name}") from error


def _answer(server: Any, texts: list[str]) -> dict[str, Any]:
    answer = server.handle_embeddings({"input": texts})
    if isinstance(answer, str | bytes):
        answer = json.loads(answer)
    if "error" in answer:
        error = answer["error"]
        raise EngineError(
            f"the embedding engine refused a text: {error.get('type', 'error')} "
            f"{error.get('code', '')}; a word longer than {_CONTEXT} word pieces does that"
        )
    return dict(answer)

"""The embedding model against vectors that its authors publish, and its cutting of long texts."""

from __future__ import annotations

import math

import pytest
from tests.quality_model import EMBEDDING_READY

from profiles.embedding import DIMENSION, EmbeddingModel, split
from profiles.embedding.model import CHUNK_PIECES, locate_embedding_model
from profiles.errors import EngineJobError

pytestmark = [pytest.mark.model, EMBEDDING_READY]

# The example of the model's own documentation, and what it prints for it.
SENTENCES = (
    "The weather is lovely today.",
    "It's so sunny outside!",
    "He drove to the stadium.",
)
SIMILARITIES = ((1.0, 0.6660, 0.1046), (0.6660, 1.0, 0.1411), (0.1046, 0.1411, 1.0))
# The first numbers of "This is an example sentence".
BEGINNING = (0.0676569, 0.0634959, 0.0487131, 0.0793049, 0.0367448, 0.0026528)

TEXTS = (
    "Senior Backend Engineer — Ångström Löwenherz GmbH & Co. KG",
    "C++, C#, .NET, node.js, K8s/Kubernetes; 99.95% uptime",
    "データサイエンティスト 机器学习 инженер-программист مهندس برمجيات",
    "naïve café résumé ﬁnance ½ €310k 'quoted' “curly” tab\tbreak\u00a0space zero\u200bwidth",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "emoji 🙂 and ™ © ® marks, under_score, hy-phen, a/b, 12,345.67",
)


@pytest.fixture(scope="module")
def model():
    with EmbeddingModel(copies=1) as loaded:
        yield loaded


def dot(left, right):
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def test_vectors_are_those_of_the_published_model(model):
    vectors = model.embed(SENTENCES)
    for vector, row in zip(vectors, SIMILARITIES, strict=True):
        assert [dot(vector, other) for other in vectors] == pytest.approx(row, abs=5e-4)
    (example,) = model.embed(["This is an example sentence"])
    assert len(example) == DIMENSION
    assert dot(example, example) == pytest.approx(1.0, abs=1e-6)
    assert example[: len(BEGINNING)] == pytest.approx(BEGINNING, abs=1e-3)


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_are_counted_as_the_engine_counts_them(text, model):
    assert model.pieces.count(text) + 2 == model.count_tokens(text)


def test_a_long_text_is_cut_into_chunks_that_fit_and_lose_nothing(model):
    lines = [f"Led project {n} with Kafka and Flink. Cut its cost by {n} %." for n in range(80)]
    text = "\n".join([*lines, " ".join(f"word{n}" for n in range(900))])
    chunks = split(text, model.pieces, limit=CHUNK_PIECES)
    assert len(chunks) > 5
    assert all(chunk.pieces <= CHUNK_PIECES for chunk in chunks)
    assert " ".join(chunk.text for chunk in chunks).split() == text.split()
    assert all(model.count_tokens(chunk.text) == chunk.pieces + 2 for chunk in chunks)


def test_the_end_of_a_long_text_counts_too(model):
    opening = "Accountant for statutory filings and audits.\n" * 60
    plain, with_end = model.embed([opening, opening + "Trains horses for show jumping.\n" * 60])
    (query,) = model.embed(["horse riding"])
    assert dot(query, with_end) > dot(query, plain) + 0.1


def test_an_empty_text_has_the_vector_of_nothing(model):
    assert model.embed(["", "  \n"]) == [(0.0,) * DIMENSION] * 2


def test_a_missing_model_says_how_to_get_it(tmp_path):
    with pytest.raises(EngineJobError, match="make embeddings"):
        locate_embedding_model(tmp_path)

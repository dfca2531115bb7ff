"""The embedding model against vectors that its authors publish, and its cutting of long texts."""

from __future__ import annotations

import json
import math
import shutil

import pytest
from tests.quality_model import EMBEDDING_FOLDER, EMBEDDING_READY

from profiles.embedding import EmbeddingModel, embedding_revision, locate_embedding_model
from profiles.errors import EngineJobError

pytestmark = [pytest.mark.model, EMBEDDING_READY]

# The example of the model's own documentation, and what it prints for it.
SENTENCES = (
    "The weather is lovely today.",
    "It's so sunny outside!",
    "He drove to the stadium.",
)
SIMILARITIES = ((1.0, 0.6660, 0.1046), (0.6660, 1.0, 0.1411), (0.1046, 0.1411, 1.0))


@pytest.fixture(scope="module")
def model():
    return EmbeddingModel(EMBEDDING_FOLDER)


def dot(left, right):
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def test_similarities_are_those_of_the_published_model_but_for_eight_bits(model):
    vectors = model.embed(SENTENCES)
    for vector, row in zip(vectors, SIMILARITIES, strict=True):
        assert [dot(vector, other) for other in vectors] == pytest.approx(row, abs=0.01)
    assert (model.name, model.dimension) == ("all-MiniLM-L6-v2", 384)
    assert dot(vectors[0], vectors[0]) == pytest.approx(1.0, abs=1e-6)


def test_the_end_of_a_long_text_counts_too(model):
    opening = "Accountant for statutory filings and audits.\n" * 60
    plain, with_end = model.embed([opening, opening + "Trains horses for show jumping.\n" * 60])
    (query,) = model.embed(["horse riding"])
    assert dot(query, with_end) > dot(query, plain) + 0.1


def test_a_batch_changes_no_vector(model):
    texts = ["short", "Nurse in a hospital. " * 90, *SENTENCES]
    alone = [model.embed([text])[0] for text in texts]
    # Weights of eight bits are scaled by what else is in a batch.
    assert all(dot(*pair) > 0.99 for pair in zip(alone, model.embed(texts), strict=True))


def test_an_empty_text_has_the_vector_of_nothing(model):
    assert model.embed(["", "  \n"]) == [(0.0,) * 384] * 2


def test_a_model_with_prompts_reads_queries_and_profiles_apart(tmp_path, model):
    folder = tmp_path / "other"
    shutil.copytree(EMBEDDING_FOLDER, folder)
    (folder / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "query: ", "passage": "passage: "}})
    )
    other = EmbeddingModel(folder)
    assert other.name == "other"
    assert other.embed(["nurse"]) == model.embed(["passage: nurse"])
    assert other.embed(["nurse"], is_query=True) == model.embed(["query: nurse"])


def test_other_weights_are_another_revision(tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(EMBEDDING_FOLDER, folder)
    assert embedding_revision(folder) == embedding_revision(EMBEDDING_FOLDER)
    with (folder / "model.onnx").open("ab") as weights:
        weights.write(b"0")
    assert embedding_revision(folder) != embedding_revision(EMBEDDING_FOLDER)


def test_a_missing_model_says_how_to_get_it(tmp_path):
    with pytest.raises(EngineJobError, match="make embeddings"):
        locate_embedding_model(tmp_path)

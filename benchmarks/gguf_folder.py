"""A Hugging Face folder with the real weights of the embedded model's GGUF file.

    /opt/vllm/bin/python -m benchmarks.gguf_folder MODEL.gguf FOLDER

SGLang and vLLM read no GGUF. Run it in the engine's interpreter, with package gguf beside torch
and safetensors. Only what SmolLM2 needs: a llama with tied embeddings and a byte-level tokenizer.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_OUTER = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
}
_SPECIAL = 3
"""Token type of GGUF."""


def convert(source: Path, folder: Path) -> None:
    """Writes config, tokenizer and dequantised weights."""
    import torch
    from gguf import GGUFReader
    from gguf.quants import dequantize
    from safetensors.torch import save_file

    reader = GGUFReader(source)
    fields = {name: field.contents() for name, field in reader.fields.items()}
    heads = {
        "attn_q": fields["llama.attention.head_count"],
        "attn_k": fields["llama.attention.head_count_kv"],
    }
    weights = {}
    for tensor in reader.tensors:
        values = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).copy())
        part = tensor.name.split(".")[2] if tensor.name.startswith("blk.") else ""
        if part in heads:
            # llama.cpp interleaves the two halves of each rotary head.
            split = values.reshape(heads[part], -1, 2, values.shape[1])
            values = split.swapaxes(1, 2).reshape(values.shape)
        weights[_name(tensor.name)] = values.to(torch.bfloat16).contiguous()
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    for name, content in _texts(fields).items():
        (folder / name).write_text(json.dumps(content, ensure_ascii=False))


def _name(name: str) -> str:
    if name in _OUTER:
        return _OUTER[name]
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{_LAYER[part]}.{kind}"


def _texts(fields: dict[str, Any]) -> dict[str, Any]:
    tokens = fields["tokenizer.ggml.tokens"]
    end = fields["tokenizer.ggml.eos_token_id"]
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": fields["llama.embedding_length"],
        "intermediate_size": fields["llama.feed_forward_length"],
        "num_hidden_layers": fields["llama.block_count"],
        "num_attention_heads": fields["llama.attention.head_count"],
        "num_key_value_heads": fields["llama.attention.head_count_kv"],
        "max_position_embeddings": fields["llama.context_length"],
        "rms_norm_eps": fields["llama.attention.layer_norm_rms_epsilon"],
        "rope_theta": fields["llama.rope.freq_base"],
        "vocab_size": len(tokens),
        "tie_word_embeddings": True,
        "torch_dtype": "bfloat16",
        "bos_token_id": fields["tokenizer.ggml.bos_token_id"],
        "eos_token_id": end,
    }
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    tokenizer = {
        "version": "1.0",
        "added_tokens": [
            {"id": number, "content": token, "special": True, "normalized": False}
            | dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
            for number, token in enumerate(tokens)
            if fields["tokenizer.ggml.token_type"][number] == _SPECIAL
        ],
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Digits", "individual_digits": True},
                {**byte_level, "use_regex": True},
            ],
        },
        "decoder": {**byte_level, "use_regex": True},
        "model": {
            "type": "BPE",
            "vocab": {token: number for number, token in enumerate(tokens)},
            "merges": fields["tokenizer.ggml.merges"],
        },
    }
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "chat_template": fields["tokenizer.chat_template"],
        "eos_token": tokens[end],
        "pad_token": tokens[end],
    }
    return {"config.json": config, "tokenizer.json": tokenizer, "tokenizer_config.json": settings}


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))

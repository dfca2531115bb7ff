"""The argument record, with those names of SGLang's several hundred that tests use.

0.5.17 has a dataclass, 0.5.23 a msgspec struct; each shows its fields in its own way.
"""

from __future__ import annotations

import os
from typing import Any

NAMES = [
    "model_path",
    "tokenizer_path",
    "skip_tokenizer_init",
    "load_format",
    "log_level",
    "log_requests",
    "grammar_backend",
    "reasoning_parser",
    "attention_backend",
    "moe_runner_backend",
    "mem_fraction_static",
    "chunked_prefill_size",
    "max_running_requests",
    "cuda_graph_max_bs_decode",
    "swa_full_tokens_ratio",
    "constrained_json_disable_any_whitespace",
]


class ServerArgs:
    def __init__(self, **given: Any) -> None:
        unknown = set(given) - set(_names())
        if unknown:
            raise TypeError(f"unexpected keyword arguments {sorted(unknown)}")
        if not 0 < given.get("mem_fraction_static", 0.8) < 1:
            raise ValueError("mem_fraction_static must be between 0 and 1")
        self.given = given
        self.skip_tokenizer_init = given.get("skip_tokenizer_init", False)


def _names() -> list[str]:
    if os.environ.get("FAKE_SGLANG_VERSION") == "0.5.17":
        return [*NAMES, "torchao_config"]
    return [*NAMES, "constrained_json_max_whitespace_cnt", "_private"]


if os.environ.get("FAKE_SGLANG_VERSION") == "0.5.17":
    ServerArgs.__dataclass_fields__ = dict.fromkeys(_names())  # type: ignore[attr-defined]
else:
    ServerArgs.__struct_fields__ = tuple(_names())  # type: ignore[attr-defined]

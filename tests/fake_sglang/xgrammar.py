"""Stands in for xgrammar: tells how it reads the tokens of a tokenizer."""

from __future__ import annotations

from typing import Any


class TokenizerInfo:
    def __init__(self, decoded_vocab: list[bytes]) -> None:
        self.decoded_vocab = decoded_vocab

    @classmethod
    def from_huggingface(cls, tokenizer: Any) -> TokenizerInfo:
        return cls(list(tokenizer.spellings))

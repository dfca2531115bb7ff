"""Checks of a grammar before the engine is loaded, so that a wrong one is a wrong job.

SGLang compiles a schema with its first request and aborts each request with one that does not
compile. Seen on a GPU with 0.5.17: where the grammar allows no token at all, sampling fails an
assertion on the device and the whole engine crashes, at every request with a schema.
"""

from __future__ import annotations

from typing import Any

from profiles.errors import EngineJobError

__all__ = ["check_schema", "check_vocabulary"]


def check_schema(schema: str, backend: str) -> None:
    """Parses the schema as `backend` does; one that is not installed is left to SGLang.

    Raises:
        EngineJobError: the grammar does not compile, or there is to be none.
    """
    if backend == "none":
        raise EngineJobError(
            "the engine profile needs JSON and grammar_backend is 'none'; set the profile's "
            "answer to tagged or prose, or remove the option"
        )
    try:
        fault = _fault(schema, backend)
    except ImportError:
        return
    if fault:
        raise EngineJobError(
            f"{backend} cannot compile the profile's schema.json: {fault.splitlines()[0][:200]}"
        )


def _fault(schema: str, backend: str) -> str:
    try:
        if backend == "llguidance":
            from llguidance import LLMatcher

            return str(LLMatcher.validate_grammar(LLMatcher.grammar_from_json_schema(schema)))
        if backend == "xgrammar":
            from xgrammar import Grammar

            Grammar.from_json_schema(schema)
    except (RuntimeError, ValueError, TypeError) as error:
        return f"{error} ({type(error).__name__})"
    return ""


def check_vocabulary(tokenizer: Any) -> None:
    """Rejects a tokenizer whose spaces xgrammar cannot see.

    It learns from the tokenizer's decoder how tokens spell bytes. Where that is wrong (a tokenizer
    converted from GGUF has a decoder of two kinds), no token is a space, and the first answer that
    needs one ends the engine.

    Raises:
        EngineJobError: there is no token for a space.
    """
    try:
        from xgrammar import TokenizerInfo
    except ImportError:
        return
    if b" " not in TokenizerInfo.from_huggingface(tokenizer).decoded_vocab:
        raise EngineJobError(
            "the grammar finds no token for a space in this model's tokenizer, so every answer "
            "with a JSON schema would end the engine; give tokenizer.json the decoder that "
            'belongs to its tokens, for example {"type": "ByteLevel"}'
        )

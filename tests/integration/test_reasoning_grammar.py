r"""Bounded reasoning on the real xgrammar, with gpt-oss's vocabulary.

    PROFILES_TEST_XGRAMMAR_PYTHON=/opt/sglang/bin/python python -m pytest \
        tests/integration/test_reasoning_grammar.py

xgrammar needs torch, so it is no development tool: the interpreter of SGLang or vLLM has it.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from benchmarks.dummy_folder import write_tokenizer

from profiles.synthesis.engines.chat_prompt import END, FINAL_CHANNEL, structural_tag

PYTHON = os.environ.get("PROFILES_TEST_XGRAMMAR_PYTHON", "")
pytestmark = [
    pytest.mark.release,
    pytest.mark.skipif(not PYTHON, reason="PROFILES_TEST_XGRAMMAR_PYTHON names no interprete"),
]
SCHEMA = (
    '{"type":"object","properties":{"skills":{"type":"array","items":{"type":"string"}}},'
    '"required":["skills"],"additionalProperties":false}'
)
RETURN = 200002
_WALK = """
import json, sys
import torch, xgrammar

given = json.load(sys.stdin)
read = json.load(open(given["tokenize"]))
words = {**read["model"]["vocab"], **{t["content"]: t["id"] for t in read["added_tokens"]}}
info = xgrammar.TokenizerInfo(
    sorted(words, key=words.get),
    vocab_type=xgrammar.VocabType.BYTE_LEVEL,
    stop_token_ids=[200002, 200012],
)
grammar = xgrammar.GrammarCompiler(info).compile_structural_tag(given["tag"])
matcher = xgrammar.GrammarMatcher(grammar)
mask = xgrammar.allocate_token_bitmask(1, info.vocab_size)
seen = []
for token in [*given["tokens"], None]:
    matcher.fill_next_token_bitmask(mask, 0)
    allowed = [t for t in given["asked"] if int(mask[0, t // 32]) >> (t % 32) & 1]
    total = sum(bin(word & 0xFFFFFFFF).count("1") for word in mask[0].tolist())
    seen.append([allowed, total])
    if token is not None and not matcher.accept_token(token):
        seen.append("refused")
        break
print(json.dumps(seen))
"""


def walk(tag: str, tokens: list[int], tokenizer: Path) -> list:
    """Tokens that may follow each of the tokens: those of interest, and how many in all."""
    given = {
        "tag": tag,
        "tokens": tokens,
        "asked": [RETURN, END, *FINAL_CHANNEL, 200012],
        "tokenize": str(tokenizer),
    }
    done = subprocess.run(
        [PYTHON, "-c", _WALK], input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenize")
    write_tokenizer(folder)
    return folder / "tokenizer.json"


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_reasoning_ends_at_its_budget_and_leads_to_the_answer(schema, tokenizer):
    tag = structural_tag(2, prefix="", schema=schema)
    start, assistant, channel, final, message = FINAL_CHANNEL
    seen = walk(tag, [3575, 553, END, *FINAL_CHANNEL], tokenizer)
    (first, some), (second, _), (ended, only), *header, (answer, _) = seen
    assert END in first
    assert some > 199_000
    assert not {RETURN, start, channel, message} & {*first, *second}
    assert (ended, only) == ([END], 1)
    assert header == [[[token], 1] for token in (start, assistant, channel, final, message)]
    assert (RETURN in answer) == (schema is None)
    assert not {END, start, channel, message} & {*answer}


def test_reasoning_may_be_shorter_than_its_budget(tokenizer):
    tag = structural_tag(64, prefix="<skills>\n", schema=None)
    (first, _), (after, only), *_ = walk(tag, [END, *FINAL_CHANNEL], tokenizer)
    assert END in first
    assert (after, only) == ([FINAL_CHANNEL[0]], 1)

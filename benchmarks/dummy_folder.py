"""A model folder for dummy weights: gpt-oss's tokenizer, and answers to dictate.

    python -m benchmarks.dummy_folder FOLDER --config config.json

`config.json` is gpt-oss-20b's. The tokenizer is o200k (from the package bpe-openai; the package
tokenizers writes it) with Harmony's tokens and a short chat template of its form. Answers are
sentences of this project's own documents behind skills of its vocabulary, 500-900 tokens long, once
in each form that a request may ask for.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[1]

ANSWER_TOKENS = (500, 900)
ROWS = 61
"""A prime, so that neither prompts nor leases fall into step with it."""
FORMS: dict[str, Any] = {
    "compact": lambda skills, text: json.dumps(
        {"skills": skills, "summary": text}, separators=(",", ":")
    ),
    "spaced": lambda skills, text: json.dumps({"skills": skills, "summary": text}),
    "tagged": lambda skills, text: "\n".join([*skills, "</skills>", "<summary>", text]),
}
"""`compact` is JSON as llguidance writes it, `spaced` as xgrammar does without free whitespace."""
TABLES = {name: number for number, name in enumerate(FORMS)}
_SPECIAL = {
    199998: "<|startoftext|>",
    199999: "<|endoftext|>",
    200002: "<|return|>",
    200003: "<|constrain|>",
    200005: "<|channel|>",
    200006: "<|start|>",
    200007: "<|end|>",
    200008: "<|message|>",
    200012: "<|call|>",
    200018: "<|endofprompt|>",
}
_TEMPLATE = (
    "<|start|>system<|message|>You are ChatGPT.\nCurrent date: {{ strftime_now('%Y-%m-%d') }}\n\n"
    "Reasoning: {{ reasoning_effort }}<|end|>{% for m in messages %}<|start|>"
    "{{ 'developer' if m.role == 'system' else m.role }}<|message|>{{ m.content }}<|end|>"
    "{% endfor %}{% if add_generation_prompt %}<|start|>assistant{% endif %}"
)
_LOWER, _UPPER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_WORDS = "|".join(
    [
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_ENDING}",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_ENDING}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)


def main() -> int:
    """Writes the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--config", type=Path, required=True)
    options = parser.parse_args()
    import bpe_openai

    options.folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(options.config, options.folder / "config.json")
    write_tokenizer(options.folder)
    tables = answers(bpe_openai.get_encoding("o200k_base").encode)
    (options.folder / "answers.json").write_text(json.dumps(list(tables.values())))
    return 0


def write_tokenizer(folder: Path) -> None:
    """tokenizer.json and what transformers wants beside it."""
    import bpe_openai
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

    file = Path(bpe_openai.__file__).parent / "data" / "o200k_base.tiktoken.gz"
    lines = gzip.decompress(file.read_bytes()).split(b"\n")
    ranks = {base64.b64decode(a): int(b) for a, _, b in (x.partition(b" ") for x in lines) if b}
    letters = _byte_letters()
    spell = {token: "".join(letters[byte] for byte in token) for token in ranks}
    tokenizer = Tokenizer(
        models.BPE(
            vocab={spell[token]: rank for token, rank in ranks.items()},
            merges=[(spell[a], spell[b]) for a, b in _merges(ranks)],
            ignore_merges=True,
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    names = [_SPECIAL.get(number, f"<|reserved_{number}|>") for number in range(199998, 200019)]
    tokenizer.add_special_tokens([AddedToken(name, normalized=False) for name in names])
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    marks = {"bos_token": names[0], "eos_token": "<|return|>", "pad_token": names[1]}
    _write(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "chat_template": _TEMPLATE,
            "clean_up_tokenization_spaces": False,
            **marks,
        },
    )
    _write(
        folder / "generation_config.json",
        {"bos_token_id": 199998, "eos_token_id": [200002, 199999, 200012], "pad_token_id": 199999},
    )


def answers(encode: Any) -> dict[str, list[list[int]]]:
    """`ROWS` answers in each form, of the same lengths."""
    draw = random.Random(5)
    sentences, skills = list(_sentences()), _skills()
    tables: dict[str, list[list[int]]] = {name: [] for name in FORMS}
    for _ in range(ROWS):
        tokens = draw.randint(*ANSWER_TOKENS)
        chosen = draw.sample(skills, draw.randint(12, 40))
        words = " ".join(draw.sample(sentences, 120)).split()
        for name, form in FORMS.items():
            tables[name].append(_of_length(tokens, chosen, words, form, encode))
    return tables


def _of_length(
    tokens: int, skills: list[str], words: Sequence[str], form: Any, encode: Any
) -> list[int]:
    """The shortest answer of at least so many tokens."""
    low, high = 1, len(words)
    while low < high:
        middle = (low + high) // 2
        if len(encode(form(skills, " ".join(words[:middle])))) < tokens:
            low = middle + 1
        else:
            high = middle
    return list(encode(form(skills, " ".join(words[:low]))))


def _sentences() -> Iterator[str]:
    text = " ".join(path.read_text() for path in sorted((REPOSITORY / "docs").glob("*.md")))
    text = re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
    text = re.sub(r"\|[^\n]*\n|[`*#|_<>\[\]\"\\]|\([^)]*\)", " ", text)
    for sentence in re.split(r"(?<=[.!?]) ", re.sub(r"\s+", " ", text)):
        if 40 < len(sentence) < 300 and sentence.isascii():
            yield sentence


def _skills() -> list[str]:
    read = yaml.safe_load((REPOSITORY / "include" / "taxonomy" / "skills.yaml").read_text())
    return sorted({name for name in _names(read) if 1 < len(name) <= 40 and name.isascii()})


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in (
        value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    ):
        yield from _names(item)


def _merges(ranks: dict[bytes, int]) -> Iterator[tuple[bytes, bytes]]:
    for token, _ in sorted(ranks.items(), key=lambda item: item[1]):
        found = [(token[:i], token[i:]) for i in range(1, len(token))]
        known = [(a, b) for a, b in found if a in ranks and b in ranks]
        yield from sorted(known, key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))


def _byte_letters() -> dict[int, str]:
    """GPT-2's spelling of bytes as printable letters."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {
        byte: chr(256 + number) for number, byte in enumerate(others)
    }


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value))


if __name__ == "__main__":
    sys.exit(main())

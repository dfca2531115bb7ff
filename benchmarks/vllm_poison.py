"""A request that ends vLLM's engine core each time it runs: part `poison` of `vllm_lane`.

A tokenizer with one id more than the embedding has rows is a real fault of model folders. vLLM
0.32.0 compares the ids of a prompt with the larger of the two vocabularies, so its front end lets
that id pass, and the lookup ends the core (IndexError on a CPU). Here that id belongs to a word
that only one person's prompt has. vLLM pads rows to a multiple of 64, which SmolLM2 has as it is.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.storage.connection import Database
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.synthesis.lane.prompting import Prompter, token_counter

PROFILE = "prose"


def run(
    database: Database, model: Path, folder: Path, night: Callable[..., dict[str, Any]]
) -> dict[str, Any]:
    """One night with a poison among everybody's requests, and a second one with nothing to do."""
    night(database, "rendered", RunParams(engine_profile=PROFILE, limit=0))
    candidate, word = _word_of_one(database)
    os.environ["PROFILES_MODEL"] = str(_with_word(word, model, folder))
    first, again = (
        night(database, run_id, RunParams(engine_profile=PROFILE))
        for run_id in ("poison", "poison_again")
    )
    os.environ["PROFILES_MODEL"] = str(model)
    with database.connect() as connection:
        rejected = connection.execute(
            "SELECT candidate_id, reason, checks FROM synthesis.completion "
            "WHERE run_id = 'poison' AND outcome = 'rejected' AND is_terminal"
        ).fetchall()
        answered = connection.execute(
            "SELECT count(DISTINCT candidate_id) FROM synthesis.completion "
            "WHERE run_id = 'poison' AND completion_tokens > 0"
        ).fetchone()
    return {
        "made": "a word of one prompt has a token id beyond the embedding's rows",
        "poison": candidate,
        "rejected": rejected,
        "people_answered": answered[0] if answered else 0,
        **first,
        "again": again,
    }


def _word_of_one(database: Database) -> tuple[int, str]:
    """A person in the middle of the list and a word that no other prompt has."""
    profile = load_engine_profile(PROFILE, load_settings().prompts_dir)
    prompter = Prompter(profile, token_counter())
    with database.connect() as connection:
        documents = connection.execute(
            "SELECT candidate_id, markdown, word_count FROM synthesis.document "
            "WHERE NOT too_thin ORDER BY candidate_id"
        ).fetchall()
    words = {}
    for candidate, text, count in documents:
        asked = prompter.request(document=text, word_count=count, request_id="", seed=None)
        words[candidate] = set(
            re.findall(r"\w+", " ".join(item.content for item in asked.messages))
        )
    prompts = Counter(word for found in words.values() for word in found)
    chosen = list(words)[len(words) // 2]
    return chosen, next(
        word for word in sorted(words[chosen]) if prompts[word] == 1 and word.isalpha()
    )


def _with_word(word: str, model: Path, folder: Path) -> Path:
    shutil.copytree(model.resolve(), folder, copy_function=os.symlink)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    token = {"id": json.loads((folder / "config.json").read_text())["vocab_size"], "content": word}
    token |= dict.fromkeys(("special", "normalized", "lstrip", "rstrip"), False)
    tokenizer["added_tokens"].append({**token, "single_word": True})
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False))
    return folder

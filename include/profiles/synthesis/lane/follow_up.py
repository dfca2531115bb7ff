"""What a retry tells the model about its refused answer: why, and which of its sentences.

Pure but for reading the texts. It quotes the model's own sentences, never the document, and stays
within a few hundred tokens. No fingerprint holds it: it differs between attempts at one document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from profiles.errors import SettingsError
from profiles.models import EngineProfile, Refusal, RejectionReason, RemovalReason
from profiles.settings import INCLUDE_DIR

__all__ = ["FollowUp", "load_follow_up", "token_budget"]

MAX_TOKENS: Final = 240
_SHARE_OF_DOCUMENT: Final = 4
"""At most this part of the document's budget goes to it, so that no prompt is larger for it."""
_MAX_QUOTE_CHARS: Final = 240
_NO_VERDICT: Final = frozenset({RejectionReason.ENGINE_ERROR, RejectionReason.DEADLINE})


def token_budget(profile: EngineProfile) -> int:
    """Most tokens of a follow-up to a prompt of `profile`."""
    return min(MAX_TOKENS, profile.max_document_tokens // _SHARE_OF_DOCUMENT)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The texts of include/prompts/follow_up.yaml."""

    heading: str
    quotes: str
    refusals: Mapping[str, str]
    removals: Mapping[RemovalReason, str]

    def text(
        self,
        refusal: Refusal | None,
        *,
        budget: int,
        count_tokens: Callable[[str], int],
        neutralize: Callable[[str], str],
        addresses_reader: Callable[[str], bool],
    ) -> str:
        """What to add to the prompt; "" when nothing was refused or it does not fit in `budget`.

        Quotes are `neutralize`d as the document is. A sentence that addresses a reader is left
        out, since it would stand outside the record here.
        """
        if refusal is None or refusal.reason in _NO_VERDICT:
            return ""
        reason = self.refusals.get(refusal.reason, self.refusals["other"])
        text = self.heading.format(reason=reason)
        if count_tokens(text) > budget:
            return ""
        opening = f"\n{self.quotes}"
        for removed in dict.fromkeys(refusal.removed):
            sentence = " ".join(neutralize(removed.sentence).split()).replace('"', "'")
            if addresses_reader(sentence):
                continue
            if len(sentence) > _MAX_QUOTE_CHARS:
                sentence = sentence[:_MAX_QUOTE_CHARS].rsplit(" ", 1)[0] + " …"
            longer = f'{text}{opening}\n- "{sentence}" ({self.removals[removed.reason]})'
            if count_tokens(longer) > budget:
                break
            text, opening = longer, ""
        return text


def load_follow_up(prompts_dir: Path) -> FollowUp:
    """The texts of follow_up.yaml in `prompts_dir`, or ours where that folder has none.

    Raises:
        SettingsError: the file lacks a text, or is not YAML.
    """
    path = prompts_dir / "follow_up.yaml"
    if not path.is_file():
        path = INCLUDE_DIR / "prompts" / "follow_up.yaml"
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        texts = FollowUp(
            heading=found["heading"],
            quotes=found["quotes"],
            refusals={**found["refusals"], "other": found["refusals"]["other"]},
            removals={reason: found["removals"][reason.value] for reason in RemovalReason},
        )
        texts.heading.format(reason="")
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise SettingsError(f"{path}: {error}; compare it with the shipped file") from error
    return texts

"""What a retry tells the model about its refused answer: why, and which of its sentences.

Pure. It quotes the model's own sentences, never the document, and stays within a few hundred
tokens. No fingerprint holds it: it differs between attempts at one document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from profiles.models import EngineProfile, Refusal, RejectionReason, RemovalReason

__all__ = ["FollowUp", "token_budget"]

MAX_TOKENS: Final = 240
_SHARE_OF_DOCUMENT: Final = 4
"""A prompt is no larger for its follow-up: at most this part of the document's budget goes to it."""
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

"""Cleans ordinary blocks in one pass over the whole text.

Pure. Most descriptions hold nothing to repair: sentences, or a list behind one usual bullet. For
those `clean_ordinary` gives what the patterns for odd text (`characters`, `markup`, `sentences`)
would give, without running them one by one on each line; for any other it gives None.
"""

from __future__ import annotations

import re
from typing import Final

from profiles.standardization.characters import MOJIBAKE_SECOND
from profiles.standardization.sentences import cut_at_more

__all__ = ["clean_ordinary"]

_MARK: Final = r"(?:[-–—*+•‣▪■●○◦◆►▶▸➤➢➔➜→✓✔☑★∙🔹🔸]|\d{1,2}[.)]) "
_LETTERS: Final = "A-Za-zÀ-ÂÄ-ÖØ-öø-įĲ-ž"
# Printable ASCII without `&`, `<`, `[`, "`", and what Latin text adds to it: no other spaces, no
# controls and emoji, nothing that normalization changes. Without the characters below, which matter
# by what follows them, and `ı` and `ſ`, which patterns take for ASCII letters.
_SAFE: Final = r" \"-$'(+,\-/-9=@-Z\\^a-{}¡-¬®-Áõ-įĲ-ž–—‘’‚“”„•€₹…"
_FOLLOWED: Final = (
    # The end of a sentence: not glued to the next, and no item of a list after it.
    r"[.!?;:)%](?![A-Z]| ?(?:[-–—*•‣▪●◦►➤✔✓🔹🔸]|\d{1,2}[.)] ?[A-Z]))"
    r"|[*_~|](?![*_~>])"
    # An ampersand that begins no entity.
    r"|&(?![#A-Za-z][A-Za-z0-9]*;)"
    rf"|[ÂÄ-ô](?!{MOJIBAKE_SECOND})"
)
_LINE: Final = rf"(?:{_MARK})?(?=[{_LETTERS}][{_LETTERS}0-9])(?:[{_SAFE}]++|{_FOLLOWED})*+"
_ORDINARY: Final = re.compile(rf"{_LINE}(?:\n+{_LINE})*+")
# Last words and marks of a tail that a source cut ("… see more").
_ENDS_OF_TAIL: Final = (
    "…", "...", ")", "more", "less", "plus", "anzeigen", "mais", "mas", "más", "altro",
)  # fmt: skip
_LONGEST_END: Final = max(map(len, _ENDS_OF_TAIL))


def clean_ordinary(text: str) -> str | None:
    """The clean block of an ordinary text, None when it is not one.

    >>> clean_ordinary("• Led a team.\\n• Cut costs by 4 %."), clean_ordinary("<b>Led</b>")
    ('- Led a team.\\n- Cut costs by 4 %.', None)
    """
    if not _is_ordinary(text):
        return None
    if text[-_LONGEST_END:].lower().endswith(_ENDS_OF_TAIL):
        kept = cut_at_more(text)
        if kept != text and not _is_ordinary(kept):
            return None
        text = kept
    if "\n" not in text:
        # The mark of a lone line may be decoration.
        return text if text[0].isalpha() else None
    # Each line begins with a letter, or with a mark and the first of its spaces.
    return "\n".join(
        [
            line if line[0].isalpha() else f"- {line[line.index(' ') + 1 :]}"
            for line in text.split("\n")
            if line
        ]
    )


def _is_ordinary(text: str) -> bool:
    return (
        _ORDINARY.fullmatch(text) is not None
        and "  " not in text
        and " \n" not in text
        and text[-1] != " "
    )

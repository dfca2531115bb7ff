"""Whether a value says that something goes on: yes, no, or neither. Table-driven, like `dates`."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from profiles.standardization.date_ranges import is_present
from profiles.standardization.text import fold

__all__ = ["goes_on"]

_LONGEST: Final = 40
"""Characters of a text that is a flag; what is longer is prose."""

_YES: Final = frozenset(
    map(
        fold,
        (
            "true", "t", "yes", "y", "on", "active", "employed", "working", "running",
            "currently working", "currently working here", "i currently work here",
            "currently employed", "still employed", "still working here", "still there",
            "is current", "vrai", "oui", "actif", "ja", "wahr", "aktiv", "andauernd", "sí",
            "verdadero", "activo", "vigente", "sim", "verdadeiro", "ativo", "vero", "attivo",
            "waar", "prawda", "evet", "да", "истина", "работаю", "是", "在職", "はい", "예", "네",
            "نعم", "כן",
        ),
    )
)  # fmt: skip
_NO: Final = frozenset(
    map(
        fold,
        (
            "false", "f", "no", "n", "off", "not", "inactive", "ended", "finished",
            "completed", "left", "past", "former", "formerly", "previous", "previously",
            "no longer", "not current", "not currently", "non current", "not present", "not active",
            "not working", "not employed", "no longer working", "no longer employed",
            "no longer works here", "not any more", "not anymore", "terminated", "resigned", "faux",
            "non", "terminé", "ancien", "nein", "falsch", "nicht", "beendet", "ehemalig",
            "früher", "inaktiv", "falso", "anterior", "terminado", "finalizado", "inactivo",
            "não", "encerrado", "inativo", "concluso", "terminato", "nee", "onwaar", "beëindigd",
            "nie", "fałsz", "nej", "hayır", "нет", "ложь", "否", "不是", "離職", "离职", "いいえ",
            "아니요", "아니오", "tidak", "لا", "לא",
        ),
    )
)  # fmt: skip
_NUMBERS: Final = {"1": True, "1.0": True, "0": False, "0.0": False}
_OF_AN_END: Final = frozenset(("date", "up to date", "upto date", "momento", "o momento", "nu"))
"""They say "until now" where an end is asked for, and nothing by themselves.

`nu` is "now" in Swedish, Danish and Dutch, and "no" in Romanian. Left out of both tables for such a
reason: `tak` (yes, thanks), `ano` (yes, and a year without its tilde) and `ya` (yes, already).
"""
_INSIDE: Final = frozenset("'’.-_")
"""Signs that a word may have, and not begin with: n.v., aujourd'hui, non-current, not_current."""


def goes_on(value: object) -> bool | None:
    """True or false where a value says so, None where it says neither.

    Takes booleans, 1 and 0, and words: yes and no, and those for "until now" of `dates`.

    >>> goes_on("bis heute"), goes_on("No"), goes_on("N/A"), goes_on("see CV")
    (True, False, None, None)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _of_text(value) if len(value) <= _LONGEST else None
    if isinstance(value, int | float) and value in (0, 1):
        return value == 1
    return None


@lru_cache(maxsize=4096)
def _of_text(text: str) -> bool | None:
    text = text.strip()
    if not _is_of_words(text):
        return _NUMBERS.get(text)
    words = fold(text)
    if words in _YES:
        return True
    if words in _NO:
        return False
    return True if words not in _OF_AN_END and is_present(text) else None


def _is_of_words(text: str) -> bool:
    """Whether `fold` drops nothing that may turn the sense of a text: -1, 1/0, !true, yes?."""
    return text[:1] not in _INSIDE and not any(
        unicodedata.category(char)[0] in "NPS" and char not in _INSIDE for char in text
    )

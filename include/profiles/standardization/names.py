"""Names of people: decoration off, parts found, capitals in the place of one case.

Pure. How two names compare is said in `resolution.names`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from profiles.standardization.capitals import is_acronym
from profiles.standardization.text import clean_line, fold
from profiles.standardization.words import alternatives, words


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name. `is_usable` is false for text that is no name (a formula, a job title, an
    address): shown as it is, never used for matching."""

    full: str
    given: str | None
    family: str | None
    is_usable: bool


_MARKS: Final = re.compile("[®™©℠†*~^_]+|(?<!\\w)[#@](?=\\w)")
_ASIDE: Final = re.compile(r'\s*[([{（][^()[\]{}（）]*[)\]}）]|\s*["“”„«»][^"“”„«»]{1,30}["“”„«»]')
_FORMER: Final = re.compile(
    rf"[(\[,] ?(?i:{alternatives(words('names', 'born'))}):? ([^\W\d_][^()\[\],|]{{1,40}})"
)
_PRONOUNS: Final = re.compile(
    r"\s*[-–|,(]?\s*\b(?:he|she|they|ze)\s*/\s*(?:him|hers?|his|them|they|she|he)\b"
    r"(?:\s*/\s*\w+)?\)?",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(r"\s*(?:[|•·►/:]|\s[-–—]\s).*\Z")
_NOTICE: Final = re.compile(
    r" (?:is\s+|we\s?(?:'|’)?\s?(?:a)?re\s+|i\s?(?:'|’)?\s?a?m\s+)?"
    r"(?:(?:now|urgently|actively)\s+)?(?:hiring|open\s?to\s?work|opentowork|looking for|seeking"
    r"|available for)\b.*\Z",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(
    r"\A(?:(?:resume|cv|curriculum vitae|profile)\s+(?:of|for)\s+|name\s*:\s*"
    r"|(?:full\s+)?name\s*[-–]\s*)",
    re.IGNORECASE,
)
_STRAY: Final = words("names", "stray")
_TITLES: Final = words("names", "title")
# Written after a name with or without a comma; none of these is a family name.
_CREDENTIALS: Final = words("names", "credential")
# Two letters that are also family names or initials: credentials only behind a comma.
_COMMA_CREDENTIALS: Final = words("names", "comma_credential")
PARTICLES: Final = words("names", "particle")
_WRONG: Final = re.compile(r"https?:|www\.|@|[=<>{}\\$%;]|\d")
_NOT_A_PERSON: Final = frozenset(map(fold, words("names", "nobody")))
_LONGEST: Final = 100
# Shorter all-capital words in a mixed-case name are initials (JP, RJK).
_SHOUT: Final = 4
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f]")
# "م." for an engineer: names in Arabic letters have no initials.
_ARABIC_TITLE: Final = re.compile(r"[\u0600-\u06ff]\.\Z")
_COMMAS: Final = re.compile(r"\s*[,，、;]\s*")
_PIECE: Final = re.compile(r"[^\W\d_]+")


def standardize_name(full: object, given: object = None, family: object = None) -> Name | None:
    """The name of a person from the fields that vendors give, None when none says anything.

    Titles, credentials, emoji, pronouns and "hiring" notices are off, "Family, Given" is turned,
    shouting and all-lower-case Latin names get capitals. Parts not given are taken from `full`.

    >>> name = standardize_name("Dr. Kai 🚀 Rivers, PMP®")
    >>> name.full, name.given, name.family
    ('Kai Rivers', 'Kai', 'Rivers')
    """
    return _standardize(clean_line(full), clean_line(given), clean_line(family))


def former_surname(full: object) -> str | None:
    """The surname that a name says the person had once.

    >>> former_surname("Eva Brandt (née Lindqvist)")
    'Lindqvist'
    """
    found = _FORMER.search(clean_line(full) or "")
    former = found[1].split() if found else []
    is_name = all(word[0].isupper() or word in PARTICLES for word in former)
    return _tidy_part(" ".join(former)) if former and is_name else None


def name_beside(full: object) -> str | None:
    """The further names in parentheses: a nickname, a surname before or after a marriage.

    >>> name_beside("Maëlle Fauvel (Quéméner)"), name_beside("Kai Rivers (PMP) (he/him)")
    ('Quéméner', None)
    """
    for aside in _ASIDE.findall(clean_line(full) or ""):
        words = aside.strip('()[]{}（）"“”„«» ').split()
        if words and all(map(_is_name_like, words)):
            return " ".join(words)
    return None


def _is_name_like(word: str) -> bool:
    return word.isalpha() and word.istitle() and not {_bare(word)} & (_TITLES | _CREDENTIALS)


@lru_cache(maxsize=16_384)
def _standardize(full: str | None, given: str | None, family: str | None) -> Name | None:
    if full is not None and (len(full) > _LONGEST or _WRONG.search(_undecorated(full))):
        return Name(full[:_LONGEST], None, None, False)
    given_part = _tidy_part(given)
    family_part = _tidy_part(family)
    whole = _tidy_part(full) or _join(given_part, family_part)
    if whole is None:
        return None
    if given_part is None and family_part is None:
        given_part, family_part = _parts(whole)
    elif whole.endswith(f" {given_part} {family_part}") or (
        given_part and family_part and _ends_in_initial(whole, family_part)
    ):
        # Without a title that no list has: "Chef", "Pharm.".
        whole = f"{given_part} {family_part}"
    usable = fold(whole) not in _NOT_A_PERSON and len(fold(whole).replace(" ", "")) > 1
    return Name(whole, given_part, family_part, usable)


def _undecorated(text: str) -> str:
    if not text.replace(" ", "").isalpha():
        text = _TAIL.sub("", _ASIDE.sub("", _PRONOUNS.sub("", _MARKS.sub("", text))))
    return _HEADER.sub("", _NOTICE.sub("", text)).strip()


def _ends_in_initial(whole: str, family: str) -> bool:
    """Return whether the whole name has the family name cut to its initial."""
    last = whole.split()[-1].strip(".")
    return len(last) == 1 < len(family) and fold(family).startswith(fold(last))


def _join(given: str | None, family: str | None) -> str | None:
    if given and family and _CJK.search(given) and _CJK.search(family):
        return family + given
    return " ".join(part for part in (given, family) if part) or None


@lru_cache(maxsize=16_384)
def _tidy_part(part: str | None) -> str | None:
    found = _words_in_order(_undecorated(part)) if part else None
    return _capitals(" ".join(found)) if found else None


def _words_in_order(text: str) -> list[str]:
    """The words of the name itself, given name first."""
    segments = [segment for segment in _COMMAS.split(text) if segment]
    if not segments:
        return []
    head = _strip_titles(segments[0].split())
    tail: list[str] = []
    if len(segments) > 1:
        words = _strip_titles(segments[1].split())
        is_turned = len(head) == 1 or (head and head[0].lower() in PARTICLES)
        if is_turned and words and not all(map(_is_comma_credential, words)):
            tail = head
            head = words
    head = _strip_credentials(head)
    return [word for word in (word.strip(",;:") for word in head + tail) if word]


def _strip_titles(words: list[str]) -> list[str]:
    while len(words) > 1 and (
        (_bare(words[0]) in _TITLES and not _is_family_like(words)) or _ARABIC_TITLE.match(words[0])
    ):
        words = words[1:]
    return words


def _is_family_like(words: list[str]) -> bool:
    """A lone "Fr" or "Er" before one more word, without its dot, may be the given name."""
    return len(words) == 2 and not words[0].endswith(".") and len(words[0]) <= 3 and (
        _bare(words[0]) in ("ca", "er", "fr", "ing", "ir", "don", "maj", "med", "mag", "phil")
    )  # fmt: skip


def _strip_credentials(words: list[str]) -> list[str]:
    while len(words) > 1 and (
        _is_credential(words[-1])
        or words[-1].lower() in _STRAY
        or (len(words) > 2 and _is_unpronounceable(words))
    ):
        words = words[:-1]
    return words


def _is_unpronounceable(words: list[str]) -> bool:
    """Return whether the last word of a name in mixed case is an abbreviation: "RGN"."""
    last = words[-1]
    return len(last) >= _SHOUT - 1 and last.isupper() and is_acronym(last.lower()) and not (
        words[0].isupper()
    )  # fmt: skip


def _bare(word: str) -> str:
    return word.lower().strip(".,")


def _is_credential(word: str) -> bool:
    bare = _bare(word)
    if bare not in _CREDENTIALS:
        return False
    return len(bare) > 4 or word != word.capitalize() or "." in word or bare in ("jr", "iii", "iv")


def _is_comma_credential(word: str) -> bool:
    bare, is_marked = _bare(word), word.isupper() or "." in word
    return bare in _CREDENTIALS or (is_marked and bare in _COMMA_CREDENTIALS)


def _parts(whole: str) -> tuple[str | None, str | None]:
    words = whole.split()
    if len(words) < 2:
        return (None, None) if _CJK.search(whole) else (words[0], None)
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in PARTICLES:
        start -= 1
    return words[0], " ".join(words[start:])


def _capitals(text: str) -> str:
    """Title case for a Latin name in one case, and for a shouted word in another name."""
    if not _LATIN.search(text):
        return text
    words = text.split()
    if not (text.isupper() or text.islower()):
        return " ".join(
            _capital(word) if word.isupper() and len(word) >= _SHOUT else word for word in words
        )
    if text.isupper() and len(words) == 1 and len(text) <= 2:
        return text
    return " ".join(
        word.lower() if index and word.lower() in PARTICLES else _capital(word)
        for index, word in enumerate(words)
    )


def _capital(word: str) -> str:
    return _PIECE.sub(lambda match: match[0][0].upper() + match[0][1:].lower(), word)

"""Names of people: decoration off, parts found, keys for matching.

Pure. How two names compare is said in `resolution.names`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from profiles.standardization.text import clean_line, fold
from profiles.standardization.words import word_set

__all__ = ["PARTICLES", "Name", "standardize_name"]


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
_PRONOUNS: Final = re.compile(
    r"\s*[-–|,(]?\s*\b(?:he|she|they|ze)\s*/\s*(?:him|hers?|his|them|they|she|he)\b"
    r"(?:\s*/\s*\w+)?\)?",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"\s*(?:[|•·►/:]|\s[-–—]\s)\s*.*\Z|\s+(?:is\s+|we\s?(?:'|’)?\s?(?:a)?re\s+|i\s?(?:'|’)?\s?a?m\s+)?"
    r"(?:(?:now|urgently|actively)\s+)?(?:hiring|open\s?to\s?work|opentowork|looking for|seeking"
    r"|available for)\b.*\Z",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(
    r"\A(?:(?:resume|cv|curriculum vitae|profile)\s+(?:of|for)\s+|name\s*:\s*"
    r"|(?:full\s+)?name\s*[-–]\s*)",
    re.IGNORECASE,
)
# Words and initials alone, none of which the patterns above look for: nothing to take off.
_ORDINARY: Final = re.compile(r"[^\W\d_]+\.?(?:[ '’-][^\W\d_]+\.?)*")
_TELLING: Final = re.compile(
    r"\b(?:hiring|open|looking|seeking|available|resume|cv|curriculum|profile|name)", re.IGNORECASE
)
_STRAY: Final = word_set(
    """
    mobile phone email e-mail mail contact resume résumé cv address tel telephone linkedin
    profile curriculum vitae
    """
)
_TITLES: Final = word_set(
    """
    dr doctor prof professor mr mrs ms miss mx sir dame rev fr shri sri smt kumari er eng
    engr ing ir dipl dipl-ing herr frau hr mme mlle monsieur madame sr sra srta don doña
    dott dottssa adv capt captain maj major col lt cdr sgt hon med univ mag rer nat habil
    phil jur dip h.c ca
    """
)
# Written after a name with or without a comma; none of these is a family name.
_CREDENTIALS: Final = word_set(
    """
    mba emba pgdm pgdbm phd dphil dsc msc mphil mtech btech bsc bcom mcom bba bca mca llb
    llm mbbs dba edd psyd pharmd dds dmd dvm dnp rn bsn msn fnp crna pmp pgmp capm csm cspo
    psm pmi-acp safe cfa frm caia cpa acca fcca cima aca fca icwa cissp cism cisa ceh oscp
    crisc ccna ccnp ccie itil mcse mcsa togaf cbap shrm-cp shrm-scp sphr phr gphr six-sigma
    pe p.e leed esq jd cfp clu chfc cipd mcipd fcipd frics mrics ceng mieee iii iv jr junior
    snr pmp-acp cscp cpim cpsm lssbb lssgb mcipp cipp ccp ph.d m.sc b.sc m.tech b.tech m.b.a
    b.e m.e b.a m.a m.s b.s m.d b.com m.com ll.b ll.m cphr prince2 pmi cams cia cfe cma rph
    facs frcs mrcp frcp fache rdn ccrn cnm aprn np-c pa-c lcsw lmft lpc otr/l dpt cscs faia
    aia riba asla
    """
)
# Two letters that are also family names or initials: credentials only behind a comma.
_COMMA_CREDENTIALS: Final = word_set(
    """
    ma ba be bs ms md me do pa np ca cs ce ii pt ot rd ea ai it hr vp ceo cto cfo coo cmo
    """
)
PARTICLES: Final = word_set(
    """
    van von der den de del della di da dos das du la le el al bin ibn bint ben ter ten zu
    zur vom y e af av
    """
)
# Two to four words as most names are written: nothing to take off, to turn or to capitalise, unless
# a word of the sets above is among them.
_PLAIN: Final = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+(?: [A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+){0,3}")
_SPECIAL: Final = _STRAY | _TITLES | _CREDENTIALS | _COMMA_CREDENTIALS
_WRONG: Final = re.compile(r"https?:|www\.|@|[=<>{}\\$%;]|\d")
_NOT_A_PERSON: Final = frozenset(
    fold(name)
    for name in (
        "test", "test user", "admin", "administrator", "user", "candidate", "unknown candidate",
        "anonymous", "linkedin member", "linkedin user", "someone", "no name", "name", "full name",
        "first last", "first name", "hidden", "confidential", "private", "recruiter", "hr team",
        "hiring manager", "hiring team", "curriculum vitae", "resume", "cv",
    )
)  # fmt: skip
_LONGEST: Final = 100
# Shorter all-capital words in a mixed-case name are initials (JP, RJK).
_SHOUT: Final = 4
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f]")
_INITIAL: Final = re.compile(r"[^\W\d_]\.?\Z")
_COMMAS: Final = re.compile(r"\s*[,，、;]\s*")
_SPACES: Final = re.compile(r"\s+")


def standardize_name(full: object, given: object = None, family: object = None) -> Name | None:
    """The name of a person from the fields that vendors give, None when none says anything.

    Titles, credentials, emoji, pronouns and "hiring" notices are off, "Family, Given" is turned,
    shouting and all-lower-case Latin names get capitals. Parts not given are taken from `full`.

    >>> name = standardize_name("Dr. Kai 🚀 Rivers, PMP®")
    >>> name.full, name.given, name.family
    ('Kai Rivers', 'Kai', 'Rivers')
    """
    return _standardize(clean_line(full), clean_line(given), clean_line(family))


@lru_cache(maxsize=16_384)
def _standardize(full: str | None, given: str | None, family: str | None) -> Name | None:
    if full is not None and not _looks_like_name(full):
        return Name(full[:_LONGEST], None, None, False)
    given_part = _tidy_part(given)
    family_part = _tidy_part(family)
    whole = _tidy_whole(full, given_part, family_part)
    if whole is None:
        return None
    if given_part is None and family_part is None:
        given_part, family_part = _parts(whole)
    elif given_part and family_part and _ends_in_initial(whole, family_part):
        whole = f"{given_part} {family_part}"
    usable = fold(whole) not in _NOT_A_PERSON and len(fold(whole).replace(" ", "")) > 1
    return Name(whole, given_part, family_part, usable)


def _looks_like_name(text: str) -> bool:
    return len(text) <= _LONGEST and (_is_plain(text) or _WRONG.search(_undecorated(text)) is None)


def _is_plain(text: str) -> bool:
    return (
        _PLAIN.fullmatch(text) is not None
        and _SPECIAL.isdisjoint(text.lower().split(" "))
        and _TELLING.search(text) is None
    )


def _undecorated(text: str) -> str:
    if _ORDINARY.fullmatch(text) is not None and _TELLING.search(text) is None:
        return text
    text = _PRONOUNS.sub("", _MARKS.sub("", text))
    text = _ASIDE.sub("", text)
    return _HEADER.sub("", _TAIL.sub("", text)).strip()


def _tidy_whole(full: str | None, given: str | None, family: str | None) -> str | None:
    if full and _is_plain(full):
        return full
    text = _undecorated(full) if full else ""
    words = _words_in_order(text)
    if not words:
        return _join(given, family)
    return _capitals(" ".join(words))


def _ends_in_initial(whole: str, family: str) -> bool:
    """Whether the whole name has the family name cut to its initial."""
    last = whole.split()[-1].strip(".")
    return len(last) == 1 < len(family) and fold(family).startswith(fold(last))


def _join(given: str | None, family: str | None) -> str | None:
    if given and family and _CJK.search(given) and _CJK.search(family):
        return family + given
    return " ".join(part for part in (given, family) if part) or None


def _tidy_part(part: str | None) -> str | None:
    if part is None or _is_plain(part):
        return part
    words = _words_in_order(_undecorated(part))
    return _capitals(" ".join(words)) if words else None


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
    while len(words) > 1 and _bare(words[0]) in _TITLES and not _is_family_like(words):
        words = words[1:]
    return words


def _is_family_like(words: list[str]) -> bool:
    """A lone "Fr" or "Er" before one more word, without its dot, may be the given name."""
    return len(words) == 2 and not words[0].endswith(".") and len(words[0]) <= 3 and (
        _bare(words[0]) in ("ca", "er", "fr", "ing", "ir", "don", "maj", "med", "mag", "phil")
    )  # fmt: skip


def _strip_credentials(words: list[str]) -> list[str]:
    while len(words) > 1 and (_is_credential(words[-1]) or words[-1].lower() in _STRAY):
        words = words[:-1]
    return words


def _bare(word: str) -> str:
    return word.lower().strip(".,")


def _is_credential(word: str) -> bool:
    bare = _bare(word)
    if bare not in _CREDENTIALS:
        return False
    return len(bare) > 4 or word != word.capitalize() or "." in word or bare in ("jr", "iii", "iv")


def _is_comma_credential(word: str) -> bool:
    bare = _bare(word)
    if bare in _CREDENTIALS:
        return True
    return bare in _COMMA_CREDENTIALS and (word.isupper() or "." in word)


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
    if not (text.isupper() or text.islower()):
        return " ".join(
            _capital(word) if word.isupper() and len(word) >= _SHOUT else word
            for word in text.split()
        )
    words = text.split()
    if text.isupper() and len(words) == 1 and len(text) <= 2:
        return text
    return " ".join(
        word.lower() if index and word.lower() in PARTICLES else _capital(word)
        for index, word in enumerate(words)
    )


_PIECE: Final = re.compile(r"[^\W\d_]+")


def _capital(word: str) -> str:
    return _PIECE.sub(lambda match: match[0][0].upper() + match[0][1:].lower(), word)

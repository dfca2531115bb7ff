"""Whether an unknown name in a summary is that of a person. Pure.

A person acts ("Uday J. Patwardhan leads"), owns something ("the strengths of Luc D'Alençon"), is
told of with a comma, or is addressed ("Ms. McAllen"). Words of a name have its form: initials,
capitals inside after Mc, O' or D', hyphens, particles, letters of any script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from profiles.standardization.text import split_sentences
from profiles.validation.common_nouns import COMMON_NOUNS
from profiles.validation.evidence import words_of
from profiles.validation.names import JOINERS, PARTICLES, STARTERS, Name
from profiles.validation.person_places import (
    begins_as_person,
    does_as_one_does,
    is_put_as_person,
    is_put_surely_as_person,
)
from profiles.validation.support import is_neutral

__all__ = [
    "is_initial",
    "is_person",
    "is_single_person",
    "is_written_as_person",
    "single_names",
    "titled_names",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ACTS = _words("""
    has is was had brings brought holds held works worked leads led who whose served serves can
    joined began started built builds manages managed runs ran rose grew took made won wrote gave
    taught went became kept spoke oversaw also now then later currently further previously has
    consistently successfully
""")
_ABSTRACT = re.compile(
    r"(?:\b(?:think|learn|engineer|market|plann|test|programm|consult|bank|account|train|comput"
    r"|manufactur|process|network|mentor|coach|report|trad|model+|schedul|pric|brand|sourc|nurs"
    r"|tun|writ|cod|monitor|build)ing"
    r"|tions?|sions?|ments?|ness|ships?|ity|ities|ty|ics|ogy|ance|ence|ops|ware|sis|ources)$",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"[^\W\d_]\.?\Z|(?:[^\W\d_]\.){2,3}\Z")
_PART = r"[^\W\d_]+"
_FORM = re.compile(
    rf"(?:[^\W\d_]['’]|ka|Mc|Mac|Fitz|De|La|Le|Di|Du|Van|Von|(?:[Aa]l|[Ee]l|[Bb]in)-)?"
    rf"{_PART}(?:[-'’]{_PART})*\Z"
)
_INNER = re.compile(
    r"(?:[^\W\d_]['’]|ka|Mc|Mac|Fitz|De|La|Le|Di|Du|Van|Von|(?:[Aa]l|[Ee]l|[Bb]in)-)(?=[^\W\d_])"
)
_SYLLABLE = re.compile(r"[bcdghjklmnprstwxyz]{0,2}[aeiouy]{1,3}(?:ng|[hklmnr])?\Z")
_NO_SYLLABLES = _words("in on to do no go run win man day way by so ray an be la de per he me we")
_NUMBERED = _words(
    "series plan team phase class level type grade tier vitamin exhibit section schedule option"
    " round group band category part unit stage vision"
)
_NO_FIRST_NAMES = _words("""
    new south north east west middle central latin open big business team silicon world united
    saint san los las great black lean six good high low
""")
_NO_SINGLE_NAMES = _words("""
    right only just even until since by every particular well later now then next first once
    still today always often finance legal payroll sales purchasing marketing design everyone
    somebody someone nobody much today's one others
""")
_NAMES_IN_FORM = _words(
    "bence clarence laurence lawrence terence terrence constance florence vance"
)
"""Names that end as nouns for qualities do."""
_CAPITALS = 5
_OWNED = re.compile(
    r"\b(?:strengths?|career|profile|background|path|journey|record|talents?)\s+of$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"([^\W\d_][\w'’-]*?)(?:['’]s\s|\s+(?:is an?\s+(?!strength|priority|focus|passion|theme|key"
    r"|core|part|hallmark|constant|central)|has (?:\w+|over \w+|more than \w+) years|holds an?\s"
    r"|(?:prepares|brings|works|leads|joined|manages|specialis|specializ|excels|combines|oversees"
    r"|currently|now|then|worked|led|graduated|studied)\w*\s"
    r"|(?:has|had) (?:also |since |consistently |successfully )?(?:worked|led|served|managed"
    r"|built|spent|held|earned|gained|joined"
    r"|a (?:strong|solid|proven|deep|keen|knack|background|record))"
    r"|(?:demonstrates|possesses|thrives|enjoys|mentors|mentored|honed|spearheaded|collaborates"
    r"|collaborated|communicates|understands|oversaw|served|serves|earned|reports|reported|spent"
    r"|can be (?:relied|trusted|counted)|comes across|lives|deserves"
    r"|goes (?:above|beyond|by)"
    r"|knows|took|understood|handled|handles|coordinates|coordinated|liaises|liaised|champions"
    r"|championed|played)\s"
    r"|(?:has|was|is) (?:also |now |widely |highly |well |currently )?(?:known|skilled|adept"
    r"|proficient|respected|recogni[sz]ed|described|looking|seeking|fluent|eager|keen|valued"
    r"|promoted|appointed|hired|mentored|born|comfortable|happy|confident|experienced|qualified"
    r"|certified|dedicated|committed|passionate|proud|curious|meticulous|conversant)\b"
    r"|is the (?:kind|sort|type|one|person|right|ideal)\b|has been (?:with|working|employed"
    r"|engaged|hired|serving|promoted|at)\b"
    r"))"
)
_IS_TITLE = re.compile(r"([^\W\d_][\w'’-]*) is an? (?:[a-z][\w-]* ){0,3}[A-Z][a-z]")
"""Who is said to have a title is a person, whatever the name ends in."""
_BEGINS = re.compile(r"([^\W\d_][\w'’-]*)(?=[ ,:])([,:]?.{1,60})")
_LISTED = re.compile(r"([^\W\d_][\w'’-]+), ([^\W\d_][\w'’-]+): (?=[A-Z]|an? )")
"""As in a file, the surname first: "Quill, Ada: engineer"."""
_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Madam|Shri|Smt|Herr|Frau|Señora?|Monsieur|Madame)"
    r"\.?\s+((?:[^\W\d_a-z]\.?\s+)*)([^\W\d_][\w'’-]*)"
)
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:ve|re|ll|d|m|s))\Z")
"""What a sentence that begins with a pronoun begins with: "They've built", "It's"."""
_LONGEST = 4


def is_initial(word: str) -> bool:
    """Whether the word is a single letter, or several with points."""
    return _INITIAL.match(word) is not None


def is_person(name: Name, unknown: Sequence[str], is_ordinary: Callable[[str], bool]) -> bool:
    """Whether an unknown name is a person's: by its form, and by what the sentence does with it.

    Words that are ordinary ones elsewhere ("Change Board") need clearer signs than others.
    """
    if any(_has_no_case(word) for word in unknown):
        return True
    full = [word for word in _own_words(name.words) if not is_initial(word)]
    if not is_written_as_person(name) or full[-1] not in unknown:
        return False
    is_of_a_place = (
        len(_own_words(name.words)) < len(_without_particles(name.words)) and not name.before
    )
    is_told_of = _is_told_of(name) and not all(word.isupper() for word in full)
    if is_of_a_place or is_told_of:
        return True
    return not any(is_ordinary(word.lower()) for word in full) and is_put_as_person(name)


def is_written_as_person(name: Name) -> bool:
    """Whether a name of several words has the form of a person's."""
    words = _own_words(name.words)
    full = [word for word in words if not is_initial(word)]
    if not full or not 2 <= len(words) <= _LONGEST:
        return False
    if not all(is_initial(word) or _has_form(word) for word in words):
        return False
    if is_initial(words[-1]) and full[-1].lower() in _NUMBERED:
        return False
    if _is_abstract(full[-1]) or is_neutral(full[-1].lower()):
        return False
    return full[0].lower() not in _NO_FIRST_NAMES


def is_single_person(name: Name, is_ordinary: Callable[[str], bool]) -> bool:
    """Whether a single unknown word inside a sentence is a person's name there."""
    words = [word for word in _without_particles(name.words) if not is_initial(word)]
    if len(words) != 1 or not _has_form(words[0]) or words[0].isupper():
        return False
    if is_initial(name.words[-1]):
        # "Plan B" is none.
        return False
    word = words[0].lower()
    is_common = (
        is_ordinary(word) or word in _NO_SINGLE_NAMES or word in COMMON_NOUNS or _is_abstract(word)
    )
    return not is_common and (is_put_surely_as_person(name) or does_as_one_does(name))


def single_names(summary: str, is_ordinary: Callable[[str], bool]) -> Iterator[str]:
    """Single names that begin a sentence about a person: "Tobias is an engineer"."""
    sentences = split_sentences(summary)
    found = {match[1] for text in sentences if (match := _SUBJECT.match(text))}
    titled = {match[1] for text in sentences if (match := _IS_TITLE.match(text))}
    begun = {match[1] for text in sentences if (match := _BEGINS.match(text)) and _acts(match)}
    begun |= {
        word for text in sentences if (match := _LISTED.match(text)) for word in match.groups()
    }
    begun = {word for word in begun if not is_ordinary(word.lower())}
    for word in {_CONTRACTED.sub("", word) for word in found | begun}:
        lowered = word.lower()
        is_common = (
            lowered in STARTERS
            or lowered in COMMON_NOUNS
            or (lowered.removesuffix("s") in COMMON_NOUNS)
            or lowered in _NO_SINGLE_NAMES
            or (lowered.endswith(("ly", "ed", "ing")) and word not in titled)
            or is_neutral(lowered)
        )
        if word[0].isupper() and _has_form(word) and not (is_common or _is_abstract(word)):
            yield word


def _is_abstract(word: str) -> bool:
    """Whether the word has the form of a noun for a quality or an activity."""
    return word.lower() not in _NAMES_IN_FORM and _ABSTRACT.search(word) is not None


def _acts(match: re.Match[str]) -> bool:
    after = match[2].split()
    name = Name((match[1],), "", "".join(after[:1]), is_owner=False, rest=match[2].lstrip())
    return begins_as_person(name)


def titled_names(summary: str) -> Iterator[str]:
    """Names after a form of address: "Ms. McAllen"."""
    for match in _TITLED.finditer(summary):
        if not match[2][0].islower():
            yield re.sub(r"['’]s\Z", "", match[2])


def _is_told_of(name: Name) -> bool:
    if name.is_owner or name.after in _ACTS or _OWNED.search(name.before):
        return True
    if name.before and not name.before.endswith(","):
        return False
    if name.ends_clause:
        return name.after in ("a", "an", "the", "now", "once") and not name.before
    return name.after.islower() and name.after.endswith(("s", "ed"))


def _own_words(words: Sequence[str]) -> list[str]:
    """Those before "of", "and" or the like, particles left out."""
    found: list[str] = []
    for word in _without_particles(words):
        if word in JOINERS:
            break
        found.append(word)
    return found


def _without_particles(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in PARTICLES]


def _has_form(word: str) -> bool:
    """Whether the word is written as names are: McAllen, D'Alençon, Marie-Claire, Søren."""
    if _FORM.match(word) is None:
        return False
    if word.isupper() and len(word) >= _CAPITALS:
        return True
    return any(all(map(_is_part, _parts(form))) for form in (word, _INNER.sub("", word)))


def _is_part(part: str) -> bool:
    """Whether a part between hyphens is a name's: Marie-Claire, Seung-min, but not full-time."""
    if part[:1].isupper():
        return part[1:] == part[1:].lower()
    return _SYLLABLE.match(part) is not None and part not in _NO_SYLLABLES


def _parts(word: str) -> list[str]:
    return [part for part in re.split(r"[-'’]", word) if part]


def _has_no_case(word: str) -> bool:
    """Whether it is written in a script without capitals: 王小明, محمد."""
    letters = [letter for letter in "".join(words_of(word)) if letter.isalpha()]
    return len(letters) > 1 and all(
        not letter.isupper() and not letter.islower() and letter not in "ªº" for letter in letters
    )

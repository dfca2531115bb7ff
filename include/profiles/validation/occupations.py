"""Occupations that a summary gives the person and the document does not have. Pure.

A trade counts against the summary when its noun is told of the person and no form of it, and
nothing else that shows it, stands in the document. Nouns that praise or that tell a share in any
work ("a quick learner", "a contributor") are no trades; some are, with the word before them: a
tour guide, an aerospace engineer. A learned trade that no list has is known by its form.
"""

from __future__ import annotations

import re

from profiles.validation.evidence import Evidence
from profiles.validation.foreign_titles import english_of
from profiles.validation.mentions import Mentions
from profiles.validation.occupation_evidence import SHOWN_BY
from profiles.validation.occupation_fields import (
    GENERAL,
    OWN_FAMILIES,
    has_any_word,
    has_field,
    is_agent,
    is_job,
    is_shown_as_work,
    is_shown_in_english,
    names_field,
)
from profiles.validation.occupation_nouns import COMPOUNDS, DOUBTFUL, NARROW, TRADES
from profiles.validation.support import is_neutral
from profiles.validation.whose import Whose
from profiles.validation.work_places import (
    ends_noun,
    is_named_as_work,
    is_worked_as,
    speaks_of_work,
)

__all__ = ["occupation_ends"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEARNED_FORM = re.compile(r"(?:ologist|ographer|[^aeiou]ician|[a-z]{4}ist|smith|monger)\Z")
_NO_TRADES = _words("""
    achievist activist alchemist assist capitalist checklist colonist conformist consist enlist
    enthusiast essentialist evangelist extremist finalist futurist generalist humanist idealist
    journalist loyalist maximalist minimalist opportunist optimist perfectionist persist pharmacist
    pragmatist purist realist receptionist resist scientist specialist strategist shortlist
    technologist traditionalist twist waitlist watchlist wordsmith tactician physician technician
    clinician dentist recruitist exist wishlist playlist blacklist whitelist tourist artist
    methodologist theorist visionist
""")
_ROLES = _words("""
    administrator coordinator adviser advisor registrar buyer writer broker agent keeper assistant
    attendant representative programmer tester architect adjuster singer player performer runner
    researcher manager clerk warden captain guard help officer advocate curator producer presenter
    engineer designer scientist technician surveyor planner lawyer nurse teacher developer
    analyst consultant auditor inspector officer trader controller director worker guide instructor
    operator artist handler restorer conservator commentator assessor breeder dealer maker
""")
_DESCRIBES = re.compile(
    r"(?:ed|ing|ful|ive|able|ible|ous|ic|al|ent|ant|ly|ior|oriented|driven|minded|class|level|on"
    r"|thinking|an|ese|ish)\Z"
)
_SHARED_FIELDS = _words("""
    account accounts ai all-round analytics app application applications area associate automation
    back-end backend bi born brand business calm certified chartered chief civil clean client cloud
    commercial core country customer data database deputy devops etl excellent expert field finance
    fine first former front-end frontend full-stack fullstack go-to good graduate great group
    hands-on hr infrastructure interface it junior keen key lead machine marketing mature
    mid-level ml mobile multi-skilled new operations ops people pipeline platform principal
    process product programme project qa quality registered reliability sales security senior
    service services sharp site skilled smart software solid sought-after staff star strong study
    support system systems talent tax test top trained trial trials true ui user ux veteran visual
    ward warehouse web well-rounded young demand supply material materials production capacity
    then second freelance trainee sole part-time full-time adept team knowledge remote shift agile
    humble careful polite wise gentle safe sure solo home decision change deal difference
""")
_PRAISING = {"model": "role", "leader": "people"}
"""Nouns that praise after that word: a role model, a people leader."""
_ACTIONS = _words("reporter presenter author editor driver carrier runner keeper producer reader")
"""Who does such a thing of something ("a reporter of progress") need not do it for a living."""
_FAR_FIELDS = _words("""
    aeronautical biomedical environmental industrial agricultural geotechnical forensic nautical
    naval optical surgical automotive sound
""")
_ROOT = re.compile(r"(?:ographer|ologian|ician|ist|ian|er|or|woman|man|ess)\Z")
_LEARNED = re.compile(r"physician|doctor|surg|consultant|scien|research|registrar|resident|medical")
_LEARNED_DEGREES = _words("mbbs md phd dr")
_SHORTEST_ROOT = 5
_LETTERS = 4
_SHORTEST_FIELD = 4
"""Shorter ones are abbreviations: a TA specialist."""


def occupation_ends(mentions: Mentions, evidence: Evidence) -> frozenset[int]:
    """Where in the summary the occupations end that the document does not support."""
    return frozenset(
        mentions.ends[position]
        for position, word in enumerate(mentions.words)
        if _is_in_doubt(mentions, position, word, evidence)
        and mentions.whose(position) is Whose.OWN
    )


def _is_in_doubt(mentions: Mentions, position: int, word: str, evidence: Evidence) -> bool:
    if word in _PRAISING and mentions.word(position - 1) == _PRAISING[word]:
        return False
    is_known_name = mentions.raw[position][0].isupper() and word in evidence.words
    if is_known_name or (word in _ACTIONS and _is_action(mentions, position, word)):
        return False
    if evidence.is_foreign:
        return _is_in_doubt_abroad(mentions, position, word, evidence)
    if _may_be_trade(word) and _is_unsupported(mentions, position, evidence):
        return True
    if word in TRADES:
        fields = _fields(mentions, position)
        is_other = word not in evidence.titles and not has_field(fields, evidence)
        return is_other and ends_noun(mentions, position)
    is_general = word in GENERAL
    if is_general or word in OWN_FAMILIES:
        return (
            ends_noun(mentions, position)
            and not has_field(_fields(mentions, position), evidence)
            and (not is_general or _is_named(mentions, position))
        )
    if is_agent(word) and ends_noun(mentions, position) and _is_named(mentions, position):
        told = evidence.career if mentions.is_played(position) else evidence.titles
        return not is_shown_as_work(word, _fields(mentions, position), evidence, told)
    return (
        is_worked_as(mentions, position)
        and is_job(word)
        and not mentions.raw[position].isupper()
        and not has_any_word((*_fields(mentions, position), word), evidence)
    )


def _is_named(mentions: Mentions, position: int) -> bool:
    """Whether the noun tells an occupation by its place, or by a field before it."""
    return names_field(_fields(mentions, position)) or is_named_as_work(mentions, position)


def _is_action(mentions: Mentions, position: int, word: str) -> bool:
    """Whether the noun tells a deed: "a driver of change", but no "taxi driver of rare ability"."""
    if mentions.word(position + 1) != "of":
        return False
    return COMPOUNDS.get(word, frozenset()).isdisjoint(_fields(mentions, position))


def _is_in_doubt_abroad(mentions: Mentions, position: int, word: str, evidence: Evidence) -> bool:
    """The noun stands in the document in another language, with a common root at best."""
    is_learned = _is_learned(word)
    if is_learned and word[:_LETTERS] in evidence.letters:
        return False
    english = english_of(evidence.each_title)
    if english is None:
        return is_learned
    fields = _fields(mentions, position)
    if not ends_noun(mentions, position) or is_shown_in_english(word, fields, english, evidence):
        return False
    if word in TRADES or is_learned or not COMPOUNDS.get(word, frozenset()).isdisjoint(fields):
        return True
    is_noun = word in GENERAL or word in OWN_FAMILIES or is_agent(word)
    return is_noun and is_named_as_work(mentions, position)


def _fields(mentions: Mentions, position: int) -> tuple[str, ...]:
    """The words that belong to the noun, before it."""
    return mentions.words[mentions.first_of(position) : position]


def _may_be_trade(word: str) -> bool:
    return (
        word in TRADES or word in COMPOUNDS or word in DOUBTFUL or word in _ROLES
        or _is_learned(word)
    )  # fmt: skip


def _is_learned(word: str) -> bool:
    return word not in _NO_TRADES and _LEARNED_FORM.search(word) is not None


def _is_unsupported(mentions: Mentions, position: int, evidence: Evidence) -> bool:
    head = mentions.words[position]
    fields = _fields(mentions, position)
    field = fields[-1] if fields else ""
    if field in COMPOUNDS.get(head, ()):
        return not _has_compound(field, head, evidence)
    if head in _ROLES and field and _is_far(field, evidence):
        return True
    if head in TRADES or _is_learned(head):
        return not _is_shown(head, evidence)
    return head in DOUBTFUL and not _is_shown(head, evidence) and speaks_of_work(mentions, position)


def _is_shown(head: str, evidence: Evidence) -> bool:
    """Whether the document has the trade in some form."""
    if head in evidence.words or f"{head}s" in evidence.words:
        return True
    if head in SHOWN_BY and re.search(SHOWN_BY[head], evidence.career):
        return True
    if head in NARROW or head in SHOWN_BY:
        return False
    if evidence.has_word(head):
        return True
    if head.endswith("ologist") and not _is_learned_person(evidence):
        # The field alone is no title: nurses and engineers work in oncology, too.
        return False
    root = _ROOT.sub("", head)
    return len(root) >= _SHORTEST_ROOT and any(word.startswith(root) for word in evidence.words)


def _is_learned_person(evidence: Evidence) -> bool:
    has_degree = "doctorate" in evidence.degrees or _LEARNED_DEGREES & evidence.words
    return bool(has_degree) or _LEARNED.search(evidence.titles) is not None


def _has_compound(field: str, head: str, evidence: Evidence) -> bool:
    if not evidence.has_word(field):
        return False
    return head in evidence.words or f"{head}s" in evidence.words or field in evidence.job_titles


def _is_far(field: str, evidence: Evidence) -> bool:
    """Whether the word before a role names a field that the document does not have."""
    if len(field) < _SHORTEST_FIELD or evidence.has_word(field) or field in _SHARED_FIELDS:
        return False
    return field in _FAR_FIELDS or not (_DESCRIBES.search(field) or is_neutral(field))

"""Occupations that a summary gives the person, known by their form rather than from a list. Pure.

"Worked as a stonemason" claims an occupation whatever the trade is: an article, a noun of the
form that occupations have, and a place in the sentence where a person is told what they are. It
counts against the summary when the document has no form of the noun. Nouns that praise or that
tell a share in the work ("a quick learner", "a contributor") are no occupations. A known role in
a field that the document does not have ("an aerospace engineer") is one, too.
"""

from __future__ import annotations

import re

from profiles.validation.evidence import Evidence
from profiles.validation.support import is_neutral

__all__ = ["occupation_ends"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLAIM = re.compile(
    r"(?:\A|[.!?]\s+|\b(?:as|is|was|be|been|being|become|becomes|became|also|now|once|formerly"
    r"|previously)\s+|\b(?:role|job|post|position|that|work|trade|career|capacity|profession|life"
    r"|rank)\s+of\s+)"
    r"(?:an?|the)\s+(?P<phrase>(?:(?!(?:is|was|are|were|as|has|had)\b)[a-z][\w-]*\s+){0,3}?[a-z][\w-]*)"
    r"(?=[,.;:!]|\s+(?:by|with|at|for|in|who|and|of|on|from|to|before|after|turned|whose|since"
    r"|until|during|under)\b|\s*\Z)",
    re.IGNORECASE,
)
_FORM = re.compile(r"(?:ist|ian|eer|man|woman|mason|smith|wright|keeper|monger|er|or|ant|ress)\Z")
_LEARNED_FORM = re.compile(r"(?:ist|ian)\Z")
_FORMLESS = _words("""
    chef cook pilot judge clerk agent guide artist athlete priest vet poet surgeon physician
    mechanic diplomat notary detective attorney host nurse scribe coroner cashier barista
""")
_NO_OCCUPATIONS = _words("""
    accelerator accountant achiever activist adapter adaptor administrator admirer adopter adviser
    advisor all-rounder amplifier analyst anchor another answer answerer applicant architect
    assistant attorney author bachelor backer barrier bearer behaviour believer better bookkeeper
    booster brilliant bringer broader brother builder businessman businesswoman career caretaker
    carrier center centre chairman chairwoman changemaker chapter character cheerleader closer
    cluster cofounder collaborator communicator computer connector constant consultant consumer
    container contender contributor controller conversationalist coordinator corner craftsman
    creator custodian customer cyclist daughter dealmaker decision-maker deeper defender deliverer
    dentist designer developer differentiator director doer dominant driver earlier earner educator
    elegant employer enabler endeavor engineer enhancer enthusiast error essentialist evangelist
    expander explainer exterior facilitator factor faster father favor fighter filter finalist
    finisher fixer folder follower footer forerunner former founder frontman frontrunner
    game-changer gatekeeper generalist getter giver greater guarantor guardian hallmark harbor
    harbour harmonizer header helper higher hiker holder human humanist humor hunter idealist
    important indicator influencer initiator innovator insider integrator interviewer journalist
    juggler junior labor larger later lawyer layer layperson leader learner lecturer letter
    listener longer lover loyalist maintainer major maker man manager manner marker marketer master
    matter member mentor middleman minimalist minor modular monitor mother motivator multiplier
    multitasker negotiator networker newcomer newsletter number offer officer operator optimiser
    optimist optimizer orchestrator order organiser organizer originator other outlier outsider
    owner paper paralegal participant particular partner peacemaker perfectionist performer
    pharmacist physician pillar pioneer planner player popular power practitioner presenter
    problem-solver processor producer professor programmer promoter proper protagonist provider
    purist quarter rainmaker reader realist recruiter regular relevant reluctant reminder
    researcher responder restaurant reviewer router runner salesperson saver scientist sector
    seeker self-starter seller semester senior server shareholder significant similar simplifier
    singular sister smaller solicitor solver sourcer speaker specialist spokesman sponsor
    stabiliser stabilizer stakeholder starter storyteller strategist streamliner stronger summer
    super superior supervisor supplier supporter surgeon taker tasker teacher technologist tester
    thinker tier traditionalist trailblazer trainee trainer transformer transmitter trendsetter
    troubleshooter unifier user vendor vibrant volunteer wider winner winter woman worker writer
    year
""")
_ROLES = _words("""
    engineer designer scientist technician surveyor planner lawyer nurse teacher developer
    analyst consultant auditor inspector officer trader controller
    director
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
    hands-on hospital hr infrastructure interface it junior keen key lead machine marketing mature
    mid-level ml mobile multi-skilled network new operations ops people pipeline platform principal
    process product programme project qa quality registered reliability sales security senior
    service services sharp site skilled smart software solid sought-after staff star strong study
    support system systems talent tax test top trained trial trials true ui user ux veteran visual
    ward warehouse web well-rounded young
""")
_FAR_FIELDS = _words("""
    aeronautical biomedical environmental industrial agricultural geotechnical forensic nautical
    naval optical surgical automotive sound
""")
_DRIVEN = _words("bus train tram truck lorry taxi van delivery racing crane forklift ambulance")
_STEM = 4


def occupation_ends(summary: str, evidence: Evidence) -> frozenset[int]:
    """Where in the summary the occupations end that the document does not support."""
    return frozenset(
        match.end()
        for match in _CLAIM.finditer(summary)
        if _is_unsupported(match["phrase"].lower().split(), evidence)
    )


def _is_unsupported(words: list[str], evidence: Evidence) -> bool:
    head = words[-1]
    field = words[-2] if len(words) > 1 else ""
    if evidence.is_foreign:
        # The noun stands in the document in another language, with a common root at best.
        is_learned = _LEARNED_FORM.search(head) is not None and head not in _NO_OCCUPATIONS
        return is_learned and head[:_STEM] not in evidence.letters
    if head in _ROLES and field and _is_far(field, evidence):
        return True
    if head == "driver":
        return field in _DRIVEN and not evidence.has_word(head)
    if head.rpartition("-")[2] in _NO_OCCUPATIONS or not (_FORM.search(head) or head in _FORMLESS):
        return False
    return not evidence.has_word(head) and not is_neutral(head)


def _is_far(field: str, evidence: Evidence) -> bool:
    """Whether the word before a role names a field that the document does not have."""
    if evidence.has_word(field) or field in _SHARED_FIELDS:
        return False
    return field in _FAR_FIELDS or not (_DESCRIBES.search(field) or is_neutral(field))

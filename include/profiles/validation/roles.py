"""Whether the roles that a summary claims stand in the document. Pure.

Titles are written in many ways and languages: a role counts as evidenced by any word of its
family ("Vertriebsleiter" for a sales manager). A role that belongs to somebody else ("supports a
notary") is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from profiles.validation.evidence import Evidence
from profiles.validation.mentions import Mentions, mentions_of
from profiles.validation.occupations import occupation_ends
from profiles.validation.whose import Whose

__all__ = ["count_role_faults", "is_of_others"]

_LEADERS = (
    r"lead|\bled\b|manager|\bmanag(?:ed|es|ing)\b|\bhead|chief|direct(?:or|eur|rice|ora|ed)|direktor"
    r"|dyrektor|\b[sea]?vp\b|vice.president|\bc[a-z]{1,2}o\b|leit|gerente|responsable|jefe|\bchef"
    r"|kierownik|supervis|overs(?:aw|ee)|geschaftsfuhr|founder|president|coordinador|encadr|fuhr"
    r"|captain|(?:managing|founding|general|equity) partner"
)
_OTHERS_BEFORE = re.compile(
    r"\b(?:to|with|by|under|for|from|between|alongside|beside|against|of|support\w*|assist\w*"
    r"|advis\w*|brief\w*|help\w*|join\w*|inform\w*|present\w*)\s+(?:(?:the|an?|its|their|his|her|[\w-]+['’]s"
    r"|every|each|another|senior|deputy|and)\s+)*"
    r"(?:(?!as\b|is\b|was\b|became\b|who\b)[\w-]+\s+(?:and\s+(?:the\s+|an?\s+|two\s+|its\s+)?)?)?\Z",
    re.IGNORECASE,
)
_OWN_BEFORE = re.compile(
    r"(?:\b(?:promot\w+|rose|risen|mov\w+|advanc\w+|grew|grown|stepp\w+|appointed|elevated"
    r"|progress\w+|up|on)\s+(?:\w+\s+){0,3}?to|\b(?:role|position|post|title|job|capacity|work"
    r"|rank|responsibilit\w+|that)\s+of|\bbecome)\s+(?:an?\s+|the\s+)?(?:\w+\s+){0,2}\Z",
    re.IGNORECASE,
)
_OTHERS_BEGIN = re.compile(r"(?:\A|[.!?]\s+)(?:the|an?|its|their)\s+\Z", re.IGNORECASE)
_OTHERS_ACT = re.compile(
    r"(?:\s+(?:of|at|for|in|and|the|its|an?|[A-Z][\w&-]*|company|client|customer|firm|group))*\s+"
    r"(?:ask|approv|request|want|prais|sign|expect|decid|chose|commission|confirm|receiv|trust"
    r"|rel(?:y|ies|ied) on)"
)
_TRAINED_BEFORE = re.compile(
    r"\b(?:trained|qualified|educated|schooled) as (?:an? )?(?:[\w-]+ ){0,2}\Z", re.IGNORECASE
)
_BY_TRAINING = re.compile(r" by (?:training|education|degree|qualification)\b", re.IGNORECASE)
_LOOK_BACK = 60

# The role as claimed, and the folded words of any language that evidence it. A craft is shown by
# what somebody did, a profession by a title alone: a nurse who works with pharmacists is none.
_CRAFTS: tuple[tuple[str, str], ...] = (
    (
        "engineer|(?<!business )developer|programmer",
        "engineer|developer|programm(?:er|ing)|ingeni|ingegn|entwickl|developp|desarroll|desenvolv"
        "|sviluppat|ontwikkel|utveckl|utvikl|programist|inzynier|muhendis|devops"
        r"|software|\bsre\b|architect",
    ),
    ("auditor", "audit|revis|pruf"),
    ("designer", "design|progett|gestalt|disen|concept|ux"),
    ("analyst", "analy|analista"),
    (
        "scientist",
        "scien|wissenschaft|cherch|investigad|naukow|phd|ciencia|machine learning|statist"
        "|predict|researcher",
    ),
    (
        "researcher",
        "scien|research|wissenschaft|cherch|investigad|naukow|phd|ciencia|machine learning",
    ),
    ("manager", rf"{_LEADERS}|manag|owner"),
    ("consultant", "consult|advis|berat|conseil|asesor"),
    ("technician", "techni|support|help.?desk|mechanic"),
)
_PROFESSIONS: tuple[tuple[str, str], ...] = (
    (
        "nurse",
        r"nurs|verpleeg|infermier|sjuksk|sykepl|sygepl|hemsire|pfleg|krankenschw|enfermer|infirmi|pielegn|\brn\b",
    ),
    ("pharmacist", "pharmac|apothek|farmac"),
    ("surgeon", "surg|chirurg"),
    ("physician", r"physician|doctor|arzt|medecin|medic[oa]\b"),
    ("dentist", "dent|zahn"),
    (
        "lawyer|attorney|solicitor|paralegal",
        "law|legal|attorney|solicit|abogad|avocat|anwalt|juris|counsel",
    ),
    (
        "teacher|professor|lecturer",
        "teach|lehr|profes|lectur|instruct|tutor|train|enseign|docente|educat",
    ),
    (
        "accountant|bookkeeper",
        "accountan|accounts|accounting|bookkeep|buchhalt|compta|contab|ksiegow|ledger|controller"
        "|audit|financ",
    ),
    ("architect", "architect|architekt|arquitect|arquitet"),
    ("recruiter", r"recruit|talent|sourc|hiring|\bhired\b|reclut|\bhr\b"),
    ("journalist", "journal|reporter|news|editor|redakt"),
)
_RARE_ROLES = (
    "veterinarian|carpenter|violinist|firefighter|translator|geologist|electrician|plumber"
    "|biologist|physicist|economist|statistician|photographer|psychologist|librarian|paramedic"
    "|midwife|actuary|optometrist|sommelier|airline pilot|police officer"
)
_FIELD_ROLES = (
    "engineer|developer|designer|analyst|scientist|manager|consultant|technician|researcher"
    "|specialist|recruiter|lawyer|auditor"
)
_CODE = (
    r"software|developer|developp|entwickl|desarroll|programm(?:er|ing)|\bcod(?:e|ing)\b|java|python|back.?end|front.?end"
    r"|full.?stack|devops"
)
# The field before a role, and what evidences work in it.
_FIELDS: dict[str, str] = {
    "civil": "civil|construct|structur|bauing|bauwes",
    "mechanical": "mechan|meccan|maschinenbau|mecan|cad|solidworks|catia",
    "electrical": "electr|elektr",
    "chemical": "chemi|quimic|chimi",
    "software": _CODE,
    "data": r"\bdata\b|daten|donnees|datos|dados|analy|sql|statist",
    "graphic": "graphic|design|illustrat|photoshop",
    "product": "product|produkt|produit|design",
    "sales": "sales|vertrieb|verkauf|ventas|vente|vendas|commercial|account|business dev",
    "marketing": "market|brand|seo|content|campaign|growth",
    "financial": "financ|finanz|account|audit|treasur|invest",
    "finance": "financ|finanz|account|audit|treasur|invest",
    "hr": r"\bhr\b|human|talent|recruit|people|personal|rrhh",
    "clinical": "clinic|medic|nurs|patient|pharm|klini",
    "security": "secur|sicher|cyber|segur",
    "network": "network|netz|reseau|redes|cisco|ccna",
    "cloud": "cloud|aws|azure|gcp|kubernetes|terraform",
    "mobile": "mobile|android|ios|swift|kotlin|flutter",
    "tax": "tax|steuer|vat|fiscal|gst",
}


def _compiled(
    families: tuple[tuple[str, str], ...],
) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (re.compile(rf"\b(?:{claim})\b", re.IGNORECASE), re.compile(evidence))
        for claim, evidence in families
    )


_CRAFT_CLAIMS = _compiled(_CRAFTS)
_PROFESSION_CLAIMS = _compiled(_PROFESSIONS)
_RARE_CLAIM = re.compile(rf"\b(?:{_RARE_ROLES})\b", re.IGNORECASE)
_RARE_STEM = 7
_FIELD_CLAIM = re.compile(rf"\b({'|'.join(_FIELDS)}) (?:\w+ )?(?:{_FIELD_ROLES})\b", re.IGNORECASE)
_FIELD_EVIDENCE = {field: re.compile(evidence) for field, evidence in _FIELDS.items()}


def count_role_faults(summary: str, evidence: Evidence) -> int:
    """Roles that the summary gives the person and no word of the document supports."""
    mentions = mentions_of(summary)
    unsupported = set(occupation_ends(mentions, evidence))
    for claims, told in ((_CRAFT_CLAIMS, evidence.career), (_PROFESSION_CLAIMS, evidence.titles)):
        for claim, family in claims:
            for match in claim.finditer(summary):
                if (
                    not family.search(told)
                    and _is_own(match, summary, mentions)
                    and not _is_other_evidence(match, family, summary, mentions, evidence)
                ):
                    unsupported.add(match.end())
    for match in _RARE_CLAIM.finditer(summary):
        root = match[0].lower().split()[-1][:_RARE_STEM]
        if root not in evidence.titles and _is_own(match, summary, mentions):
            unsupported.add(match.end())
    for match in _FIELD_CLAIM.finditer(summary):
        field = _FIELD_EVIDENCE[match[1].lower()]
        if (
            not field.search(evidence.career)
            and _is_own(match, summary, mentions)
            and not _is_other_evidence(match, field, summary, mentions, evidence)
        ):
            unsupported.add(match.end())
    return len(unsupported)


def _is_other_evidence(
    claim: re.Match[str],
    family: re.Pattern[str],
    summary: str,
    mentions: Mentions,
    evidence: Evidence,
) -> bool:
    """Studies bear out what somebody trained as, and any line what somebody acted as."""
    before = (summary, max(0, claim.start() - _LOOK_BACK), claim.start())
    if _TRAINED_BEFORE.search(*before) or _BY_TRAINING.match(summary, claim.end()):
        return family.search(evidence.all_words) is not None
    position = mentions.position_at(claim.end())
    return (
        position is not None
        and mentions.is_played(position)
        and family.search(evidence.career) is not None
    )


def is_of_others(match: re.Match[str], summary: str) -> bool:
    """Whether a sentence begins with the role of somebody who asks, approves or praises."""
    before = summary[max(0, match.start() - _LOOK_BACK) : match.start()]
    is_beginning = _OTHERS_BEGIN.search(before) is not None
    return is_beginning and _OTHERS_ACT.match(summary, match.end()) is not None


def _own(claim: re.Pattern[str], summary: str) -> Iterator[re.Match[str]]:
    """Claims about the person, not about those whom the person works with."""
    for match in claim.finditer(summary):
        before = summary[max(0, match.start() - _LOOK_BACK) : match.start()]
        if is_of_others(match, summary):
            continue
        if _OWN_BEFORE.search(before) or not _OTHERS_BEFORE.search(before):
            yield match


def _is_own(claim: re.Match[str], summary: str, mentions: Mentions) -> bool:
    """Whether a role is told of the person; one that nothing else decides goes by the text."""
    position = mentions.position_at(claim.end())
    if position is None:
        # A part of a word: "the nurse's records".
        return False
    whose = mentions.whose(position)
    if whose is Whose.OPEN:
        return any(own.span() == claim.span() for own in _own(claim.re, summary))
    return whose is Whose.OWN

"""Whether the ranks and the leadership that a summary gives the person stand in the document. Pure.

A rank is told of the person in the ways in which an occupation is ("rose to", "in the office of",
"made the candidate"): see `mentions`. It is evidenced by a title of the document that is as high,
in any language; who leads people is shown by what the document says of people, too. A word of rank
that ranks no one ("heads the list of skills", "lead time") is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from profiles.validation.evidence import Evidence
from profiles.validation.mention_words import STOPS
from profiles.validation.mentions import Mentions, mentions_of
from profiles.validation.rank_claims import DONE, HELD, Rank
from profiles.validation.roles import is_of_others
from profiles.validation.whose import Whose

__all__ = ["count_rank_faults"]

_OTHERS_BEFORE = re.compile(
    r"\b(?:to|with|by|under|for|from|between|alongside|against)\s+(?:(?:the|an?|its|their|his|her"
    r"|[\w-]+['’]s|every|each|another)\s+)?(?:[\w-]+\s+)?\Z",
    re.IGNORECASE,
)
_MANY = re.compile(r"(?:er|or|st|nt|ive|ate|lead|nurse|intern)s\Z", re.IGNORECASE)
_CAPITALS_BEFORE = re.compile(r"(?<![.!?,] )(?:\b[A-Z][\w/&'’-]*\s+)+\Z")
_LAST_WORD = re.compile(r"([\w'’-]+)[\s(\"“'‘]*\Z")
_STANDS_OUT = re.compile(r"(?: of [A-Z]\w+| [A-Z]\w+)*,? (?:is|was|stands|being|remains)\b")
_SAID_TO = re.compile(
    r"\b(?:report|answer|present|deliver|speak|spoke|talk|brief|escalat|link|submit|hand|assist"
    r"|advis|support|updat|recommend|propos|sent|send|show|demonstrat|pitch|communicat|close|next"
    r"|secretar|deput|expos|access|adviser|aide|accountable|relat|explain|writ|wrote|given|gave"
    r"|second)\w*\s+(?:[\w'’-]+\s+){0,6}?(?:to|into)\s*\Z",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:support|guidance|direction|leadership|supervision|behalf|help|teams?|groups?|numbers?|staff"
    r"|desk|requests?|approval|eyes?|views?|presence|needs|advice|assistance|absence|successor"
    r"|assistant|deputy|secretary|visits?|pool|lack|hiring|recruitment|search|oversight|mentorship"
    r"|instructions?|orders?|side|hands) of\s*\Z",
    re.IGNORECASE,
)
_MADE_BEFORE = re.compile(
    r"\b(?:made|named|appointed|elected|promoted) (?:the candidate|him|her|them)"
    r" (?:to )?(?:its|their)?\s*\Z"
)
_HELPS = re.compile(
    r"(?:support|assist|advis|brief|help|join|inform|replac|succeed|shadow|meet|met|mentor|coach"
    r"|train|hir|recruit|interview|sourc|plac)(?:s|es|e?d|ed|ing)?\Z"
)
_PASSIVE = re.compile(r"\b(?:was|were|is|been|being|be|got)(?: \w+ly)? \w+\s*\Z", re.IGNORECASE)
_WISHED_BEFORE = re.compile(
    r"\b(?:suit(?:s|ed|able)|ready|fit|seek\w*|aspir\w*|aim\w*|open|looking|interested|potential)\b"
    r"[^.!?,;]*\Z",
    re.IGNORECASE,
)
"""A post that the person may be given is none that was held."""
_LOOK_BACK = 60


def count_rank_faults(summary: str, evidence: Evidence) -> int:
    """Ranks and leadership that the summary gives the person and the document does not."""
    mentions = mentions_of(summary)
    held = sum(
        1
        for rank in HELD
        if any(
            _is_own(match, rank, summary, mentions) and not rank.is_evidenced(evidence, match)
            for match in rank.claim.finditer(summary)
        )
    )
    done = sum(
        1
        for rank in DONE
        if any(not rank.is_evidenced(evidence, match) for match in _own_deeds(rank.claim, summary))
    )
    return held + done


def _is_own(claim: re.Match[str], rank: Rank, summary: str, mentions: Mentions) -> bool:
    """Whether the rank is told of the person; where nothing decides, most are."""
    position = mentions.position_at(claim.end())
    if position is None or is_of_others(claim, summary):
        return False
    if _WISHED_BEFORE.search(summary, max(0, claim.start() - _LOOK_BACK), claim.start()):
        return False
    if claim[0][0].isupper() and (is_own := _is_own_title(claim, summary)) is not None:
        return is_own
    whose = mentions.whose(position)
    return whose is Whose.OWN or (whose is Whose.OPEN and not rank.needs_place)


def _is_own_title(claim: re.Match[str], summary: str) -> bool | None:
    """Whether a title in capitals is told of the person, by the word before it; None: undecided."""
    if _MANY.search(claim[0]):
        return False
    before = _CAPITALS_BEFORE.sub("", summary[max(0, claim.start() - _LOOK_BACK) : claim.start()])
    if before.rstrip().endswith(","):
        return True if _STANDS_OUT.match(summary, claim.end()) else None
    last = _LAST_WORD.search(before)
    if last is None:
        return None
    word = last[1].lower()
    if word in ("to", "into"):
        return _SAID_TO.search(before) is None
    if _MADE_BEFORE.search(before):
        return True
    if word == "of":
        return _OF_OTHERS.search(before) is None
    if word in STOPS:
        return None
    return _HELPS.match(word) is None or _PASSIVE.search(before) is not None


def _own_deeds(claim: re.Pattern[str], summary: str) -> Iterator[re.Match[str]]:
    """Deeds of the person, not of those whom the person works with."""
    for match in claim.finditer(summary):
        before = summary[max(0, match.start() - _LOOK_BACK) : match.start()]
        if not _OTHERS_BEFORE.search(before):
            yield match

"""Whether an occupation that no list has, or its field, is borne out by the document. Pure.

A noun for somebody who does something ("a caterer", "a shopfitter") is an occupation when it is not
praise, and so is whatever somebody is said to have worked as. It is borne out by a word of the same
root or of the same work. Where the noun is that of any trade ("officer", "specialist") or of the
person's own ("designer"), one of the words before it must be borne out: a payroll specialist is no
design specialist.
"""

from __future__ import annotations

import re

from profiles.validation.evidence import Evidence
from profiles.validation.mention_words import STOPS

__all__ = [
    "GENERAL",
    "OWN_FAMILIES",
    "has_any_word",
    "has_field",
    "is_agent",
    "is_job",
    "is_shown_as_work",
    "is_shown_in_english",
    "names_field",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GENERAL = _words("""
    professional specialist expert practitioner associate officer adviser advisor executive exec
    leader coordinator administrator operative
""")
"""Nouns of any trade, which the words before them tell."""
_SHARED = _words("""
    assistant representative rep strategist planner technologist volunteer man woman
""")
"""Nouns of many trades that are none of the person's unless the document has them."""
_PRAISING_ALONE = _words("strategist planner technologist volunteer man woman")
"""Those that name a trade with the words before them alone."""
OWN_FAMILIES = _words("""
    engineer developer programmer auditor designer analyst scientist researcher consultant
    technician nurse recruiter accountant manager architect
""")
"""Nouns whose own evidence other lists have; the words before them need theirs."""
_AGENT = re.compile(
    r"[a-z]{3,}(?:er|or|ist|ian|eer|eur|ress|man|woman|person|hand|wright|smith|monger|maid)\Z"
)
_NO_AGENTS = _words("""
    cheaper faster quicker slower shorter bigger smaller lower larger stronger leaner smoother
    simpler safer greater fewer easier earlier nearer closer richer wider deeper
    keeper gatekeeper carrier cruncher rainmaker spotter cutter wordsmith
    achiever actor adapter adder adopter advocate ambassador angler another answer anchor
    architect arbiter author backer barometer barrier bearer believer beginner behaviour best
    better border bridge-builder builder bringer buffer career carer caregiver center chapter
    charter champion changer character cluster co-founder cofounder collaborator colour
    commander communicator competitor completer computer connector consumer container contender
    contributor cover counter creator customer cornerstone danger decision-maker decider
    deliverer delegator denominator designator differentiator differ digester dinner director
    doer doctor dreamer driver earner either elder embracer employer enabler encourager
    endeavour enhancer ender engineer ensurer enter error executor expander explorer
    facilitator factor father fighter figure filter finisher finder fixer flavour folder follower
    former founder forerunner frontrunner further gamer gatherer generator gender giver goer
    go-getter grower guarantor guardian harbour hand handler hard-worker helper her higher
    holder hour humour improver implementer influencer initiator innovator insider inspirer
    integrator interior investor jobseeker job-seeker joiner junior knower labour later latter
    layer leader learner letter leverager lever listener loner longer lover major maker manager
    manner marker master matter maximiser member mentor merger mother motivator mover
    multitasker multi-tasker narrator negotiator neighbour never newcomer number observer offer
    order organiser organizer originator other outlier outsider over overachiever owner paper
    parameter partner peer perceiver performer persuader person pioneer pillar planner player
    pleaser pointer possessor power practitioner predictor preparer presenter prior promoter
    problem-solver proper prosper protector provider quarter question-asker rather reader
    reactor realiser receiver recorder register remember render resident responder
    retriever returner risk-taker river role-player runner sector seeker self-starter
    senior server settler shaper sharer simplifier solver sponsor spokesperson spreader
    stakeholder stabiliser standard-bearer star starter stayer steward strategizer
    streamliner subscriber successor predecessor summer super supporter survivor
    synthesiser taker task-master teacher team-builder team-player tenor theatre thinker
    together tower transformer transfer translator traveller trailblazer trader troubleshooter
    trigger trouble-shooter turner under unifier upholder user utmost utiliser value-adder vector
    veteran visitor voter weather whatever winner whisperer wonder worker writer yesterday
    all-rounder all-rounder's storyteller story-teller speaker native-speaker graduate finalist
    generalist perfectionist specialist optimist realist pragmatist humanist idealist
    enthusiast strategist technologist tactician futurist evangelist assist list consist persist
    historian politician christian indian italian persian russian median guardian barbarian
    human woman man person craftsman craftsperson chairperson frontman salesperson layman
    firsthand first-hand second-hand beforehand shorthand underhand hand-in-hand
    engineer volunteer career peer pioneer veneer entrepreneur amateur connoisseur
    progress express address stress process success access excess congress impress distress
    regular popular similar particular familiar scholar seminar calendar
    minor motor mirror humor favor flavor labor honor rumor terror horror doctor
    self-learner quick-learner fast-learner lifelong-learner people-person cheerleader
    sounding-board multiplier accelerator amplifier aggregator educator coordinator supervisor
    administrator adviser advisor moderator operator curator conductor contractor instructor
    inspector investigator professor tutor vendor editor sailor tailor auditor author
    officer trainee assessor whether however moreover altogether whenever wherever whichever
    whoever whomever forever manor meteor decor interior exterior anterior ulterior
""")
"""Nouns of that form that praise, tell a share in any work, or name no person."""
_NO_JOBS = _words("""
    addition alternative anchor apart asset backbone backup basis beginner benchmark bonus bridge
    candidate case catalyst champion colleague collective complement consequence core couple
    cornerstone counterpart custodian deputy driver duo element employee example expert extension
    face facilitator fellow focal force foundation freelancer fresher function glue graduate group
    guide hub hybrid individual integral intermediary intern interface junior key lead leader link
    liaison lone lynchpin linchpin mainstay matter means member mentor mouthpiece newcomer one
    opportunity pair part partner person pillar platform point presence principal professional
    proxy rule reference remote replacement representative resource result role senior sole
    something source springboard staffer stand-in standard start starter substitute supervisor
    team temp trainee unit veteran voice volunteer way well whole window chief head exec
    contributor worker staffer hand operative taught gave led brought made built took ran
    meant came went won became kept paid
""")
"""What somebody may work as that is no occupation, or one of any trade."""
_NO_JOB_ENDS = (
    "s",
    "ing",
    "tion",
    "sion",
    "ment",
    "ness",
    "ity",
    "ship",
    "ance",
    "ence",
    "ed",
    "ly",
)
_SHORTEST_JOB = 2
_ROOT_END = re.compile(
    r"(?:ologist|ographer|ician|eteer|eer|ier|er|or|ist|ian|man|woman|person|eur|ress|maid|hand)\Z"
)
_SHORTEST_ROOT = 4
# What shows a noun besides its own root.
_SAME_WORK: dict[str, str] = {
    "representative": r"represent|sales|account|business dev|commercial",
    "rep": r"represent|sales|account|business dev|commercial",
    "salesperson": r"sales|account|business dev|commercial|revenue",
    "salesman": r"sales|account|business dev|commercial|revenue",
    "saleswoman": r"sales|account|business dev|commercial|revenue",
    "seller": r"sales|account|business dev|commercial|revenue|retail",
    "marketer": "market|brand|growth|campaign",
    "marketeer": "market|brand|growth|campaign",
    "sourcer": "sourc|recruit|talent|hiring",
    "headhunter": "recruit|talent|hiring",
    "comptroller": "controller|financ",
    "coder": r"software|developer|program|engineer|python|java",
    "programmer": r"software|developer|program|engineer|sde",
    "tester": r"\btest|\bqa\b|quality",
    "buyer": "buy|procure|purchas|sourc|vendor",
    "controller": "control|financ",
    "artist": r"design|illustrat|\bart",
    "fitter": "install|fitt|assembl",
    "storekeeper": "store|warehouse|stock",
    "bookkeeper": "bookkeep|accounts|accountant|ledger",
    "businessperson": "business",
    "caregiver": "care|nurs",
    "lecturer": "lectur|profess|teach",
}
# What in a document shows a field besides its own word; all of it folded.
_SOFTWARE = (
    r"software|developer|programm|\bapi|python|java|back.?end|front.?end|full.?stack|\bsde\b"
)
_PEOPLE = r"\bhr\b|human|talent|recruit|\bpeople (?:officer|partner|manager)|hiring|personal|rrhh"
_SALES = r"sales|vertrieb|verkauf|ventas|vente|vendas|commercial|account|business dev|revenue"
_MONEY = r"financ|finanz|account|audit|treasur|invest|budget|ledger|ifrs|gaap"
_CARE = r"clinic|medic|nurs|patient|pharm|klini|hospital|health|physician"
_GOODS = r"supply|logist|warehouse|procure|inventory|operations|\bscm\b"
_DESIGN = r"design|\bux\b|\bui\b|graphic|illustrat|photoshop|figma"
_MARKETING = r"market|brand|seo|content|campaign|growth"
_DATA = r"\bdata\b|daten|donnees|datos|dados|analy|sql|statist|machine learning"
_SHOWN_BY: dict[str, str] = {
    **dict.fromkeys(_words("software backend back-end frontend front-end full-stack fullstack"
                           " application applications platform systems"), _SOFTWARE),
    **dict.fromkeys(_words("it tech technology"), rf"{_SOFTWARE}|{_DATA}|cloud|\bit\b|system|tech"),
    **dict.fromkeys(_words("people talent hr recruitment recruiting hiring human resources hrbp"
                           " acquisition ta"), _PEOPLE),
    **dict.fromkeys(_words("sales selling account commercial ae bde"), _SALES),
    **dict.fromkeys(_words("customer client"), r"customer|client|account|sales|support|success"),
    **dict.fromkeys(_words("finance financial accounting accounts audit money"), _MONEY),
    **dict.fromkeys(_words("clinical medical hospital ward healthcare health care nursing patient"
                           " pharmacy pharmaceutical trial trials study research"),
                    rf"{_CARE}|research"),
    **dict.fromkeys(_words("logistics warehouse warehousing procurement supply chain scm ops"
                           " operations purchasing inventory"), _GOODS),
    **dict.fromkeys(_words("graphic graphics visual ux ui ux/ui ui/ux user interface experience"
                           " creative design interaction"), _DESIGN),
    **dict.fromkeys(_words("marketing brand content media growth advertising"), _MARKETING),
    **dict.fromkeys(_words("digital online"), rf"{_MARKETING}|{_DESIGN}|digital|\bweb|online"),
    "web": r"\bweb|html|\bcss\b|react|javascript|front.?end|wordpress|digital (?:market|product)",
    **dict.fromkeys(_words("data analytics analytical statistical reporting bi ai ml machine"
                           " learning predictive"), _DATA),
    "devops": r"devops|platform|kubernetes|terraform|infra|\bsre\b|linux|system",
    "infrastructure": r"infra|platform|cloud|system|devops|kubernetes|network",
    **dict.fromkeys(_words("mechanical structural"), "mechan|maschinenbau|mecan|cad|structur"),
    "security": "secur|sicher|cyber|segur",
    "network": "network|netz|reseau|redes|cisco|ccna",
    "cloud": "cloud|aws|azure|gcp|kubernetes|terraform",
    "mobile": r"mobile|android|\bios\b|swift|kotlin|flutter",
    "product": "product|produkt|produit",
    "database": r"database|\bsql|oracle|snowflake|postgres|data engineer|\bdba\b",
    "etl": r"\betl\b|data engineer|pipeline|warehous|\bdbt\b|airflow",
    "sysadmin": "system|administrator",
    "dba": r"database|\bdba\b|sql",
    "sde": r"software|\bsde\b",
    "tax": "tax|steuer|vat|fiscal|gst",
    "manufacturing": "manufactur|plant|production|assembly",
    "legal": "legal|law|counsel|contract",
}  # fmt: skip
_ANY_TRADE = _words("""
    thought domain subject matter subject-matter change transformation stakeholder line liaison
    business industry corporate team delivery technical project projects office professional
    management quality process general global regional international commercial field site
    assistant deputy associate staff lead chief head principal senior junior mid graduate trainee
    intern apprentice freelance independent full-time part-time contract registered certified
    chartered licensed qualified practising practicing second first third level entry key core
    production development implementation
""")
_PRAISE = re.compile(
    r"(?:ed|ing|ful|ive|able|ible|ous|(?<!m)ent|ant|ly|ior|oriented|driven|minded|class|thinking|ese|ish"
    r"|some|less|wise|style|level|based|focused|led|time)\Z"
)
_TRAIT = re.compile(r"-(?:based|oriented|driven|minded|thinking|centred|centric|conscious)\Z")
_PRAISING = _words("""
    able adept all-round analytical articulate astute avid born bright calm capable clear creative
    critical deep diligent dynamic early eager empathetic energetic enthusiastic ethical excellent
    expert fair fast fine firm fluent former good great gifted hands-on hard-working honest humble
    ideal insightful keen kind long-serving logical loyal mature methodical meticulous modern
    modest natural neat new open optimistic own passionate patient persistent polite practical
    pragmatic precise proactive prompt proper proven pure quick quiet rare real regular reliable
    responsible robust seasoned sharp skilful skilled skillful smart solid sound steady strategic
    strong sole superb sure talented thorough tireless true trusted upbeat versatile veteran warm
    well-rounded willing wise young multi-skilled bilingual multilingual exceptional functional
    cross-functional adaptable committed confident experienced accomplished current present
    previous one-time onetime sometime then top star careful detail-oriented go-to
""")


def is_agent(word: str) -> bool:
    """Whether the word is a noun for somebody who does something, and no praise."""
    if word in _SHARED:
        return True
    return word not in _NO_AGENTS and word not in STOPS and _AGENT.match(word) is not None


def is_job(word: str) -> bool:
    """Whether what somebody has worked as may be an occupation: "a home help", and no bridge."""
    return (
        word not in _NO_JOBS
        and word not in STOPS
        and len(word) > _SHORTEST_JOB
        and not word.endswith(_NO_JOB_ENDS)
    )


def is_shown_as_work(head: str, fields: tuple[str, ...], evidence: Evidence, titles: str) -> bool:
    """Whether the document has such an occupation: its noun by root, studies left out, and a field.

    A title of the same root needs no field besides: who installs is a fitter, of whatever. A role
    that somebody only played counts as titled where any line tells of it.
    """
    if head in _PRAISING_ALONE and not _fields_of(fields):
        return True
    same = _SAME_WORK.get(head)
    if _has_root_of(head, titles) or (same and re.search(same, titles)):
        return head not in _SHARED or has_field(fields, evidence)
    return _has_root_of(head, evidence.career) and has_field(fields, evidence)


def has_field(fields: tuple[str, ...], evidence: Evidence) -> bool:
    """Whether one of the words before a noun of any trade is borne out, or none names a field."""
    named = _fields_of(fields)
    return not named or any(_is_shown(word, evidence) for word in named)


def names_field(fields: tuple[str, ...]) -> bool:
    """Whether one of these words names a field of work, and not a rank or praise."""
    return any(word not in _ANY_TRADE for word in _fields_of(fields))


def has_any_word(words: tuple[str, ...], evidence: Evidence) -> bool:
    """Whether the document has any of the words that name a job, or another of its root."""
    *fields, head = words
    shown = [word for word in _fields_of(tuple(fields)) if word not in _ANY_TRADE]
    is_alias = head in _SHOWN_BY and re.search(_SHOWN_BY[head], evidence.titles) is not None
    return (
        is_alias
        or _has_root_of(head, evidence.titles)
        or any(_is_shown(word, evidence) for word in shown)
    )


def is_shown_in_english(
    head: str, fields: tuple[str, ...], english: re.Pattern[str], evidence: Evidence
) -> bool:
    """Whether titles of another language, which English names begin with `english`, bear it out."""
    named = [word for word in _fields_of(fields) if word not in _ANY_TRADE]
    if any(english.match(word) or _is_shown(word, evidence) for word in named):
        return True
    if named:
        return False
    # Nouns of the person's own have their evidence elsewhere (see `roles`).
    is_general = head in GENERAL or head in OWN_FAMILIES or head in _SHARED or head == "manager"
    return is_general or english.match(head) is not None or _has_root_of(head, evidence.career)


def _fields_of(words: tuple[str, ...]) -> list[str]:
    return [part for word in words for part in _parts(word) if _names_field(part)]


def _parts(word: str) -> list[str]:
    """A compound by its parts: "data-focused" names data."""
    is_whole = word in _SHOWN_BY or word in _ANY_TRADE or word in _PRAISING or _TRAIT.search(word)
    return [word] if is_whole else re.split(r"[-/]", word)


def _names_field(word: str) -> bool:
    if len(word) < 2 or word in _PRAISING or word.isdigit():
        return False
    return (
        word in _SHOWN_BY or word in _ANY_TRADE or not (_PRAISE.search(word) or _TRAIT.search(word))
    )


def _is_shown(word: str, evidence: Evidence) -> bool:
    if word in _ANY_TRADE:
        return True
    if word in _SHOWN_BY and re.search(_SHOWN_BY[word], evidence.career):
        return True
    if word.upper() in evidence.acronyms or evidence.has_initials(word):
        return True
    return f" {word[: max(_SHORTEST_ROOT, len(word) - 3)]}" in f" {evidence.career}"


def _has_root_of(head: str, text: str) -> bool:
    """Whether some word of the folded text has the root of the noun."""
    root = _ROOT_END.sub("", head)
    return f" {root if len(root) >= _SHORTEST_ROOT else head}" in f" {text}"

"""Words that decide of whom an occupation is told, as closed lists (see `mentions`). Pure."""

from __future__ import annotations

import re

__all__ = [
    "ACTED",
    "ACTS",
    "ADJUNCTS",
    "ADVERBS",
    "ARTICLES",
    "BEEN",
    "BEING",
    "CALLS",
    "CLAUSES",
    "COMMAS",
    "CONCEDES",
    "CONJUNCTIONS",
    "COPULAS",
    "DENIALS",
    "DESCRIBED_BY",
    "DESCRIBES_FIRST",
    "DETERMINERS",
    "EMPLOYED",
    "ENDS",
    "FINDERS",
    "FINDS",
    "GOES_ON",
    "HAVING",
    "HELD_BEFORE",
    "HIRED",
    "HIRES",
    "JOBS",
    "KINDS",
    "LISTED_AFTER",
    "MADE",
    "MAY",
    "MERE",
    "MOVES",
    "NAMED_ROLES",
    "NAMES_WORK",
    "NAMING",
    "NEGATIONS",
    "OBJECTS",
    "OFFERED",
    "ONLY",
    "OWNED_STRANGERS",
    "OWNERS",
    "PAST_LIVES",
    "PATHS",
    "PEOPLE_NAMED",
    "PERSONS",
    "POSSESSIVES",
    "PRAISED",
    "PRAISING_FIELDS",
    "PRAISING_TRADES",
    "PREPOSITIONS",
    "PREPOSITIONS_OF_OTHERS",
    "PRESENTS",
    "PROFILES",
    "RECRUITS",
    "ROLES",
    "SEEKERS",
    "SHARED_NAMES",
    "SORTS",
    "SOUGHT",
    "STOPS",
    "STRANGERS",
    "SUBORDINATES",
    "TIMES",
    "TRADE_MARKERS",
    "VERBS",
    "WANTS",
    "WHO_TELL",
    "WITH_WHOM",
    "WORKS",
    "WORK_AFTER",
    "WORK_IS",
    "is_one",
    "is_recruiting",
    "is_verb",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FAR = 16
ENDS = _words(". ; ! ? ( ) – — :")
COMMAS = _words(", / &")
ARTICLES = _words("a an the")
DETERMINERS = ARTICLES | _words(
    "his her their its my our your this that each every another any some no one two three both"
)
COPULAS = _words("is was be been being am are were become becomes became becoming remain remains")
ADVERBS = _words(
    "now presently once also later then still first previously formerly originally currently today"
    " initially recently earlier simultaneously even primarily mainly essentially eventually"
    " equally rightly truly really undoubtedly certainly surely"
    " afterwards subsequently finally both either only just already at foremost variously"
)
TIMES = _words(
    "now presently once later then previously formerly originally currently today initially earlier"
    " eventually subsequently finally afterwards recently first"
)
CONJUNCTIONS = _words("and or but plus nor")
PREPOSITIONS = _words(
    "with by for under between alongside beside against among amongst through via near around"
    " without about on upon than like unlike at in per towards toward behind within besides of"
    " to from into over as including after before during until since"
)
DENIALS = _words("not never no")
NEGATIONS = _words("not never no nor neither isn't wasn't")
VERBS = _words(
    "turned made include includes included comprise comprises comprised span spans spanned"
    " cover covers covered held holds hold has had have has did does do"
)
STOPS = (
    ENDS | COMMAS | DETERMINERS | COPULAS | ADVERBS | CONJUNCTIONS | PREPOSITIONS
    | NEGATIONS | VERBS | _words("who whom whose which where when while if that he she they it")
)  # fmt: skip
PERSONS = _words("candidate professional applicant person individual he she they")
STRANGERS = _words("""
    client clients customer customers user users owner buyer reader contact counterpart mentor
    supervisor colleague colleagues friend father mother brother sister wife husband son daughter
    parent uncle aunt neighbour neighbor founder investor sponsor patient patients guest visitor
    supplier vendor predecessor successor team boss partner expert experts people somebody someone
    anyone tutor parents student students there it
    suppliers members interviewer interviewers others co-founder cofounder app bot chatbot tool
    board website device robot
""")
OWNED_STRANGERS = _words("manager director chief lead head teacher coach trainer chair")
OWNERS = _words("his her their its whose")
ROLES = _words("""
    role roles job jobs post posts position positions title titles trade trades profession
    professions career careers capacity capacities that those life rank duties duty
    occupation occupations vocation calling background training experience apprenticeship
    qualification licence license portrait profile story employment internship stint
    spell time appointment appointments office function seat contract station assignment tenure
    responsibilities level grade designation designations
    standing status mantle chair hat shoes boots apron uniform badge craft
""")
MOVES = re.compile(
    r"(?:promot|mov|advanc|progress|switch|transition|chang|elevat|appoint|grow|develop|turn|step|"
    r"retrain|shift|climb|ascend|graduat|work|matur|blossom|morph)(?:e?d|e?s|ing|p?ed|p?ing)?\Z"
    r"|(?:promotion|transition|move|change|switch|progression|rose|risen|rising|rise|rises|grew|grown|evolved|evolving"
    r"|appointment|elevation|advancement|ascent|step|steps|succession|way|route|road)\Z"
)
PATHS = _words("career led went path journey way evolution roles jobs positions posts")
LISTED_AFTER = _words(
    "include includes included comprise comprises span spans cover covers covered including"
)
DESCRIBES_FIRST = _words("of at and who in for")
"""What follows the noun in a summary that begins with the person: "The director of Quarry Labs"."""
KINDS = _words("ship's ship’s children's children’s women's women’s men's men’s farmer's")
"""Owners that tell a kind of trade: a ship's captain is nobody's captain."""
PAST_LIVES = _words("life lives days youth past")
"""As in "in a former life a baker"."""
TRADE_MARKERS = _words("profession trade training background education vocation calling day night")
NAMED_ROLES = _words("roles positions jobs posts vacancies")
HELD_BEFORE = LISTED_AFTER | _words("in into to held holds")
ADJUNCTS = _words("""
    team teams staff training apprenticeship shortage community services service network tools
    school market clinic office desk association union shop business company industry sector firm
    needs system systems software program programme project skills
""")
DESCRIBED_BY = _words("years year experience expertise background record knowledge")
PRAISED = _words("natural born")
NAMING = _words("herself himself themselves themself title rank reads")
"""What is followed by its name alone: "calls herself a baker", "the title Head of Data"."""
OBJECTS = _words("her him them")
RECRUITS = re.compile(
    r"(?:recruit|screen|fill|sourc|headhunt|interview|advertis)(?:e?s|e?d|ing)?\Z"
)
HIRES = _words("hired hires hire employed employs engaged engages placed places")
HIRED = _words("a an people for candidates staff others")
CONCEDES = _words("while though although")
ACTS = _words("""
    has had works worked brings brought holds held leads led moved joined began started built
    builds manages managed spent gained earned rose grew studied speaks offers combines specialises
    specializes also now currently later then first handled handles designed designs developed
    develops oversees oversaw supported supports improved transitioned progressed previously
    delivered delivers served serves ran runs took
""")
WORKS = _words("""
    worked works working work served serves employed trained qualified job jobs career role roles
    position positions post posts time years stint spell apprenticeship profession trade living
    experienced skilled certified licensed former seasoned experience background hired started
    began life registered practised practiced became become promoted
""")
EMPLOYED = _words("""
    worked works working work employed hired engaged job jobs career position positions post posts
    stint spell stretch period time tenure employment trained qualified practised practiced
    freelanced freelancing moonlights moonlighted apprenticeship apprenticed started began life
    living years that practice role roles experience background occupation
""")
"""After these, what somebody is told to be or have been "as" is an occupation."""
JOBS = _words("job role post position work that capacity title profession occupation trade")
BEEN = _words("been being is was become became as")
PRESENTS = _words("""
    presents present describes introduces portrays depicts shows showcases features reveals
    outlines paints sketches suggests profiles
""")
PROFILES = _words(
    "career glance look background story file dossier card application submission sheet note"
    " profile cv résumé resume vitae record page document summary portrait history"
)
"""What tells of the person: "this profile presents a baker"."""
NAMES_WORK = _words("as from to into such including include includes formerly previously once")
WORK_IS = _words("the early first daily later")
WORK_AFTER = (
    ENDS
    | COPULAS
    | _words("loves enjoys likes out as from with and in through combines did does doing")
)
"""The work of a plumber is the person's own here, and not where somebody "checks" it."""
PRAISING_TRADES = _words("diplomat detective tutor performer judge salesman saleswoman coach")
"""Trades by whose names somebody is praised: "a born diplomat"."""
PRAISING_FIELDS = _words("team people problem story")
PREPOSITIONS_OF_OTHERS = _words(
    "target group audience with for by under alongside two three four five led"
    " hired recruited trained supported included"
)
"""A label with one of these names others: "Worked with: a baker"."""
MERE = _words("ordinary mere average typical common novice run-of-the-mill everyday")
ONLY = _words("only just merely simply")
FINDS = _words("find get gain meet see acquire secure welcome discover")
FINDERS = _words(
    "recruiters employers companies employer company reader readers you firms organisations firm"
    " organisation organizations organization anyone"
)
MAY = _words("will would can could should may might")
HAVING = _words("has have find finds found gains gained got gets had")
"""What somebody has in the person: "the firm has in Ada a baker"."""
SOUGHT = _words("need search looking searching hunt pursuit want")
SEEKERS = _words(
    "anyone those any employers companies firms if looking searching whoever should for"
)
SORTS = _words("kind sort type breed calibre")
OFFERED = _words("offers offering offered provides sells")
POSSESSIVES = _words("his her their its our")
WANTS = _words("want wants need needs require requires seek seeks")
WHO_TELL = _words("colleagues references referees peers clients managers they")
"""Who speaks of the person: "colleagues speak of a gifted baker"."""
GOES_ON = _words(
    "open available extraordinaire worth ready able based keen seeking looking you we one"
)
SHARED_NAMES = _words("mentor partner expert supervisor founder owner")
"""Nouns of strangers that tell of the person in a list: "as engineer, mentor and baker"."""
SUBORDINATES = _words("if when where while that once because since as whether unless after before")
BEING = _words("makes")
"""Said of the person: "the candidate makes a good baker"."""
PEOPLE_NAMED = _words("candidate professional applicant her him")
WITH_WHOM = _words("with by to from")
ACTED = _words("acted acts acting act")
CALLS = _words("call calls consider considers deem deems label labels")
MADE = _words("made turned named appointed ordained elected dubbed crowned called")
CLAUSES = ENDS | _words(", who whom whose that which where")


def is_verb(word: str) -> bool:
    """Whether the word tells what somebody did or was."""
    return (word in ACTS or word in WORKS or word in COPULAS or word.endswith("ed")) and (
        word not in ADVERBS
    )


def is_recruiting(words: tuple[str, ...], start: int, end: int) -> bool:
    """Whether the person of that clause finds others for the work."""
    for at in range(start, end):
        word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
        if at and words[at - 1] in COPULAS:
            continue
        if word.startswith("fill") and NAMED_ROLES.isdisjoint(words[at:end]):
            continue
        if RECRUITS.match(word) or (word in HIRES and following in HIRED):
            return True
    return False


def is_one(words: tuple[str, ...], at: int) -> bool:
    """Whether the sentence goes on to say that the person was one of those named there."""
    for position in range(at + 1, min(at + _FAR, len(words))):
        if words[position] in ENDS:
            break
        if words[position] == "one" and words[position - 1] in BEEN:
            return True
    return False

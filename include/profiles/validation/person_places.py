"""Where in a sentence a person stands, as against a product, a place or an organisation. Pure.

A person does what only people do, is what somebody works with, reports to or takes over from, or
goes with a noun for people ("curator Silvan Trask", "a mentor, Fionnuala McTeague"). A place stands
after "in", a product after "using" or "experience with", a thing after an article.
"""

from __future__ import annotations

import re

from profiles.validation.names import Name
from profiles.validation.occupation_nouns import DOUBTFUL, TRADES

__all__ = [
    "begins_as_person",
    "begins_with_deed",
    "does_as_one_does",
    "does_as_people_do",
    "is_put_as_person",
    "is_put_surely_as_person",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER_PEOPLE = re.compile(
    r"(?:\b(?:in|at|on|using|near|through|via|across|around|into|onto|over|throughout|outside"
    r"|inside|within|the|an?|its|their|this|these|our|uses?|used|called|like|city|town|port|region"
    r"|skilled|proficient|versed|covers?|includes?|including|plus)"
    r"|\b(?:experienced?|proficien\w+|familiar\w*|skilled|comfortable|knowledge|expertise"
    r"|conversant"
    r"|hands-on|built|build\w*|develop\w*|design\w*|implement\w*|test\w*|automat\w*|integrat\w*"
    r"|migrat\w*|competen\w+|tools?|skills?) with"
    r"|\b(?:mov|relocat|travell?|migrat|commut|switch|convert|upgrad|ship|deliver"
    r"|export)\w* (?:\w+ )?"
    r"(?:to|from)|\b(?:based|certified|delivered|written|born|grounded|experience|versed)"
    r" (?:in|by|of)"
    r"|\b(?:city|town|port|region|state|outskirts|university|district|county|island|republic"
    r"|bank|village|coast|north|south|east|west|area|market|knowledge|use|users?|command"
    r"|implementation|version|parts?|products?) of)$",
    re.IGNORECASE,
)
_PEOPLE_BEFORE = re.compile(
    r"\b(?:with|by|under|alongside|beside|besides|for|of|to|from|than|unlike|makes?|made|sets?"
    r"|thanks?|who|whom|where|as|praises?|trusts?|values?|describes?|calls?|helps?|assists?"
    r"|replaces?"
    r"|replaced|succeeds?|succeeded|met|joins?|supports?|supported|advis\w+|mentor\w*|coach\w*"
    r"|such as|team|named|hires?|hired|invites?|taught|follows?|followed|between|behind|is|was"
    r"|what|why|how"
    r"|when|if|because|while|without|around|about|against|towards)$",
    re.IGNORECASE,
)
_SURELY_PEOPLE_BEFORE = re.compile(
    r"\b(?:(?:report\w*|answer\w*|listen\w*|apprenticed|assistant|deputy|successor|adviser"
    r"|second in command|right hand|thanks|grateful|married|known) (?:directly )?to"
    r"|(?:works|meets|liaises|pairs|talks|together|along|side by side|in tandem|jointly|closely"
    r"|partnership|conversations?|shared"
    r"|hand in hand|tandem|team) with|alongside|"
    r"(?:mentored|supervised|trained|managed|guided|recommended|coached|taught|hired|recruited"
    r"|appointed|promoted|advised|assisted|supported|succeeded|replaced|praised|joined|led"
    r"|checked|reviewed|approved|signed|praised|described|written"
    r"|represented|introduced|championed|sponsored|overseen|headed) by"
    r"|(?:took|taken|takes|taking|inherited|handed)(?: \w+){0,4} (?:over|post|reins|duties) from"
    r"|\b(?:recommend|describe|hire|replace|succeed|thank|promote|welcome|praise|meet"
    r"|congratulate)s?"
    r"|\b(?:replaced|succeeded|thanked|promoted|welcomed|praised)"
    r"|(?:strengths?|careers?|profile|background|path|journey|record|talents?|colleagues|peers"
    r"|qualities|virtues|story|character|prot[ée]g[ée]e?|pupil) of|(?:praise|credit|deputi[sz]\w+"
    r"|stand\w* in|references?) for|references? from|according to|no further than|hats off to"
    r"|credit (?:goes |belongs )?to|ow(?:es?|ed|ing) (?:\w+ )?to|learn\w*(?: \w+){0,2} from"
    r"|shares? an? \w+ with|(?:built|run|made|created|designed|held|done) by"
    r"|(?:call|make|trust|faze|ask|rival)s?|match|(?:hired|mentored|coached|invited)|says"
    r"|(?:profile|summary|notes?|reference|recommendation|cv|r[ée]sum[ée]|report|assessment"
    r"|evaluation"
    r"|file|brief|bio|biography) (?:for|of|on|about)"
    r"|say hello to|get to know|(?:will|would) (?:like|enjoy|love|appreciate)|put(?:ting)? forward"
    r"|request of|paired with|(?:team|group|crew) (?:under|around)|shadowed|backed|vouch\w* for"
    r"|introducing|overview of"
    r"|known (?:[\w-]+ ){0,4}?(?:as|by)|\b(?:named|called)|\b(?:name (?:is|of)|goes by)"
    r"|(?:has|have|had|find\w*|found|gain\w*|sees?|saw|got) in"
    r"|(?:rel\w+|depend\w*|count\w*|call\w*) on|what sets|under (?:the )?(?:guidance|leadership"
    r"|supervision|mentorship|direction|eye|wing"
    r"|tutelage|management) of|(?:on behalf|at the side|in place|instead) of)$",
    re.IGNORECASE,
)
_PEOPLE = _words("""
    colleague mentor manager boss supervisor teacher tutor friend partner director head chief lead
    leader founder co-founder cofounder owner engineer developer designer analyst nurse doctor
    consultant specialist assistant officer executive candidate professional applicant person coach
    trainer successor predecessor deputy professor dr prof mr mrs ms sir madam researcher scientist
    curator keeper lecturer recruiter accountant pharmacist programmer architect technician lawyer
    peer teammate co-worker coworker classmate wife husband brother sister son daughter father
    mother employee worker member freelancer contractor investor student graduate intern trainee
    buyer planner coordinator administrator representative associate client customer chairman
    president chairwoman individual expert one
""")
_ACTS_IRREGULAR = _words("""
    has had is was cut wrote set put sold drew sat sang met found saw knew lost bought sought drove
    flew stood understood led held brought took ran rose grew made won gave taught went became kept
    spoke oversaw began built came got spent won left hit beat read chose fought sent told thought
    laid paid rebuilt undertook overcame can could will would may might must should who whose now
    also later then currently previously consistently successfully never always often
""")
_ADJECTIVE = re.compile(r"[a-z]{3}(?:al|ive|ful|able|ible|ic|ous|ed|ing|ly|ary|ent|ant|ior)\Z")
_ACTS_OF_ONE = _words("""
    combines keeps brings leads uses applies shows supports delivers demonstrates offers excels
    serves contributes possesses remains continues collaborates ensures drives applied helps
    stands shines hails relies boasts seeks vouches offers remains makes counts carries takes gets
    goes looks uses
    maintains creates improves oversees acts champions runs delivers convinces speaks masters
    reads lists
""")
# What stands before and what after a name, where both together tell a person.
_BETWEEN: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(before), re.compile(rest))
    for before, rest in (
        # "In Ada Quill, the company has a capable engineer".
        (
            r"\Ain\Z",
            r", (?:(?:the|this|our|its|any) )?(?:[\w&.-]+ ){1,4}?(?:has|have|had|found|gained|gets"
            r"|finds|gains) an? (?!(?:[\w-]+ )?(?:office|branch|site|plant|team|warehouse|factory"
            r"|shop|store)\b)",
        ),
        # "Recruiter note: Quill, solid".
        (
            r"\b(?:note|candidate|name|applicant|profile|summary|recruiter|introducing|subject"
            r"|verdict|recommendation|impression|view|assessment|line|brief|short|nominee|shortlist"
            r"|shortlisted|person|remark|comment|feedback|clear|contact|references?|employee"
            r"|consultant|hire|pick|choice):\Z",
            r"[,(–—;-]",
        ),
        (r"\b(?:candidate|name|applicant|contact|references?|employee):\Z", r"\.?\Z"),
        # "With Quill, you get an engineer".
        (
            r"\A(?:with|under)\Z",
            r", (?:you|we|the (?:candidate|company|firm|team|platform)|any|he|she)\b",
        ),
        # "The company employs Quill as an engineer".
        (r"\b(?:employ|retain|engage|list|introduce|know|rate|regard|value)(?:s|ed)?\Z", "as "),
        # "As Quill puts it".
        (r"\bas\Z", r"(?:puts|says|put|said|told|explains) "),
    )
)
_GIVEN_NAMES = _words("drew rose will may won grew made led cut")
_HELPERS = _words("has had was is")
_TIME_BEFORE = re.compile(
    r"\b(?:years?|months?|time|today|now|then|recently|currently|lately|career|role|while|since"
    r"|later|here|there|previously|earlier|afterwards|soon"
    r"|when|because|that|where|but|so|if)$",
    re.IGNORECASE,
)
"""After these a clause begins without a comma: "Over the years Ada has grown"."""
_TOLD_OF = re.compile(
    r"(?:experience|expertise|knowledge|skills|work|history|employment|achievements"
    r"|credentials) of\Z",
    re.IGNORECASE,
)
"""A beginning of a sentence that tells of a person, where the name has several words."""
_AS_A_PERSON = re.compile(
    r"(?:hails|vouches|boasts|masters|seeks|recruited|supervised|shadowed|shines|relies"
    r"|looks (?:for|back|forward|to)|started (?:out|at|as|with|in)|comes (?:from|to us|highly"
    r"|across)"
    r"|stands out|gets (?:things|on|along)|takes (?:pride|care|on)|rose (?:to|from|through)"
    r"|grew into"
    r"|(?:is|was) (?:with|at|one of|our|good (?:with|at)|strong (?:in|on|at)|in (?:post|charge)"
    r"|the \w+ (?:behind|of choice|who))|has (?:an? (?:BSc|MSc|MBA|PhD|degree|BA|MA|B\.|M\.)"
    r"|what it takes)"
    r"|counts|remains (?:with|at)|moved (?:to|from|on|\d)|(?:offers|carries) (?:[\w-]+ )?years"
    r"|uses|keeps a|became (?:an?|[a-z]+er|[A-Z])|put )\b"
    r"|, with (?:[\w-]+ ){1,4}years\b|[–—:] (?:[\w-]+ )?years\b"
)
"""How a sentence goes on after the name of a person with which it begins."""
_MODALS = _words("never always can would could will should must")
_PLURAL = re.compile(r"(?:[^aiouns]|(?:ici|isi)an|ion)s\Z")
_LIKENED = ("the", "this", "he", "she", "they")
"""Whom somebody is like: "Like Ada Quill, the candidate"."""
_CLAUSE_BEGINS = (",", ";", ":", " and", " that", "Both", "—", "–")
_NO_ACTS = _words("""
    versed skilled experienced qualified certified trained known based educated accustomed
    as is has its this was across plus besides towards perhaps always sometimes thus alas years
    months weeks days hours skills tools systems projects teams solutions services platforms
    products and or based focused related needed required
""")
_PERSONAL = _words("""
    works builds writes holds enjoys fits arranges manages knows speaks wants likes teaches studied
    lives joined wrote built worked led managed taught spoke knew joined develops cares
    prepares handles oversees supervises coordinates negotiates sells buys repairs installs
    treats analyses analyzes audits advises directs edits draws sings plays
    took oversaw handled prepared planned designed
    developed advised sold bought wrote drew trained graduated earned gained spent left
    specialises specializes excels thrives believes thinks cooks learns learned loves cooked
    understands listens mentors coaches hires hired mentored coached reported
    clears steers fixes tends explains presents tackles solves
""")
_OF_PEOPLE_AFTER = re.compile(
    r"(?:, (?:[\w-]+ ){0,2}\w+(?:er|or|ist|yst|ian|nurse)[,.]|\((?:[\w-]+ ){0,2}\w+(?:er|or|ist"
    r"|yst)\)"
    r"|, (?:based|raised) in\b|, (?:now|currently|presently|formerly|once) (?:an?|the|with|at)\b"
    r"|\((?:she|he|they|her|him|[A-Z])|:\s*(?:\w+ ){0,3}\w+(?:er|or|ist|yst)\b"
    r"|(?:and|,) (?:the|this|our) (?:candidate|applicant|professional)\b|, (?:born|aged)\b"
    r"|, an? (?:[\w-]+ ){0,3}?\w+(?:er|or|ist|ant|yst|ian|nurse|expert|professional),"
    r"|(?:is|was) (?:now|currently|also|well|highly|very|known|respected|described|recogni[sz]ed"
    r"|skilled"
    r"|experienced|looking|seeking|fluent|adept|proficient|responsible|based|eager|ready|keen"
    r"|someone|not only|both)\b|is an? (?!strength|priority|focus|passion|theme|key|core"
    r"|plus|must|given)|was an? |has (?:\w+ly )?(?!been\b)\w+(?:ed|wn|lt|ght|ade)\b"
    r"|has (?:been an?|worked|led|\w+ years|over|more than)\b"
    r"|(?:enjoys|works|knows|speaks|wants|likes|leads|writes|teaches|studied|lives|joined)\b"
    r"|, (?:who\b|an? (?:\w+ )?(?:colleague|mentor|peer|teammate|friend)))"
)


def is_put_as_person(name: Name) -> bool:
    """Whether several capitalised words, of which nothing else is known, stand as a person does."""
    if is_put_surely_as_person(name) or _TOLD_OF.match(name.before):
        return True
    if _NEVER_PEOPLE.search(name.before):
        return False
    # "Critical Thinking" is a trait, whatever it stands after.
    is_trait = _ADJECTIVE.search(name.words[0]) or name.words[-1].endswith(("ing", "ed", "al"))
    return _PEOPLE_BEFORE.search(name.before) is not None or not is_trait


def does_as_people_do(name: Name) -> bool:
    """Whether the words are the subject of a verb, at the beginning of a clause or after "and"."""
    is_subject = not name.before or name.before.endswith(_CLAUSE_BEGINS)
    return is_subject and (_is_act(name.after) or _OF_PEOPLE_AFTER.match(name.rest) is not None)


def does_as_one_does(name: Name) -> bool:
    """Whether a single word inside a sentence is the subject of a verb that is no plural noun."""
    is_acting = name.after in _HELPERS or _is_deed(name.after)
    if is_acting and _TIME_BEFORE.search(name.before):
        return True
    is_subject = name.before.endswith(_CLAUSE_BEGINS)
    return is_subject and (
        _is_deed(name.after) or (name.after.islower() and name.after.endswith("ed"))
    )


def begins_with_deed(name: Name) -> bool:
    """Whether the first word of a sentence is a verb: "Speaks English" is nobody's name."""
    if name.before or len(name.words) < 2:
        return False
    first = name.words[0].lower()
    return _is_deed(first) and first not in _GIVEN_NAMES


def _is_deed(word: str) -> bool:
    return word in _ACTS_IRREGULAR or word in _PERSONAL or word in _ACTS_OF_ONE


def is_put_surely_as_person(name: Name) -> bool:
    """Whether even a single capitalised word is a person there."""
    before = name.before.lower()
    if any(led.search(before) and rest.match(name.rest) for led, rest in _BETWEEN):
        return True
    is_likened = before in ("like", "unlike") and name.after in _LIKENED
    if (
        name.after in ("who", "whose", "whom")
        or is_likened
        or _SURELY_PEOPLE_BEFORE.search(name.before)
    ):
        return True
    if _NEVER_PEOPLE.search(name.before):
        return False
    last = name.before.rsplit(" ", 1)[-1].lower()
    if last.rstrip(",.") in _PEOPLE or last.rstrip(",") in TRADES or last.rstrip(",") in DOUBTFUL:
        return True
    is_subject = not name.before or name.before.endswith(_CLAUSE_BEGINS)
    if not is_subject:
        return name.rest.startswith("(she") or name.rest.startswith("(he")
    return begins_as_person(name)


def begins_as_person(name: Name) -> bool:
    """Whether a single word that begins a sentence is a person: "Younger nurses" is none."""
    if _OF_PEOPLE_AFTER.match(name.rest):
        return True
    is_acting = name.after in _MODALS or _AS_A_PERSON.match(name.rest) is not None
    if is_acting and not _PLURAL.search(name.words[-1]):
        return True
    return name.after in _PERSONAL or name.after.endswith(("ises", "izes", "ifies", "ated"))


def _is_act(word: str) -> bool:
    if word in _NO_ACTS and word not in _ACTS_IRREGULAR:
        return False
    return word in _ACTS_IRREGULAR or (
        word.islower() and len(word) > 2 and word.endswith(("s", "ed")) and not word.endswith("ss")
    )

"""How ranks and leadership are claimed, and what of a document evidences each. Pure.

A rank is evidenced by a title that is as high, in any language; who leads people is shown by what
the document says of people, too. Each claim of a rank ends at its noun.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from profiles.validation.evidence import Evidence

__all__ = ["DONE", "HELD", "Rank"]

_PEOPLE = (
    r"team|teams|staff|people|engineers|developers|analysts|nurses|designers|accountants|assistants"
    r"|bookkeepers|clerks|consultants|specialists|managers|recruiters|colleagues|department"
    r"|employees|workers|technicians|representatives|executives|subordinates|juniors|personnel"
    r"|crew|workforce|volunteers|freelancers|contractors|researchers|students|interns|trainees"
    r"|professionals|squads?|headcount|division"
)
_HIGH = (
    r"chief|\bc[a-z]{1,2}o\b|geschaftsfuhr|\bpdg\b|president|founder|vorstand|managing director"
    r"|directeur general|director general|\bowners?\b|inhaber|proprietor"
)
_DIRECTORS = (
    rf"{_HIGH}|direct(?:or|eur|rice|ora)\b|direktor|dyrektor|\b[sea]?vp\b|\bhead\b|leiter"
    r"|jefe|gerente"
)
_MANAGERS = (
    rf"{_DIRECTORS}|manager|managing (?:director|partner)|\bmgr\b|\blead\b|leader"
    r"|supervis|leit|responsable|\bchef|kierownik|coordinador"
    r"|encadr|captain|\bprincipal\b|superintendent|foreman|(?<!business )partner"
)
_SENIORS = rf"{_MANAGERS}|senior|\bsr\b|\bsnr\b|\bstaff (?!nurse)|starszy|experte|expert\b"
_ROLE_NOUNS = (
    "engineer|developer|programmer|architect|designer|analyst|scientist|researcher|consultant"
    "|manager|nurse|accountant|auditor|specialist|associate|recruiter|administrator|officer"
    "|technician|executive|advisor|adviser|lecturer|lawyer|investigator|clinician|buyer|planner"
    "|expert|counsel|editor|writer|partner|fellow|teacher|pharmacist|tester|strategist|producer"
    "|coordinator|representative|trader|underwriter|economist|surveyor|inspector|adviser"
)
_LEADS_PEOPLE = (
    r"(?:\bled\b|\bleads?\b|leading|manag(?:ed|es|ing)|head(?:ed|ing)|direct(?:ed|ing)|oversaw"
    r"|oversees|in charge of|responsible for|building an?|\bhir(?:ed|ing)(?! managers)|supervis\w+"
    rf"|(?:built|grew|ran) an?) (?:(?!for\b|to\b|with\b)[\w-]+ ){{0,4}}?(?:{_PEOPLE})\b"
    r"|team of|crew of|equipo\b|equipe\b|fuhr|leitung|leitet|geleitet|encadr|coach"
    r"|report(?:ed|ing)? to (?:me|him|her)|direct reports|line manag|coordinador"
)


_UNITS = (
    r"department|division|unit|branch|office|function|section|plant|practice|arm|wing|bureau"
    r"|company"
    r"|firm|business|site|workforce|manpower|team|crew|squad|organi[sz]ation"
)
_STOPS_HERE = r"(?=[.,;:]|\Z|\s+(?:and|of|at|in|with|since|for|from|to|that|who|as|on|which)\b)"
_LISTED = (
    r"(?:[\w’'-]+ ){0,3}?(?:list|table|ranking|entr\w+|section|inventory|catalogue|toolkit|toolset"
    r"|toolbox|stack|skills|skill-?set|roll|page|cv|résumé|resume|profile|line-up|field)\b"
)
"""What a skill may head: "SQL heads the skills section" ranks no one."""
_NEAR = 6


@dataclass(frozen=True, slots=True)
class Rank:
    """How a rank is claimed, and what evidences it in titles and in all the rest.

    `verbs` evidence a rank in a field, named `of` in the claim, where they stand near that field.
    One that `needs_place` counts only where its place says that it is the person's.
    """

    claim: re.Pattern[str]
    titles: re.Pattern[str]
    career: re.Pattern[str] | None = None
    verbs: tuple[str, ...] = ()
    needs_place: bool = False

    def is_evidenced(self, evidence: Evidence, claimed: re.Match[str]) -> bool:
        told = evidence.titles if evidence.job_titles else evidence.career
        if self.titles.search(told):
            return True
        if self.career is not None and self.career.search(evidence.career):
            return True
        return any(evidence.has_near((claimed["of"].lower(), verb), _NEAR) for verb in self.verbs)


def _rank(
    claim: str,
    titles: str,
    career: str = "",
    flags: int = re.IGNORECASE,
    *,
    verbs: str = "",
    needs_place: bool = False,
) -> Rank:
    return Rank(
        re.compile(claim, flags),
        re.compile(titles),
        re.compile(career) if career else None,
        tuple(verbs.split()),
        needs_place,
    )


_BETWEEN = r"(?:[\w/&-]+ ){0,3}?"
_CAPITALS = r"[A-Z][\w/&-]*(?: [A-Z][\w/&-]*){0,3}"

# Each claim ends at the noun of the rank, whose place in the sentence decides of whom it is told.
HELD: tuple[Rank, ...] = (
    _rank(
        r"\bchief(?:[- ]\w+){1,3}[- ]officer\b|\bchief (?:executive|nurse|engineer|architect"
        r"|accountant|scientist|economist|editor|technologist|actuary|surgeon|operator)\b"
        r"|\bchief(?= of staff\b)",
        _HIGH,
    ),
    _rank(r"\b(?:CEO|CTO|CFO|COO|CIO|CMO|CPO|CISO|CHRO|CRO|CDO|CSO|CCO|CLO)\b", _HIGH, flags=0),
    _rank(
        r"\b(?:vice|deputy)[- ]president\b|\b[SEA]?VP\b",
        r"\b[sea]?vp\b|vice.president|\bpresident\b",
    ),
    _rank(
        r"\b(?<!vice )(?<!vice-)president\b|\bgovernor\b|\bchancellor\b|\bprovost\b|\brector\b",
        r"president|\bpdg\b|\bceo\b|prasident|governor|chancellor|provost|\brector\b",
    ),
    _rank(r"\bdirector\b(?! of the board)", _DIRECTORS, r"\bdirected\b"),
    _rank(
        rf"\bhead(?= (?:of|for) )(?! of (?:an?|the|its) {_LISTED})|"
        r"\b(?:department|division|section|unit|group|practice|global"
        r"|regional|deputy|programme|function|branch|studio)[- ]head\b|\bdean\b"
        r"|\bhead(?:master|mistress|teacher)\b|\bsuperintendent\b"
        r"|\b(?:national|country|zonal|zone|cluster|circle|area|business|vertical|category|plant"
        r"|delivery|centre|center|practice|campus|store|site) head\b"
        r"|(?-i:\b(?!The\b|A\b|An\b)[A-Z][\w&-]* Head)\b(?! (?:Office|Count))",
        rf"{_DIRECTORS}|leitung|responsable|\bchef|\bdean\b|principal of|school principal"
        r"|superintendent|head ?(?:teacher|master|mistress)",
        r"\bhead(?:ed|ing)\b",
    ),
    _rank(
        rf"\b(?:principal|staff) (?!nurse){_BETWEEN}(?:{_ROLE_NOUNS})\b"
        rf"|(?-i:\b(?:Principal|Staff) (?!Nurse){_CAPITALS})\b"
        r"|\bprincipal(?= of (?:a|an|the) )"
        r"|\bdistinguished (?:engineer|scientist|architect|technologist|expert)\b",
        rf"{_DIRECTORS}|principal|\bstaff\b (?!nurse)",
    ),
    _rank(
        r"\b(?:co-?)?founder\b|\b(?:co-?)?owner\b(?! of the (?:process|product|risk|topic|data))"
        r"|\bproprietor\b|\bentrepreneur\b",
        r"\bfound(?:er|ed|ing)|cofound|grunder|fondat|fundad|\bowners?\b|inhaber|self.employed"
        r"|freelanc|proprietor|entrepreneur",
        r"\b(?:co-?)?founded\b|\bmy own\b|\bset up (?:a|my|his|her|their) (?:own )?(?:company"
        r"|firm)",
    ),
    _rank(
        r"\bchair(?:man|woman|person)?\b|\bboard (?:member|director)\b|\btrustee\b"
        r"|\bmember(?= of the (?:[\w-]+ )?board\b)",
        rf"{_HIGH}|\bchair|\bboard\b|trustee",
        r"\bchair(?:ed|s|man|woman|person)?\b|\bboard (?:member|director)|trustee"
        r"|(?:member of|on) the (?:\w+ )?board",
    ),
    _rank(
        r"\b(?:managing|founding|general|equity|senior|full|junior|named|salaried"
        r"|limited) partner\b"
        r"|(?<!business )(?<!& )(?<!and )(?<!trusted )\bpartner(?= (?:at|of|in) [A-Zt])",
        rf"{_HIGH}|\bpartner\b",
    ),
    _rank(
        r"(?-i:(?<!Business )(?<!HR )(?<!Channel )(?<!Technology )(?<!& )(?<!and )"
        r"\bPartner\b)(?! [A-Z])",
        rf"{_HIGH}|\bpartner\b",
        needs_place=True,
    ),
    _rank(r"\b(?:comp)?controller\b(?! tower)(?<!traffic controller)", rf"{_DIRECTORS}|control"),
    _rank(
        r"\b(?:general|country|managing|regional|area|district|city) manager\b",
        rf"{_DIRECTORS}|(?:general|country|plant|branch|site|regional|area|district"
        rf"|city)\b.*manager",
    ),
    _rank(
        r"\b(?:branch|department|division|site|plant|unit|store|duty|line|floor|office|group"
        r"|deputy|senior|executive) manager\b|\bboss\b"
        r"|\b(?:unit|shift|section|group|division|department|floor)[- ]leader\b",
        _MANAGERS,
        r"line manag|direct reports",
    ),
    _rank(r"\bforeman\b|\bforewoman\b|\bsupervisor\b", _MANAGERS, r"supervis|line manag"),
    _rank(r"(?-i:\b[A-Z][\w&-]* Manager)\b", rf"{_MANAGERS}|\bowner\b"),
    _rank(
        r"\b(?P<of>[\w-]+) manager\b",
        rf"{_MANAGERS}|\bowner\b",
        verbs="managed led supervised ran oversaw coordinated owned",
    ),
    _rank(
        rf"\b(?:senior|sr\.?)[- ]{_BETWEEN}(?:{_ROLE_NOUNS})\b"
        rf"|(?-i:\b(?:Senior|Sr\.?) {_CAPITALS})\b",
        _SENIORS,
    ),
    _rank(
        rf"(?-i:\bLead {_CAPITALS}|\b[A-Z][\w/&-]* Lead(?:er)?)\b(?! (?:time|gen|Gen|Time))",
        _SENIORS,
    ),
    _rank(rf"\blead {_BETWEEN}(?:{_ROLE_NOUNS})\b", _SENIORS, _LEADS_PEOPLE),
    _rank(
        rf"(?-i:\b(?:Supervising|Managing|Head|Chief) (?!Office|Count|Of){_CAPITALS})\b",
        _MANAGERS,
    ),
    _rank(
        r"\b(?:team|shift|crew|squad) lead(?:er)?\b",
        _SENIORS,
        _LEADS_PEOPLE,
        needs_place=True,
    ),
    _rank(
        r"\b(?!(?:its|their|his|her|this|our|the|a|an|to|and|or|will|can|who|which|that|team"
        r"|shift|crew|squad) )"
        r"(?P<of>[\w-]+) lead\b(?! (?:time|generation|qualif|scor|nurtur))",
        _SENIORS,
        verbs="led managed headed ran oversaw",
        needs_place=True,
    ),
)
_SELF = r"(?:candidate|applicant|professional|person|he|she|they|[A-Z][\w'’-]+)"
_WHO = rf"(?:(?:\b{_SELF}|\bwho|\band|\bthen|\balso|\bhas|\bhaving|\bnow|,|\A|[.!?])\s+)"
_TEAM = r"(?:an?|the|up) (?:[\w-]+ ){0,4}?(?:team|squad|crew|group of)\b"
"""Who heads one leads people, which is asked of the document by itself."""
_COMPANY = r"(?:a|an|the|his|her|their|its|own|entire|whole|large|small|[\w-]+)"

# What the person is said to do: the verb is a claim of its own.
DONE: tuple[Rank, ...] = (
    _rank(
        r"\bone of the (?:founders|owners)\b|\b(?:set up|started|runs|ran) (?:her|his|their) own "
        r"(?:\w+ )?(?:company|firm|business|agency|practice|studio|start-?up|consultancy)\b",
        r"\bfound(?:er|ed|ing)|\bowners?\b|self.employed|freelanc|proprietor|entrepreneur|inhaber",
        r"\b(?:co-?)?founded\b|\bmy own\b|\bown (?:company|firm|business)",
    ),
    _rank(
        rf"{_WHO}(?:also |has |had |have )?(?:co-?)?(?:founded|owns)\s+"
        rf"(?:{_COMPANY} ){{0,3}}(?:(?-i:[A-Z]\w+)|company|firm|business|agency|shop|practice"
        r"|studio|start-?up|consultancy|charity)",
        r"\bfound(?:er|ed|ing)|cofound|grunder|fondat|fundad|\bowners?\b|inhaber|self.employed"
        r"|freelanc|proprietor|entrepreneur",
        r"\b(?:co-?)?founded\b|\bmy own\b",
    ),
    _rank(
        r"\b(?:sits?|sat|sitting|served?s?|seat|place|elected|appointed) (?:on|to) the "
        r"(?:[\w-]+ ){0,2}board\b|\bchair(?:s|ed|ing) (?:the|a)\b",
        rf"{_HIGH}|\bchair|\bboard\b|trustee",
        r"\bchair(?:ed|s|man|woman|person)?\b|\bboard (?:member|director)|trustee"
        r"|(?:member of|on) the (?:\w+ )?board",
    ),
    _rank(
        rf"\b(?:candidate|she|he|who) heads (?!for\b|to\b|{_TEAM})|\bhead(?:s|ed) (?!{_TEAM})"
        rf"(?:up )?(?:the|an?) (?!{_LISTED})"
        r"|\b(?:runs|ran) (?:an?|the|its|an? entire|the (?:whole"
        r"|entire)) (?:[\w-]+ )?(?:department|division|branch|office|plant"
        rf"|company|firm|business unit|business){_STOPS_HERE}",
        rf"{_MANAGERS}|leitung",
        r"\bhead(?:s|ed|ing)\b|\bin charge of\b|\b(?:ran|runs|managed) (?:a|an|the) (?:[\w-]+ )?"
        r"(?:department|division|branch|office|plant|company|firm|business)",
    ),
    _rank(
        r"\b(?:leads?|led|leading|manag(?:es|ed|ing)|head(?:s|ed|ing)|supervis(?:es|ed|ing)"
        r"|overs(?:ees|aw|eeing)|hir(?:es|ed|ing(?! managers))|direct(?:s|ed|ing)|commands?|bosses"
        r"|runs?|ran|steer(?:s|ed|ing)|captains?|line-manag(?:es|ed|ing))\s+"
        rf"(?:(?!for\b|to\b|with\b|in\b|on\b|by\b|across\b|that\b)[\w-]+\s+){{0,4}}?(?:{_PEOPLE})\b"
        r"|\bdirect reports\b|\bline[- ]manage|\bpeople manage"
        r"|\b(?:buil(?:t|ds|ding)|grew|grows) (?:up )?(?:an?|the) (?:[\w-]+ )?team\b"
        r"|\bmanagerial (?:role|position|post|capacity|responsibilit|experience)"
        r"|\b(?:report|answer)(?:s|ed|ing)? (?:directly )?to (?:the candidate|him|her|them)\b"
        rf"|\b(?:responsib\w+ for|in charge of|charge of|at the head of|accountable for) "
        rf"(?:an?|the|some|\w+) (?:[\w-]+ )?(?:of )?(?:[\w-]+ )?(?:{_PEOPLE})\b|\bsubordinates\b"
        r"|\bline responsibility\b"
        r"|\b(?:look(?:s|ed|ing)? after|tak(?:es|ing)? care of|responsibility for|command of"
        rf"|helm of) (?:an?|the|\w+) (?:[\w-]+ ){{0,2}}?(?:of )?(?:[\w-]+ )?(?:{_PEOPLE})\b"
        r"|\b(?:led|managed|headed|supervised|overseen|run) by (?:the candidate|him|her|them)\b"
        rf"|\b(?:{_PEOPLE})\b report(?:s|ed|ing)? (?:directly )?(?:in|to the candidate)\b"
        r"|\b(?:appraisals?|performance reviews?|leave) (?:of|for)"
        rf" (?:[\w-]+ ){{0,3}}?(?:{_PEOPLE})\b"
        r"|\b(?:assigns?|delegat(?:es|ed|ing)) (?:[\w-]+ ){0,2}?to"
        rf" (?:[\w-]+ ){{0,2}}?(?:{_PEOPLE})\b"
        r"|\b(?:as|is|being) (?:their|the) (?:boss|superior|supervisor)\b"
        r"|\b(?:as|is|being) their (?:manager|leader)\b"
        r"|\bunder the candidate(?:['’]s (?:lead|command|superv|direction|manage)|(?!['’\w]))"
        r"|\b(?:staff|people|line|personnel) (?:management"
        r"|responsibility)\b|\bdisciplinary responsibility\b",
        _MANAGERS,
        _LEADS_PEOPLE,
    ),
    _rank(
        r"\bsupervisory (?:role|position|post|capacity|responsibilit|experience|duties)",
        _MANAGERS,
        rf"{_LEADS_PEOPLE}|supervis",
    ),
    _rank(
        r"\b(?:control|charge|command|authority|power|reins|leadership) (?:of"
        r"|over) (?:[\w'’-]+ ){1,4}?"
        rf"(?:{_UNITS}|{_PEOPLE}){_STOPS_HERE}"
        rf"|\b(?:presid(?:es|ed|ing) over|sway over|govern(?:s|ed)|rul(?:es|ed) over)"
        rf" (?:[\w'’-]+ ){{1,4}}?(?:{_UNITS}|{_PEOPLE}){_STOPS_HERE}"
        rf"|\b(?:leads?|led|manag(?:es|ed)|runs?|ran|steers?|steered|guid(?:es|ed)) (?:an?|the"
        rf"|its|entire"
        r"|whole) (?:(?!for\b|to\b|with\b|in\b|on\b|of\b)[\w'’-]+ ){0,3}?"
        rf"(?:department|division|branch|office|function|crew|workforce|manpower){_STOPS_HERE}"
        r"|\bhir(?:es|ed|ing) and fir(?:es|ed|ing)\b|\bsecond[- ]in[- ]command\b"
        r"|\bcall(?:s|ed|ing) the shots\b|\b(?:managerial|supervisory|disciplinary) (?:authority"
        r"|power|control)\b|\bpeople leader(?:ship)?\b|(?<!into a )\bleader of (?:people|men"
        r"|others|a team|teams)\b"
        rf"|\bteam of [\w-]+ (?:works? |worked |is |are )?(?:under (?:the candidate|him|her|them)"
        r"|looks? to|to look after|to lead)\b"
        r"|\b(?:under|beneath|below) (?:them|him|her)\b"
        r"|\b(?:has|had|have) (?:an? )?(?:[\w-]+ ){0,3}?team(?: of [\w-]+)? (?:under|beneath"
        r"|at (?:his|her"
        r"|their) command)|\bgiven (?:an?|the) (?:[\w-]+ )?team(?: of|[.,;]| to (?:lead|run"
        r"|manage))"
        rf"|\bwith [\w-]+ subordinates\b|\b(?:to"
        rf"|under) whom (?:[\w-]+ ){{0,3}}?(?:{_PEOPLE}) (?:report"
        r"|answer|work)",
        _MANAGERS,
        _LEADS_PEOPLE,
    ),
    _rank(
        r"\b(?:(?:member|part|one) of|belong(?:s|ed|ing)? to|s[ia]ts? (?:on|in)|seat (?:on|in)"
        r"|joined)"
        r" (?:the |its |their )?(?:[\w'’-]+ )?(?:senior management|(?:executive|management"
        r"|leadership)"
        r" (?:team|committee|board)|c-suite|executive suite|top management|upper management)\b",
        _MANAGERS,
        r"(?:member of|s[ia]ts? on|joined|part of|elected to) (?:the )?(?:\w+ )?(?:executive"
        r"|management"
        r"|leadership) (?:team|committee|board)",
    ),
    _rank(
        r"\bset(?:ting)? up (?:an?|the) (?:[\w-]+ )?(?:business|company|firm|consultancy|agency"
        r"|start-?up)"
        rf"{_STOPS_HERE}",
        r"\bfound(?:er|ed|ing)|\bowners?\b|self.employed|freelanc|proprietor|entrepreneur|inhaber",
        r"\b(?:co-?)?founded\b|\bmy own\b|set up|started an? (?:company|firm|business)",
    ),
    _rank(
        r"\b(?:mentor|coach)(?:s|es|ed|ing)\b",
        _MANAGERS,
        rf"{_LEADS_PEOPLE}|mentor|train|teach|taught|tutor|guid|onboard|junior|workshop|educat"
        rf"|ausbild"
        r"|form(?:ation|er)",
    ),
)

"""One fault of one kind put into a good summary, by check.

Each function takes the summary, the person's facts, those of another person and random numbers,
and gives the spoilt summary, or None where the fault would be none for this person.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.gate_cases import Facts

__all__ = ["FAULTS"]

Spoil = Callable[[str, "Facts", "Facts", Random], str | None]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_FIRST = (
    "Brindle",
    "Corvane",
    "Dunmarrow",
    "Eskelund",
    "Fairmead",
    "Galtway",
    "Harrowick",
    "Ilvane",
)
_SECOND = ("Systems", "Hospital", "Bank", "Labs", "Logistics", "Foods", "Telecom", "Partners", "")
_EMPLOYED = (
    "Before that, the candidate worked at {}.",
    "A former role with {} brought knowledge of larger customers.",
    "The candidate joined {} and stayed for several years.",
    "Earlier work for {} had a similar scope.",
    "The candidate spent four years at {} in a comparable post.",
    "The candidate left {} for the present role.",
    "Time at {} gave the candidate a wider view.",
    "The career began at {} and went on from there.",
)
_ROLES = (
    "veterinarian", "lawyer", "airline pilot", "chef", "dentist", "journalist", "carpenter",
    "architect", "violinist", "firefighter", "translator", "teacher", "geologist", "electrician",
    "data scientist", "nurse", "civil engineer", "graphic designer", "pharmacist", "recruiter",
    "software developer", "accountant",
)  # fmt: skip
_AS_ROLE = (
    "The candidate is also a {}.",
    "An earlier post was as a {}.",
    "The candidate worked as a {} for some time.",
    "Having started as a {}, the candidate changed direction.",
    "A former {}, the candidate knows the field well.",
)
_RANKS = {
    "chief": ("Chief Executive Officer", "chief technology officer", "CFO", "Chief Data Officer"),
    "vice president": ("Vice President of Engineering", "vice president of sales", "SVP"),
    "director": ("Managing Director", "director of operations", "Director of Product"),
    "head": ("Head of Strategy", "head of research"),
    "principal": ("Principal Engineer", "principal consultant"),
    "founder": ("founder", "co-founder"),
}
_RANK_WORDS = {
    "chief": r"\bchief\b|\bC[A-Z]O\b",
    "vice president": r"\bvice president\b|\b[SE]?VP\b|\bpresident\b",
    "director": r"\bdirector\b|\bdirecteur|\bdirektor|\bgeschäftsführer|\bchief\b|\bC[A-Z]O\b"
    r"|\bvice president\b|\bVP\b|\bhead\b",
    "head": r"\bhead\b|\bdirector\b|\bchief\b|\bC[A-Z]O\b|\bVP\b|\bvice president\b|\blead\b",
    "principal": r"\bprincipal\b|\bstaff\b|\bdirector\b|\bchief\b|\bC[A-Z]O\b|\bVP\b|\bhead\b",
    "founder": r"\bfound",
}
_AS_RANK = (
    "The candidate serves as {}.",
    "The candidate was promoted to {}.",
    "In the role of {}, the candidate set the course.",
    "As {}, the candidate answered for the results.",
)
_DEGREES = {
    "doctorate": ("a PhD in {}", "a doctorate in {}", "a doctoral degree in {}"),
    "mba": ("an MBA", "a Master of Business Administration"),
    "master": ("a master's degree in {}", "a Master of Science in {}", "an MSc in {}"),
    "bachelor": ("a bachelor's degree in {}", "a BSc in {}", "a Bachelor of Arts"),
}
_DEGREE_WORDS = {
    "doctorate": r"ph\.?d|doct",
    "mba": r"mba|business administration",
    "master": r"master|\bm\.?\s?(?:sc|s|tech|eng|com|a|ba)\b|mba|mestrado|maestr|magister|dipl",
    "bachelor": r"bachelor|\bb\.?\s?(?:sc|s|tech|e|eng|com|a|ba)\b|licen|grado",
}
_FIELDS = ("economics", "statistics", "marketing", "computer science", "psychology")
_TOOLS = (
    "Terraform", "Snowflake", "Kubernetes", "Tableau", "HubSpot", "AutoCAD", "MATLAB", "Oracle",
    "MongoDB", "Django", "Hadoop", "SolidWorks", "Salesforce", "Figma", "PyTorch", "TensorFlow",
    "Jenkins", "Ansible", "Redis", "Elasticsearch", "PowerShell", "QuickBooks", "Power BI",
    "Photoshop", "React", "Angular", "Cassandra", "GraphQL", "BigQuery", "Azure DevOps",
)  # fmt: skip
_WITH_TOOL = (
    "Much of the work is done in {}.",
    "The candidate works with {} every day.",
    "The toolset also includes {}.",
    "The candidate has deep knowledge of {} and teaches it to others.",
    "Solutions are built on {}, too.",
)
_STRANGERS = (
    "Henrik Aldous", "Marisol Trentham", "Anselm Brodie", "Kieran Oduya", "Petra Lindqvarn",
    "Ludovic Semmelrath", "Ayaan Thistlewood", "Noor Vasterling", "Imre Calloway", "Sunniva Draper",
)  # fmt: skip
_ORDINARY = (
    "The candidate restores church organs and tunes harpsichords for concert halls.",
    "In the mountains the candidate guides climbers over glaciers and rescues injured hikers.",
    "The candidate breeds racing horses and judges dressage tournaments.",
    "Vaccines that the candidate invented protect cattle against tropical fever.",
    "The candidate translated medieval poems and published novels about pirates.",
    "Submarine cables were repaired by the candidate during arctic storms.",
    "The candidate negotiated the release of hostages and drafted a peace treaty.",
    "Orchards and vineyards planted by the candidate supply taverns along the river.",
    "The candidate conducts a symphony orchestra and composes film music.",
    "The candidate excavated a bronze age temple and catalogued its pottery.",
)
_FILLER = (
    "A results-driven professional with a proven track record of excellence.",
    "The candidate thrives in fast-paced and dynamic environments.",
    "With a passion for success, the candidate always goes the extra mile.",
    "The candidate is a valuable asset to any organisation.",
    "Strong communication skills and a positive attitude complete the profile.",
    "The candidate is committed to lifelong learning and personal growth.",
    "Known for dedication and integrity, the candidate consistently exceeds expectations.",
    "The candidate is poised for continued success in a wide range of opportunities.",
    "A strategic thinker with a unique blend of creativity and discipline.",
    "The candidate brings energy, enthusiasm and a can-do spirit to every challenge.",
    "An unwavering commitment to quality sets the candidate apart from others.",
    "The candidate has made a significant and lasting impact in the industry.",
)
_MONTHS = ("January", "February", "March", "April", "June", "July", "Sept.", "Oct", "Nov.", "Dec")
_DATES = (
    "The candidate joined in {month} {year}.",
    "Since {year}, the candidate has carried more responsibility.",
    "From {year} to {next}, the focus was on delivery.",
    "The current role started {digits}/{year}.",
    "Prior to {year}, the candidate worked elsewhere.",
    "The years {year}-{next} were spent in one team.",
    "By late {year} the team had doubled its output.",
    "The post ended on {day} {month} {year}.",
    "Results improved in Q{quarter} {year}.",
    "The candidate graduated ({year}) and moved on.",
    "A {year} graduate, the candidate learned quickly.",
    "The contract ran {year}/{digits} onwards.",
)
_CONTACTS = (
    "E-mail: {user}@quarry-example.com.",
    "Write to {user} [at] quarry-example [dot] com for more.",
    "The phone number is +44 7700 900{three}.",
    "Call (415) 555-0{three} on weekdays.",
    "Mobile 98450 1{three}5.",
    "See https://www.{user}-example.dev/work for examples.",
    "The profile is at linkedin.com/in/{user}-{three}.",
    "Code is at github.com/{user}.",
    "More stands on www.{user}-example.org today.",
    "The candidate is on Twitter as @{user}_{three}.",
    "WhatsApp +91 98{three} 55{three}.",
    "Address: {three} Alder Street, Leeds LS1 4DT.",
)
_REASONING = (
    "We need to write a summary of 400 words.",
    "The user wants dense prose without dates.",
    "<think>First the jobs, then the skills.</think>",
    "assistantfinal",
    "As an AI language model, I cannot judge this.",
    "Word count: 412.",
    "Based on the provided record, I would stress the last role.",
    "Here is the summary you asked for.",
    "Note: no dates are included, as requested.",
    "The record does not mention a degree, so I leave it out.",
    "Let me check the length again.",
    "I hope this helps.",
    "The JSON object has two keys.",
    "This summary follows the instructions.",
    "I should mention the skills first.",
    "<|channel|>analysis",
    "Okay, so the profile is about one person.",
    "The document says nothing about hobbies.",
)
_FOREIGN = {
    "de": "Der Kandidat leitet seit vielen Jahren die Abteilung und führt ein Team mit großer"
    " Erfahrung. Die Arbeit umfasst Planung, Steuerung und Prüfung von Projekten für Kunden."
    " Dabei wurde die Qualität durch neue Verfahren deutlich verbessert.",
    "fr": "Le candidat dirige depuis des années le service et encadre une équipe expérimentée. Son"
    " travail comprend la planification et le suivi des projets pour les clients. La qualité a été"
    " nettement améliorée par de nouvelles méthodes.",
    "es": "El candidato dirige desde hace años el departamento y coordina un equipo con mucha"
    " experiencia. Su trabajo incluye la planificación y el control de los proyectos para los"
    " clientes. La calidad ha mejorado con los nuevos métodos.",
    "pt": "O candidato dirige há anos o departamento e coordena uma equipe com muita experiência. O"
    " trabalho inclui o planejamento e o controle dos projetos para os clientes. A qualidade"
    " melhorou muito com os novos métodos.",
    "it": "Il candidato dirige da anni il reparto e coordina una squadra con molta esperienza. Il"
    " lavoro comprende la pianificazione e il controllo dei progetti per i clienti. La qualità è"
    " migliorata con i nuovi metodi della squadra.",
    "nl": "De kandidaat leidt al jaren de afdeling en stuurt een ervaren team aan. Het werk bestaat"
    " uit het plannen en het bewaken van de projecten voor de klanten. De kwaliteit is door nieuwe"
    " werkwijzen sterk verbeterd.",
    "pl": "Kandydat od lat kieruje działem i prowadzi doświadczony zespół. Praca obejmuje"
    " planowanie i kontrolę projektów dla klientów oraz szkolenie nowych osób. Jakość została"
    " wyraźnie poprawiona przez nowe metody, które się sprawdziły.",
    "tr": "Aday yıllardır bölümü yönetiyor ve deneyimli bir ekip ile çalışıyor. Bu iş, müşteriler"
    " için projelerin planlanması ve kontrolü olarak tanımlanır. Kalite de yeni yöntemler ile"
    " belirgin olarak arttı.",
    "ru": "Кандидат много лет руководит отделом и опытной командой. Работа включает планирование и"
    " контроль проектов для клиентов. Качество заметно выросло.",
    "zh": "该候选人多年来领导部门并管理一支经验丰富的团队。工作包括为客户规划和控制项目。",
    "hi": "उम्मीदवार कई वर्षों से विभाग का नेतृत्व कर रहा है और अनुभवी टीम का प्रबंधन करता है।",
    "sv": "Kandidaten leder sedan många år avdelningen och har ett erfaret team. Arbetet omfattar"
    " planering och uppföljning av projekt för kunder. Kvaliteten har blivit mycket bättre genom"
    " nya metoder som teamet har infört.",
}


def _put(summary: str, text: str, stream: Random) -> str:
    """The summary with a sentence put in somewhere."""
    sentences = _SENTENCE_END.split(summary)
    sentences.insert(stream.randint(1, len(sentences)), text)
    return " ".join(sentences)


def _employer(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    if stream.random() < 0.3:
        name = other.jobs[0][1]
        if name.split()[0].casefold() in facts.document.casefold():
            return None
    else:
        name = f"{stream.choice(_FIRST)} {stream.choice(_SECOND)}".strip()
    return _put(summary, stream.choice(_EMPLOYED).format(name), stream)


def _title(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    document = facts.document.casefold()
    free = [role for role in _ROLES if role.split()[-1][:7] not in document]
    text = stream.choice(_AS_ROLE).format(stream.choice(free))
    return _put(summary, re.sub(r"\ba (?=[aeio])", "an ", text), stream)


def _rank(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    free = [
        rank
        for rank, words in _RANK_WORDS.items()
        if not re.search(words, facts.document, re.IGNORECASE)
    ]
    if not free:
        return None
    rank = stream.choice(_RANKS[stream.choice(free)])
    return _put(summary, stream.choice(_AS_RANK).format(rank), stream)


def _number(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    kind = stream.randrange(5)
    if kind == 0:
        share = next((n for n in (47, 53, 59, 61, 67) if str(n) not in facts.document), None)
        if share is None:
            return None
        return _put(summary, f"Costs fell by {share}{stream.choice(('%', ' percent'))}.", stream)
    if kind == 1:
        return _put(summary, "The candidate saved $7.7 million a year.", stream)
    if kind == 2:
        return _put(summary, "The candidate leads a team of 187 people.", stream)
    if kind == 3:
        years = facts.years + stream.choice((5, 9, 15))
        if re.search(rf"\b{years}\b", facts.document):
            return None
        return _put(summary, f"In all, this makes {years} years of experience.", stream)
    if re.search(r"\b(?:4|four|3|three|4[.]0)\d*\s+decades", facts.document):
        return None
    return _put(summary, "The career spans more than five decades.", stream)


def _degree(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    free = [
        level
        for level, words in _DEGREE_WORDS.items()
        if not re.search(words, facts.document, re.IGNORECASE)
    ]
    if not free:
        return None
    claim = stream.choice(_DEGREES[stream.choice(free)]).format(stream.choice(_FIELDS))
    return _put(summary, stream.choice(("The candidate holds {}.", "The candidate earned {}."))
                .format(claim), stream)  # fmt: skip


def _tool(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    document = facts.document.casefold()
    free = [tool for tool in _TOOLS if tool.casefold().split()[0] not in document]
    return _put(summary, stream.choice(_WITH_TOOL).format(stream.choice(free)), stream)


def _other_candidate(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    own, strange = facts.name, other.name
    if summary.startswith(own) and not set(own.split()) & set(strange.split()):
        return strange + summary.removeprefix(own)
    name = stream.choice(_STRANGERS)
    text = stream.choice((
        "{} has led this work for years.", "{} is an expert in the field.",
        "Colleagues value {0}, who holds several certificates.", "{}'s strengths are broad.",
        "For many years, {} has worked in this area.", "{} brings all of this together.",
    ))  # fmt: skip
    return _put(summary, text.format(name), stream)


def _support(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    if stream.random() < 0.5:
        for text in stream.sample(_ORDINARY, 2):
            summary = _put(summary, text, stream)
        return summary
    opening = _SENTENCE_END.split(summary)[0]
    return " ".join([opening, *stream.sample(_FILLER, 8)])


def _date(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    year = stream.randint(1991, 2024)
    text = stream.choice(_DATES).format(
        month=stream.choice(_MONTHS),
        year=year,
        next=year + stream.randint(1, 4),
        digits=f"{stream.randint(1, 12):02d}",
        day=stream.randint(2, 28),
        quarter=stream.randint(1, 4),
    )
    return _put(summary, text, stream)


def _list(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    sentences = _SENTENCE_END.split(summary)
    items = list(facts.skills[:5])
    kind = stream.randrange(9)
    if kind < 3:
        mark = ("- ", "* ", "• ")[kind]
        return summary + "\n" + "\n".join(mark + item for item in items)
    if kind == 3:
        return "\n".join(f"{n}. {sentence}" for n, sentence in enumerate(sentences, 1))
    if kind == 4:
        return f"## Profile\n{summary}"
    if kind == 5:
        return f"{sentences[0]}\n\n**Skills**\n{' '.join(sentences[1:])}"
    if kind == 6:
        return f"{summary} Skills: {', '.join(items)}. Experience: {facts.jobs[0][0]}."
    if kind == 7:
        return f"{summary} 1) {items[0]} 2) {items[1]}"
    return f"{summary}\nKey strengths:\n{items[0]}\n{items[1]}"


def _contact(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    text = stream.choice(_CONTACTS).format(
        user=stream.choice(("thea.quarles", "silasw", "orla-tennick")).replace(".", "")
        if stream.random() < 0.5
        else "m.hale",
        three=stream.randint(100, 199),
    )
    return _put(summary, text, stream)


def _reasoning(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    return _put(summary, stream.choice(_REASONING), stream)


def _repetition(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    sentences = _SENTENCE_END.split(summary)
    kind = stream.randrange(5)
    one = stream.choice(sentences)
    if kind == 0:
        return _put(summary, one, stream) if one.count(" ") >= 3 else None
    if kind == 1:
        return f"{summary} {summary}"
    if kind == 2:
        return f"{summary} {' '.join([facts.skills[0]] * 6)}."
    if kind == 3:
        return f"{summary} The skills are {', '.join(list(facts.skills[:2]) * 5)}."
    return " ".join([
        sentences[0],
        *(f"The candidate is responsible for {skill} and for the work around it."
          for skill in (*facts.skills[:5], "planning", "quality", "delivery")),
    ])  # fmt: skip


def _language(summary: str, facts: Facts, other: Facts, stream: Random) -> str | None:
    text = stream.choice(list(_FOREIGN.values()))
    if stream.random() < 0.35:
        return f"{_SENTENCE_END.split(summary)[0]} {text}"
    return text


FAULTS: dict[str, Spoil] = {
    "reasoning": _reasoning,
    "language": _language,
    "repetition": _repetition,
    "lists": _list,
    "contacts": _contact,
    "dates": _date,
    "employers": _employer,
    "titles": _title,
    "seniority": _rank,
    "numbers": _number,
    "degrees": _degree,
    "technologies": _tool,
    "other_candidate": _other_candidate,
    "support": _support,
}
"""The spoiler of each check of a summary."""

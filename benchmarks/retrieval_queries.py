"""Queries as recruiters type them, with graded answers that the generator's truth knows.

Ten kinds. Each query is drawn from a random person; the grade of every person follows from the
truth alone: titles, employers, industries, career, skills, place. 2 fits all that was asked, 1 a
part worth showing. Nothing here knows how anything is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.truth import SPELLINGS
from sample_data.careers import CAREERS
from sample_data.industries import INDUSTRIES
from sample_data.people import Person as Invented

FEWEST, MOST = 2, 100
"""People of grade 2 that a query has; a query about one career history has one or more."""

TRANSLATED = {
    "Data Engineer": ("Dateningenieur", "Ingeniero de datos", "Ingénieur de données"),
    "Data Scientist": ("Datenwissenschaftler", "Científico de datos", "Scientifique des données"),
    "Data Analyst": ("Datenanalyst", "Analista de datos", "Analyste de données"),
    "Software Engineer": ("Softwareentwickler", "Ingeniero de software", "Ingénieur logiciel"),
    "Engineering Manager": ("Leiter der Softwareentwicklung", "Gerente de ingeniería"),
    "Finance Manager": ("Finanzmanager", "Gerente de finanzas", "Responsable financier"),
    "Financial Analyst": ("Finanzanalyst", "Analista financiero", "Analyste financier"),
    "Project Manager": ("Projektleiter", "Jefe de proyecto", "Chef de projet"),
    "Mechanical Engineer": ("Maschinenbauingenieur", "Ingeniero mecánico", "Ingénieur mécanique"),
    "Operations Manager": ("Betriebsleiter", "Gerente de operaciones"),
    "Pharmacist": ("Apotheker", "Farmacéutico", "Pharmacien"),
    "Staff Nurse": ("Krankenpfleger", "Enfermera", "Infirmier"),
    "Recruiter": ("Personalvermittler", "Reclutador", "Recruteur"),
    "HR Director": ("Personaldirektor", "Director de recursos humanos"),
    "Product Designer": ("Produktdesigner", "Diseñador de producto", "Concepteur de produits"),
    "Graphic Designer": ("Grafikdesigner", "Diseñador gráfico", "Graphiste"),
    "Sales Director": ("Vertriebsleiter", "Director de ventas", "Directeur commercial"),
}
COMPANY_TYPES = {
    "Hospital & Health Care": "a hospital", "Banking": "a bank", "Insurance": "an insurer",
    "Pharmaceuticals": "a pharma company", "Automotive": "a car maker", "Retail": "a retailer",
    "Staffing & Recruiting": "a staffing agency", "Telecommunications": "a telecom operator",
    "Computer Software": "a software company", "Construction": "a construction company",
    "Consumer Goods": "a consumer goods company", "Semiconductors": "a chip maker",
    "Internet": "an internet company", "Real Estate": "a real estate firm",
    "Marketing & Advertising": "an advertising agency", "Oil & Energy": "an oil and gas company",
}  # fmt: skip
VAGUE = {
    "Software Engineer": "someone to build our product, backend and web",
    "Data Analyst": "somebody who is good with numbers and data pipelines",
    "Marketing Executive": "a person who makes people know our brand",
    "Financial Analyst": "a numbers person for our budget and the month-end close",
    "Staff Nurse": "someone for patients and clinical work",
    "Recruiter": "a people person to fill our open positions",
    "Operations Manager": "someone who keeps stock and deliveries moving",
    "Mechanical Engineer": "an engineer who can design and build machines",
    "Product Designer": "a creative who makes apps pretty and easy to use",
    "Account Executive": "a closer who brings us new customers",
}
LEVELS = (
    (0.15, "junior"), (0.45, "mid-level"), (0.75, "senior"), (1.0, "director or head,"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Query:
    """One line, its kind, and the grade of each candidate that answers it."""

    key: str
    kind: str
    text: str
    grades: dict[int, int]


class Truth:
    """Truth about the invented person behind a candidate, newest job first."""

    def __init__(self, candidate_id: int, person: Invented) -> None:
        self.candidate_id = candidate_id
        self.titles = [job.title for job in person.jobs]
        self.employers = [job.company.name for job in person.jobs]
        self.industries = [INDUSTRIES[job.company.industry][0] for job in person.jobs]
        self.career = CAREERS.index(person.career)
        self.skills = {skill[0] for skill in person.skills}
        self.city, _, self.country = person.city
        ladder = person.career.titles
        place = ladder.index(self.titles[0]) if self.titles[0] in ladder else 0
        share = place / (len(ladder) - 1)
        self.level = next(n for n, (top, _) in enumerate(LEVELS) if share <= top)

    @property
    def base_title(self) -> str:
        """The title by which people call the career."""
        return next(title for title in VAGUE if title in CAREERS[self.career].titles)


Grade = Callable[[Truth], int]
Drawn = tuple[str, Grade] | None


def _title_place(truth: Truth, stream: Random) -> Drawn:
    title, city = truth.titles[0], truth.city
    form = stream.choice(("{} {}", "{} in {}", "{} based in {}"))
    return form.format(title, city), lambda o: (
        2 if o.titles[0] == title and o.city == city
        else int(title in o.titles and o.country == truth.country)
    )  # fmt: skip


def _must_have(truth: Truth, stream: Random) -> Drawn:
    if len(truth.skills) < 3:
        return None
    one, two, three = stream.sample(sorted(truth.skills), 3)
    wanted = {one, two, three}
    form = stream.choice(("{}, {}, {}", "{} + {} + {}", "must have {}, {} and {}"))
    return form.format(one, two, three), lambda o: max(0, len(wanted & o.skills) - 1)


def _synonyms(truth: Truth, stream: Random) -> Drawn:
    known = sorted(skill for skill in truth.skills if _others(skill))
    if len(known) < 2:
        return None
    wanted = set(stream.sample(known, 2))
    text = " and ".join(stream.choice(_others(skill)) for skill in sorted(wanted))
    return text, lambda o: len(wanted & o.skills) if o.career == truth.career else (
        2 * int(wanted <= o.skills)
    )  # fmt: skip


def _seniority(truth: Truth, stream: Random) -> Drawn:
    del stream
    return (
        f"{LEVELS[truth.level][1]} {truth.base_title}",
        lambda o: 0 if o.career != truth.career else max(0, 2 - abs(o.level - truth.level)),
    )


def _domain(truth: Truth, stream: Random) -> Drawn:
    industry = stream.choice(truth.industries)
    return f"{truth.base_title} with experience in {industry}", lambda o: (
        0 if o.career != truth.career or industry not in o.industries
        else 1 + int(o.industries[0] == industry or truth.base_title in o.titles)
    )  # fmt: skip


def _company_type(truth: Truth, stream: Random) -> Drawn:
    industry = stream.choice(truth.industries)
    if industry not in COMPANY_TYPES:
        return None
    form = stream.choice(("{} from {}", "{} who worked at {}"))
    text = form.format(truth.base_title, COMPANY_TYPES[industry])
    return text, lambda o: (
        0 if o.career != truth.career or industry not in o.industries
        else 1 + int(o.industries[0] == industry or truth.base_title in o.titles)
    )  # fmt: skip


def _translated(truth: Truth, stream: Random) -> Drawn:
    title = truth.titles[0]
    if title not in TRANSLATED:
        return None
    return stream.choice(
        TRANSLATED[title]
    ), lambda o: 2 if o.titles[0] == title else int(title in o.titles)


def _negation(truth: Truth, stream: Random) -> Drawn:
    title = truth.titles[0]
    lacking = sorted({skill[0] for skill in CAREERS[truth.career].skills} - truth.skills)
    if not lacking:
        return None
    skill = stream.choice(lacking)
    form = stream.choice(("{} without {}", "{}, no {}", "{} but not {}", "{} -{}"))
    word = f'"{skill}"' if form.endswith("-{}") and " " in skill else skill
    return form.format(
        title, word
    ), lambda o: 0 if skill in o.skills else 2 if o.titles[0] == title else int(title in o.titles)


def _vague(truth: Truth, stream: Random) -> Drawn:
    del stream
    return f"{VAGUE[truth.base_title]}, {truth.city}", lambda o: (
        0 if o.career != truth.career else 2 * int(o.city == truth.city)
        or int(o.country == truth.country)
    )  # fmt: skip


def _history(truth: Truth, stream: Random) -> Drawn:
    if len(truth.titles) < 2 or truth.employers[0] == truth.employers[1]:
        return None
    spells = list(zip(truth.titles, truth.employers, strict=True))[:2]
    form = stream.choice(("{} at {}, before that {} at {}", "now {} at {}, earlier {} at {}"))

    def grade(other: Truth) -> int:
        theirs = set(zip(other.titles, other.employers, strict=True))
        return sum(spell in theirs for spell in spells)

    return form.format(*spells[0], *spells[1]), grade


KINDS: dict[str, Callable[[Truth, Random], Drawn]] = {
    "title_and_place": _title_place,
    "must_have_skills": _must_have,
    "synonyms": _synonyms,
    "seniority": _seniority,
    "domain": _domain,
    "company_type": _company_type,
    "other_language": _translated,
    "negation": _negation,
    "vague": _vague,
    "career_history": _history,
}


def queries(truths: Sequence[Truth], *, each: int, seed: int) -> list[Query]:
    """Up to `each` queries of every kind, no text twice, drawn from random people."""
    found: list[Query] = []
    for kind, write in KINDS.items():
        stream = Random(f"{seed}/{kind}")
        texts: set[str] = set()
        for _ in range(200 * each):
            drawn = write(stream.choice(truths), stream)
            if drawn is None or drawn[0] in texts:
                continue
            text, grade = drawn
            grades = {truth.candidate_id: grade(truth) for truth in truths}
            best = sum(value == 2 for value in grades.values())
            if not (1 if kind == "career_history" else FEWEST) <= best <= MOST:
                continue
            texts.add(text)
            kept = {candidate: value for candidate, value in grades.items() if value}
            found.append(Query(f"{kind}-{len(texts)}", kind, text, kept))
            if len(texts) == each:
                break
    return found


def _others(skill: str) -> list[str]:
    """Spellings of a skill that differ by more than case from the one the truth has."""
    return [
        spelling for spelling in SPELLINGS.get(skill, ()) if spelling.casefold() != skill.casefold()
    ]

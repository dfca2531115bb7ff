"""Generated people as three kinds of documents, and queries whose right answers the truth knows.

The rows go through the production steps in a throwaway Postgres: extract, resolve, render, tag. A
candidate stands for the person that most of its rows belong to.

raw          every value of every row of the candidate, without keys, joined by line breaks
markdown     the document that the model is given
synthesised  what is published: summary, skills and domains. The summary is the embedded model's
             where its answer passed the gate, else sentences of the document (`extractive`)

A query is one line as a recruiter types it. The relevant people follow from the truth alone: jobs,
employers' industries and skills, whether or not a row shows them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from psycopg import sql

from benchmarks.rendering import TABLES
from benchmarks.truth import SPELLINGS
from profiles.operations import apply_migrations
from profiles.params import RunParams
from profiles.steps import (
    check_sources,
    extract_sources,
    render_profiles,
    resolve_identities,
    tag_domains,
)
from profiles.storage.connection import Database
from sample_data import load_sample, write_sample
from sample_data.industries import INDUSTRIES
from sample_data.population import Population

RUN = "retrieval"
FEWEST, MOST = 3, 40
"""Relevant people of a query; one of more says little, and 50 are all that recall looks at."""

_LEVELS = (
    ("executive", "executive or director", r"\b(?:Chief|VP|Director|Head)\b"),
    ("trainee", "intern or trainee", r"\b(?:Intern|Trainee)\b"),
    ("manager", "manager leading a team", r"\b(?:Manager|Lead|Supervisor|Controller)\b"),
    ("senior", "senior individual contributor", r"\b(?:Senior|Staff|Principal)\b"),
)
_TRANSLATED = {
    "Data Engineer": ("Dateningenieur", "Ingeniero de datos", "Ingénieur de données"),
    "Data Scientist": ("Datenwissenschaftler", "Científico de datos", "Scientifique des données"),
    "Data Analyst": ("Datenanalyst", "Analista de datos", "Analyste de données"),
    "Software Engineer": ("Softwareentwickler", "Ingeniero de software", "Ingénieur logiciel"),
    "Senior Software Engineer": ("Leitender Softwareentwickler", "Ingeniero de software sénior"),
    "Engineering Manager": ("Leiter der Softwareentwicklung", "Gerente de ingeniería"),
    "Finance Manager": ("Finanzmanager", "Gerente de finanzas", "Responsable financier"),
    "Financial Analyst": ("Finanzanalyst", "Analista financiero", "Analyste financier"),
    "Financial Controller": ("Finanzcontroller", "Contralor financiero"),
    "Project Manager": ("Projektleiter", "Jefe de proyecto", "Chef de projet"),
    "Mechanical Engineer": ("Maschinenbauingenieur", "Ingeniero mecánico", "Ingénieur mécanique"),
    "Design Engineer": ("Konstruktionsingenieur", "Ingeniero de diseño"),
    "Operations Manager": ("Betriebsleiter", "Gerente de operaciones"),
    "Warehouse Supervisor": ("Lagerleiter", "Supervisor de almacén", "Responsable d'entrepôt"),
    "Pharmacist": ("Apotheker", "Farmacéutico", "Pharmacien"),
    "Staff Nurse": ("Krankenpfleger", "Enfermera", "Infirmier"),
    "Nurse Manager": ("Pflegedienstleitung", "Jefa de enfermería"),
    "Recruiter": ("Personalvermittler", "Reclutador", "Recruteur"),
    "HR Director": ("Personaldirektor", "Director de recursos humanos"),
    "Product Designer": ("Produktdesigner", "Diseñador de producto", "Concepteur de produits"),
    "Graphic Designer": ("Grafikdesigner", "Diseñador gráfico", "Graphiste"),
    "Sales Director": ("Vertriebsleiter", "Director de ventas", "Directeur commercial"),
    "Head of Marketing": ("Marketingleiter", "Jefe de marketing", "Responsable marketing"),
}


@dataclass(frozen=True, slots=True)
class Query:
    """One line, its kind, and the candidates that answer it."""

    key: str
    kind: str
    text: str
    relevant: frozenset[int]


@dataclass(frozen=True)
class Truth:
    """What is true of the person behind a candidate. Industries are labels; jobs newest first."""

    candidate_id: int
    titles: tuple[str, ...]
    industries: tuple[str, ...]
    skills: frozenset[str]

    @cached_property
    def level(self) -> str:
        """The rank of the newest title."""
        for level, _, pattern in _LEVELS:
            if self.titles and re.search(pattern, self.titles[0]):
                return level
        return "other"


@dataclass(slots=True)
class Person:
    """A candidate's documents; `synthesised` is filled by whoever writes the summary."""

    truth: Truth
    raw: str
    markdown: str
    too_thin: bool
    domains: tuple[str, ...]
    summary: str = ""
    skills: tuple[str, ...] = ()
    method: str = "too_thin"

    @property
    def synthesised(self) -> str:
        """The published row as one text."""
        lines = (self.summary, ", ".join(self.skills), ", ".join(self.domains))
        return "\n".join(line for line in lines if line)


def load_people(database: Database, folder: Path, *, people: int, seed: int) -> list[Person]:
    """Generates people, puts them through the steps before the model, and reads them back."""
    write_sample(folder, people=people, seed=seed, truth=people)
    apply_migrations.run(database)
    load_sample(database, folder=folder)
    for source in check_sources.run(database, run_id=RUN, params=RunParams()):
        extract_sources.run(database, run_id=RUN, source=source)
    resolve_identities.run(database, run_id=RUN)
    for ids in resolve_identities.ranges(database):
        render_profiles.run(database, run_id=RUN, **ids)
    tag_domains.run(database, run_id=RUN)
    return _read(database, _truths(folder, seed), _owners(folder))


def queries(people: Sequence[Person], *, each: int, seed: int) -> list[Query]:
    """Up to `each` queries of every kind, no text twice, drawn from the truth of random people."""
    truths = [person.truth for person in people]
    found: list[Query] = []
    for kind, write in _KINDS.items():
        stream = Random(f"{seed}/{kind}")
        texts: set[str] = set()
        for _ in range(60 * each):
            drawn = write(stream.choice(truths), stream)
            if drawn is None or drawn[0] in texts:
                continue
            text, fits = drawn
            relevant = frozenset(truth.candidate_id for truth in truths if fits(truth))
            if not FEWEST <= len(relevant) <= MOST:
                continue
            texts.add(text)
            found.append(Query(f"{kind}-{len(texts)}", kind, text, relevant))
            if len(texts) == each:
                break
    return found


Fits = Callable[[Truth], bool]
Drawn = tuple[str, Fits] | None


def _skill_title(truth: Truth, stream: Random) -> Drawn:
    if not truth.titles or not truth.skills:
        return None
    title, skill = truth.titles[0], stream.choice(sorted(truth.skills))
    return f"{title} {skill}", lambda other: title in other.titles[:1] and skill in other.skills


def _industry_seniority(truth: Truth, stream: Random) -> Drawn:
    del stream
    phrases = {level: phrase for level, phrase, _ in _LEVELS}
    if truth.level not in phrases or not truth.industries[0]:
        return None
    level, industry = truth.level, truth.industries[0]
    return (
        f"{phrases[level]} in {industry}",
        lambda other: other.level == level and industry in other.industries[:1],
    )


def _industry_experience(truth: Truth, stream: Random) -> Drawn:
    if not truth.titles:
        return None
    title, industry = stream.choice(truth.titles), stream.choice(truth.industries)
    if not industry:
        return None
    return (
        f"{title} with experience in {industry}",
        lambda other: title in other.titles and industry in other.industries,
    )


def _synonyms(truth: Truth, stream: Random) -> Drawn:
    known = sorted(skill for skill in truth.skills if len(_others(skill)) > 0)
    if len(known) < 2:
        return None
    first, second = stream.sample(known, 2)
    text = f"{stream.choice(_others(first))} and {stream.choice(_others(second))}"
    return text, lambda other: {first, second} <= other.skills


def _translated(truth: Truth, stream: Random) -> Drawn:
    titles = [title for title in truth.titles if title in _TRANSLATED]
    if not titles:
        return None
    title = stream.choice(titles)
    return stream.choice(_TRANSLATED[title]), lambda other: title in other.titles


def _natural(truth: Truth, stream: Random) -> Drawn:
    if not truth.titles or len(truth.skills) < 2:
        return None
    title = stream.choice(truth.titles)
    first, second = stream.sample(sorted(truth.skills), 2)
    text = stream.choice((
        f"We are hiring a {title} who is comfortable with {first} and {second}",
        f"Looking for somebody who has worked as {title} and knows {first} as well as {second}",
        f"Who has hands-on {first} and {second} experience from a role as {title}?",
    ))  # fmt: skip
    return text, lambda other: title in other.titles and {first, second} <= other.skills


_KINDS: dict[str, Callable[[Truth, Random], Drawn]] = {
    "title_and_skill": _skill_title,
    "seniority_and_industry": _industry_seniority,
    "title_and_industry": _industry_experience,
    "synonyms": _synonyms,
    "translated_title": _translated,
    "sentence": _natural,
}


def _others(skill: str) -> list[str]:
    """Spellings of a skill that differ by more than case from the one the truth has."""
    return [
        spelling for spelling in SPELLINGS.get(skill, ()) if spelling.casefold() != skill.casefold()
    ]


def _truths(folder: Path, seed: int) -> dict[str, tuple[Any, ...]]:
    """Titles, industries and skills of each generated person."""
    industry = {
        company.domain: INDUSTRIES[company.industry][1].lower()
        for company in Population(seed).companies
    }
    truths = {}
    with (folder / "truth_profiles.jsonl").open(encoding="utf-8") as lines:
        for truth in map(json.loads, lines):
            jobs = sorted(truth["jobs"], key=lambda job: job["start"], reverse=True)
            truths[truth["person_id"]] = (
                tuple(job["title"] for job in jobs),
                tuple(industry.get(job["company_domain"], "") for job in jobs),
                frozenset(truth["skills"]),
            )
    return truths


def _owners(folder: Path) -> dict[tuple[str, str], str]:
    with (folder / "truth.tsv").open(encoding="utf-8") as lines:
        next(lines)
        parts = (line.split("\t") for line in lines)
        return {(TABLES[table], key): person for table, key, person, *_ in parts if table in TABLES}


def _read(
    database: Database,
    truths: dict[str, tuple[Any, ...]],
    owners: dict[tuple[str, str], str],
) -> list[Person]:
    raw: dict[int, list[str]] = defaultdict(list)
    rows_of: dict[int, list[str]] = defaultdict(list)
    with database.connect() as connection:
        for table, source in TABLES.items():
            found = connection.execute(
                sql.SQL(
                    "SELECT c.candidate_id, c.source_key, to_jsonb(t) FROM {} AS t "
                    "JOIN synthesis.candidate_source AS c "
                    "ON c.source = %s AND c.source_key = t.id::text ORDER BY 1, 2"
                ).format(sql.Identifier("src", table)),
                (source,),
            )
            for candidate, key, row in found:
                raw[candidate].append("\n".join(_values(row)))
                rows_of[candidate].append(owners[source, key])
        documents = connection.execute(
            "SELECT d.candidate_id, d.markdown, d.too_thin, "
            "array(SELECT domain FROM synthesis.domain_tag AS t "
            "      WHERE t.candidate_id = d.candidate_id ORDER BY 1) "
            "FROM synthesis.document AS d ORDER BY 1"
        ).fetchall()
    return [
        Person(
            truth=Truth(candidate, *truths[_most(rows_of[candidate])]),
            raw="\n".join(raw[candidate]),
            markdown=markdown,
            too_thin=too_thin,
            domains=tuple(domains),
        )
        for candidate, markdown, too_thin, domains in documents
    ]


def _most(people: list[str]) -> str:
    return max(sorted(set(people)), key=people.count)


def _values(value: Any) -> Iterator[str]:
    """Every text and number of a row, in order, without keys."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _values(item)
    elif isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, bool):
        yield str(value)

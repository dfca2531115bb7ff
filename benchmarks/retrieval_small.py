"""People with an answer of a strong model: markdown, summary and skills, and known-item queries.

Reads a folder with documents.jsonl (`id, markdown`) and answers.jsonl (`id, document`, `answer`,
`faithful`). Small: 31 people. What fits a query follows from the document's own lines (heading,
jobs, skills), so the markdown is favoured, since it holds the words of the queries.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

from benchmarks.retrieval_people import Person, publish_people
from benchmarks.retrieval_queries import Query
from profiles.storage.connection import Database

_JOB = re.compile(r"^### (.+?) — (.+)$", re.MULTILINE)


class Facts:
    """Facts in a document's lines; takes the place of the generator's truth."""

    def __init__(self, candidate_id: int, markdown: str) -> None:
        self.candidate_id = candidate_id
        self.jobs = _JOB.findall(markdown)
        head = next((line for line in markdown.splitlines()[1:4] if " · " in line), "")
        self.place = head.split(" · ")[0] if head else ""
        listed = markdown.partition("## Skills\n")[2].partition("\n## ")[0]
        self.skills = [item.strip() for item in listed.split(",") if item.strip()]


def load_answers(database: Database, folder: Path) -> tuple[list[Person], list[Query]]:
    """People with their first faithful answer, published, and up to four queries about each."""
    lines = (folder / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    documents = {row["id"]: row["markdown"] for row in map(json.loads, lines)}
    answers: dict[str, dict[str, object]] = {}
    lines = (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, lines):
        if row["faithful"]:
            answers.setdefault(row.get("document") or row["document_id"], json.loads(row["answer"]))
    people = []
    for number, (key, answer) in enumerate(sorted(answers.items()), start=1):
        person = Person(
            truth=Facts(number, documents[key]), raw="", markdown=documents[key],
            too_thin=False, domains=(),
        )  # fmt: skip
        person.summary = str(answer["summary"])
        person.skills = tuple(map(str, answer["skills"]))  # type: ignore[arg-type]
        people.append(person)
    publish_people(database, people)
    return people, _queries([person.truth for person in people])


def _queries(facts: list[Facts]) -> list[Query]:
    stream = Random(5)
    found: list[Query] = []
    for fact in facts:
        title, employer = fact.jobs[0] if fact.jobs else ("", "")
        if title and fact.place:
            text = f"{title} {fact.place.split(',')[0]}"
            same = {
                o.candidate_id: 2 if o is fact else 1
                for o in facts
                if o is fact or title in [job[0] for job in o.jobs]
            }
            found.append(Query(f"place-{fact.candidate_id}", "title_and_place", text, same))
        if employer:
            grades = {o.candidate_id: 2 for o in facts if employer in [job[1] for job in o.jobs]}
            text = f"{title} who worked at {employer}"
            found.append(Query(f"history-{fact.candidate_id}", "career_history", text, grades))
        if len(fact.skills) >= 2:
            one, two = stream.sample(fact.skills, 2)
            grades = {
                o.candidate_id: len({one, two} & set(o.skills))
                for o in facts
                if {one, two} & set(o.skills)
            }
            text = f"{one} and {two}"
            found.append(Query(f"skills-{fact.candidate_id}", "must_have_skills", text, grades))
    return found

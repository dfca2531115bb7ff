"""The one figure for the whole: of people that somebody else wrote, whose profile is right.

    python -m benchmarks.whole tests/quality/whole --json benchmarks/results/whole.json
    python -m benchmarks.whole FOLDER --documents OUT     # stops after rendering: to write answers

Every step of the DAG but the optional ones runs against a throwaway Postgres, with the real lane;
the engine replays answers. FOLDER holds JSON lines:

rows.jsonl     table, person, row: of the source tables (person is null in company_industry)
people.jsonl   person, thin, facts (each `any`: spellings of which one must be kept), contacts
answers.jsonl  person, answer (skills, summary), wrong (spans of the summary that are false)
queries.jsonl  query, skills, people (who fits)

A person is right who has one profile with all rows and nobody else's, whose document has every fact
and none of the contacts, and whose published text is the model's without its false spans. A thin
person, whom no model is asked about, is right without a text.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from psycopg import sql
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from benchmarks.people import read_lines, say
from benchmarks.retrieval_people import make_documents
from profiles.models import Completion, Request
from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.steps import index_documents, plan_synthesis, publish, synthesise
from profiles.storage.connection import Database, open_database
from profiles.storage.mappings import load_mappings
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.process.protocol import EngineJob, EngineReady
from sample_data.loading import BUNDLED_SAMPLE
from scripts import embedded

RUN = "whole"
FIRST = 10
WORDS = (75, 260)
"""Length of the summaries that the authors wrote, whatever the document's."""
_CANDIDATES = """
SELECT d.candidate_id, d.markdown, d.too_thin, s.summary, s.method,
  (SELECT string_agg(DISTINCT a.reason, ', ') FROM synthesis.completion AS a
   WHERE a.candidate_id = d.candidate_id) AS reason,
  ARRAY(SELECT c.source || ' ' || c.source_key FROM synthesis.candidate_source AS c
        WHERE c.candidate_id = d.candidate_id) AS rows
FROM synthesis.document AS d LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
"""


class ReplayingEngine:
    """Gives each document the answer that was written for its person, each time; others none."""

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._answers = json.loads(Path(str(job.options["answers"])).read_text())

    def load(self) -> EngineReady:
        return EngineReady(
            engine="replay", version="1", model="replay", window=self._job.max_in_flight,
            context_tokens=self._job.context_tokens, running=0,
        )  # fmt: skip

    async def generate(self, request: Request) -> Completion:
        prompt = "\n".join(message.content for message in request.messages)
        found = [answer for document, answer in self._answers if document in prompt]
        text = found[0] if found else ""
        return Completion(request_id=request.request_id, text=text, finish_reason="stop")

    def abort(self, request_id: str) -> None:
        """Nothing runs for longer than a call."""

    async def counters(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        """Nothing is open."""


def main() -> int:
    """Runs the benchmark and prints who is right, and what the others lack."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=Path, help="write the documents here and stop")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--show", action="store_true", help="print what each person lacks")
    options = parser.parse_args()
    rows = read_lines(options.folder / "rows.jsonl")
    with embedded.throwaway() as (folder, _):
        database = open_database()
        _until_documents(database, rows)
        if options.documents:
            _write_documents(options.documents, _candidates(database, rows))
            return 0
        people = {each["person"]: each for each in read_lines(options.folder / "people.jsonl")}
        answers = {each["person"]: each for each in read_lines(options.folder / "answers.jsonl")}
        _synthesise(database, folder, _candidates(database, rows), answers)
        candidates = _candidates(database, rows)
        lacks = {
            person: _lacks(each, candidates, rows, answers.get(person, {}))
            for person, each in people.items()
        }
        queries = _searched(database, read_lines(options.folder / "queries.jsonl"), candidates)
    result = _figures(people, lacks, queries)
    if options.show:
        for person, reasons in lacks.items():
            say(f"{person}: {'; '.join(map(': '.join, reasons)) or 'right'}")
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def _until_documents(database: Database, rows: Iterable[dict[str, Any]]) -> None:
    with database.connect() as connection:
        connection.execute((BUNDLED_SAMPLE / "sources.sql").read_bytes())
        for each in rows:
            row = {
                name: Jsonb(value) if isinstance(value, dict | list) else value
                for name, value in each["row"].items()
            }
            connection.execute(
                sql.SQL("INSERT INTO src.{} ({}) VALUES ({})").format(
                    sql.Identifier(each["table"]),
                    sql.SQL(", ").join(map(sql.Identifier, row)),
                    sql.SQL(", ").join(sql.Placeholder() * len(row)),
                ),
                list(row.values()),
            )
    make_documents(database, run_id=RUN)


def _candidates(database: Database, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each candidate with its rows' owners, most frequent first."""
    sources = {mapping.table: name for name, mapping in load_mappings().items()}
    owners = {
        f"{sources['src.' + each['table']]} {each['row']['id']}": each["person"]
        for each in rows
        if each["person"]
    }
    with database.connect() as connection, connection.cursor(row_factory=dict_row) as cursor:
        candidates = cursor.execute(_CANDIDATES).fetchall()
    for candidate in candidates:
        candidate["people"] = Counter(owners[row] for row in sorted(candidate["rows"]))
    return candidates


def _owner(candidate: dict[str, Any]) -> str:
    return str(candidate["people"].most_common(1)[0][0])


def _write_documents(path: Path, candidates: list[dict[str, Any]]) -> None:
    largest = sorted(candidates, key=lambda each: len(each["rows"]))
    documents = {_owner(each): each["markdown"] for each in largest if not each["too_thin"]}
    lines = [
        json.dumps({"person": person, "markdown": documents[person]}, ensure_ascii=False)
        for person in sorted(documents)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _synthesise(
    database: Database, folder: Path, candidates: list[dict[str, Any]],
    answers: dict[str, dict[str, Any]],
) -> None:  # fmt: skip
    replayed = [
        (each["markdown"], json.dumps(answers[_owner(each)]["answer"], ensure_ascii=False))
        for each in candidates
        if _owner(each) in answers
    ]
    file = folder / "answers.json"
    file.write_text(json.dumps(replayed))
    file.chmod(0o644)
    prompts = folder / "prompts"
    shutil.copytree(load_settings().prompts_dir, prompts)
    profile = prompts / "structured" / "profile.yaml"
    given = yaml.safe_load(profile.read_text())
    given["length"] |= {"full": list(WORDS), "full_from": 1}
    profile.write_text(yaml.safe_dump(given))
    os.environ |= {
        "PROFILES_PROMPTS_DIR": str(prompts),
        "PROFILES_ENGINE": f"{__spec__.name}:{ReplayingEngine.__name__}",
        "PROFILES_ENGINE_PROFILE": "structured",
        "PROFILES_ENGINE_OPTIONS": json.dumps({"answers": str(file)}),
    }
    for lane in plan_synthesis.run(database, run_id=RUN, params=RunParams()):
        synthesise.run(database, run_id=RUN, lane=lane["lane"])
    publish.run(database, run_id=RUN, planned=True, tagged=True)
    index_documents.refresh(database)
    index_documents.refresh_names(database)


def _lacks(
    person: dict[str, Any], candidates: list[dict[str, Any]], rows: Iterable[dict[str, Any]],
    answer: dict[str, Any],
) -> list[tuple[str, str]]:  # fmt: skip
    """What the person's profile lacks, as (kind, detail)."""
    name = person["person"]
    mine = [each for each in candidates if name in each["people"]]
    if not mine:
        return [("missing", "no candidate")]
    profile = max(mine, key=lambda each: each["people"][name])
    lacks = []
    if len(mine) > 1 or profile["people"][name] < sum(each["person"] == name for each in rows):
        lacks.append(("split", f"{len(mine)} candidates"))
    if len(profile["people"]) > 1:
        lacks.append(("mixed", ", ".join(profile["people"])))
    document = _folded(profile["markdown"])
    for fact in person["facts"]:
        if not any(_holds(document, spelling) for spelling in _spellings(fact)):
            lacks.append(("fact", f"{fact['kind']} {fact['any'][0]}"))
    published = f"{document} {_folded(profile['summary'] or '')}"
    lacks += [("contact", each) for each in person["contacts"] if _holds(published, each)]
    return lacks if person["thin"] else lacks + _lacks_of_text(profile, answer)


def _spellings(fact: dict[str, Any]) -> list[str]:
    """How a fact may stand in a document: skills also by the name under which all are found."""
    if fact["kind"] != "skill":
        return list(fact["any"])
    vocabulary = load_vocabulary()
    return [*fact["any"], *map(vocabulary.canonical, fact["any"])]


def _lacks_of_text(profile: dict[str, Any], answer: dict[str, Any]) -> list[tuple[str, str]]:
    if profile["method"] != "model":
        return [("text", profile["reason"] or "none")]
    text = _folded(profile["summary"])
    return [("false", span) for span in answer.get("wrong", ()) if _folded(span) in text]


def _holds(text: str, words: str) -> bool:
    """Return whether folded text has the words whole; scripts without spaces have no word ends."""
    folded = re.escape(_folded(words))
    return bool(re.search(rf"(?<![a-z0-9]){folded}(?![a-z0-9])", text))


def _folded(text: str) -> str:
    """Text without case, width, and the kind of white space and dash."""
    return " ".join(re.sub(r"[‐‑–—]", "-", unicodedata.normalize("NFKC", text)).casefold().split())


def _searched(
    database: Database, queries: list[dict[str, Any]], candidates: list[dict[str, Any]]
) -> list[tuple[str, int, int]]:
    """Each query with how many who fit are among the first ten, and of how many."""
    owner = {each["candidate_id"]: _owner(each) for each in candidates}
    searched = []
    with database.connect() as connection:
        for each in queries:
            found = connection.execute(
                "SELECT candidate_id FROM synthesis.search_candidates("
                "%s, skills => %s::text[], k => %s) ORDER BY score DESC, candidate_id",
                (each["query"], each["skills"], FIRST),
            ).fetchall()
            people = {owner[candidate] for (candidate,) in found}
            searched.append((each["query"], len(people & set(each["people"])), len(each["people"])))
    return searched


def _figures(
    people: dict[str, dict[str, Any]], lacks: dict[str, list[tuple[str, str]]],
    queries: list[tuple[str, int, int]],
) -> dict[str, Any]:  # fmt: skip
    reasons: dict[str, int] = defaultdict(int)
    for found in lacks.values():
        for kind in dict.fromkeys(kind for kind, _ in found):
            reasons[kind] += 1
    facts = sum(len(each["facts"]) for each in people.values())
    lost = sum(kind == "fact" for found in lacks.values() for kind, _ in found)
    right = sum(not found for found in lacks.values())
    fitting = sum(total for *_, total in queries)
    return {
        "right": {"n": right, "of": len(people), "share": round(right / len(people), 3)},
        "people_by_what_they_lack": dict(reasons),
        "facts_kept": {"n": facts - lost, "of": facts},
        "people_who_fit_among_the_first_ten": {"n": sum(n for _, n, _ in queries), "of": fitting},
    }


if __name__ == "__main__":
    sys.exit(main())

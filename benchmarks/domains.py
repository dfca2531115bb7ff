"""Precision and recall of the business domains, through the production step in Postgres.

    python -m benchmarks.domains --n 5000 --seed 11 --json out.json

People are generated with their truth, which knows each employer's industry. Their rows are read
and rendered as in production, put together by the truth file; the industry table of the sample
(several vendors per company, both taxonomies, dirty labels, 6 % wrong rows) and the jobs go into a
throwaway Postgres, and `tag_domains` runs.

wanted     the domains that the rule of the step gives for the true jobs (those that any row shows),
           true dates and true industries: at least a tenth of the weight, or a current employer
precision  share of the tags that are wanted; recall: share of the wanted that are tags
unfounded  tags of a domain in which no employer of the person is, a fault at any weight
decidable  the same for people whose employers all have more right rows than rows for any one wrong
           domain: what a vote over the table can get right at all
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.shown import Row, shown
from benchmarks.truth import TABLES, people_of
from profiles.extraction.reader import read_row
from profiles.models import Candidate, ProfileDocument, SourceRecord
from profiles.operations import apply_migrations
from profiles.params import RunParams
from profiles.rendering.markdown import render
from profiles.steps import tag_domains
from profiles.storage.connection import Database, open_database
from profiles.storage.mappings import load_mappings
from profiles.storage.runs import start_run
from profiles.storage.taxonomy import load_domains, load_vocabulary
from profiles.tagging import IndustryTaxonomy
from sample_data import write_sample
from sample_data.companies import Company, industry_rows
from sample_data.industries import INDUSTRIES
from sample_data.population import Population
from sample_data.writer import COLUMNS
from scripts import embedded

RUN = "benchmark"
_LOW = 0.95
HALF_LIFE_YEARS, MIN_SHARE, MAX_DOMAINS = 6.0, 0.1, 6
"""The rule of block `create_wanted_tags` of tag.sql."""
_EXPERIENCE = (
    "COPY synthesis.experience (candidate_id, n, employer, employer_key, company_linkedin_id, "
    "company_domain, title, start_month, end_month, is_current, months, sources) FROM STDIN"
)
_DOCUMENT = (
    "COPY synthesis.document (candidate_id, markdown, content_hash, input_hash, word_count, "
    "token_estimate, renderer_version, as_of, too_thin) FROM STDIN"
)


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=5_000, help="people (default 5,000)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with embedded.throwaway() as (folder, _):
        result = measure(folder / "sample", people=options.n, seed=options.seed)
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def measure(sample: Path, *, people: int, seed: int) -> dict[str, Any]:
    """Loads the people, tags them and compares."""
    write_sample(sample, people=people, seed=seed, truth=people, format="jsonl")
    database = open_database()
    apply_migrations.run(database)
    start_run(database, run_id=RUN, params=RunParams())
    _load_industries(database, sample)
    taxonomy = load_domains()
    industry = {
        company.domain: taxonomy.domain_by_code.get(int(INDUSTRIES[company.industry][2]), "")
        for company in Population(seed).companies
    }
    wanted, known, employers = _load_people(database, sample, industry)
    undecidable = _undecidable(Population(seed).companies, seed, taxonomy)
    started, cpu = time.perf_counter(), _cpu()
    counts = tag_domains.run(database, run_id=RUN)
    seconds, cpu = time.perf_counter() - started, _cpu() - cpu
    found: dict[int, set[str]] = defaultdict(set)
    with database.connect() as connection:
        for candidate, domain in connection.execute(
            "SELECT candidate_id, domain FROM synthesis.domain_tag"
        ):
            found[candidate].add(domain)
    decidable = {
        candidate: domains
        for candidate, domains in wanted.items()
        if employers[candidate].isdisjoint(undecidable)
    }
    compared = _compared(decidable, found)
    return {
        "people": people,
        "seed": seed,
        **_compared(wanted, found),
        "decidable": {
            "people": len(decidable),
            "precision": compared["precision"],
            "recall": compared["recall"],
            "unfounded": sum(len(found[one] - known[one]) for one in decidable),
        },
        "undecidable_employers": len(undecidable),
        "unfounded": sum(len(found[candidate] - known[candidate]) for candidate in wanted),
        "seconds": round(seconds, 2),
        "cpu_seconds_of_the_step": round(cpu, 2),
        "counts": counts,
        "labels": _labels(taxonomy),
    }


def _compared(wanted: dict[int, set[str]], found: dict[int, set[str]]) -> dict[str, Any]:
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    given: Counter[str] = Counter()
    for candidate, domains in wanted.items():
        asked.update(domains)
        given.update(found[candidate])
        right.update(domains & found[candidate])
    per_domain = {
        domain: {
            "precision": _share(right[domain], given[domain]),
            "recall": _share(right[domain], asked[domain]),
            "wanted": asked[domain],
        }
        for domain in sorted(asked | given)
    }
    return {
        "wanted": asked.total(),
        "tags": given.total(),
        "precision": _share(right.total(), given.total()),
        "recall": _share(right.total(), asked.total()),
        "people_exact": _share(
            sum(domains == found[candidate] for candidate, domains in wanted.items()), len(wanted)
        ),
        "domains_below_0_95": {
            domain: figures
            for domain, figures in per_domain.items()
            if min(figures["precision"], figures["recall"]) < _LOW
        },
        "domains": len(per_domain),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def _labels(taxonomy: IndustryTaxonomy) -> dict[str, int]:
    return {
        "codes": len(taxonomy.domain_by_code),
        "narrower_codes": len(taxonomy.older_code),
        "labels": len(taxonomy.code_by_label),
        "domains": len(taxonomy.domains),
    }


def _undecidable(companies: list[Company], seed: int, taxonomy: IndustryTaxonomy) -> set[str]:
    """Web domains of the employers whose right rows are no plurality."""
    claims: dict[str, Counter[str]] = defaultdict(Counter)
    label, number = (
        COLUMNS["company_industry"].index(name) for name in ("industry", "industry_code")
    )
    for company, row in industry_rows(companies, seed):
        code = taxonomy.code(label=row[label], code=row[number])
        if code is not None:
            claims[company.domain][taxonomy.domain_by_code.get(code, "")] += 1
    found = set()
    for company in companies:
        votes = claims[company.domain]
        right = votes.pop(taxonomy.domain_by_code.get(int(INDUSTRIES[company.industry][2]), ""), 0)
        if right <= max(votes.values(), default=0):
            found.add(company.domain)
    return found


def _load_industries(database: Database, sample: Path) -> None:
    columns = COLUMNS["company_industry"]
    with database.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA src")
        cursor.execute(f"CREATE TABLE src.company_industry ({' text, '.join(columns)} text)")
        cursor.execute(
            "ALTER TABLE src.company_industry ALTER is_primary TYPE boolean "
            "USING is_primary::boolean"
        )
        with (
            cursor.copy(f"COPY src.company_industry ({', '.join(columns)}) FROM STDIN") as copy,
            (sample / "company_industry.jsonl").open(encoding="utf-8") as lines,
        ):
            for line in lines:
                row = json.loads(line)
                copy.write_row([row[name] for name in columns])


def _load_people(
    database: Database, sample: Path, industry: dict[str, str]
) -> tuple[dict[int, set[str]], dict[int, set[str]], dict[int, set[str]]]:
    """Stores the rendered jobs; returns each candidate's wanted domains, all domains, employers."""
    vocabulary, mappings = load_vocabulary(), load_mappings()
    wanted: dict[int, set[str]] = {}
    known: dict[int, set[str]] = {}
    employers: dict[int, set[str]] = {}
    documents: list[ProfileDocument] = []
    for number, (truth, rows) in enumerate(people_of(sample), start=1):
        records = [read_row(mappings[TABLES[table]], row) for table, row in rows]
        kept = tuple(record for record in records if isinstance(record, SourceRecord))
        document = render(Candidate(number, kept), vocabulary=vocabulary)
        if document is None:
            continue
        documents.append(document)
        jobs = shown(truth, [Row.read(row) for _, row in rows]).jobs
        known[number] = {industry[job["company_domain"]] for job in jobs}
        employers[number] = {job["company_domain"] for job in jobs}
        wanted[number] = _wanted(jobs, industry, document.as_of or "")
    with database.connect() as connection, connection.cursor() as cursor:
        with cursor.copy("COPY synthesis.candidate (candidate_id, created_run) FROM STDIN") as copy:
            for document in documents:
                copy.write_row((document.candidate_id, RUN))
        with cursor.copy(_DOCUMENT) as copy:
            for document in documents:
                copy.write_row((document.candidate_id, "", "", "", 0, 0, "", document.as_of, False))
        with cursor.copy(_EXPERIENCE) as copy:
            for row in _experience(documents):
                copy.write_row(row)
    return wanted, known, employers


def _experience(documents: Iterable[ProfileDocument]) -> Iterable[tuple[Any, ...]]:
    for document in documents:
        for job in document.experience:
            yield (
                document.candidate_id, job.n, job.employer, job.employer_key,
                job.company_linkedin_id, job.company_domain, job.title,
                str(job.start) if job.start else None, str(job.end) if job.end else None,
                job.is_current, job.months, list(job.sources),
            )  # fmt: skip


def _wanted(jobs: list[dict[str, Any]], industry: dict[str, str], as_of: str) -> set[str]:
    """The rule of the step, for true dates."""
    now = _month(as_of)
    weights: Counter[str] = Counter()
    current = set()
    for job in jobs:
        domain = industry[job["company_domain"]]
        end = _month(job["end"]) if job["end"] else now
        if end >= now:
            end = now
            current.add(domain)
        months = max(1, end - _month(job["start"]) + 1)
        weights[domain] += months * 0.5 ** ((now - end) / 12 / HALF_LIFE_YEARS)
    total = sum(weights.values())
    ranked = sorted(weights, key=lambda domain: (domain not in current, -weights[domain], domain))
    return {
        domain
        for domain in ranked[:MAX_DOMAINS]
        if domain in current or weights[domain] >= MIN_SHARE * total
    }


def _month(text: str) -> int:
    return int(text[:4]) * 12 + int(text[5:7]) - 1


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())

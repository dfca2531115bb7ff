"""Facts kept, invented and repeated from source rows to documents, and document sizes.

    python -m benchmarks.rendering --n 2000 --seed 11 --json out.json

People are generated with their full truth. Their rows are read by the production adapters, put
together by the truth file (so that no fault of identity resolution counts here) and rendered.

survived    share of the jobs, skills, sentences of job descriptions, studies, certificates and
            languages shown by any row (see benchmarks/shown.py) that the document has
invented    jobs, skills and sentences of documents that no row shows
duplicated  jobs, skills, sentences and other items that a document says twice
noise       sentences that rows show but that are no part of the truth, such as "see portfolio"

Texts are compared by letters and digits alone. Sizes are o200k tokens per person:

raw JSON    the rows as JSON objects, one per row, as a plain script would paste them
plain text  every human-readable string value of the rows joined with spaces: no keys, ids, web
            addresses, mailboxes, times or file names, but names, titles, dates, places and texts
ideal       the document written from the truth by the generator

CPU seconds are those of this process; reading and rendering are measured apart.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sys
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.shown import Row, Shown, employer, letters, shown, skill, title
from benchmarks.truth import TABLES, people_of
from profiles.extraction.reader import read_row
from profiles.models import Candidate, ProfileDocument, SourceRecord
from profiles.rendering.markdown import RENDERER_VERSION, render
from profiles.standardization.contacts.hosts import site_name
from profiles.storage.mappings import load_mappings
from profiles.storage.taxonomy import load_reader_text, load_vocabulary
from profiles.synthesis.lane.prompting import token_counter
from sample_data import write_sample

EXAMPLES = 20
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_SHORTEST_BEGINNING = 12


def main() -> int:
    """Runs the benchmark and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=2_000, help="people (default 2,000)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", category=DeprecationWarning)  # bpe-openai opens its tables
    with tempfile.TemporaryDirectory(prefix="profiles-benchmark-") as folder:
        write_sample(
            Path(folder), people=options.n, seed=options.seed, truth=options.n, format="jsonl"
        )
        result = measure(Path(folder))
    result = {"people": options.n, "seed": options.seed, **result}
    examples = result.pop("examples")
    print(json.dumps(result, indent=1))
    for kind, text in examples:
        print(f"{kind}: {text}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def measure(folder: Path) -> dict[str, Any]:
    """All figures of the people in `folder`."""
    tokens = token_counter()
    vocabulary, mappings = load_vocabulary(), load_mappings()
    detector = load_reader_text()
    score = Score()
    sizes: Counter[str] = Counter()
    cpu = Counter({"extract": 0.0, "render": 0.0})
    wall = 0.0
    site_name("example.com")  # Reads the public suffix list, once a process.
    for number, (truth, rows) in enumerate(people_of(folder)):
        started, clock = time.process_time(), time.perf_counter()
        records = [read_row(mappings[TABLES[table]], row) for table, row in rows]
        read = time.process_time()
        kept = tuple(record for record in records if isinstance(record, SourceRecord))
        document = render(Candidate(number, kept), vocabulary=vocabulary, detector=detector)
        cpu["extract"] += read - started
        cpu["render"] += time.process_time() - read
        wall += time.perf_counter() - clock
        score.rows_rejected += len(records) - len(kept)
        if document is None:
            score.example("no document", truth["person_id"])
            continue
        read_rows = [Row.read(row) for _, row in rows]
        score.add(truth, shown(truth, read_rows), document)
        sizes["document"] += tokens(document.markdown)
        sizes["plain_text"] += tokens(" ".join(text for row in read_rows for text in row.texts))
        sizes["raw_json"] += sum(tokens(json.dumps(row, ensure_ascii=False)) for _, row in rows)
        sizes["ideal"] += tokens(truth["markdown"])
    return {
        "renderer_version": RENDERER_VERSION,
        **score.figures(),
        "tokens_per_person": {name: round(size / score.people) for name, size in sizes.items()},
        "tokens_to_plain_text": round(sizes["document"] / sizes["plain_text"], 4),
        "tokens_to_raw_json": round(sizes["document"] / sizes["raw_json"], 4),
        "documents_per_second": round(score.people / wall, 1),
        "cpu_seconds": {name: round(seconds, 2) for name, seconds in cpu.items()},
        "cpu_ms_per_document": {
            name: round(1000 * seconds / score.people, 2) for name, seconds in cpu.items()
        },
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "examples": score.examples,
    }


@dataclass
class Document:
    """A rendered document taken apart by its headings."""

    jobs: list[tuple[str, str, str]] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    items: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, markdown: str) -> Document:
        """The parts of the markdown: jobs as (title, employer, start), sentences, lists."""
        parts = cls()
        section = ""
        employers: dict[str, str] = {}
        # Other titles of a job are no sentence.
        for line in re.sub(r"(?m)^- Also: .*\n", "", markdown).splitlines():
            if line.startswith("## "):
                section = line[3:]
            elif line.startswith("### "):
                name, _, company = line[4:].partition(" — ")
                parts.jobs.append((name, company, ""))
            elif section == "Experience" and line.startswith("- "):
                # Another employer's job keeps its lines, also those that a newer job has.
                if employers.setdefault(line, parts.jobs[-1][1]) == parts.jobs[-1][1]:
                    parts.sentences.append(line[2:])
            elif section == "Experience" and line:
                parts.jobs[-1] = (*parts.jobs[-1][:2], line)
            elif section == "Summary" and line:
                parts.sentences.extend(_SENTENCE_END.split(line))
            elif section in ("Skills", "Languages") and line:
                parts.items.setdefault(section, []).extend(line.split(", "))
            elif line:
                parts.items.setdefault(section, []).append(line.removeprefix("- "))
        return parts


@dataclass
class Score:
    """Counts over all people."""

    people: int = 0
    rows_rejected: int = 0
    shown: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    invented: Counter[str] = field(default_factory=Counter)
    duplicated: Counter[str] = field(default_factory=Counter)
    noise: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)

    def example(self, kind: str, text: str) -> None:
        """Keeps the first few faults of each kind."""
        if sum(known == kind for known, _ in self.examples) < EXAMPLES:
            self.examples.append((kind, text))

    def add(self, truth: dict[str, Any], seen: Shown, document: ProfileDocument) -> None:
        """Counts one person."""
        self.people += 1
        parts = Document.read(document.markdown)
        person = truth["person_id"]
        self._jobs(person, seen, parts)
        self._skills(person, seen, parts)
        self._sentences(person, truth, seen, parts)
        self._listed(person, truth, seen, parts)

    def _fault(self, what: str, counter: Counter[str], kind: str, text: str) -> None:
        counter[kind] += 1
        self.example(f"{what} {kind}", text)

    def _jobs(self, person: str, seen: Shown, parts: Document) -> None:
        self.shown["jobs"] += len(seen.jobs)
        wanted = defaultdict(list)
        for job in seen.jobs:
            wanted[title(job["title"]), employer(job["company"])].append(job["start"])
        found: Counter[tuple[str, str]] = Counter()
        for name, company, dates in parts.jobs:
            pair = (title(name), employer(company))
            found[pair] += 1
            if pair not in wanted:
                text = f"{person} {name} — {company} {dates}"
                self._fault("invented", self.invented, "jobs", text)
            elif found[pair] > len(wanted[pair]):
                text = f"{person} {name} — {company} {dates}: {wanted[pair]}"
                self._fault("duplicated", self.duplicated, "jobs", text)
        for pair, starts in wanted.items():
            for start in starts[found[pair] :]:
                self._fault("lost", self.lost, "jobs", f"{person} {pair} {start}")

    def _skills(self, person: str, seen: Shown, parts: Document) -> None:
        self.shown["skills"] += len(seen.skills)
        listed = Counter(map(skill, parts.items.get("Skills", ())))
        for name in sorted(seen.skills - listed.keys()):
            self._fault("lost", self.lost, "skills", f"{person} {name}")
        for name in sorted(listed.keys() - seen.listed_skills):
            self._fault("invented", self.invented, "skills", f"{person} {name}")
        for name, times in listed.items():
            if times > 1:
                self._fault("duplicated", self.duplicated, "skills", f"{person} {name}")

    def _sentences(self, person: str, truth: dict[str, Any], seen: Shown, parts: Document) -> None:
        self.shown["sentences"] += len(seen.sentences)
        said = Counter(filter(None, map(letters, parts.sentences)))
        known = {letters(text) for job in truth["jobs"] for text in job["sentences"]}
        for key, sentence in seen.sentences.items():
            # A true sentence may begin another true one; that does not say it twice.
            times = said[key] + sum(
                said[text]
                for text in said
                if key in text and text != key and not any(one.startswith(text) for one in known)
            )
            if times == 0:
                self._fault("lost", self.lost, "sentences", f"{person} {sentence}")
            elif times > 1:
                self._fault("duplicated", self.duplicated, "sentences", f"{person} {sentence}")
        about = letters(truth["markdown"].partition("## Summary")[2].partition("## ")[0])
        true = "\n".join([*known, about])
        for key, times in said.items():
            is_beginning = (
                len(key) >= _SHORTEST_BEGINNING
                and key not in known
                and any(other != key and other.startswith(key) for other in said)
            )
            if is_beginning or (times > 1 and key not in seen.sentences):
                self._fault("duplicated", self.duplicated, "sentences", f"{person} {key}")
            if key not in seen.texts and key not in true:
                self._fault("invented", self.invented, "sentences", f"{person} {key}")
            elif key not in true:
                self.noise += 1
                self.example("noise", f"{person} {key}")

    def _listed(self, person: str, truth: dict[str, Any], seen: Shown, parts: Document) -> None:
        document = {name: [letters(text) for text in texts] for name, texts in parts.items.items()}
        for kind, names in (
            ("Education", [school for school, *_ in truth["education"]]),
            ("Certifications", _bullets(truth, "Certifications")),
            ("Languages", _bullets(truth, "Languages")),
        ):
            texts = document.get(kind, [])
            if kind == "Certifications":
                # A parser may put them into a section that the person named.
                texts = texts + document.get("Additional", [])
            for name in dict.fromkeys(names):
                key = letters(name)
                if key not in seen.names:
                    continue
                self.shown[kind.lower()] += 1
                if not any(key in text for text in texts):
                    self._fault("lost", self.lost, kind.lower(), f"{person} {name}")
            for text, times in Counter(texts).items():
                if times > 1:
                    self._fault("duplicated", self.duplicated, kind.lower(), f"{person} {text}")

    def figures(self) -> dict[str, Any]:
        """The counts as the report shows them."""
        return {
            "rows_rejected": self.rows_rejected,
            "shown": dict(self.shown),
            "survived": {
                kind: round(1 - self.lost[kind] / count, 5) for kind, count in self.shown.items()
            },
            "lost": {kind: self.lost[kind] for kind in self.shown},
            "invented": {kind: self.invented[kind] for kind in ("jobs", "skills", "sentences")},
            "duplicated": {kind: self.duplicated[kind] for kind in self.shown},
            "noise": self.noise,
        }


def _bullets(truth: dict[str, Any], section: str) -> list[str]:
    text = truth["markdown"].partition(f"## {section}")[2].partition("## ")[0].strip()
    return [item for line in text.splitlines() for item in line.removeprefix("- ").split(", ")]


if __name__ == "__main__":
    sys.exit(main())

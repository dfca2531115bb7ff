"""Memory of a lane over many requests: many requests through Lane, EngineClient and engine process.

    python -m benchmarks.feed_memory --n 50000 --json benchmarks/results/feed_memory.json

Everything is the production code but the model, for which the scripted engine of the tests answers
at once, and the queue, which is a counter in memory: neither a GPU nor Postgres is needed. The
resident memory of the lane's process and that of the engine's are read every 1,000 answers.
`growth_mb` is what the lane's grew from `--settled` answers on until the end.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from profiles.models import Attempt, ColdStart, Lease, QueueState, Request, WorkItem
from profiles.settings import Settings
from profiles.standardization.skills import Vocabulary
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.lane.assessment import Assessor, attempt_seed
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.synthesis.lane.lane import Lane, LaneControl
from profiles.synthesis.lane.prompting import Prompter, token_counter
from profiles.synthesis.lane.window import Job
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob
from profiles.validation.gate import judge

ENGINE = "tests.scripted_engine:ScriptedEngine"
STEP = 1000
VERBS = ("Built", "Led", "Designed", "Improved", "Planned", "Ran")
THINGS = ("billing service", "data pipeline", "support portal", "release process", "search index")
PURPOSES = ("the sales team", "two regions", "new customers", "the finance group", "field staff")
WAYS = ("with Kafka", "in Go", "with PostgreSQL", "with a small team", "under a tight budget")
LINES = (2, 6)
"""Shorter than real documents: the gate's work grows with them, and memory is what is asked."""


class CountingQueue:
    """`count` documents, made when they are leased and forgotten when they are stored."""

    def __init__(self, count: int, seed: int, engine_pid: Any) -> None:
        self._left = count
        self._draw = random.Random(seed)
        self._number = self._batches = 0
        self._engine_pid = engine_pid
        self.answers = 0
        self.rss_mb: dict[int, float] = {}
        self.engine_rss_mb: dict[int, float] = {}

    def state(self, *, first: bool = False) -> QueueState:
        """Return whether documents are left."""
        return QueueState(leasable=self._left > 0, held=self._left > 0, seconds_left=1e9)

    def reclaim(self) -> None:
        """Nothing: there was no earlier try."""

    def lease(self, size: int) -> Lease | None:
        """The next documents."""
        size = min(size, self._left)
        if not size:
            return None
        self._left -= size
        self._batches += 1
        return Lease(self._batches, tuple(self._item() for _ in range(size)), 1e9)

    def renew(self, batch_ids: Collection[int]) -> frozenset[int]:
        """Every lease is kept."""
        return frozenset()

    def store(self, batch_id: int, attempts: Sequence[Attempt]) -> None:
        """Counts the answers, and reads the memory at every thousandth."""
        before = self.answers
        self.answers += len(attempts)
        if self.answers // STEP > before // STEP:
            at = self.answers // STEP * STEP
            self.rss_mb[at] = resident_mb("self")
            self.engine_rss_mb[at] = resident_mb(str(self._engine_pid()))

    def release(
        self, batch_id: int, *, died_in_flight: Collection[int] = (), died_among: int = 0
    ) -> None:
        """Never needed: the lane ends when all is answered."""
        raise RuntimeError(f"batch {batch_id} was released")

    def beat(
        self, counters: Mapping[str, float], *, cold_start: ColdStart, gauges: Mapping[str, float]
    ) -> None:
        """Nobody watches."""

    def _item(self) -> WorkItem:
        self._number += 1
        document = self._document()
        return WorkItem(
            self._number, f"{self._number:032x}", "hash", document, len(document.split())
        )

    def _document(self) -> str:
        lines = [f"# Person {self._number}", "", "## Experience", "### Engineer — Northvale"]
        for _ in range(self._draw.randint(*LINES)):
            thing, purpose, way = map(self._draw.choice, (THINGS, PURPOSES, WAYS))
            lines.append(f"- {self._draw.choice(VERBS)} the {thing} for {purpose} {way}.")
        return "\n".join([*lines, "", "## Skills", "Go, Kafka, PostgreSQL"]) + "\n"


def resident_mb(process: str) -> float:
    """Resident memory of a process of this machine."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


def build(options: argparse.Namespace, log: Path) -> tuple[Lane, CountingQueue]:
    """A lane as `steps.lane_assembly` builds it, with the queue in memory."""
    settings = Settings()
    profile = load_engine_profile("structured", settings.prompts_dir)
    vocabulary: Vocabulary = load_vocabulary(settings.taxonomy_dir)
    prompter = Prompter(profile, token_counter())
    engines: list[EngineClient] = []

    def new_engine() -> EngineClient:
        client = EngineClient(
            EngineJob(ENGINE, options={"window": options.window, "faults": {"bad_json": 0.02}}),
            python=Path(sys.executable),
            log_path=log,
            start_timeout=60,
            silence_timeout=60,
        )
        engines.append(client)
        return client

    def new_request(job: Job) -> Request:
        return prompter.request(
            document=job.item.document,
            word_count=job.item.word_count,
            request_id=job.request_id,
            seed=attempt_seed(job.item, job.number),
        )

    queue = CountingQueue(options.n, options.seed, lambda: engines[-1].pid)
    assessor = Assessor(
        profile,
        lambda completion, item: judge(
            completion,
            document=item.document,
            word_count=item.word_count,
            profile=profile,
            vocabulary=vocabulary,
        ),
    )
    lane = Lane(
        queue=queue,
        new_engine=new_engine,
        new_request=new_request,
        assessor=assessor,
        settings=settings.model_copy(update={"engine_restarts": 0}),
        control=LaneControl(),
    )
    return lane, queue


def main() -> int:
    """Runs the lane, prints the figures and writes them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=50_000, help="documents")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--window", type=int, default=256, help="requests at once")
    parser.add_argument("--settled", type=int, default=5000, help="growth counts from here on")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lane, queue = build(options, Path(folder) / "engine.log")
        started, cpu = time.monotonic(), time.process_time()
        outcome = lane.run()
        seconds, cpu = time.monotonic() - started, time.process_time() - cpu
    calls = outcome.counters["model_calls"]
    result = {
        "requests": calls,
        "documents": options.n,
        "seed": options.seed,
        "window": options.window,
        "rss_mb_at": queue.rss_mb,
        "engine_rss_mb_at": queue.engine_rss_mb,
        "growth_mb": _growth(queue.rss_mb, options.settled),
        "engine_growth_mb": _growth(queue.engine_rss_mb, options.settled),
        "seconds": round(seconds, 1),
        "lane_cpu_seconds": round(cpu, 1),
        "requests_per_second": round(calls / seconds, 1),
    }
    sys.stdout.write(json.dumps(result, indent=1) + "\n")
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def _growth(rss_mb: dict[int, float], settled: int) -> float | None:
    after = [value for at, value in sorted(rss_mb.items()) if at >= settled]
    return round(after[-1] - after[0], 1) if after else None


if __name__ == "__main__":
    sys.exit(main())

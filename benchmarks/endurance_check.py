"""Faults that a lane survives on a GPU: a killed scheduler, too little memory.

    python -m benchmarks.endurance_check --model FOLDER --json endurance.json

Real lanes with a queue in memory and an engine with dummy weights; needs nothing but the standard
library and the engine's own interpreter, in which it runs.

* scheduler: `kill -9` of SGLang's scheduler process while `--n` requests are under way. The lane
  must start a new engine, ask again no more than what was in flight, and lose nothing.
* memory: an engine with `--too-much` of the card as its static share. The lane must step down
  until the engine runs, blame no request and lose nothing.
* crowded, only if named: another process takes all but `--leave-mib` of the card once the engine is
  loaded, and keeps it until that engine has crashed. The same must hold.

Every part has a time limit and is left out of `--parts` if not wanted.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks import gpu
from benchmarks.ballast import Ballast
from benchmarks.dummy_model import add_arguments, job, planned, shortened, synthetic_requests
from benchmarks.memory_queue import ANSWER_TOKENS, PROFILE, MemoryQueue
from profiles.models import Completion, Outcome, Profile, Request, WorkItem
from profiles.synthesis.gpu.cards import ENGINE_OF, CardWatch, engine_marker
from profiles.synthesis.gpu.device_lock import claim_devices, visible_cards
from profiles.synthesis.gpu.memory_ladder import MemoryLadder
from profiles.synthesis.lane.assessment import Assessor
from profiles.synthesis.lane.lane import Lane, LaneControl
from profiles.synthesis.lane.window import Job
from profiles.synthesis.process.confinement import HOST, NONE
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineReady

PARTS = ("scheduler", "memory")
EXTRA_PARTS = ("crowded",)
"""Need a real card."""
IDLE_MIB = 512


class Endurance:
    """One lane on the visible cards, and what its engines were asked."""

    def __init__(
        self,
        options: argparse.Namespace,
        settings: Mapping[str, Any],
        *,
        ballast: Ballast | None = None,
    ) -> None:
        self.queue = MemoryQueue(options.n)
        self.ballast = ballast
        self.ballast_mib = 0
        self.engines: list[EngineClient] = []
        self.asked = 0
        self.loads: list[float] = []
        self._requests = shortened(synthetic_requests(options.n, options.seed), ANSWER_TOKENS)
        self._log = options.log
        cards = visible_cards()[:1]
        claim = claim_devices(len(cards), cards=cards, lock_dir=options.locks)
        if claim is None:
            raise SystemExit(f"card {cards} is locked; let --locks name another folder")
        self._claim = claim
        self._watch = CardWatch(claim.cards)
        self._ladder = MemoryLadder(job(options, settings).options, most_running=options.running)
        self._job = replace(job(options, settings), network=options.network)
        self.lane = Lane(
            queue=self.queue,
            new_engine=self._new_engine,
            new_request=self._new_request,
            assessor=Assessor(PROFILE, _accept),
            relieve=self._ladder.relieve,
            settings=SimpleNamespace(
                batch_size=64,
                max_in_flight=options.running,
                lease_seconds=120,
                drain_seconds=20,
                engine_restarts=3,
                warm_up_seconds=0,
            ),
            control=LaneControl(),
        )

    def run(self) -> dict[str, Any]:
        """Runs the lane; what became of the documents."""
        started = time.monotonic()
        outcome = self.lane.run()
        self._claim.close()
        return {
            "documents": len(self._requests),
            "answered": len(self.queue.answered_at),
            "lost": len(self._requests) - len(self.queue.answered_at),
            "refused": outcome.counters.get("rejected", 0),
            "asked_again": self.asked - len(self._requests),
            "engine_deaths": outcome.counters.get("engine_deaths", 0),
            "memory_steps": list(outcome.notes),
            "load_seconds": [
                engine.ready.load_seconds if engine.ready else None for engine in self.engines
            ],
            "network": [
                engine.ready.details["network"] if engine.ready else None for engine in self.engines
            ],
            "seconds": round(time.monotonic() - started, 1),
        }

    def _new_engine(self) -> EngineClient:
        if self.ballast and self.engines:
            self.ballast.release()
        self._watch.wait_until_free()
        client = self._client(
            replace(self._job, options=self._ladder.options),
            python=Path(sys.executable),
            log_path=self._log,
            start_timeout=400,
            silence_timeout=200,
            environment={**self._claim.environment, ENGINE_OF: engine_marker("endurance", 0)},
            descriptors=self._claim.descriptors,
        )
        self.engines.append(client)
        return client

    def _client(self, *arguments: Any, **named: Any) -> EngineClient:
        """The client; the first one finds its card crowded as soon as its engine is loaded."""
        if self.ballast is None or self.engines:
            return EngineClient(*arguments, **named)
        return _Crowded(self, *arguments, **named)

    def _new_request(self, wanted: Job) -> Request:
        self.asked += 1
        made = self._requests[wanted.item.candidate_id]
        return replace(made, request_id=wanted.request_id)


class _Crowded(EngineClient):
    """Its card is full before the first request."""

    def __init__(self, endurance: Endurance, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._endurance = endurance

    def start(self) -> EngineReady:
        """Loads, then lets the ballast take the rest."""
        ready = super().start()
        assert self._endurance.ballast is not None
        self._endurance.ballast_mib = self._endurance.ballast.take()
        return ready


def _accept(completion: Completion, item: WorkItem) -> Profile:
    return Profile("", (), (), Outcome.VALID, ())


def main() -> int:
    """Runs the parts; 0 when everything that must hold held."""
    options = _options()
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(message)s")
    settings, _ = planned(options)
    before = gpu.used_mib()
    report: dict[str, Any] = {"card": gpu.card(), "used_mib_before": before, "n": options.n}
    held = True
    for name in options.parts.split(","):
        part = {
            "scheduler": _scheduler,
            "memory": _memory,
            "crowded": _crowded,
        }[name]
        figures = part(options, settings)
        figures["seconds_until_free"] = gpu.seconds_until_free(before + IDLE_MIB, 60)
        figures["held"] = figures["held"] and figures["seconds_until_free"] is not None
        held = held and figures["held"]
        report[name] = figures
        print(name, json.dumps(figures), flush=True)
        if options.json:
            options.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if held else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--n", type=int, default=400, help="documents of each part")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--too-much", type=float, default=0.985, help="static share of the card")
    parser.add_argument("--leave-mib", type=int, default=256, help="of a crowded card")
    parser.add_argument("--network", choices=(NONE, HOST), default=NONE, help="of the engines")
    parser.add_argument("--locks", type=Path, default=Path(tempfile.gettempdir()) / "endurance")
    options = parser.parse_args()
    known = (*PARTS, *EXTRA_PARTS)
    if unknown := set(options.parts.split(",")) - set(known):
        parser.error(f"--parts has {sorted(unknown)}; expected some of {', '.join(known)}")
    return options


def _scheduler(options: argparse.Namespace, settings: Mapping[str, Any]) -> dict[str, Any]:
    endurance = Endurance(options, settings)
    kill: dict[str, Any] = {}

    def watch() -> None:
        while len(endurance.queue.answered_at) < options.n // 8:
            time.sleep(0.05)
        engine = endurance.engines[-1]
        kill["in_flight"] = len(engine.in_flight)
        kill["process"] = _kill_scheduler(engine)
        kill["at"] = time.monotonic()

    threading.Thread(target=watch, daemon=True).start()
    figures = endurance.run()
    later = [at for at in endurance.queue.answered_at.values() if at > kill["at"]]
    # Answers that were on their way when it was killed are stored within a second or two.
    after = [at - kill["at"] for at in later if at - kill["at"] > 3]
    figures |= {
        "killed": kill["process"],
        "in_flight_when_killed": kill["in_flight"],
        "seconds_until_next_answer": round(min(after), 1) if after else None,
    }
    figures["held"] = (
        figures["lost"] == figures["refused"] == 0
        and figures["engine_deaths"] == 1
        and figures["asked_again"] <= options.running
    )
    return figures


def _kill_scheduler(engine: EngineClient) -> str:
    """Kills the engine's largest process beside its leader; its name."""
    assert engine.pid is not None
    others = []
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        try:
            if pid != engine.pid and os.getpgid(pid) == engine.pid:
                pages = int((folder / "statm").read_text().split()[1])
                name = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:60]
                others.append(("scheduler" in name, pages, pid, name.strip()))
        except OSError:
            continue
    _, _, pid, name = max(others)
    os.kill(pid, signal.SIGKILL)
    return name


def _memory(options: argparse.Namespace, settings: Mapping[str, Any]) -> dict[str, Any]:
    forced = {**settings, "mem_fraction_static": options.too_much}
    # With a fixed number of tokens the share would mean nothing.
    forced.pop("max_total_tokens", None)
    figures = Endurance(options, forced).run()
    figures["mem_fraction_static"] = options.too_much
    figures["held"] = figures["lost"] == figures["refused"] == 0 and bool(figures["memory_steps"])
    return figures


def _crowded(options: argparse.Namespace, settings: Mapping[str, Any]) -> dict[str, Any]:
    endurance = Endurance(options, settings, ballast=Ballast(options.leave_mib))
    figures = endurance.run()
    figures |= {"taken_mib": endurance.ballast_mib, "left_mib": options.leave_mib}
    figures["held"] = figures["lost"] == figures["refused"] == 0 and bool(figures["memory_steps"])
    return figures


if __name__ == "__main__":
    sys.exit(main())

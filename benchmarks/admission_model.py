"""What letting prompts in by groups is worth, by a model of SGLang's scheduler: no GPU needed.

    python -m benchmarks.admission_model --json benchmarks/results/admission_model.json

The model knows the rules of SGLang 0.5.17 that decide how many prompts a prefill step reads: a
waiting request enters as soon as its prompt and whole answer fit what is free of the KV cache less
a falling share of what running answers may still take; a step holds one chunk; what is left of a
prompt goes on in the next; a full cache takes requests back. The costs of steps are fitted to
engine logs of an H200 (gpt-oss-20b, dummy weights); without prefill graphs no step is shorter than
starting its kernels takes. `Admission` is the real one. Compared are

    ceiling  everything waits in the scheduler (one `generate`)
    loop     consecutive calls over 250, each waiting for its last answer
    ours     `Admission` with the heartbeats of a lane

The second card, computed from data sheets, has the RTX 4090's bandwidth and arithmetic.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.dummy_model import SHARED_TOKENS, longest_first, save, synthetic_requests
from profiles.models import Request
from profiles.synthesis.admission import Admission
from profiles.synthesis.protocol import EngineJob

INIT_RATIO = 0.7
LEAST_RATIO = INIT_RATIO * 0.14
DECAY = (INIT_RATIO - LEAST_RATIO) / 600
"""Share of the rest of a running answer that the scheduler reserves, and its fall a step."""
RETRACT_STEPS = 20
HEARTBEAT_SECONDS = EngineJob("").heartbeat_seconds
LOOP_BATCH = 250


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds: of a decode step and of a request in it, of a prefill step and of a token in it.

    A prefill step takes `launch` at least.
    """

    decode: float
    decode_request: float
    prefill: float
    prefill_token: float
    launch: float = 0.0


H200 = Costs(decode=0.0049, decode_request=3.1e-5, prefill=0.006, prefill_token=17.3e-6)
NO_GRAPHS = replace(H200, launch=0.071)
RTX_4090 = Costs(decode=0.012, decode_request=1.7e-4, prefill=0.006, prefill_token=1.1e-4)


@dataclass(frozen=True, slots=True)
class Setup:
    """A card, its KV cache in tokens, tokens of a chunk, requests at once, and the prompts."""

    costs: Costs
    kv_tokens: int
    chunk: int
    slots: int
    own_tokens: tuple[int, int] = (900, 1700)
    answer_tokens: tuple[int, int] = (500, 900)


SETUPS = {
    "24 GB": Setup(H200, 159_940, 2048, 120),
    "24 GB, short prompts": Setup(H200, 159_940, 2048, 120, (200, 700), (200, 400)),
    "24 GB, unequal prompts": Setup(H200, 159_940, 2048, 120, (300, 3500), (200, 900)),
    "cache for half of the slots": Setup(H200, 700_000, 8192, 512),
    "cache for all slots": Setup(H200, 3_900_000, 8192, 512),
    "24 GB, no prefill graphs": Setup(NO_GRAPHS, 159_940, 2048, 120),
    "cache for all slots, no prefill graphs": Setup(NO_GRAPHS, 3_900_000, 8192, 512),
    "RTX 4090, computed": Setup(RTX_4090, 159_940, 2048, 120),
}


@dataclass(slots=True)
class _Sequence:
    prompt: int
    answer: int
    done: int = 0
    unread: int = 0
    number: int = 0


@dataclass(slots=True)
class Scheduler:
    """The clock, the pool and the queues; `step` is one forward pass."""

    setup: Setup
    clock: float = 0.0
    free: int = 0
    ratio: float = INIT_RATIO
    waiting: list[_Sequence] = field(default_factory=list)
    running: list[_Sequence] = field(default_factory=list)
    chunked: _Sequence | None = None
    prefill_steps: int = 0
    retractions: int = 0

    def __post_init__(self) -> None:
        self.free = self.setup.kv_tokens - SHARED_TOKENS

    @property
    def usage(self) -> float:
        """Share of the KV cache in use."""
        return 1 - self.free / self.setup.kv_tokens

    def step(self) -> list[_Sequence]:
        """Reads waiting prompts if any fits, else decodes; returns what ended."""
        read = self._admitted()
        if read:
            return self._prefill(read)
        return self._decode() if self.running else []

    def _admitted(self) -> list[tuple[_Sequence, int]]:
        room = self.setup.chunk
        free = self.free - sum((item.answer - item.done) * self.ratio for item in self.running)
        read: list[tuple[_Sequence, int]] = []
        if self.chunked is not None:
            item, self.chunked = self.chunked, None
            free -= self._take(item, room, read)
            room -= read[-1][1]
        while self.waiting and room > 0 and self.chunked is None:
            item = self.waiting[0]
            item.unread = item.prompt - SHARED_TOKENS + item.done
            if len(read) >= self.setup.slots - len(self.running):
                break
            if item.unread + item.answer - item.done >= free:
                break
            free -= self._take(self.waiting.pop(0), room, read)
            room -= read[-1][1]
        return read

    def _take(self, item: _Sequence, room: int, read: list[tuple[_Sequence, int]]) -> float:
        tokens = min(item.unread, room)
        read.append((item, tokens))
        if tokens < item.unread:
            self.chunked = item
            return tokens
        return tokens + item.answer

    def _prefill(self, read: Sequence[tuple[_Sequence, int]]) -> list[_Sequence]:
        costs = self.setup.costs
        tokens = sum(count for _, count in read)
        self.clock += max(costs.launch, costs.prefill + tokens * costs.prefill_token)
        self.prefill_steps += 1
        ended = []
        for item, count in read:
            item.unread -= count
            self.free -= count
            if item is not self.chunked:
                self.running.append(item)
                ended += self._advance(item)
        return ended

    def _decode(self) -> list[_Sequence]:
        if self.free < len(self.running):
            self._retract()
        else:
            self.ratio = max(self.ratio - DECAY, LEAST_RATIO)
        costs = self.setup.costs
        self.clock += costs.decode + costs.decode_request * len(self.running)
        self.free -= len(self.running)
        return [ended for item in list(self.running) for ended in self._advance(item)]

    def _retract(self) -> None:
        self.running.sort(key=lambda item: (item.done, -item.prompt))
        while self.free < len(self.running) and len(self.running) > 1:
            item = self.running.pop(0)
            self.free += item.prompt - SHARED_TOKENS + item.done
            self.waiting.append(item)
            self.retractions += 1
        done = sum(item.done for item in self.running) + RETRACT_STEPS * len(self.running)
        self.ratio = min(1.0, done / (1 + sum(item.answer for item in self.running)))

    def _advance(self, item: _Sequence) -> list[_Sequence]:
        item.done += 1
        if item.done < item.answer:
            return []
        self.running.remove(item)
        self.free += item.prompt - SHARED_TOKENS + item.done
        return [item]


def _sequences(requests: Sequence[Request]) -> list[_Sequence]:
    return [
        _Sequence(len(item.input_ids or ()), item.sampling.max_new_tokens, number=number)
        for number, item in enumerate(requests)
    ]


def at_once(setup: Setup, requests: Sequence[Request]) -> Scheduler:
    """Everything waits in the scheduler from the beginning."""
    scheduler = Scheduler(setup, waiting=_sequences(requests))
    left = len(requests)
    while left:
        left -= len(scheduler.step())
    return scheduler


async def _ours(setup: Setup, requests: Sequence[Request]) -> Scheduler:
    scheduler = Scheduler(setup)
    gate = Admission(slots=setup.slots, step_tokens=setup.chunk)
    sequences = _sequences(requests)
    beat = 0.0

    async def ask(item: _Sequence) -> None:
        await gate.enter(item.prompt)
        scheduler.waiting.append(item)

    tasks = [asyncio.create_task(ask(item)) for item in sequences]
    left = len(sequences)
    while left:
        if scheduler.clock >= beat:
            beat = scheduler.clock + HEARTBEAT_SECONDS
            gate.observe(
                running=len(scheduler.running),
                waiting=len(scheduler.waiting),
                usage=scheduler.usage,
            )
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for item in scheduler.step():
            left -= 1
            gate.leave(prompt_tokens=item.prompt, cached_tokens=SHARED_TOKENS)
    await asyncio.gather(*tasks)
    return scheduler


def compared(setup: Setup, count: int, seed: int = 7) -> dict[str, Any]:
    """Output tokens a second and prefill steps of the three ways, and their ratios."""
    requests = synthetic_requests(
        count, seed, own_tokens=setup.own_tokens, answer_tokens=setup.answer_tokens
    )
    batches = [
        at_once(setup, requests[low : low + LOOP_BATCH])
        for low in range(0, len(requests), LOOP_BATCH)
    ]
    ways = {
        "ceiling": [at_once(setup, requests)],
        "loop": batches,
        "ours": [asyncio.run(_ours(setup, longest_first(requests)))],
    }
    output = sum(item.sampling.max_new_tokens for item in requests)
    seconds = {name: math.fsum(part.clock for part in parts) for name, parts in ways.items()}
    return {
        **{
            name: {
                "output_tokens_per_second": round(output / seconds[name], 1),
                "prefill_steps": sum(part.prefill_steps for part in parts),
                "retractions": sum(part.retractions for part in parts),
            }
            for name, parts in ways.items()
        },
        "ours_over_ceiling": round(seconds["ceiling"] / seconds["ours"], 3),
        "ours_over_loop": round(seconds["loop"] / seconds["ours"], 3),
    }


def _mean(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of every number; the two ratios with their spread."""
    found: dict[str, Any] = {}
    for name, value in runs[0].items():
        if isinstance(value, dict):
            found[name] = _mean([run[name] for run in runs])
            continue
        values = [run[name] for run in runs]
        found[name] = round(statistics.mean(values), 3)
        if name.startswith("ours_over"):
            found[f"{name}_spread"] = round(max(values) - min(values), 3)
    return found


def main() -> None:
    """Prints a line a setup and writes the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=750)
    parser.add_argument("--seeds", type=int, nargs="+", default=[7, 8, 9, 10])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    result: dict[str, Any] = {
        "n": options.n,
        "seeds": options.seeds,
        "model": "computed, no card",
        "setups": {},
    }
    for name, setup in SETUPS.items():
        figures = _mean([compared(setup, options.n, seed) for seed in options.seeds])
        result["setups"][name] = figures
        rates = {way: figures[way]["output_tokens_per_second"] for way in ("ceiling", "loop")}
        print(
            f"{name:38} ceiling {rates['ceiling']:8,.0f} loop {rates['loop']:8,.0f} ours "
            f"{figures['ours']['output_tokens_per_second']:8,.0f}  ours/ceiling "
            f"{figures['ours_over_ceiling']:.3f}  ours/loop {figures['ours_over_loop']:.3f}",
            flush=True,
        )
    save(options.json, result)


if __name__ == "__main__":
    main()

"""An engine without a model: answers from the document in its prompt, and fails on request.

Use it as PROFILES_ENGINE=tests.scripted_engine:ScriptedEngine. It answers in the form it was
asked for (JSON when the request has a schema, else prose), in the length it was asked for, with
the document's own sentences, so that a gate which checks grounding accepts it. The same request
always gives the same answer.

Options:
    delay: seconds per answer (default 0).
    load_seconds: how long loading takes.
    window: requests at a time; default: as many as the job allows.
    running: how many of them it works on at once, as it says; the others wait inside it.
    salt: changes which requests the rates below hit.
    noise: prints to standard output, as libraries do.
    log_line: printed with each answer, as a scheduler does.
    calls: a file that gets a line for each request begun: the time on the kernel's monotonic clock
        and the request's id.
    helper: true starts a process that the engine cannot do without, as a scheduler of its own.
    faults: a mapping of
        crash_after, exit_after, hang_after, stall_after: number of answers after which the process
            kills itself, ends with status 70, stops its event loop, or just stops answering;
        unsendable_after, refuse_after: number of answers after which one cannot be written as
            JSON, or the engine refuses the whole job;
        crash_on, stuck_on: a text; a request that holds it kills the process, or is never answered;
        memory: a mapping of `text`, printed by an engine that runs out of memory after
            `after` answers (while loading if that is missing) unless its options are at most
            those in `enough`;
        once: path of a file; those above happen only while it does not exist, and create it;
        bad_json, truncated, cut_in_skills, long, short, dated, listed, invented, leaked, empty,
        error: share of requests (0 to 1) answered that way; another seed is another draw;
        sticky: true makes the draw ignore the seed, so that every attempt is hit.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

from profiles.errors import EngineError, EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.process.protocol import EngineJob, EngineReady

_RECORD = re.compile(
    r"<candidate_record>\n(.*?)\n</candidate_record>|^Profile: (.*?)\n\n", re.DOTALL | re.MULTILINE
)
_FOLLOW_UP = "\n\nYour last answer was refused"
_CLAUSE = re.compile(r"(?<=[,;]) ")
_BAND = re.compile(r"between (\d+) and (\d+) words")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b(?:Present|Full-time)\b")
_PROSE_BAND = (25, 60)
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])\s+")


class ScriptedEngine:
    """See the module's docstring."""

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._delay = float(job.options.get("delay", 0))
        self._faults = dict(job.options.get("faults", {}))
        self._answered = 0
        self._calls = job.options.get("calls")
        self._helper: subprocess.Popen[bytes] | None = None
        running = int(job.options.get("running", 0))
        self._turns = asyncio.Semaphore(running) if running else contextlib.nullcontext()

    def load(self) -> EngineReady:
        time.sleep(float(self._job.options.get("load_seconds", 0)))
        if self._job.options.get("helper"):
            self._helper = subprocess.Popen(["sleep", "3600"])
        if "after" not in self._faults.get("memory", {"after": 0}):
            self._want_memory()
        if self._job.options.get("noise"):
            sys.stdout.write("library banner on standard output\n")
            os.write(1, b'{"type":"completion"} straight to descriptor 1\n')
        return EngineReady(
            engine="scripted",
            version="1",
            model=self._job.model or "scripted",
            window=int(self._job.options.get("window", self._job.max_in_flight)),
            context_tokens=self._job.context_tokens,
            running=int(self._job.options.get("running", 0)),
        )

    async def generate(self, request: Request) -> Completion:
        async with self._turns:
            return await self._generate(request)

    def abort(self, request_id: str) -> None:
        sys.stdout.write(f"aborted {request_id}\n")
        sys.stdout.flush()

    async def _generate(self, request: Request) -> Completion:
        started = time.monotonic()
        if self._calls:
            with Path(self._calls).open("a") as calls:
                calls.write(f"{time.monotonic()} {request.request_id}\n")
        if self._job.options.get("noise"):
            sys.stdout.write("noise\n")
        if line := self._job.options.get("log_line"):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        if self._delay:
            await asyncio.sleep(self._delay)
        await self._misbehave(request)
        if self._helper is not None and self._helper.poll() is not None:
            raise EngineError("the scripted engine's helper is gone")
        unsendable = self._is_due("unsendable_after")
        self._answered += 1
        given = answer(
            request,
            faults=self._faults,
            salt=str(self._job.options.get("salt", "")),
            seconds=time.monotonic() - started,
        )
        return replace(given, prompt_tokens=cast("int", object())) if unsendable else given

    async def counters(self) -> dict[str, float]:
        return {"answered": float(self._answered)}

    def close(self) -> None:
        if self._helper is not None:
            self._helper.kill()
            self._helper.wait()

    async def _misbehave(self, request: Request) -> None:
        if self._is_hit("crash_on", request):
            os.kill(os.getpid(), signal.SIGKILL)
        if "after" in self._faults.get("memory", {}) and (
            self._answered >= self._faults["memory"]["after"]
        ):
            self._want_memory()
        if self._is_hit("stuck_on", request):
            await asyncio.sleep(3600)
        if self._is_due("crash_after"):
            os.kill(os.getpid(), signal.SIGKILL)
        if self._is_due("exit_after"):
            raise EngineError("scripted loss of the engine")
        if self._is_due("refuse_after"):
            raise EngineJobError("scripted refusal of the job")
        if self._is_due("hang_after"):
            time.sleep(3600)
        if self._is_due("stall_after"):
            await asyncio.sleep(3600)

    def _want_memory(self) -> None:
        fault = self._faults["memory"]
        if any(
            self._job.options.get(name, most + 1) > most for name, most in fault["enough"].items()
        ):
            sys.stderr.write(fault["text"] + "\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGKILL)

    def _is_hit(self, name: str, request: Request) -> bool:
        text = self._faults.get(name)
        return text is not None and any(text in message.content for message in request.messages)

    def _is_due(self, name: str) -> bool:
        after = self._faults.get(name)
        if after is None or self._answered < int(after):
            return False
        once = self._faults.get("once")
        if once is None:
            return True
        try:
            Path(once).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def answer(
    request: Request, *, faults: dict[str, float], salt: str = "", seconds: float = 0.0
) -> Completion:
    """The completion that a well-behaved model, or one with these faults, gives to `request`."""
    prompt = "\n".join(message.content for message in request.messages)
    hit = _draw(prompt, request.sampling.seed, faults, salt)
    if hit == "error":
        return Completion(request.request_id, "", "error", seconds=seconds, error="scripted")
    skills, summary = _skills(prompt), _summary(prompt)
    finish = "stop"
    if hit in _SUMMARY_FAULTS:
        summary = _SUMMARY_FAULTS[hit](summary)
    last = request.messages[-1]
    text = f"{last.content} {summary}" if last.role == "assistant" else summary
    if request.json_schema is not None:
        text = json.dumps({"skills": skills, "summary": summary}, ensure_ascii=False)
    if hit in _TEXT_FAULTS:
        text, finish = _TEXT_FAULTS[hit](text)
    return Completion(
        request_id=request.request_id,
        text=text,
        finish_reason=finish,
        prompt_tokens=len(prompt) // 4,
        completion_tokens=len(text) // 4,
        cached_tokens=len(request.messages[0].content) // 4 if len(request.messages) > 1 else 0,
        seconds=seconds,
    )


_SUMMARY_FAULTS: dict[str, Callable[[str], str]] = {
    "long": lambda summary: " ".join([summary] * 12),
    "short": lambda summary: " ".join(summary.split()[:5]) + ".",
    "dated": lambda summary: summary + " This began in March 2019.",
    "listed": lambda summary: "- " + summary.replace(". ", ".\n- "),
    "invented": lambda summary: (
        summary + " The candidate also ran 417 submarines for Atlantis Deepsea Holdings."
    ),
}

_TEXT_FAULTS: dict[str, Callable[[str], tuple[str, str]]] = {
    "bad_json": lambda text: (text.replace('"summary":', '"summary"').rstrip("}"), "stop"),
    "truncated": lambda text: (text[: int(len(text) * 0.9)], "length"),
    "cut_in_skills": lambda text: (text[:25], "length"),
    "leaked": lambda text: ("analysisThe user wants a profile.assistantfinal" + text, "stop"),
    "empty": lambda text: ("", "stop"),
}


def _draw(prompt: str, seed: int | None, faults: dict[str, float], salt: str) -> str | None:
    """Fault of this request, if any: shares of one uniform number."""
    if faults.get("sticky"):
        # A retry says why the answer before was refused, and is hit all the same.
        prompt = prompt.partition(_FOLLOW_UP)[0]
    key = f"{salt}\0{None if faults.get('sticky') else seed}\0{prompt}"
    number = int.from_bytes(hashlib.sha256(key.encode("utf-8", "replace")).digest()[:8]) / 2**64
    for name in (*_TEXT_FAULTS, *_SUMMARY_FAULTS, "error"):
        share = float(faults.get(name, 0))
        if number < share:
            return name
        number -= share
    return None


def _document(prompt: str) -> str:
    found = _RECORD.search(prompt)
    return (found[1] or found[2]) if found else prompt


def _section(document: str, name: str) -> list[str]:
    _, heading, rest = document.partition(f"## {name}\n")
    return rest.split("\n## ")[0].splitlines() if heading else []


def _skills(prompt: str) -> list[str]:
    lines = _section(_document(prompt), "Skills")
    named = [item.strip(" -*.") for line in lines for item in re.split(r"[,;]", line)]
    return list(dict.fromkeys(item for item in named if item))[:60]


def _sentences(document: str) -> list[str]:
    """Sentences of the document that hold no date and are no heading.

    A clause that says again what an earlier one said (five words in a row) is left out, however
    often the document repeats it: a gate that looks for loops must have no reason to complain.
    """
    seen: set[tuple[str, ...]] = set()
    found: list[str] = []
    for line in document.splitlines():
        if line.startswith("#") or _DATE.search(line):
            continue
        for sentence in _END_OF_SENTENCE.split(line.removeprefix("- ").strip()):
            fresh = []
            for part in _CLAUSE.split(sentence):
                clause = part.strip(" ,;.:")
                words = clause.casefold().split()
                grams = {tuple(words[at : at + 5]) for at in range(max(1, len(words) - 4))}
                if clause and not grams & seen:
                    seen |= grams
                    fresh.append(clause)
            kept = ", ".join(fresh)
            if len(kept.split()) >= 4:
                found.append(kept + ".")
    return found


def _summary(prompt: str) -> str:
    """Whole sentences of the document until the wanted length is reached."""
    document = _document(prompt)
    band = _BAND.search(prompt)
    minimum, maximum = (int(band[1]), int(band[2])) if band else _PROSE_BAND
    wanted = (minimum + maximum) // 2
    chosen: list[str] = []
    words = 0
    skills = _skills(prompt)
    closing = f"The candidate works with {', '.join(skills)}." if skills else ""
    for sentence in [*_sentences(document), closing]:
        size = len(sentence.split())
        if sentence and words < wanted and words + size <= maximum:
            chosen.append(sentence)
            words += size
    return " ".join(chosen) or "The candidate has a short record."

"""Plan of a run: the documents that need the model, why, in which order, and what fits the window.

Pure: no clock, no driver, no file. A document is stale when its fingerprint has no terminal
outcome. A fingerprint holds what decides the answer and nothing else: no path, time, batch or
attempt, and neither the attempt's seed nor its token cap.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from profiles.models import EngineProfile, Sampling

MAX_LANES = 1024
"""Airflow refuses to map a task over more (`[core] max_map_length`)."""


@dataclass(frozen=True, slots=True)
class ReleaseKey:
    """Everything but the document that shapes an answer, as digests.

    `engine`, `engine_profile` and `renderer_version` identify the release but stay out of
    fingerprints: the same model asked the same question answers alike on every engine, the
    profile's texts are in `prompt_digest`, and the renderer shows in the document's bytes.
    """

    engine: str
    model: str
    model_revision: str
    engine_profile: str
    prompt_digest: str
    schema_digest: str
    sampling_digest: str
    renderer_version: str

    @property
    def release_id(self) -> str:
        return _digest(asdict(self))

    @property
    def answer_digest(self) -> str:
        """The release's part of a fingerprint, which `plan/fill_planned_document` makes."""
        digests = [self.prompt_digest, self.schema_digest, self.sampling_digest]
        return _digest([*digests, self.model, self.model_revision])

    def answers_like(self, other: ReleaseKey) -> bool:
        """Return whether the difference makes no document stale."""
        same_renderer = self.renderer_version == other.renderer_version
        return same_renderer and self.answer_digest == other.answer_digest

    def changes(self, other: ReleaseKey) -> tuple[str, ...]:
        """The names of what differs, as people say them: `model` also for its revision."""
        mine, theirs = asdict(self), asdict(other)
        changed = [name for name in mine if mine[name] != theirs[name]]
        names = (re.sub("_(digest|revision|version)$", "", name) for name in changed)
        return tuple(dict.fromkeys(name.replace("_", " ") for name in names))


def profile_digests(profile: EngineProfile) -> dict[str, str]:
    """What of a ReleaseKey says how `profile` asks.

    The prompt digest covers the prompt's texts and what enters them: the wanted length, the kind
    of answer, its beginning, and the form of the document and the room for it. The files are in
    it too, for they say which version of a form is meant.
    """
    prompt = {
        "system": profile.system_prompt,
        "user": profile.user_template,
        "answer": profile.answer,
        "skills_from": profile.skills_from,
        "length": asdict(profile.length),
        "max_document_tokens": profile.max_document_tokens,
        "document_form": profile.document_form,
        "answer_prefix": profile.answer_prefix,
        "files": profile.files,
    }
    return {
        "engine_profile": profile.name,
        "prompt_digest": _digest(prompt),
        "schema_digest": _digest(profile.output_schema),
        "sampling_digest": _digest(fingerprinted_sampling(profile.sampling)),
    }


def fingerprinted_sampling(sampling: Sampling) -> dict[str, Any]:
    """The sampling parameters that a fingerprint holds: without seed and token cap, nor reasoning
    where there is none, so that answers from before there was a choice stay fresh."""
    left_out = {"seed", "max_new_tokens"}
    if not sampling.reasons:
        left_out.add("reasoning_effort")
    return {name: value for name, value in asdict(sampling).items() if name not in left_out}


def lane_count(*, wanted: int | None, pool_slots: int, documents: int) -> int:
    """Number of lanes to map: as requested, else one per pool slot, at most one per document."""
    lanes = wanted if wanted is not None else pool_slots
    return min(max(1, lanes), documents, MAX_LANES)


@dataclass(frozen=True, slots=True)
class NightEstimate:
    """The arithmetic of one night: `hours` for all documents on `lanes` lanes at
    `tokens_per_second` output tokens each; `fits` is how many of them end within the window."""

    documents: int
    prompt_tokens: int
    output_tokens_each: float
    lanes: int
    tokens_per_second: float
    window_hours: float

    @property
    def output_tokens(self) -> int:
        return round(self.documents * self.output_tokens_each)

    @property
    def hours(self) -> float:
        return self.output_tokens / (self.tokens_per_second * max(1, self.lanes)) / 3600

    @property
    def fits(self) -> int:
        if not self.output_tokens_each:
            return self.documents
        tokens = self.window_hours * 3600 * self.tokens_per_second * max(1, self.lanes)
        return min(self.documents, int(tokens / self.output_tokens_each))


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of runs of the same model and engine; None and 0 where there are none."""

    output_tokens_each: float | None
    tokens_per_second: float | None
    runs: int
    lanes: int
    newest_run: str | None
    cards: float | None
    watts: float | None


def plan_cost(
    estimate: NightEstimate, measured: Measured, *, cards_per_lane: float
) -> dict[str, Any]:
    """GPU hours and energy of the estimate, JSON-ready; no energy before cards were measured.
    `cards_per_lane` counts where no lane was measured."""
    cards = cards_per_lane if measured.cards is None else measured.cards
    gpu_hours = estimate.output_tokens / estimate.tokens_per_second / 3600 * cards
    watts = measured.watts if cards else None
    rate_from = "setting PROFILES_MEASURED_TOKENS_PER_SECOND; no run of this model in 30 days"
    if measured.tokens_per_second is not None:
        counted = f"{measured.lanes} lanes of {measured.runs} runs in 30 days"
        rate_from = f"median of {counted}, the newest {measured.newest_run}"
    return {
        "rate_from": rate_from,
        "cards_per_lane": cards,
        "gpu_hours": round(gpu_hours, 2),
        "watts_per_card": None if watts is None else round(watts, 1),
        "energy_kwh": None if watts is None else round(gpu_hours * watts / 1000, 3),
    }


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

"""Has an engine score a sample of a run's accepted answers: optional, after publish.

A score is no measure by itself. What is shown of one is view `judge_summary`, which has a mean only
beside the agreement of the same judge (engine, model and rubric) with labels.
"""

from __future__ import annotations

import hashlib
import logging
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

from profiles.errors import EngineError, EngineJobError, ProfilesError, SettingsError
from profiles.judging import CRITERIA, THRESHOLD, Agreement, Rubric, Scores, read_scores
from profiles.models import Completion
from profiles.params import RunParams
from profiles.settings import Settings, load_settings
from profiles.steps.lanes.engine_choice import EngineChoice, choose_engine
from profiles.steps.lanes.lane_assembly import engine_client, engine_job, idle_devices
from profiles.steps.stage import Counts, open_stage, remove_stage, stage
from profiles.storage.connection import Database
from profiles.storage.sql_files import Connection, execute, records
from profiles.synthesis.process.trial import run_pass

log = logging.getLogger(__name__)

MAX_SECONDS = 1_800.0
CARD_SECONDS = 600.0
"""How long the judge waits for its cards."""
_CONTEXT_TOKENS = 4_096
_SHOWN_ERRORS = 3
_BATCH = 128
"""Answers scored between two times of storing. Between two the engine runs dry for a moment."""
_UNTIL_ENDED = (
    "judging has not ended. If no task is at it, its worker was lost or it was killed: what was "
    "published stands, and so do the scores made so far. Clear `judge_profiles` for the others"
)


@dataclass(frozen=True, slots=True)
class Judge:
    choice: EngineChoice
    rubric: Rubric

    @property
    def key(self) -> str:
        """Identifier of this judge: sixteen hex digits."""
        model = self.choice.model
        parts = (self.choice.engine, model.name, model.revision, self.rubric.digest)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    @classmethod
    def of(cls, settings: Settings) -> Judge:
        """The judge of this deployment: its own engine and model."""
        return cls(choose_engine(settings, RunParams()), load_rubric(settings))


def load_rubric(settings: Settings) -> Rubric:
    folder = settings.prompts_dir / "judge"
    try:
        names = ("system.md", "user.md", "schema.json")
        return Rubric(*((folder / name).read_text("utf-8") for name in names))
    except OSError as error:
        raise SettingsError(
            f"the rubric lacks {error.filename} ({error.strerror}); restore it "
            "or set PROFILES_JUDGE_SAMPLE=0"
        ) from error


def plan(database: Database, *, run_id: str) -> list[dict[str, int]]:
    """One task's size when there is something to judge, none when not or when switched off."""
    wanted = load_settings().judge_sample
    with database.connect() as connection:
        (answers,) = execute(connection, "judge/count_sample", run_id=run_id).fetchone() or (0,)
    if not wanted or not answers:
        remove_stage(database, run_id=run_id, name="judge")
        return []
    # Said before the task is queued: a worker that fetches it and is gone never begins.
    open_stage(database, run_id=run_id, name="judge", until_ended=_UNTIL_ENDED)
    return [{"size": min(wanted, answers)}]


def run(database: Database, *, run_id: str, size: int) -> Counts:
    """Scores up to `size` accepted answers of a run; counts `asked`, `scored` and `unreadable`.
    Scores are stored as they come; a retry scores what is left."""
    settings = load_settings()
    judge = Judge.of(settings)
    with stage(database, run_id=run_id, name="judge", until_ended=_UNTIL_ENDED) as counts:
        with database.connect() as connection:
            register(connection, judge)
            answers = records(
                connection, "judge/select_sample", run_id=run_id, judge_key=judge.key, size=size
            )
        inputs = [(row["markdown"], row["summary"], row["skills"]) for row in answers]
        counts.update(asked=len(inputs), scored=0, unreadable=0)
        for scores in score_answers(settings, judge, inputs, name=run_id):
            _store(database, judge, run_id, [(answers[at], found) for at, found in scores.items()])
            readable = sum(found is not None for found in scores.values())
            counts["scored"] += readable
            counts["unreadable"] += len(scores) - readable
        unanswered = len(inputs) - int(counts["scored"]) - int(counts["unreadable"])
        if unanswered:
            log.warning("%d answers got an error in place of a verdict; they stay open", unanswered)
    return counts


def _store(
    database: Database,
    judge: Judge,
    run_id: str,
    scored: Iterable[tuple[dict[str, Any], Scores | None]],
) -> None:
    with database.connect() as connection:
        for row, found in scored:
            execute(
                connection,
                "judge/insert_score",
                **{key: row[key] for key in ("candidate_id", "fingerprint", "attempt_id")},
                judge_key=judge.key,
                run_id=run_id,
                **{name: getattr(found, name, None) for name in CRITERIA},
            )


def score_answers(
    settings: Settings,
    judge: Judge,
    answers: Sequence[tuple[str, str, Sequence[str]]],
    *,
    name: str,
) -> Iterator[dict[int, Scores | None]]:
    """The verdicts by position, in batches as they end; those before a failure are given first. The
    engine is the deployment's, on cards that no lane holds."""
    requests = [
        judge.rubric.request(
            request_id=str(number), document=document, summary=summary, skills=skills
        )
        for number, (document, summary, skills) in enumerate(answers)
    ]
    if not requests:
        return
    answered = 0
    # All of a size: a short last one could have one question, and that one be refused for good.
    size = math.ceil(len(requests) / math.ceil(len(requests) / _BATCH))
    claim = idle_devices(settings, judge.choice, seconds=CARD_SECONDS, advice="Airflow retries")
    job = engine_job(settings, judge.choice, context_tokens=_CONTEXT_TOKENS)
    with closing(claim), engine_client(settings, job, claim, name=f"judge-{name}") as client:
        window = client.start().window
        until = time.monotonic() + MAX_SECONDS
        for first in range(0, len(requests), size):
            batch = requests[first : first + size]
            completions: list[Completion] = []
            failure: ProfilesError | None = None
            try:
                left = until - time.monotonic()
                figures = run_pass(client, batch, window, left, answers=completions)
                if not (figures.ended and figures.ok):
                    failure = EngineError(
                        f"the judge answered {answered + figures.ok} of {len(requests)} requests: "
                        f"{', '.join(list(figures.errors)[:_SHOWN_ERRORS]) or 'it ran out of time'}"
                        ". Lower PROFILES_JUDGE_SAMPLE, or check the engine's log"
                    )
            except (EngineError, EngineJobError) as error:
                failure = error
            found = [item for item in completions if item.error is None]
            answered += len(found)
            if found:
                yield {int(each.request_id): read_scores(each.text) for each in found}
            if failure is not None:
                raise failure


def store_agreement(
    connection: Connection, judge_key: str, *, criterion: str, labels: str, agreement: Agreement
) -> None:
    """Keeps how far a registered judge agrees with labels; from then on its scores may be shown."""
    execute(
        connection,
        "judge/insert_agreement",
        judge_key=judge_key,
        criterion=criterion,
        labels=labels,
        threshold=THRESHOLD,
        **asdict(agreement),
    )


def register(connection: Connection, judge: Judge) -> None:
    execute(
        connection,
        "judge/register_judge",
        judge_key=judge.key,
        engine=judge.choice.engine,
        model=judge.choice.model.name,
        model_revision=judge.choice.model.revision,
        rubric_digest=judge.rubric.digest,
    )

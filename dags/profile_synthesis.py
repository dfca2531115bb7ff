"""
### Candidate profiles, every night

Turns the rows that LinkedIn exports, Weekday, parsed resumes and Lemlist hold about people into
one search-ready profile per person: summary, skills and business domains, in
`synthesis.candidate_synthesis`.

**Started by** the schedule (`PROFILES_SCHEDULE`, default 22:00 UTC), by hand with the Params of
the trigger form, or by clearing a failed task.

**Reads** the tables of `include/sources/*.yaml` and `src.company_industry`; **writes** `synthesis`.

**Changed prompts, schema, model or sampling wait**: a run uses the approved release;
`plan_synthesis` logs a pending one, and DAG `release_approval` asks a person to decide.

**A second run is harmless**: a document whose fingerprint (document, prompt, schema, model,
sampling) has an outcome is not sent to the model again, and publish writes only rows that differ.

| task | what it does | when it fails |
|---|---|---|
| `check_sources` | columns, row counts, vanished rows | fix the named mapping, clear it |
| `extract_sources` | reads the changed rows of one table, or a part of them | clear it |
| `resolve_identities` | finds which rows are the same person | clear it |
| `render_profiles` | one markdown document per person | clear it |
| `plan_synthesis` | which documents are stale, why, hours, lanes | clear it |
| `synthesise` | one lane: one engine on one GPU | clear that lane and its downstream tasks |
| `tag_domains` | business domains from `company_industry` | clear it and its downstream tasks |
| `publish` | the serving table, in one transaction | clear the task that it names |
| `report` | drops what is too old; counts, throughput; indexes documents for the page | clear it |
| `embed_profiles` | with `PROFILES_EMBEDDINGS=on`: vectors of changed profiles | clear it |
| `plan_judging`, `judge_profiles` | with `PROFILES_JUDGE_SAMPLE`: scores of a sample | clear it |
| `verify_run` | fails when a lane failed or documents are missing | clear the tasks that it names |

The three before `verify_run` are optional: they fail alone, after publish, and no run fails with
them. A lost worker delays the end by 40 minutes, at most 100; the report lists what is unfinished.

Clearing repeats only unfinished work: results are stored within seconds.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from airflow.sdk import Asset, CronTriggerTimetable, Param, TriggerRule, dag, task
from airflow.sdk.definitions.callback import SyncCallback
from airflow.sdk.definitions.deadline import DeadlineAlert
from run_deadline import RunCreated

from profiles.alerts import on_failure, on_late
from profiles.operators import RunReportLink, SynthesiseOperator
from profiles.params import DEFAULT_WINDOW_HOURS, MAX_WINDOW_HOURS, RunParams, schedule

SERVING_TABLE = Asset(
    name="candidate_synthesis",
    uri="postgres://profiles-db/profiles/synthesis/candidate_synthesis",
)

OPTIONAL_TIME = timedelta(hours=1)
"""Longer than a judge's try (55 minutes: its cards, its engine's load, its questions) with the
default of PROFILES_ENGINE_START_SECONDS, and than embedding (30)."""

PARAMS = {
    "limit": Param(
        None,
        type=["null", "integer"],
        minimum=1,
        title="Limit",
        description="Maximum number of documents, most urgent first. Empty: all.",
    ),
    "force": Param(
        False,
        type="boolean",
        title="Force",
        description="Synthesise even when nothing changed.",
    ),
    "candidate_ids": Param(
        [],
        type=["null", "array"],
        items={"type": "integer", "minimum": 1},
        title="Candidate ids",
        description="Only these people. Empty: everybody.",
    ),
    "sources": Param(
        [],
        type=["null", "array"],
        items={"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
        examples=["linkedin", "weekday", "resume", "lemlist"],
        title="Sources",
        description="Read only these tables for changes. Empty: all. Known rows are always used.",
    ),
    "engine": Param(
        "",
        type=["null", "string"],
        title="Engine",
        description="Empty: PROFILES_ENGINE. Results of another engine are not published.",
    ),
    "engine_profile": Param(
        "",
        type=["null", "string"],
        title="Engine profile",
        description="Empty: the engine's own. Results of another profile are not published.",
    ),
    "model": Param(
        "",
        type=["null", "string"],
        title="Model",
        description="Empty: PROFILES_MODEL. Results of another model are not published.",
    ),
    "release": Param(
        "",
        type=["null", "string"],
        pattern="^[0-9a-f]*$",
        title="Release",
        description="Trial of this release (`profiles releases`), not published.",
    ),
    "publish_override": Param(
        False,
        type="boolean",
        title="Publish an override",
        description="Publish results of an overridden release, engine, profile or model.",
    ),
    "lanes": Param(
        None,
        type=["null", "integer"],
        minimum=1,
        maximum=1024,
        title="Lanes",
        description="GPU tasks of this run. Empty: PROFILES_LANES.",
    ),
    "window_hours": Param(
        DEFAULT_WINDOW_HOURS,
        type="number",
        minimum=0.1,
        maximum=MAX_WINDOW_HOURS,
        title="Window (hours)",
        description="Time limit of the lanes. The rest comes first in the next run.",
    ),
}


def optional_tasks() -> tuple[list[Any], list[Any]]:
    """First and last tasks of what may follow publish: vectors and a judge's scores.

    Each stores what it has, so that a retry does the rest.
    """

    @task(retries=1, execution_timeout=OPTIONAL_TIME)
    def embed_profiles(run_id: str) -> dict[str, int | float]:
        from profiles import task_runner
        from profiles.steps import embed

        return task_runner.run_step(embed.run, run_id=run_id)

    @task
    def plan_judging(run_id: str) -> list[dict[str, int]]:
        from profiles import task_runner
        from profiles.steps import judge

        return task_runner.run_step(judge.plan, run_id=run_id)

    @task(queue="gpu", pool="gpu", retries=1, execution_timeout=OPTIONAL_TIME)
    def judge_profiles(size: int, run_id: str) -> dict[str, int | float]:
        from profiles import task_runner
        from profiles.steps import judge

        return task_runner.run_step(judge.run, run_id=run_id, size=size)

    embedded, to_judge = embed_profiles(), plan_judging()
    return [embedded, to_judge], [embedded, judge_profiles.expand_kwargs(to_judge)]


@dag(
    dag_id="profile_synthesis",
    doc_md=__doc__,
    schedule=CronTriggerTimetable(schedule()[0], timezone=schedule()[1]),
    catchup=False,
    max_active_runs=1,
    params=PARAMS,
    on_failure_callback=on_failure,
    deadline=DeadlineAlert(
        reference=RunCreated(),
        interval=timedelta(hours=MAX_WINDOW_HOURS + 1),
        callback=SyncCallback(on_late),
    ),
    default_args={
        "owner": "profiles",
        "retries": 2,
        "retry_delay": timedelta(seconds=30),
        "execution_timeout": timedelta(hours=2),
    },
    tags=["profiles", "llm"],
)
def profile_synthesis() -> None:
    @task(execution_timeout=timedelta(minutes=15))
    def check_sources(run_id: str, params: dict[str, Any]) -> list[dict[str, str | int]]:
        from profiles import task_runner
        from profiles.steps import check_sources, extract_sources

        run_params = task_runner.typed(RunParams.from_mapping, params, run_id=run_id)
        sources = task_runner.run_step(check_sources.run, run_id=run_id, params=run_params)
        return task_runner.run_step(extract_sources.parts, sources=sources)

    @task(
        map_index_template="{{ task.op_kwargs['source'] }}"
        "{% if task.op_kwargs['of'] > 1 %} {{ task.op_kwargs['part'] + 1 }}{% endif %}"
    )
    def extract_sources(source: str, part: int, of: int, run_id: str) -> dict[str, int | float]:
        from profiles import task_runner
        from profiles.steps import extract_sources

        step = extract_sources.run
        return task_runner.run_step(step, run_id=run_id, source=source, part=part, of=of)

    @task
    def resolve_identities(run_id: str) -> list[dict[str, int]]:
        from profiles import task_runner
        from profiles.steps import resolve_identities

        task_runner.run_step(resolve_identities.run, run_id=run_id)
        return task_runner.run_step(resolve_identities.ranges)

    @task(map_index_template="{{ task.op_kwargs['lo'] }}-{{ task.op_kwargs['hi'] }}")
    def render_profiles(lo: int, hi: int, run_id: str) -> dict[str, int | float]:
        from profiles import task_runner
        from profiles.steps import render_profiles

        return task_runner.run_step(render_profiles.run, run_id=run_id, lo=lo, hi=hi)

    @task
    def plan_synthesis(run_id: str, params: dict[str, Any]) -> list[dict[str, Any]]:
        from profiles import task_runner
        from profiles.steps import plan_synthesis

        run_params = task_runner.typed(RunParams.from_mapping, params, run_id=run_id)
        return task_runner.run_step(plan_synthesis.run, run_id=run_id, params=run_params)

    @task
    def tag_domains(run_id: str) -> dict[str, int | float]:
        from profiles import task_runner
        from profiles.steps import tag_domains

        return task_runner.run_step(tag_domains.run, run_id=run_id)

    @task(trigger_rule=TriggerRule.ALL_DONE, outlets=[SERVING_TABLE])
    def publish(run_id: str, ti: Any) -> dict[str, int | float]:
        from profiles import task_runner
        from profiles.steps import publish

        done = task_runner.succeeded(ti, planned="plan_synthesis", tagged="tag_domains")
        return task_runner.run_step(publish.run, run_id=run_id, **done)

    @task(trigger_rule=TriggerRule.ALL_DONE)
    def report(run_id: str) -> dict[str, int]:
        from profiles import task_runner
        from profiles.steps import index_documents, retention
        from profiles.steps.reports import run_report

        task_runner.run_step(retention.run, run_id=run_id)
        buckets = task_runner.run_step(run_report.run, run_id=run_id)
        # Last: search preview can wait and may fail, the report of a night may not.
        task_runner.run_step(index_documents.run, run_id=run_id)
        return buckets

    @task(trigger_rule=TriggerRule.ALL_DONE)
    def verify_run(published: object, run_id: str) -> None:
        from profiles import task_runner
        from profiles.steps import verify_run

        task_runner.run_step(verify_run.run, run_id=run_id, published=published is not None)

    resolved = resolve_identities()
    rendered = render_profiles.expand_kwargs(resolved)
    planned, tagged = plan_synthesis(), tag_domains()
    synthesised = SynthesiseOperator.partial(
        task_id="synthesise",
        queue="gpu",
        pool="gpu",
        retries=3,
        execution_timeout=timedelta(hours=MAX_WINDOW_HOURS + 1),
        map_index_template="{{ task.lane_label }}",
    ).expand_kwargs(planned)
    published = publish()
    reported: Any = report()
    # The decorator has no argument for a button.
    reported.operator.operator_extra_links = (RunReportLink(),)

    extract_sources.expand_kwargs(check_sources()) >> resolved
    rendered >> [planned, tagged]
    verified = verify_run(published)
    [planned, synthesised, tagged] >> published >> reported >> verified
    first, last = optional_tasks()
    published >> first
    last >> verified


profile_synthesis()

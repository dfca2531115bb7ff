"""`make demo`: the bundled rows, the real DAG, the embedded model, and what came out.

Beside the small model's live answers stand answers that a strong model once wrote about the same
people (include/sample/recorded_answers.jsonl). They go through the same gate and are shown alone:
nothing of them is stored, published or counted.
"""

from __future__ import annotations

import os
import sys
import textwrap
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from psycopg.rows import dict_row

from profiles.models import Completion, Profile, Rejection
from profiles.settings import load_settings
from profiles.storage import migrations
from profiles.storage.connection import Database
from profiles.storage.sql_files import load
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.validation.gate import judge
from sample_data import BUNDLED_SAMPLE, load_sample
from scripts.console import say
from scripts.dag_run import WIDTH, guarded, hanging, run_and_show

RECORDED: Path = BUNDLED_SAMPLE / "recorded_answers.jsonl"
DEMO_ENVIRONMENT = {
    "PROFILES_ENGINE": "llama_cpp",
    "PROFILES_EXTRACTIVE_FALLBACK": "true",
    "PROFILES_LEASE_SECONDS": "20",
}
"""Settings that the caller may override: an engine that needs nothing, its fallback, and leases
so short that a demo after an interrupted one need not wait for them."""


def main() -> int:
    """Runs the demo; returns 0 when the DAG run succeeded."""
    for name, value in DEMO_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    return guarded(_demo)


def _demo(database: Database) -> int:
    say(f"database  {database.location}")
    applied = migrations.apply(database)
    say(f"schema    synthesis: {len(applied)} migrations applied now")
    loaded = load_sample(database)
    say("sample    " + ", ".join(f"{count} {table}" for table, count in loaded.items()))
    status = run_and_show(database, name="demo", show=partial(_show_profiles, database))
    if status == 0:
        _show_next_steps()
    return status


def recorded_answers(database: Database) -> dict[int, Profile | Rejection]:
    """Verdict of the gate on each recorded answer, by candidate; read-only."""
    settings = load_settings()
    vocabulary = load_vocabulary(settings.taxonomy_dir)
    verdicts: dict[int, Profile | Rejection] = {}
    with database.connect() as connection:
        for line in RECORDED.read_bytes().splitlines():
            answer = orjson.loads(line)
            found = connection.execute(
                "SELECT candidate_id, markdown, word_count FROM synthesis.candidate_source "
                "JOIN synthesis.document USING (candidate_id) "
                "WHERE source = %s AND source_key = %s",
                (answer["source"], answer["source_key"]),
            ).fetchone()
            if found is not None:
                verdicts[found[0]] = judge(
                    Completion(request_id="", text=answer["text"], finish_reason="stop"),
                    document=found[1],
                    word_count=found[2],
                    profile=load_engine_profile(answer["engine_profile"], settings.prompts_dir),
                    vocabulary=vocabulary,
                )
    return verdicts


def _show_profiles(database: Database, run_id: str) -> None:
    with database.connect() as connection, connection.cursor(row_factory=dict_row) as cursor:
        profiles = cursor.execute(load("report/select_profiles"), {"run_id": run_id}).fetchall()
    recorded = recorded_answers(database) if profiles else {}
    for profile in profiles:
        _show_profile(profile)
        if profile["candidate_id"] in recorded:
            _show_recorded(recorded[profile["candidate_id"]])


def _show_recorded(verdict: Profile | Rejection) -> None:
    outcome = verdict.outcome if isinstance(verdict, Profile) else f"rejected ({verdict.reason})"
    say("for comparison: recorded answer of a strong model, not published")
    say(_beginning(verdict.summary or ""))
    say(hanging(f"         skills: {', '.join(skill.name for skill in verdict.skills)}"))
    say(f"         gate: {outcome}, {verdict.supported} of {verdict.claims} claims supported")


def _show_profile(profile: dict[str, Any]) -> None:
    say("")
    say(f"── candidate {profile['candidate_id']} · {profile['full_name'] or 'no name'} " + "─" * 20)
    say(hanging(f"merged   {profile['row_count']} rows: {', '.join(profile['source_rows'])}"))
    if profile["outcome"] == "rejected":
        say("summary  none; nothing new was published for this person")
    else:
        author = "document" if profile["method"] == "extractive" else "model"
        say(f"summary  sentences of the {author}:")
        say(_beginning(profile["summary"]))
    say(hanging(f"skills   {', '.join(profile['skills']) or '-'}"))
    say(f"domains  {', '.join(profile['domains'] or []) or '-'}")
    say(hanging(f"gate     {_verdict(profile)}"))


def _verdict(profile: dict[str, Any]) -> str:
    """The gate's verdict on the model's answer; the checks of an extract are about the extract."""
    if profile["method"] == "extractive":
        return f"model rejected ({profile['reason']}), published as extractive"
    failed = [check["name"] for check in profile["checks"] if not check["passed"]]
    passed = f"{len(profile['checks']) - len(failed)} checks passed"
    reason = f" ({profile['reason']})" if profile["reason"] else ""
    return ", ".join(
        [f"{profile['outcome']}{reason}", passed, *(f"{name} failed" for name in failed)]
    )


def _beginning(text: str) -> str:
    shortened = textwrap.shorten(text, 360, placeholder=" …")
    return textwrap.fill(shortened, WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9)


def _show_next_steps() -> None:
    say("")
    say("next")
    say("  make demo    again: unchanged profiles cost no model call")
    say("  make night   your database of .env; LIMIT=20 for 20 documents")
    say("  make up      the whole Airflow with its UI; trigger profile_synthesis with the form")
    say("  README.md    your own tables: include/sources/*.yaml; your GPU: PROFILES_ENGINE=sglang")


if __name__ == "__main__":
    sys.exit(main())

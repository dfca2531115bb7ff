"""`profiles doctor`: what this deployment has and lacks, one finding per part.

A check that cannot be made is a finding too: nothing here raises, writes or loads a model. It may
import everything, so nothing but the command line imports it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import metadata

from profiles.doctor.airflow_parts import airflow_findings
from profiles.doctor.engine_parts import (
    engine_interpreter_finding,
    gpu_finding,
    model_finding,
    model_server_finding,
)
from profiles.doctor.finding import Finding, guarded
from profiles.doctor.search_parts import SEARCH, search_finding
from profiles.doctor.source_parts import SOURCE_TABLES, mappings_finding, source_tables_finding
from profiles.errors import SettingsError
from profiles.params import schedule
from profiles.settings import Settings, load_settings

__all__ = ["Finding", "diagnose", "roles_finding"]

DISTRIBUTION = "candidate-profiles"
OLDEST_PYTHON = (3, 11)
TOMBSTONES = "erasure secret"
READER_TEXT = "text to a reader"


def diagnose(settings: Settings | None = None) -> list[Finding]:
    """Looks at every part; takes a few seconds, most of them to import Airflow."""
    findings = [guarded("interpreter", _interpreter)]
    if settings is None:
        try:
            settings = load_settings()
        except SettingsError as error:
            return [*findings, Finding("settings", False, str(error), "correct .env or the shell")]
    known = settings
    checks: list[tuple[str, Callable[[], Finding]]] = [
        ("engine interpreter", lambda: engine_interpreter_finding(known)),
        ("model", lambda: model_finding(known)),
        ("model server", lambda: model_server_finding(known)),
        ("prompts", lambda: _prompts(known)),
        ("token vocabulary", _token_vocabulary),
        ("skill vocabulary", lambda: _skill_vocabulary(known)),
        ("industries and domains", lambda: _domains(known)),
        ("source mappings", lambda: mappings_finding(known)),
        ("schedule", _schedule),
    ]
    findings += [guarded(name, check) for name, check in checks]
    findings += _databases()
    findings += airflow_findings(known.lanes)
    findings.append(guarded("GPU", lambda: gpu_finding(known)))
    return findings


def _schedule() -> Finding:
    """A bad one keeps the DAG file from parsing; Airflow goes on with the DAG it knew before."""
    wanted = schedule()
    from airflow.timetables.trigger import CronTriggerTimetable

    try:
        CronTriggerTimetable(wanted.cron, timezone=wanted.timezone).validate()
    except Exception as error:  # noqa: BLE001 - Airflow, croniter and pendulum each raise their own
        detail = f"PROFILES_SCHEDULE={wanted.cron} {wanted.timezone}: {type(error).__name__}"
        return Finding("schedule", False, detail, "give five cron fields and an IANA time zone")
    return Finding("schedule", True, f"{wanted.cron} in {wanted.timezone}")


def _interpreter() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    problems = list(_package_problems())
    if sys.version_info < OLDEST_PYTHON:
        problems.append(f"Python {version} is older than {'.'.join(map(str, OLDEST_PYTHON))}")
    if problems:
        return Finding("interpreter", False, "; ".join(problems), "make setup")
    airflow = metadata.version("apache-airflow")
    return Finding("interpreter", True, f"Python {version}, Airflow {airflow}, {sys.executable}")


def _package_problems() -> Iterator[str]:
    from packaging.requirements import Requirement

    try:
        wanted = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        yield f"package {DISTRIBUTION} is not installed"
        return
    for requirement in map(Requirement, wanted):
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            found = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            yield f"package {requirement.name} is missing"
            continue
        if not requirement.specifier.contains(found, prereleases=True):
            yield f"{requirement.name} {found} does not fit {requirement.specifier}"


def _prompts(settings: Settings) -> Finding:
    from profiles.synthesis.lane.engine_profiles import default_profile, load_engine_profile

    name = settings.engine_profile or default_profile(settings.engine)
    profile = load_engine_profile(name, settings.prompts_dir)
    detail = f"profile {profile.name} version {profile.version}, asks for {profile.answer}"
    return Finding("prompts", True, detail)


def _token_vocabulary() -> Finding:
    from profiles.synthesis.lane.prompting import token_counter

    tokens = token_counter()("Built payment services in Go and Kafka.")
    if tokens < 1:
        return Finding("token vocabulary", False, "counts no tokens", "make setup")
    version = metadata.version("bpe-openai")
    return Finding("token vocabulary", True, f"o200k of bpe-openai {version}, offline")


def _skill_vocabulary(settings: Settings) -> Finding:
    import yaml

    from profiles.storage.taxonomy import load_vocabulary

    path = settings.taxonomy_dir / "skills.yaml"
    version = load_vocabulary(settings.taxonomy_dir).version
    groups = yaml.safe_load(path.read_text(encoding="utf-8"))["skills"]
    aliases = [names or () for group in groups.values() for names in group.values()]
    detail = (
        f"{len(aliases)} skills, {sum(map(len, aliases))} other spellings, version {version} "
        f"({path})"
    )
    return Finding("skill vocabulary", bool(aliases), detail, f"put skills into {path}")


def _domains(settings: Settings) -> Finding:
    from profiles.storage.taxonomy import load_domains

    taxonomy = load_domains(settings.taxonomy_dir)
    detail = (
        f"{len(taxonomy.code_by_label)} labels, {len(taxonomy.domain_by_code)} industry codes, "
        f"{len(set(taxonomy.domain_by_code.values()))} domains ({settings.taxonomy_dir})"
    )
    return Finding("industries and domains", True, detail)


def _databases() -> list[Finding]:
    """The server, our schema and role in it, and the secret that its tombstones need."""
    database = guarded("database", _database)
    if database.ok is False:
        remedy = (
            "in a clone `. .profiles/env` names the embedded server; make demo or make up starts it"
        )
        if "refused the connection" in database.detail:
            remedy = "correct user and password of PROFILES_DATABASE_URL or Connection profiles_db"
        unseen = [
            Finding(name, None, "no database to look at")
            for name in ("schema", SOURCE_TABLES, READER_TEXT, TOMBSTONES, SEARCH)
        ]
        return [replace(database, remedy=remedy), *unseen]
    return [
        database,
        guarded("schema", _schema),
        guarded(SOURCE_TABLES, source_tables_finding),
        guarded("role", roles_finding),
        guarded(READER_TEXT, _reader_text),
        guarded(TOMBSTONES, _erasure_secret),
        guarded(SEARCH, search_finding),
    ]


def _database() -> Finding:
    from profiles.storage.connection import open_database

    database = open_database()
    with database.connect() as connection:
        row = connection.execute("SELECT current_setting('server_version')").fetchone()
    version = str(row[0]).split(" ", 1)[0] if row else "?"
    return Finding("database", True, f"PostgreSQL {version} at {database.location}")


def roles_finding() -> Finding:
    """As whom the pipeline runs, and what that login may write besides schema synthesis."""
    from profiles.operations.roles import standing
    from profiles.storage.connection import open_database

    return Finding("role", *standing(open_database()).verdict)


def _reader_text() -> Finding:
    """Which source rows address whoever reads them; documents leave that out."""
    from profiles.storage.connection import open_database
    from profiles.storage.sql_files import load

    with open_database().connect() as connection:
        if connection.execute("SELECT to_regclass('synthesis.reader_text')").fetchone() == (None,):
            return Finding(READER_TEXT, None, "no schema to look at")
        found = connection.execute(load("report/select_reader_text")).fetchall()
    if not found:
        return Finding(READER_TEXT, True, "no source row addresses a reader")
    rows = ", ".join(f"{source}:{key} {field}" for source, key, field, _ in found)
    detail = f"{found[0][3]} fields of source rows, left out of documents: {rows}"
    return Finding(READER_TEXT, None, detail, "look at the rows and at who sent them")


def _erasure_secret() -> Finding:
    """Whether somebody could be erased, and whether those who were stay away."""
    from profiles.storage.connection import open_database
    from profiles.storage.tombstones import secret_standing

    return Finding(TOMBSTONES, *secret_standing(open_database()))


def _schema() -> Finding:
    from profiles.storage import migrations
    from profiles.storage.connection import open_database

    waiting = migrations.pending(open_database())
    if waiting:
        names = ", ".join(f"{item.version:04d}_{item.name}" for item in waiting)
        remedy = "`profiles migrate`, or run DAG initialize_database"
        return Finding("schema", False, f"migrations to apply: {names}", remedy)
    return Finding("schema", True, f"{len(migrations.available())} migrations, all applied")

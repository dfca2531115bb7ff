"""Checks of `profiles doctor` on the deployment's files and its schedule."""

from __future__ import annotations

from importlib import metadata

from profiles.doctor import Finding
from profiles.params import schedule
from profiles.settings import Settings
from profiles.storage.mappings import load_mappings
from profiles.storage.taxonomy import load_domains, load_vocabulary, read_taxonomy
from profiles.synthesis.lane.engine_profiles import default_profile, load_engine_profile
from profiles.synthesis.lane.prompting import token_counter


def schedule_finding() -> Finding:
    """A bad one keeps the DAG file from parsing; Airflow goes on with the DAG it knew before."""
    wanted = schedule()
    from airflow.timetables.trigger import CronTriggerTimetable

    try:
        CronTriggerTimetable(wanted.cron, timezone=wanted.timezone).validate()
    except Exception as error:  # noqa: BLE001 - Airflow, croniter and pendulum each raise their own
        detail = f"PROFILES_SCHEDULE={wanted.cron} {wanted.timezone}: {type(error).__name__}"
        return Finding("schedule", False, detail, "give five cron fields and an IANA time zone")
    return Finding("schedule", True, f"{wanted.cron} in {wanted.timezone}")


def prompts_finding(settings: Settings) -> Finding:
    name = settings.engine_profile or default_profile(settings.engine)
    profile = load_engine_profile(name, settings.prompts_dir)
    detail = f"profile {profile.name} version {profile.version}, asks for {profile.answer}"
    return Finding("prompts", True, detail)


def tokens_finding() -> Finding:
    tokens = token_counter()("Built payment services in Go and Kafka.")
    if tokens < 1:
        return Finding("token vocabulary", False, "counts no tokens", "make setup")
    version = metadata.version("bpe-openai")
    return Finding("token vocabulary", True, f"o200k of bpe-openai {version}, offline")


def skills_finding(settings: Settings) -> Finding:
    path = settings.taxonomy_dir / "skills.yaml"
    version = load_vocabulary(settings.taxonomy_dir).version
    groups = read_taxonomy(path)["skills"]
    aliases = [names or () for group in groups.values() for names in group.values()]
    detail = (
        f"{len(aliases)} skills, {sum(map(len, aliases))} other spellings, version {version} "
        f"({path})"
    )
    return Finding("skill vocabulary", bool(aliases), detail, f"put skills into {path}")


def domains_finding(settings: Settings) -> Finding:
    taxonomy = load_domains(settings.taxonomy_dir)
    detail = (
        f"{len(taxonomy.code_by_label)} labels, {len(taxonomy.domain_by_code)} industry codes, "
        f"{len(set(taxonomy.domain_by_code.values()))} domains ({settings.taxonomy_dir})"
    )
    return Finding("industries and domains", True, detail)


def mappings_finding(settings: Settings) -> Finding:
    mappings = load_mappings(settings.sources_dir)
    tables = ", ".join(f"{name} ({mapping.table})" for name, mapping in mappings.items())
    return Finding("source mappings", True, f"{len(mappings)} files: {tables}")

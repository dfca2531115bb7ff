"""`profiles doctor`: what this deployment has and lacks, one finding per part.

A check that cannot be made is a finding too: nothing here raises, writes or loads a model. It may
import everything, so nothing but the command line imports it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata

from profiles.errors import ProfilesError, SettingsError
from profiles.settings import Settings, load_settings
from profiles.steps.stage import message_of

log = logging.getLogger(__name__)

DISTRIBUTION = "candidate-profiles"
OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: `ok` is None when it does not apply here or could not be looked at."""

    name: str
    ok: bool | None
    detail: str
    remedy: str = ""


def guarded(name: str, check: Callable[[], Finding]) -> Finding:
    """The finding of `check`; whatever it raises is one too: the other checks must still run."""
    try:
        return check()
    except ProfilesError as error:
        return Finding(name, False, str(error), "the message says what to do")
    except Exception as error:
        log.debug("check %s failed", name, exc_info=True)
        detail = f"could not be looked at: {message_of(error)}"
        return Finding(name, False, detail, "run `profiles doctor -v` and read the trace")


def diagnose(settings: Settings | None = None) -> list[Finding]:
    """Looks at every part; takes a few seconds, most of them to import Airflow."""
    findings = [guarded("interpreter", _interpreter)]
    if settings is None:
        try:
            settings = load_settings()
        except SettingsError as error:
            return [*findings, Finding("settings", False, str(error), "correct .env or the shell")]
    try:
        from profiles.doctor import airflow_parts, database_parts, engine_parts, file_parts
    except ImportError as error:
        detail = f"{error.name} cannot be imported, so nothing else was looked at"
        return [*findings, Finding("packages", False, detail, "make setup")]
    known = settings
    checks: dict[str, Callable[[], Finding]] = {
        "engine interpreter": lambda: engine_parts.engine_interpreter_finding(known),
        "model": lambda: engine_parts.model_finding(known),
        "model server": lambda: engine_parts.model_server_finding(known),
        "prompts": lambda: file_parts.prompts_finding(known),
        "token vocabulary": file_parts.tokens_finding,
        "skill vocabulary": lambda: file_parts.skills_finding(known),
        "industries and domains": lambda: file_parts.domains_finding(known),
        "source mappings": lambda: file_parts.mappings_finding(known),
        "schedule": file_parts.schedule_finding,
    }
    findings += [guarded(name, check) for name, check in checks.items()]
    findings += database_parts.database_findings()
    findings += airflow_parts.airflow_findings(known.lanes)
    findings.append(guarded("GPU", lambda: engine_parts.gpu_finding(known)))
    return findings


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

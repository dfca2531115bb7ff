"""`profiles doctor`: what this deployment has and lacks, one finding per part.

A check that cannot be made is a finding too: nothing here raises, writes or loads a model. It may
import everything, so nothing but the command line imports it.
"""

from __future__ import annotations

import logging
import platform
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import NamedTuple

from profiles.errors import ProfilesError, SettingsError
from profiles.settings import Settings, load_settings
from profiles.steps.stage import message_of

log = logging.getLogger(__name__)

DISTRIBUTION = "candidate-profiles"


class Finding(NamedTuple):
    """Of one part: `ok` is None when it does not apply here or could not be looked at."""

    ok: bool | None
    detail: str
    remedy: str = ""
    name: str = ""


Check = Callable[[], Finding]


def guarded(name: str, check: Check) -> Finding:
    """The finding of `check`; whatever it raises is one too: the other checks must still run."""
    try:
        found = check()
    except ProfilesError as error:
        found = Finding(False, str(error), "follow the message")
    except Exception as error:
        log.debug("check %s failed", name, exc_info=True)
        detail = f"could not be looked at: {message_of(error)}"
        found = Finding(False, detail, "run `profiles doctor -v` and read the trace")
    return found._replace(name=name)


def diagnose(settings: Settings | None = None) -> list[Finding]:
    """Looks at every part; takes a few seconds, most of them to import Airflow."""
    findings = [guarded("interpreter", _interpreter)]
    if settings is None:
        try:
            settings = load_settings()
        except SettingsError as error:
            return [*findings, Finding(False, str(error), "correct .env or the shell", "settings")]
    try:
        from profiles.doctor import parts
    except ImportError as error:
        detail = f"{error.name} cannot be imported, so nothing else was looked at"
        return [*findings, Finding(False, detail, "make setup", "packages")]
    return [*findings, *parts.findings(settings)]


def _interpreter() -> Finding:
    version = platform.python_version()
    problems = list(_package_problems())
    if problems:
        return Finding(False, "; ".join(problems), "make setup")
    airflow = metadata.version("apache-airflow")
    return Finding(True, f"Python {version}, Airflow {airflow}, {sys.executable}")


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
            if not requirement.specifier.contains(found, prereleases=True):
                yield f"{requirement.name} {found} does not fit {requirement.specifier}"
        except metadata.PackageNotFoundError:
            yield f"package {requirement.name} is missing"

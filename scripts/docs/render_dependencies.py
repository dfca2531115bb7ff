"""Writes docs/dependencies.md: the licences of what Airflow's environment locks.

`python -m scripts.docs.render_dependencies` writes it from requirements.txt and the metadata of
what is installed. What pip-audit said is kept as the file has it: it changes with the day.
"""

from __future__ import annotations

import re
from importlib import metadata

from scripts.airflow_env import REPOSITORY

TARGET = REPOSITORY / "docs" / "dependencies.md"
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
_PERMISSIVE = re.compile(r"(MIT|BSD|Apache|ISC|3-Clause BSD)\b(?!.*GPL)")
"""Licences whose packages are counted, not named."""
_FAMILY = "MIT, BSD, Apache-2.0 or ISC"
_START = "## Licences"
_LONG = 60


def main() -> None:
    """Rewrites the table of licences."""
    head = TARGET.read_text(encoding="utf-8").partition(_START)[0]
    TARGET.write_text(f"{head}{_START}\n\n{licences()}", encoding="utf-8")


def licences() -> str:
    """The table, one row per licence; packages of permissive ones are counted."""
    packages: dict[str, list[str]] = {}
    text = (REPOSITORY / "requirements.txt").read_text(encoding="utf-8")
    for name in dict.fromkeys(_LOCKED.findall(text)):
        about = licence(name)
        packages.setdefault(_FAMILY if _PERMISSIVE.match(about) else about, []).append(name)
    count = len(packages.pop(_FAMILY))
    rows = [f"| {_FAMILY} | {count} packages |"]
    rows += [f"| {about} | {', '.join(names)} |" for about, names in sorted(packages.items())]
    return "| licence | packages |\n|---|---|\n" + "\n".join(rows) + "\n"


def licence(name: str) -> str:
    """Licence that the package declares, shortest form first."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return "not installed here"
    stated = _first(about.get_all("License-Expression"))
    classified = [
        value.rpartition(" :: ")[2]
        for value in about.get_all("Classifier") or []
        if value.startswith("License ::") and value != "License :: OSI Approved"
    ]
    text = _first(about.get_all("License")).strip()
    short = text if text and "\n" not in text and len(text) <= _LONG else ""
    return stated or ", ".join(classified) or short or "see the package"


def _first(values: list[str] | None) -> str:
    return values[0] if values else ""


if __name__ == "__main__":
    main()

"""Fills the template of the run report: figures for people, one dash for what is not known."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from profiles.models import Bucket
from profiles.reporting.charts import charts

_HERE = Path(__file__).resolve().parent
VENDOR = _HERE.parents[2] / "plugins" / "profile_runs" / "static" / "vendor"
"""The one copy of uPlot in this repository, which the page in Airflow serves too."""


def page_policy() -> str:
    """The Content-Security-Policy of the page: nothing from anywhere, and its own script alone."""
    digest = base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def render_html(report: dict[str, Any]) -> str:
    drawn = charts(report["series"])
    return _template().render(
        report=report,
        buckets=[(name, report["buckets"].get(name, 0)) for name in Bucket],
        charts=drawn,
        chart_data=[*drawn["lanes"], *drawn["cards"]],
        style=Markup(_style()),  # noqa: S704 - our own file
        script=Markup(_script()),  # noqa: S704 - our own file and the vendored library
        policy=page_policy(),
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {filter.__name__: filter for filter in FILTERS}
    return environment.get_template("run.html.j2")


@lru_cache(maxsize=1)
def _style() -> str:
    files = (VENDOR / "uPlot.min.css", VENDOR.parent / "shared.css", _HERE / "run.css")
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@lru_cache(maxsize=1)
def _script() -> str:
    """uPlot and our own lines as one module: a file cannot import another one."""
    library = (VENDOR / "uPlot.esm.js").read_text(encoding="utf-8")
    own = (_HERE / "run.js").read_text(encoding="utf-8")
    return f"{library.replace('export { uPlot as default };', '')}\n{own}"


_DASH = "–"
_MINUTE, _HOUR = 60, 3600


def number(value: float | None, digits: int = 0) -> str:
    """A figure with grouped digits.

    >>> number(475000), number(3.14159, 2), number(None)
    ('475,000', '3.14', '–')
    """
    return _DASH if value is None else f"{value:,.{digits}f}"


def share(value: float | None, digits: int = 1) -> str:
    """A share as a percentage.

    >>> share(0.1234), share(None)
    ('12.3 %', '–')
    """
    return _DASH if value is None else f"{value * 100:.{digits}f} %"


def duration(seconds: float | None) -> str:
    """A length of time in its two largest units.

    >>> duration(0.42), duration(75), duration(30000), duration(None)
    ('0.4 s', '1 min 15 s', '8 h 20 min', '–')
    """
    if seconds is None:
        return _DASH
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min {int(seconds % _MINUTE)} s"
    return f"{int(seconds // _HOUR)} h {int(seconds % _HOUR // _MINUTE)} min"


def moment(value: str | None) -> str:
    """A time as written in the report's JSON, to the minute and in its own zone.

    >>> moment("2026-03-01T22:00:05.123+00:00"), moment(None)
    ('2026-03-01 22:00 UTC', '–')
    """
    if value is None:
        return _DASH
    read = datetime.fromisoformat(value)
    return f"{read:%Y-%m-%d %H:%M %Z}".strip()


def text(value: Any) -> str:
    """A setting, Param or count as a person reads it.

    >>> text(None), text([]), text(["a", "b"]), text(True), text({"rows": 3, "b": None})
    ('–', '–', 'a, b', 'yes', 'rows 3, b –')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", [], {}):
        return _DASH
    if isinstance(value, dict):
        return ", ".join(f"{name} {text(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(text, value))
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)


def above_zero(counts: dict[str, Any]) -> dict[str, Any]:
    """The counts of a stage that are not zero; one whose name holds a text is shown elsewhere.

    >>> above_zero({"rows": 3, "gone": 0, "linkedin.unread: raw.poems": 0.3})
    {'rows': 3}
    """
    return {name: value for name, value in counts.items() if value and ": " not in name}


FILTERS = (above_zero, number, share, duration, moment, text)

"""Fills the template of the run report."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from profiles.errors import ExportError
from profiles.models import Bucket
from profiles.reporting import formats
from profiles.reporting.charts import charts

_HERE = Path(__file__).resolve().parent
VENDOR = _HERE.parents[2] / "plugins" / "profile_runs" / "static" / "vendor"
"""The one copy of uPlot in this repository, which the page in Airflow serves too."""

_EXPORT = "export { uPlot as default };"


def page_policy() -> str:
    """The Content-Security-Policy of the page: nothing from anywhere, and its own script alone."""
    digest = base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def render_html(report: dict[str, Any]) -> str:
    """The report of `run_report.collect` as one HTML document; the policy names its own script by
    hash."""
    drawn = charts(report["series"])
    return _template().render(
        report=report,
        buckets=[(name, report["buckets"].get(name, 0)) for name in Bucket],
        charts=drawn,
        chart_data=_embedded([asdict(chart) for chart in (*drawn.lanes, *drawn.cards)]),
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
    environment.filters |= formats.FILTERS
    return environment.get_template("run.html.j2")


@lru_cache(maxsize=1)
def _style() -> str:
    own = (_HERE / "run.css").read_text(encoding="utf-8")
    shared = (VENDOR.parent / "shared.css").read_text(encoding="utf-8")
    return f"{(VENDOR / 'uPlot.min.css').read_text(encoding='utf-8')}\n{shared}\n{own}"


@lru_cache(maxsize=1)
def _script() -> str:
    """uPlot and our own lines as one module: a file cannot import another one."""
    library = (VENDOR / "uPlot.esm.js").read_text(encoding="utf-8")
    if library.count(_EXPORT) != 1:
        raise ExportError(
            f"{VENDOR / 'uPlot.esm.js'} does not end with `{_EXPORT}`: it is another version than "
            "this page was written for; look at its last line and correct _EXPORT"
        )
    own = (_HERE / "run.js").read_text(encoding="utf-8")
    return f"{library.replace(_EXPORT, '')}\n{own}"


def _embedded(value: Any) -> Markup:
    """JSON that cannot end the script element that it stands in."""
    text = orjson.dumps(value).decode()
    for mark, escape in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(mark, escape)
    return Markup(text)  # noqa: S704 - no markup can be left in it

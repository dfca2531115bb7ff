"""The run report as one HTML file that needs nothing else: no network, no server, no second file.

Figures for people, one dash for what is not known; plots, each with a summary in words for whoever
cannot see it. Pure apart from reading its own template, style and script. Every value is escaped by
the template engine, whatever it says: reasons and errors are data.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from profiles.models import Bucket

_HERE = Path(__file__).resolve().parent
VENDOR = _HERE.parents[2] / "plugins" / "profile_runs" / "static" / "vendor"
"""The one copy of uPlot in this repository, which the page in Airflow serves too."""
_STYLES = (VENDOR / "uPlot.min.css", VENDOR.parent / "shared.css", _HERE / "run.css")


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
        style=Markup("\n".join(path.read_text(encoding="utf-8") for path in _STYLES)),  # noqa: S704 - our own files
        script=Markup(_script()),  # noqa: S704 - our own file and the vendored library
        policy=page_policy(),
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {filter.__name__: filter for filter in FILTERS}
    return environment.get_template("run.html.j2")


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


def share(value: float | None) -> str:
    """A share as a percentage.

    >>> share(0.1234), share(None)
    ('12.3 %', '–')
    """
    return _DASH if value is None else f"{value * 100:.1f} %"


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

    >>> above_zero({"rows": 3, "gone": 0, "unread: linkedin: raw.poems": 0.3})
    {'rows': 3}
    """
    return {name: value for name, value in counts.items() if value and ": " not in name}


FILTERS = (above_zero, number, share, duration, moment, text)


_PLOTS = (
    # Series, id, title, unit, figure, and how much of the figure's unit one of the plot's is.
    ("lanes", "output", "Output tokens per second", "tokens/s", "output_tokens_per_second", 1),
    ("lanes", "prompt", "Prompt tokens per second", "tokens/s", "prompt_tokens_per_second", 1),
    ("lanes", "waiting", "Requests waiting in the engine", "requests", "waiting", 1),
    ("cards", "celsius", "Temperature", "°C", "celsius", 1),
    ("cards", "watts", "Power", "W", "watts", 1),
    ("cards", "utilisation", "Utilisation", "%", "utilisation", 1),
    ("cards", "memory", "Memory in use", "GiB", "memory_used_mb", 1024),
)


def charts(series: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The plots of `lanes` and of `cards`, empty where nothing was measured; `series` is what
    `profiles.storage.runs` returns.

    A plot has lines over the seconds since `start`, and stretches of time that are marked. With
    `is_sparse` it was reported now and then, so that an empty bucket is no gap.
    """
    found: dict[str, list[dict[str, Any]]] = {"lanes": [], "cards": []}
    for kind, name, title, unit, figure, scale in _PLOTS:
        lines = [
            {
                "label": f"lane {each['lane']}" if kind == "lanes" else _card_name(each),
                "values": [value and round(value / scale, 2) for value in each[figure]],
            }
            for each in series[kind]
        ]
        if name == "output" and len(lines) > 1:
            lines.append({"label": "all lanes", "values": _sums(lines)})
        # The sum of all lanes, where there is one, is what the words are about.
        shown = lines[-1:] if name == "output" else lines
        seen = [value for line in shown for value in line["values"] if value is not None]
        if not seen:
            continue
        marks = _throttled(series) if kind == "cards" else []
        summary = f"highest {max(seen):,.0f} {unit}, mean {sum(seen) / len(seen):,.0f} {unit}"
        if marks:
            summary += "; shaded: a card was held back"
        about = {"id": name, "title": title, "unit": unit, "summary": summary, "lines": lines}
        times = {"start": series["start"], "seconds": series["seconds"], "marks": marks}
        found[kind].append({**about, **times, "is_sparse": name == "waiting"})
    return found


def _sums(lines: list[dict[str, Any]]) -> list[float | None]:
    buckets = zip(*(line["values"] for line in lines), strict=True)
    seen = [[value for value in values if value is not None] for values in buckets]
    return [round(sum(values), 1) if values else None for values in seen]


def _card_name(card: dict[str, Any]) -> str:
    """Lane, model and the end of the card's id, which tells two of a kind apart."""
    uuid = str(card["uuid"] or "")
    model = str(card["card"] or "card").removeprefix("NVIDIA ").removeprefix("GeForce ")
    return f"lane {card['lane']}: {model} …{uuid[-4:]}"


def _throttled(series: dict[str, Any]) -> list[tuple[float, float]]:
    """First and last second of each bucket of time in which any card was held back."""
    half = series["bucket_seconds"] / 2
    buckets = zip(series["seconds"], *(card["throttled"] for card in series["cards"]), strict=True)
    return [(second - half, second + half) for second, *held in buckets if any(held)]

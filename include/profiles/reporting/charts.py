"""Plots of a run's series, each with a summary in words for whoever cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_MEGABYTES_A_GIGABYTE = 1024
_ALL_LANES = "all lanes"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plot; None where nothing was measured."""

    label: str
    values: list[float | None]


@dataclass(frozen=True, slots=True)
class Chart:
    """One plot: lines over the seconds since `start`, and stretches of time that are marked.

    `is_sparse`: reported now and then, so that an empty bucket is no gap.
    """

    id: str
    title: str
    unit: str
    start: float
    seconds: list[float]
    lines: list[Line]
    marks: list[tuple[float, float]]
    summary: str
    is_sparse: bool


@dataclass(frozen=True, slots=True)
class Charts:
    """The plots of the lanes and those of the cards; empty where nothing was measured."""

    lanes: list[Chart]
    cards: list[Chart]


def charts(series: dict[str, Any]) -> Charts:
    """The plots of a run; `series` is what `profiles.storage.run_history` returns."""
    if not series["seconds"]:
        return Charts(lanes=[], cards=[])
    lanes, cards = series["lanes"], series["cards"]

    def chart(
        name: str,
        title: str,
        unit: str,
        lines: list[Line],
        marks: Sequence[tuple[float, float]] = (),
    ) -> Chart | None:
        # The sum of all lanes, where there is one, comes last and is what the words are about.
        shown = lines[-1:] if lines and lines[-1].label == _ALL_LANES else lines
        seen = [value for line in shown for value in line.values if value is not None]
        if not seen:
            return None
        summary = f"highest {max(seen):,.0f} {unit}, mean {sum(seen) / len(seen):,.0f} {unit}"
        if marks:
            summary += "; shaded: a card was held back"
        return Chart(
            id=name,
            title=title,
            unit=unit,
            start=series["start"],
            seconds=series["seconds"],
            lines=lines,
            marks=list(marks),
            summary=summary,
            is_sparse=name == "waiting",
        )

    def per_lane(figure: str) -> list[Line]:
        return [Line(f"lane {lane['lane']}", lane[figure]) for lane in lanes]

    def per_card(figure: str, scale: float = 1.0) -> list[Line]:
        return [Line(_card_name(card), _scaled(card[figure], scale)) for card in cards]

    marks = _throttled(series)
    output = per_lane("output_tokens_per_second")
    if len(output) > 1:
        output.append(Line(_ALL_LANES, _sums([line.values for line in output])))
    return Charts(
        lanes=_made(
            chart("output", "Output tokens per second", "tokens/s", output),
            chart(
                "prompt",
                "Prompt tokens per second",
                "tokens/s",
                per_lane("prompt_tokens_per_second"),
            ),
            chart("waiting", "Requests waiting in the engine", "requests", per_lane("waiting")),
        ),
        cards=_made(
            chart("celsius", "Temperature", "°C", per_card("celsius"), marks),
            chart("watts", "Power", "W", per_card("watts"), marks),
            chart("utilisation", "Utilisation", "%", per_card("utilisation"), marks),
            chart(
                "memory", "Memory in use", "GiB", per_card("memory_used_mb", _MEGABYTES_A_GIGABYTE)
            ),
        ),
    )


def _made(*found: Chart | None) -> list[Chart]:
    return [chart for chart in found if chart is not None]


def _card_name(card: dict[str, Any]) -> str:
    """Lane, model and the end of the card's id, which tells two of a kind apart."""
    uuid = str(card["uuid"] or "")
    model = str(card["card"] or "card").removeprefix("NVIDIA ").removeprefix("GeForce ")
    return f"lane {card['lane']}: {model} …{uuid[-4:]}"


def _scaled(values: list[float | None], scale: float) -> list[float | None]:
    return [None if value is None else round(value / scale, 2) for value in values]


def _sums(lines: list[list[float | None]]) -> list[float | None]:
    return [_sum(values) for values in zip(*lines, strict=True)]


def _sum(values: tuple[float | None, ...]) -> float | None:
    seen = [value for value in values if value is not None]
    return round(sum(seen), 1) if seen else None


def _throttled(series: dict[str, Any]) -> list[tuple[float, float]]:
    """The stretches of time in which any card was held back, in seconds."""
    half = series["bucket_seconds"] / 2
    found: list[tuple[float, float]] = []
    for n, second in enumerate(series["seconds"]):
        if not any(card["throttled"][n] for card in series["cards"]):
            continue
        if found and second - half - found[-1][1] < half:
            found[-1] = (found[-1][0], second + half)
        else:
            found.append((second - half, second + half))
    return [(round(begin, 1), round(end, 1)) for begin, end in found]

"""Plots of a run's series, each with a summary in words for whoever cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_MEGABYTES_A_GIGABYTE = 1024
_ALL_LANES = "all lanes"

Line = dict[str, Any]
"""`label`, and `values` with None where nothing was measured."""


def charts(series: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The plots of `lanes` and of `cards`, empty where nothing was measured; `series` is what
    `profiles.storage.run_history` returns.

    A plot has lines over the seconds since `start`, and stretches of time that are marked. With
    `is_sparse` it was reported now and then, so that an empty bucket is no gap.
    """
    if not series["seconds"]:
        return {"lanes": [], "cards": []}

    def chart(
        name: str,
        title: str,
        unit: str,
        lines: list[Line],
        marks: Sequence[tuple[float, float]] = (),
    ) -> list[dict[str, Any]]:
        # The sum of all lanes, where there is one, comes last and is what the words are about.
        shown = lines[-1:] if lines and lines[-1]["label"] == _ALL_LANES else lines
        seen = [value for line in shown for value in line["values"] if value is not None]
        if not seen:
            return []
        summary = f"highest {max(seen):,.0f} {unit}, mean {sum(seen) / len(seen):,.0f} {unit}"
        if marks:
            summary += "; shaded: a card was held back"
        found = {"id": name, "title": title, "unit": unit, "summary": summary, "lines": lines}
        times = {"start": series["start"], "seconds": series["seconds"], "marks": list(marks)}
        return [{**found, **times, "is_sparse": name == "waiting"}]

    def per_lane(figure: str) -> list[Line]:
        lanes = series["lanes"]
        return [{"label": f"lane {lane['lane']}", "values": lane[figure]} for lane in lanes]

    def per_card(figure: str) -> list[Line]:
        return [{"label": _card_name(card), "values": card[figure]} for card in series["cards"]]

    marks = _throttled(series)
    output = per_lane("output_tokens_per_second")
    if len(output) > 1:
        together = zip(*(line["values"] for line in output), strict=True)
        output.append({"label": _ALL_LANES, "values": [_sum(values) for values in together]})
    prompt, waiting = per_lane("prompt_tokens_per_second"), per_lane("waiting")
    memory = per_card("memory_used_mb")
    for line in memory:
        line["values"] = [mb and round(mb / _MEGABYTES_A_GIGABYTE, 2) for mb in line["values"]]
    return {
        "lanes": [
            *chart("output", "Output tokens per second", "tokens/s", output),
            *chart("prompt", "Prompt tokens per second", "tokens/s", prompt),
            *chart("waiting", "Requests waiting in the engine", "requests", waiting),
        ],
        "cards": [
            *chart("celsius", "Temperature", "°C", per_card("celsius"), marks),
            *chart("watts", "Power", "W", per_card("watts"), marks),
            *chart("utilisation", "Utilisation", "%", per_card("utilisation"), marks),
            *chart("memory", "Memory in use", "GiB", memory),
        ],
    }


def _card_name(card: dict[str, Any]) -> str:
    """Lane, model and the end of the card's id, which tells two of a kind apart."""
    uuid = str(card["uuid"] or "")
    model = str(card["card"] or "card").removeprefix("NVIDIA ").removeprefix("GeForce ")
    return f"lane {card['lane']}: {model} …{uuid[-4:]}"


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

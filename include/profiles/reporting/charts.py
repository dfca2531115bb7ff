"""Plots of a run's series, each with a summary in words for whoever cannot see it."""

from __future__ import annotations

from typing import Any

_ALL_LANES = "all lanes"
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
    `profiles.storage.run_history` returns.

    A plot has lines over the seconds since `start`, and stretches of time that are marked. With
    `is_sparse` it was reported now and then, so that an empty bucket is no gap.
    """
    found: dict[str, list[dict[str, Any]]] = {"lanes": [], "cards": []}
    for kind, name, title, unit, figure, scale in _PLOTS if series["seconds"] else ():
        lines = [
            {
                "label": f"lane {each['lane']}" if kind == "lanes" else _card_name(each),
                "values": [value and round(value / scale, 2) for value in each[figure]],
            }
            for each in series[kind]
        ]
        if name == "output" and len(lines) > 1:
            lines.append({"label": _ALL_LANES, "values": _sums(lines)})
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

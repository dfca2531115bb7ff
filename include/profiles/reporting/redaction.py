"""Settings as a table, a report or an export may keep them: without secrets."""

from __future__ import annotations

import json
import re
from typing import Any

_SECRET = re.compile(r"key|token|secret|passw|credential|auth|header|cookie|url", re.IGNORECASE)
_NOT_SECRET = re.compile(r"^max_|_tokens$|_env$", re.IGNORECASE)
_HIDDEN = "(hidden)"


def without_secrets(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with `engine_options` read, and hidden what it may hold of a secret: a value of
    a telling name, and every text below the first level, whose names are other people's."""
    options = settings.get("engine_options")
    if isinstance(options, str):
        if not options.lstrip().startswith("{"):
            return settings
        try:
            options = json.loads(options)
        except ValueError:
            return {**settings, "engine_options": _HIDDEN}
    if not isinstance(options, dict):
        return settings
    shown = {
        name: _HIDDEN if _is_secret(name) else value if isinstance(value, str) else _shown(value)
        for name, value in options.items()
    }
    return {**settings, "engine_options": shown}


def _is_secret(name: str) -> bool:
    return bool(_SECRET.search(name)) and not _NOT_SECRET.search(name)


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _HIDDEN if _is_secret(name) else _shown(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return _HIDDEN if isinstance(value, str) else value

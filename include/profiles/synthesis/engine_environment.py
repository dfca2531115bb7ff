"""The environment of an engine process: offline, without secrets, able to import this package."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from profiles.synthesis.engines import engine_path

_INCLUDE_DIR = Path(__file__).resolve().parents[2]
_PLUGIN = _INCLUDE_DIR / "engine_plugin"
"""Metadata by which SGLang finds our plugin."""


@lru_cache(maxsize=1)
def _rules() -> dict[str, Any]:
    return dict(yaml.safe_load((_INCLUDE_DIR / "engines" / "environment.yaml").read_text("utf-8")))


def cache_environment(folder: Path) -> dict[str, str]:
    """Puts compiled kernels below `folder`; what the operator has set already stays."""
    return {
        name: str(folder / part)
        for name, part in _rules()["caches"].items()
        if not os.environ.get(name)
    }


def child_environment(
    engine: str, extra: Mapping[str, str], *, passed: Collection[str] = ()
) -> dict[str, str]:
    """The engine's environment: what engines are known to read of ours, offline, able to import us.
    `passed` names what this job needs too, such as the key of its server. Only the folders of this
    package and of a `module:Class` are put on the path, never site-packages, whose libraries belong
    to this interpreter."""
    rules = _rules()
    known = {*passed, *chain(*rules["passed"])}
    prefixes = tuple(chain(*rules["passed_prefixes"]))
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in known or (name.startswith(prefixes) and not re.search(rules["secret"], name))
    }
    folders = [str(_INCLUDE_DIR), str(_PLUGIN), *_module_folders(engine), kept.get("PYTHONPATH")]
    path = os.pathsep.join(dict.fromkeys(filter(None, folders)))
    return {**kept, **rules["set"], "PYTHONPATH": path, **extra}


def _module_folders(engine: str) -> list[str]:
    top = engine_path(engine).partition(":")[0].partition(".")[0]
    spec = importlib.util.find_spec(top)
    if spec is None:
        return []
    places = list(spec.submodule_search_locations or ([spec.origin] if spec.origin else []))
    parents = [Path(place).resolve().parent for place in places]
    return [str(parent) for parent in parents if parent.name != "site-packages"]

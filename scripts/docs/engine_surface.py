"""Records the public surface of an engine library that our engine uses, from its source.

    python -m scripts.docs.engine_surface vllm SITE_PACKAGES tests/data/surfaces/vllm.json
    python -m scripts.docs.engine_surface sglang SITE_PACKAGES tests/data/surfaces/sglang.json

Reads with `ast`, imports nothing: neither a GPU nor the library's own interpreter is needed. Names
alone are recorded: fields of records, parameters of methods.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLASSES: dict[str, dict[str, tuple[str, ...]]] = {
    "vllm": {
        "vllm/engine/arg_utils.py": ("EngineArgs", "AsyncEngineArgs"),
        "vllm/v1/engine/async_llm.py": ("AsyncLLM",),
        "vllm/v1/engine/exceptions.py": ("EngineDeadError", "EngineGenerateError"),
        "vllm/v1/metrics/loggers.py": ("StatLoggerBase",),
        "vllm/v1/metrics/stats.py": ("SchedulerStats",),
        "vllm/sampling_params.py": ("SamplingParams", "StructuredOutputsParams"),
        "vllm/outputs.py": ("RequestOutput", "CompletionOutput"),
    },
    "sglang": {
        "sglang/srt/server_args.py": ("ServerArgs",),
        "sglang/srt/entrypoints/engine.py": ("Engine",),
        "sglang/srt/sampling/sampling_params.py": ("SamplingParams",),
    },
}
_BASES = {"ServerArgs": "sglang/srt/arg_groups/fields"}
"""Origin of the inherited fields of a record: a folder of groups."""


def surface(library: str, read: Callable[[str], str], names: list[str]) -> dict[str, Any]:
    """Fields and methods by class. `names` are all paths of the installation."""
    found: dict[str, Any] = {"version": _version(library, names)}
    for path, classes in CLASSES[library].items():
        bodies = {node.name: node for node in _classes(read(path))}
        for name in classes:
            found[name] = _described(bodies[name])
            folder = _BASES.get(name)
            for other in sorted(n for n in names if folder and n.startswith(f"{folder}/")):
                if other.endswith(".py"):
                    for node in _classes(read(other)):
                        found[name]["fields"] += _described(node)["fields"]
            found[name]["fields"] = sorted(set(found[name]["fields"]))
    return found


def _classes(source: str) -> list[ast.ClassDef]:
    return [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]


def _described(node: ast.ClassDef) -> dict[str, Any]:
    fields, methods = [], {}
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            fields.append(item.target.id)
        elif isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            given = [*item.args.posonlyargs, *item.args.args, *item.args.kwonlyargs]
            methods[item.name] = [argument.arg for argument in given if argument.arg != "self"]
            # Attributes of records that are no dataclasses.
            if item.name == "__init__":
                fields += [
                    target.attr
                    for line in ast.walk(item)
                    if isinstance(line, ast.Assign | ast.AnnAssign)
                    for target in (line.targets if isinstance(line, ast.Assign) else [line.target])
                    if isinstance(target, ast.Attribute)
                ]
    public = {
        name: given for name, given in methods.items() if name[0] != "_" or name == "__init__"
    }
    return {"fields": [name for name in fields if name[0] != "_"], "methods": public}


def _version(library: str, names: list[str]) -> str:
    found = [re.match(rf"{library}(?:_cpu)?-([^/]+)\.dist-info/", name) for name in names]
    return next(match[1] for match in found if match)


def main() -> None:
    """Writes the record."""
    library, place, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if place.is_file():
        with zipfile.ZipFile(place) as archive:
            names = archive.namelist()
            found = surface(library, lambda path: archive.read(path).decode(), names)
    else:
        files = [*place.glob(f"{library}*/**/*.py"), *place.glob(f"{library}*.dist-info/*")]
        names = [file.relative_to(place).as_posix() for file in files]
        found = surface(library, lambda path: (place / path).read_text(encoding="utf-8"), names)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

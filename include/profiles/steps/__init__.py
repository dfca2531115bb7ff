"""One module per task: read, call the core, write, count. The only place where both meet."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

_ELSEWHERE = (
    "profiles", "profiles.operations", "profiles.steps.identity",
    "profiles.steps.lanes", "profiles.steps.reports",
)  # fmt: skip


def __getattr__(name: str) -> ModuleType:
    """A module that scripts outside the repository still import from here."""
    for package in _ELSEWHERE:
        if not name.startswith("_") and find_spec(f"{package}.{name}"):
            return import_module(f"{package}.{name}")
    raise AttributeError(f"module {__name__} has no attribute {name!r}")

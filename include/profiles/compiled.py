"""Modules of this package as native code, where `make compiled` made it and it still fits.

Nothing lies beside the source. A build is a folder outside of it, one for each kind of interpreter,
with a manifest that holds the digest of every source file which the build depends on. It is used as
a whole or not at all: only by the interpreter it was made for, and only while every digest is that
of the file as it is now. Whatever else is found there, the source runs.

Standard library only, and next to nothing of it where there is no build: the engine process and
Airflow's DAG parser import this first.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

SWITCH: Final = "PROFILES_COMPILED"
MANIFEST: Final = "manifest.json"
LIBRARY: Final = "profiles_compiled__mypyc"
"""The extension module that holds the code; those named after our modules only open it."""
REMEDY: Final = "make compiled, or make uncompiled to be rid of it"

_OFF: Final = frozenset(("0", "off", "f", "false", "n", "no"))

# Not resolved: a link costs a look at every folder of the path, and this runs at each start.
INCLUDE: Final = Path(__file__).parents[1]
FOLDER: Final = INCLUDE.parent / ".profiles" / "compiled"


@dataclass(frozen=True, slots=True)
class Use:
    """What this process runs, and why.

    `state` is none without a build, off by the switch, unfit when the build was passed over, used
    when it runs.
    """

    state: Literal["none", "off", "unfit", "used"]
    detail: str


class _Finder:
    """Finds the modules of a build before those of the source, as long as both are what they were.

    A process may live longer than the source it began with. It cannot go on with half of either:
    compiled modules call one another directly.
    """

    def __init__(
        self, binaries: Mapping[str, str], sources: Mapping[str, str], include: Path
    ) -> None:
        self.binaries = binaries
        self.sources = sources
        self.include = include

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The binary of a module; None for one that the build does not have.

        Raises:
            ImportError: source or build are others than when this process began.
        """
        binary = self.binaries.get(name)
        if binary is None:
            return None
        source = f"{name.replace('.', '/')}.py"
        known = self.sources.get(source)
        if known is not None and digest(self.include / source) != known:
            raise ImportError(f"{source} changed since this process began; restart it", name=name)
        if not os.path.exists(binary):  # noqa: PTH110 - pathlib is not loaded for this
            raise ImportError(f"{binary} is gone since this process began; restart it", name=name)
        from importlib.util import spec_from_file_location

        return spec_from_file_location(name, binary)


def activate(folder: Path = FOLDER, include: Path = INCLUDE) -> Use:
    """Lets the imports that follow take a build that fits; says once in the log when it does not.

    Called again, it decides anew: a command reads `.env`, which may hold the switch, only after
    this package was imported. What was imported in between stays.

    Args:
        folder: Where builds are, one folder for each kind of interpreter.
        include: The folder of this package, to which the manifest's names are relative.
    """
    global _told, _use
    for finder in [found for found in sys.meta_path if isinstance(found, _Finder)]:
        sys.meta_path.remove(finder)
    _use = _activate(folder, include)
    if _use.state == "unfit" and _use.detail != _told:
        _told = _use.detail
        import logging

        logging.getLogger(__name__).warning("%s: %s", _use.detail, REMEDY)
    return _use


def in_use() -> Use:
    """What `activate` found when this process began."""
    return _use


def abi() -> str:
    """The kind of this interpreter, as file names of extension modules have it."""
    from importlib.machinery import EXTENSION_SUFFIXES

    return EXTENSION_SUFFIXES[0].split(".")[1]


def digest(path: Path) -> str | None:
    """What a manifest holds of a file; None when there is none."""
    import hashlib

    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


_use = Use("none", "not looked for")
_told = ""


def _activate(folder: Path, include: Path) -> Use:
    # The one look that a process without a build pays for. Not `Path.exists`, which raises where
    # this user may not look.
    if not os.access(folder, os.X_OK):
        return Use("none", "no compiled modules")
    if os.environ.get(SWITCH, "").strip().casefold() in _OFF:
        return Use("off", f"{SWITCH} is off")
    own = folder / abi()
    if not os.access(own, os.X_OK):
        return Use("none", f"no compiled modules for {own.name}")
    try:
        return _used(own, include)
    except _UnfitError as reason:
        return Use("unfit", f"compiled modules not used, {reason}")


class _UnfitError(Exception):
    """Why a build is passed over; never leaves this module."""


def _used(own: Path, include: Path) -> Use:
    manifest = _manifest(own)
    if manifest.get("abi") != own.name:
        raise _UnfitError(f"they are for {manifest.get('abi')}, not {own.name}")
    changed = [
        name for name, known in manifest["sources"].items() if digest(include / name) != known
    ]
    if changed:
        others = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise _UnfitError(f"made of another {changed[0]}{others}")
    trusted = {0, os.geteuid(), include.stat().st_uid}
    _refuse_foreign(own, trusted)
    _refuse_foreign(own / MANIFEST, trusted)
    binaries = {}
    for name, (place, known) in manifest["binaries"].items():
        path = own / place
        _refuse_foreign(path.parent, trusted)
        _refuse_foreign(path, trusted)
        if digest(path) != known:
            raise _UnfitError(f"{path.name} is damaged")
        binaries[name] = str(path)
    finder: Any = _Finder(binaries, manifest["sources"], include)
    sys.meta_path.insert(0, finder)
    try:
        # Opens all of the code, so that a process which began with this build goes on with it.
        __import__(LIBRARY)
    except Exception as error:
        # Whatever a library of another machine does at its start, the source runs.
        sys.meta_path.remove(finder)
        raise _UnfitError(f"they cannot be loaded ({error})") from error
    return Use("used", f"{len(binaries) - 1} compiled modules, mypyc {manifest['mypyc']}")


def _refuse_foreign(path: Path, trusted: set[int]) -> None:
    """Native code runs as whoever imports it, so nobody else may have written it."""
    try:
        found = path.stat()
    except OSError as error:
        raise _UnfitError(f"{path.name} is missing") from error
    if found.st_uid not in trusted or found.st_mode & 0o022:
        raise _UnfitError(f"others may write {path.name}")


def _manifest(own: Path) -> dict[str, Any]:
    import json

    try:
        found = json.loads((own / MANIFEST).read_bytes())
        binaries = found["binaries"]
        is_whole = (
            isinstance(found["sources"], dict)
            and found["sources"]
            and LIBRARY in binaries
            and all(
                isinstance(place, str) and isinstance(known, str)
                for place, known in binaries.values()
            )
            and all(isinstance(known, str) for known in found["sources"].values())
            and isinstance(found["mypyc"], str)
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise _UnfitError(f"no {MANIFEST} that can be read") from error
    if not is_whole:
        raise _UnfitError(f"no {MANIFEST} that can be read")
    manifest: dict[str, Any] = found
    return manifest

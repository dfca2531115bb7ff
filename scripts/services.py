"""Starts and stops what this clone needs: `python -m scripts.services up|down|run|clean`.

`run COMMAND` prepares the embedded Postgres and Airflow's metadata and then becomes COMMAND;
`up` also starts Airflow's components (`scripts.components`). All state lies in `.profiles/`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from profiles.errors import MigrationError, ProfilesError
from profiles.operations import apply_migrations
from profiles.storage.connection import Database
from scripts import airflow_env, components, embedded
from scripts.airflow_api import AirflowApi
from scripts.airflow_env import (
    HOME,
    METADATA_DATABASE,
    PROFILES_DATABASE,
    PROFILES_URL,
    REPOSITORY,
)
from scripts.components import Program
from scripts.console import Step, say
from scripts.embedded.files import EmbeddedServer

DAG_ID = "profile_synthesis"
DAG_SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """Environment of a command or component. `server` is None when the user's servers hold all."""

    environment: dict[str, str]
    server: EmbeddedServer | None
    database_url: str


_READ_ONLY_ROLE = """
DO $$ BEGIN
  CREATE ROLE profiles_ro LOGIN;
  ALTER ROLE profiles_ro SET default_transaction_read_only = on;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
REVOKE pg_read_all_data FROM profiles_ro
"""
_PAGE_ROLE = "GRANT profiles_page TO profiles_ro"


def main(arguments: list[str]) -> int:
    """Runs one subcommand; returns the exit status."""
    commands: dict[str, Callable[[list[str]], int]] = {
        "up": _up,
        "down": _down,
        "run": _run,
        "clean": _clean,
    }
    if not arguments or arguments[0] not in commands:
        say(f"usage: python -m scripts.services {'|'.join(commands)}")
        return 2
    try:
        return commands[arguments[0]](arguments[1:])
    except ProfilesError as error:
        say(f"{type(error).__name__}: {error}")
        if isinstance(error, MigrationError):
            say("The embedded Postgres holds no data of yours? `make clean` starts it again.")
        return 1


def prepare(port: int | None = None) -> Prepared:
    """Starts the embedded server, migrates Airflow's metadata; returns the environment to run in.

    Raises:
        ProfilesError: the server did not start or the metadata could not be migrated.
    """
    user_settings = airflow_env.user_environment()
    server = _start_server(user_settings)
    environment = airflow_env.compose(
        user_settings,
        server=server,
        port=port or components.recorded_port() or _wanted_port(user_settings),
    )
    in_force = _prepare_metadata(environment, airflow_env.connections(user_settings, server=server))
    # Outside a task Airflow does not look Connections up, so commands get the URL itself.
    database_url = user_settings.get(PROFILES_URL) or in_force["profiles_db"]
    airflow_env.write_shell_file(
        environment | {PROFILES_URL: database_url}, user_settings=user_settings
    )
    return Prepared(environment, server, database_url)


def _start_server(user_settings: Mapping[str, str]) -> EmbeddedServer | None:
    if not airflow_env.needs_embedded_server(user_settings):
        return None
    with Step("embedded Postgres") as step:
        server = embedded.start(HOME)
        for name in (METADATA_DATABASE, PROFILES_DATABASE):
            embedded.ensure_database(server, name)
        database = Database(server.url(PROFILES_DATABASE))
        with database.connect() as connection:
            connection.execute(_READ_ONLY_ROLE)
        if not airflow_env.own_database(user_settings):
            # The page's login gets the page's role, which the migrations make, and nothing more.
            apply_migrations.run(database)
            with database.connect() as connection:
                connection.execute(_PAGE_ROLE)
        step.done(f"socket {server.socket_dir}")
    return server


def _prepare_metadata(environment: Mapping[str, str], uris: Mapping[str, str]) -> dict[str, str]:
    """Runs `scripts.prepare_airflow`, unless it ran for the same things on the same database.

    Returns the Connections in force by id, as libpq URLs.
    """
    stamp = HOME / "airflow" / "prepared"
    in_force = HOME / "airflow" / "connections.json"
    expected = airflow_env.metadata_state(environment, uris)
    is_done = stamp.exists() and in_force.exists() and stamp.read_text() == expected
    if not is_done:
        _run_prepare_airflow(environment, uris, in_force)
        stamp.write_text(airflow_env.metadata_state(environment, uris) or "")
    found: dict[str, str] = json.loads(in_force.read_text())
    return found


def _run_prepare_airflow(
    environment: Mapping[str, str], uris: Mapping[str, str], in_force: Path
) -> None:
    log_path = HOME / "logs" / "prepare.log"
    log_path.parent.mkdir(parents=True, exist_ok=True)
    with Step("Airflow metadata, pool gpu, connections") as step:
        with log_path.open("w") as log_file:
            process = subprocess.Popen(
                [sys.executable, "-m", "scripts.prepare_airflow", str(in_force)],
                cwd=REPOSITORY,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                text=True,
            )
            assert process.stdin is not None
            process.stdin.write(json.dumps(dict(uris)))
            process.stdin.close()
            while process.poll() is None:
                step.tick()
                time.sleep(0.2)
        if process.returncode != 0:
            raise ProfilesError(f"Airflow's metadata could not be prepared; read {log_path}")
        step.done()


def _wanted_port(user_settings: Mapping[str, str]) -> int:
    return int(user_settings.get("AIRFLOW__API__PORT") or airflow_env.DEFAULT_PORT)


def _up(_: list[str]) -> int:
    user_settings = airflow_env.user_environment()
    is_chosen = bool(user_settings.get("AIRFLOW__API__PORT"))
    port = components.recorded_port() or components.free_port(
        _wanted_port(user_settings), is_chosen=is_chosen
    )
    prepared = prepare(port)
    programs = components.airflow_programs(prepared.environment)
    started = components.start_missing(programs, port=port)
    return show_ready(prepared, programs, port=port, started=bool(started))


def show_ready(prepared: Prepared, programs: Sequence[Program], *, port: int, started: bool) -> int:
    """Waits until all that was started is healthy and says how to use it; the exit status."""
    user_settings = airflow_env.user_environment()
    if not components.wait_until_healthy(port, programs):
        return 1
    password = _password(prepared.environment)
    faults = _wait_for_dag(port, password)
    say("")
    say(
        "Airflow is up" if started else "Airflow was up already; `make down` first to apply changes"
    )
    say(f"  UI        http://127.0.0.1:{port}")
    if password:
        say(f"  login     {airflow_env.ADMIN}")
        say(f"  password  {password}")
    for file, fault in faults.items():
        say(f"  PROBLEM   {file} does not load: {fault}")
    say(f"  DAG       {DAG_ID} starts paused: switch it on for the nightly schedule, or")
    say("            press Trigger for one run now (the form has the choices)")
    if prepared.server is not None and not airflow_env.own_database(user_settings):
        say(
            "  data      the embedded Postgres; `make demo` puts the sample's source tables into it"
        )
    say(f"  logs      {components.LOG_FOLDER}")
    say("  shell     . .profiles/env    then `profiles status`, `profiles doctor`, `airflow …`")
    say("  stop      make down          (the data stays; make clean deletes it)")
    return 1 if faults else 0


def _password(environment: Mapping[str, str]) -> str:
    """The UI's password, empty when the user brought an auth manager or password file."""
    path = airflow_env.passwords_file()
    if environment["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"] != str(path):
        return ""
    return str(json.loads(path.read_text()).get(airflow_env.ADMIN, ""))


def _wait_for_dag(port: int, password: str) -> dict[str, str]:
    """Waits until the DAG is parsed; returns DAG files that do not load, with the reason."""
    api = AirflowApi.login(port, user=airflow_env.ADMIN, password=password)
    if api is None:
        return {}
    faults: dict[str, str] = {}
    with Step("DAG files") as step:
        deadline = time.monotonic() + DAG_SECONDS
        while not api.has_dag(DAG_ID) and not faults and time.monotonic() < deadline:
            step.tick("waiting for the dag-processor")
            time.sleep(0.5)
            faults = api.import_errors()
        if faults:
            step.failed("import errors")
        elif api.has_dag(DAG_ID):
            step.done(f"{DAG_ID} is parsed")
        else:
            step.failed(f"{DAG_ID} is not parsed yet; {components.LOG_FOLDER}/dag-processor.log")
    return faults


def _down(_: list[str]) -> int:
    components.stop_all()
    with Step("embedded Postgres") as step:
        step.done("stopped, its data stays" if embedded.stop(HOME) else "was not running")
    return 0


def _run(command: list[str]) -> int:
    prepared = prepare()
    environment = prepared.environment | {PROFILES_URL: prepared.database_url}
    status = follow(command, environment)
    if prepared.server is not None:
        say("(the embedded Postgres goes on running for the next command; `make down` stops it)")
    return status


def follow(command: list[str], environment: Mapping[str, str]) -> int:
    """Runs a command to its end and returns its status, also when we are told to end.

    A Ctrl-C reaches the command itself, and other signals are passed on: it stops what it started
    and needs time for that, which `subprocess.run` would not give it.
    """
    process = subprocess.Popen(command, cwd=REPOSITORY, env=dict(environment))

    def pass_on(number: int, _: object) -> None:
        if number != signal.SIGINT:
            process.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, pass_on)
    return process.wait()


def _clean(_: list[str]) -> int:
    components.stop_all()
    embedded.remove(HOME)
    models = HOME / "models"
    for path in HOME.iterdir() if HOME.exists() else ():
        if path != models:
            _delete(path)
    say("deleted the embedded Postgres, Airflow's home and the logs; kept .venv and the model")
    return 0


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(REPOSITORY)
    sys.exit(main(sys.argv[1:]))

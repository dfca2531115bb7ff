"""The one place where this clone's AIRFLOW__* variables are put together.

Precedence: the caller's environment, then `.env`, then what is composed here. Imports neither
Airflow nor a driver, so the Makefile's scripts and the tests can use it before Airflow is loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shlex
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from profiles.storage.connection import Database
from scripts.embedded.files import EmbeddedServer

REPOSITORY = Path(__file__).resolve().parents[1]
# Tests keep a state of their own beside the clone's.
HOME = Path(os.environ.get("CANDIDATE_PROFILES_HOME") or REPOSITORY / ".profiles")

METADATA_URL = "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"
PROFILES_URL = "PROFILES_DATABASE_URL"
PROFILES_CONNECTION = "AIRFLOW_CONN_PROFILES_DB"
COMPOSED = "CANDIDATE_PROFILES_COMPOSED"
METADATA_DATABASE = "airflow"
PROFILES_DATABASE = "profiles"
READ_ONLY_ROLE = "profiles_ro"
ADMIN = "admin"
DEFAULT_PORT = 8080


@dataclass(frozen=True, slots=True)
class Secrets:
    """Made once per clone, in a file only its owner reads."""

    fernet_key: str
    api_secret_key: str
    jwt_secret: str
    admin_password: str
    redis_password: str


def user_environment(
    repository: Path = REPOSITORY, process: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The caller's environment over `.env`: what a person set.

    What a shell has from `.profiles/env` was composed here earlier, so it counts as not set.
    """
    found = dict(os.environ if process is None else process)
    for entry in found.pop(COMPOSED, "").split():
        name, _, digest = entry.partition(":")
        if name in found and _digest(found[name]) == digest:
            del found[name]
    return read_dotenv(repository / ".env") | found


def read_dotenv(path: Path) -> dict[str, str]:
    """`NAME=value` lines of a `.env`, as Docker Compose reads them for plain and quoted values.

    Empty values count as not set, so that a copied `.env.example` changes nothing.
    """
    if not path.exists():
        return {}
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        text = line.strip().removeprefix("export ")
        name, separator, value = text.partition("=")
        if separator and name.strip() and not text.startswith("#"):
            found[name.strip()] = _unquoted(value.strip())
    return {name: value for name, value in found.items() if value}


def _unquoted(value: str) -> str:
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value[1:]
    return value.split(" #", 1)[0].rstrip()


def needs_embedded_server(environment: Mapping[str, str]) -> bool:
    """Return whether anything is left for the embedded server to hold."""
    return not (environment.get(METADATA_URL) and own_database(environment))


def own_database(environment: Mapping[str, str]) -> str | None:
    """The URL of a profiles database that the user named, None for the embedded one."""
    return environment.get(PROFILES_URL) or environment.get(PROFILES_CONNECTION) or None


def compose(
    environment: Mapping[str, str],
    *,
    server: EmbeddedServer | None,
    port: int = DEFAULT_PORT,
    home: Path = HOME,
    repository: Path = REPOSITORY,
) -> dict[str, str]:
    """`environment` and, for every variable it lacks, this clone's value.

    Args:
        environment: of `user_environment`.
        server: the running embedded server; None when the user's servers hold everything.
        port: of the UI and the API, on the loopback interface.
        home: folder of this clone's state.
        repository: the clone.
    """
    kept = load_secrets(home)
    base = f"http://127.0.0.1:{port}"
    airflow_home = home / "airflow"
    values = {
        "AIRFLOW_HOME": str(airflow_home),
        "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
        "AIRFLOW__CORE__PARALLELISM": "8",
        "AIRFLOW__CORE__DAGS_FOLDER": str(repository / "dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(repository / "plugins"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "True",
        "AIRFLOW__CORE__FERNET_KEY": kept.fernet_key,
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{ADMIN}:admin",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords_file(home)),
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{base}/execution/",
        "AIRFLOW__API__HOST": "127.0.0.1",
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__BASE_URL": base,
        "AIRFLOW__API__WORKERS": "1",
        "AIRFLOW__API__SECRET_KEY": kept.api_secret_key,
        "AIRFLOW__API_AUTH__JWT_SECRET": kept.jwt_secret,
        "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(airflow_home / "logs"),
        # A killed task's engine must not keep the task alive for the default minute.
        "AIRFLOW__WORKERS__SOCKET_CLEANUP_TIMEOUT": "5",
        "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
    }
    if server is not None:
        metadata = server.url(METADATA_DATABASE).replace("postgresql://", "postgresql+psycopg://")
        values[METADATA_URL] = metadata
        if not environment.get(METADATA_URL):
            values["AIRFLOW__DATABASE__SQL_ALCHEMY_CONN_ASYNC"] = metadata
    set_by_user = {name: value for name, value in environment.items() if value}
    return values | set_by_user


def connections(environment: Mapping[str, str], *, server: EmbeddedServer | None) -> dict[str, str]:
    """The Airflow Connections by id: libpq addresses, or Airflow's JSON.

    The embedded server has a role that can only read. On a server of the user's own, `profiles_ro`
    is the same login with read-only transactions (`scripts.prepare_airflow`), as which the page
    takes role `profiles_page`.
    """
    own = own_database(environment)
    if own:
        return {"profiles_db": own, "profiles_ro": own}
    if server is None:
        return {}
    return {
        "profiles_db": server.url(PROFILES_DATABASE),
        "profiles_ro": server.url(PROFILES_DATABASE, user=READ_ONLY_ROLE),
    }


def load_secrets(home: Path = HOME) -> Secrets:
    """This clone's secrets, made at the first call; also writes the login of the UI."""
    path = home / "secrets.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    made = {
        "fernet_key": urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "api_secret_key": secrets.token_urlsafe(32),
        "jwt_secret": secrets.token_urlsafe(48),
        "admin_password": secrets.token_urlsafe(12),
        "redis_password": secrets.token_urlsafe(24),
    } | found
    if made != found:
        write_private(path, json.dumps(made, indent=2) + "\n")
    kept = Secrets(**made)
    if not passwords_file(home).exists():
        write_private(passwords_file(home), json.dumps({ADMIN: kept.admin_password}) + "\n")
    return kept


def passwords_file(home: Path = HOME) -> Path:
    """File with the passwords that SimpleAuthManager reads: JSON, user to password."""
    return home / "airflow" / "passwords.json"


def write_shell_file(
    environment: Mapping[str, str], *, user_settings: Mapping[str, str], home: Path = HOME
) -> Path:
    """`.profiles/env`: sourced, it gives a shell the same Airflow and database as the Makefile.

    Only what this project reads is written, not the caller's whole environment. `user_settings` are
    those that a person set.
    """
    shown = {
        name: value
        for name, value in sorted(environment.items())
        if name in ("AIRFLOW_HOME", "HF_HUB_OFFLINE")
        or name.startswith(("AIRFLOW__", "AIRFLOW_CONN_", "PROFILES_"))
    }
    composed = [
        f"{name}:{_digest(value)}"
        for name, value in shown.items()
        if user_settings.get(name) != value
    ]
    shown[COMPOSED] = " ".join(composed)
    lines = ["# Generated by make; edit .env instead. Use: . .profiles/env"]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in shown.items()]
    lines += [f'export PATH={shlex.quote(str(REPOSITORY / ".venv" / "bin"))}:"$PATH"']
    path = home / "env"
    write_private(path, "\n".join(lines) + "\n")
    return path


def _digest(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()[:12]


def write_private(path: Path, text: str) -> None:
    """Replaces `path` by a file that only its owner may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text)
    draft.replace(path)


_CONNECTIONS = """
SELECT conn_id, conn_type, host, schema, login, password, port, extra, description
FROM connection WHERE conn_id LIKE 'profiles%' ORDER BY conn_id
"""


def metadata_state(environment: Mapping[str, str], uris: Mapping[str, str]) -> str | None:
    """A digest of what was prepared and the schema version found; None without a schema."""
    url = environment[METADATA_URL].replace("+psycopg2", "").replace("+psycopg", "")
    if not url.startswith("postgresql://"):
        return None
    with Database(url).connect() as connection:
        found = connection.execute("SELECT to_regclass('alembic_version') IS NOT NULL").fetchone()
        if found is None or not found[0]:
            return None
        version = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        known = connection.execute(_CONNECTIONS).fetchall()
        pools = connection.execute("SELECT pool FROM slot_pool WHERE pool = 'gpu'").fetchall()
    lock = (REPOSITORY / "requirements.txt").read_bytes()
    parts = [repr(item).encode() for item in (version, known, pools, sorted(uris.items()))]
    return hashlib.sha256(b"\0".join([*parts, lock])).hexdigest()

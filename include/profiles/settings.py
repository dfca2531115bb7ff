"""Facts of this deployment, read from `PROFILES_*` environment variables when asked for.

Choices for one run are Airflow Params (`profiles.params`); secrets are Airflow Connections;
what a reviewer should see is a file under `include/`. Nothing here is read at DAG parse time.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Annotated, Any, Literal, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from profiles.errors import ExportError, SettingsError

Model = TypeVar("Model", bound=BaseModel)

INCLUDE_DIR = Path(__file__).resolve().parents[1]
_OWN = INCLUDE_DIR.parent / ".profiles"
_SECRET = re.compile(r"key|token|secret|passw|credential|auth|header|cookie|url", re.IGNORECASE)
_NOT_SECRET = re.compile(r"^max_|_tokens$|_env$", re.IGNORECASE)
_HIDDEN = "(hidden)"


def beside_airflow(name: str, default: Path) -> Path:
    home = os.environ.get("AIRFLOW_HOME")
    return Path(home).expanduser() / name if home else default


def _kernel_cache() -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    return beside_airflow("engine-cache", caches / "profiles-engine")


OwnPath = Annotated[
    Path, AfterValidator(lambda path: path.expanduser().absolute()), Field(validate_default=True)
]
"""A path of the deployment's own; its default is beside Airflow's files, where there is Airflow."""


class Settings(BaseSettings):
    """All `PROFILES_*` variables, with their defaults."""

    model_config = SettingsConfigDict(
        env_prefix="PROFILES_", extra="ignore", use_attribute_docstrings=True
    )

    database_url: str | None = None
    """Postgres URL; wins over the Airflow Connection `profiles_db`."""
    sources_dir: Path = INCLUDE_DIR / "sources"
    """Folder of the source mappings (*.yaml)."""
    prompts_dir: Path = INCLUDE_DIR / "prompts"
    """Folder of the engine profiles and prompts."""
    taxonomy_dir: Path = INCLUDE_DIR / "taxonomy"
    """Folder of domains, labels and aliases."""
    max_delete_share: float = Field(default=0.02, ge=0, le=1)
    """Largest share of a source's rows that may vanish in one night."""
    industry_table: str = "src.company_industry"
    """Table of company industries."""
    industry_columns: dict[str, str] = Field(default_factory=dict)
    """JSON object from our column names (company_name, company_domain, company_linkedin_id,
    company_linkedin_url, industry, industry_code, is_primary) to the industry table's; empty for a
    missing column."""
    render_shards: int = Field(default=2, ge=1, le=64)
    """Mapped task instances that render documents."""
    engine: str = "llama_cpp"
    """Engine of the nightly run: sglang, vllm, openai, llama_cpp, or module:Class."""
    engine_profile: str | None = None
    """Engine profile, a folder of the prompts; default: the engine's own."""
    engine_python: Path = Path(sys.executable)
    """Interpreter that has the engine's packages."""
    engine_options: str = "{}"
    """JSON object of engine arguments (SGLang, vLLM); `@path` reads it from a file, as `profiles
    tune` writes."""
    model: str = ""
    """Model folder, GGUF file or, for openai, the served model's name."""
    model_revision: str = ""
    """Model revision in the fingerprint; default: a digest of the model files."""
    openai_base_url: str = "http://127.0.0.1:8000/v1"
    """Address of the OpenAI-compatible server; loopback or private."""
    allow_public_endpoint: bool = False
    """Allow a public PROFILES_OPENAI_BASE_URL: profiles leave the machine."""
    extractive_fallback: bool = True
    """Publish people whose answers were rejected with sentences of their document, marked method =
    'extractive'; `false` leaves them out."""
    stop_on_drift: bool = False
    """Publish nothing when a share of the gate's outcomes leaves the band of earlier runs;
    otherwise the report warns."""
    embeddings: Literal["off", "on"] = "off"
    """Embed published summaries; needs `make embeddings` on the workers of queue `default`."""
    embeddings_dir: Path = INCLUDE_DIR.parent / ".profiles" / "models" / "all-MiniLM-L6-v2"
    """Folder of the embedding model: ONNX weights and `tokenizer.json`."""
    judge_sample: int = Field(default=0, ge=0, le=1_000)
    """Answers of each run that the engine scores against a rubric; 0 disables."""
    lanes: int = Field(default=2, ge=1, le=1024)
    """Lanes of a run without Param `lanes`; `make` gives pool `gpu` as many slots."""
    batch_size: int = Field(default=256, ge=1, le=10_000)
    """Documents per lease."""
    max_in_flight: int = Field(default=2500, ge=1, le=10_000)
    """Concurrency limit of an engine, its own queue included."""
    max_running: int = Field(default=512, ge=1, le=4096)
    """Running requests of an engine at most: sizes CUDA graphs and the connections of `openai`."""
    lease_seconds: int = Field(default=120, ge=5)
    """Time after which an unrenewed lease may be taken over."""
    drain_seconds: int = Field(default=45, ge=1)
    """Time that a stopping lane waits for requests in flight."""
    engine_network: Literal["none", "host"] = "none"
    """Network of engine processes: `none` (where the kernel allows it, and not for `openai`) or
    `host`."""
    engine_start_seconds: int = Field(default=900, ge=5)
    """Time limit to load an engine."""
    engine_cache_dir: OwnPath = Field(default_factory=_kernel_cache)
    """Cache of compiled kernels, worth a volume; default: `engine-cache` under AIRFLOW_HOME, else
    `profiles-engine` under XDG_CACHE_HOME."""
    warm_up_seconds: int = Field(default=120, ge=0)
    """Longest warm-up of `sglang` or `vllm`; 0 disables."""
    engine_silence_seconds: int = Field(default=300, ge=5)
    """An engine is killed after this long without a heartbeat, or three times as long without a
    response."""
    request_seconds: int = Field(default=600, ge=0)
    """Time limit of one request; 0 disables."""
    engine_restarts: int = Field(default=3, ge=0)
    """Engine restarts before a lane fails."""
    measured_tokens_per_second: float = Field(default=1000, gt=0)
    """Output tokens per second of a lane that `plan` assumes until a run measured it."""
    gpu_warn_celsius: int = Field(default=85, ge=1, le=150)
    """GPU temperature that logs a warning."""
    erasure_key: SecretStr | None = None
    """Secret of the tombstones, 16 characters or more; wins over the password of Connection
    `profiles_erasure`. After a rotation: the new one, a comma, the old ones."""
    tombstone_file: OwnPath = Field(
        default_factory=lambda: beside_airflow("tombstones.txt", _OWN / "tombstones.txt")
    )
    """Copy of the tombstones outside the database; default: `tombstones.txt` under AIRFLOW_HOME,
    else in `.profiles`."""
    keep_raw_days: int = Field(default=90, ge=0)
    """Retention of raw answers and rejected texts; 0 keeps them."""
    keep_runs_days: int = Field(default=365, ge=0)
    """Retention of items, leases, stages, scores and metrics of runs; 0 keeps them."""
    reports: OwnPath = Field(default_factory=lambda: beside_airflow("reports", _OWN / "reports"))
    """Folder of the run reports (HTML and JSON); default: `reports` under AIRFLOW_HOME, else
    `.profiles/reports` of the clone."""
    on_failure: str = Field(default="", pattern=r"^$|^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")
    """`module:function` called with an Alert when a run fails or is late."""
    device_lock_dir: Path = Path(tempfile.gettempdir()) / "profiles-device-locks"
    """Folder of the per-GPU lock files."""


def read_yaml(model: type[Model], path: Path, *, advice: str) -> Model:
    """The file as `model` has it; SettingsError names the place of every fault, and `advice`."""
    try:
        return model.model_validate(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))
    except OSError as fault:
        raise SettingsError(f"{path} cannot be read ({fault.strerror}); {advice}") from fault
    except (yaml.YAMLError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{path} is no YAML ({fault}); {advice}") from fault
    except ValidationError as fault:
        places = [(".".join(map(str, item["loc"])), item["msg"]) for item in fault.errors()]
        problems = "; ".join(f"{place or 'the file'}: {message}" for place, message in places)
        raise SettingsError(f"{path}: {problems}; {advice}") from fault


@contextmanager
def whole_file(path: Path, *, advice: str, mode: int = 0o600) -> Iterator[IO[bytes]]:
    """A file that gets its name, in place of an older one, when the block ends well; ExportError
    where it cannot be written."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(mode=0o777 if mode & 0o077 else 0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
        draft.replace(path)
    except OSError as error:
        raise ExportError(f"{path} cannot be written ({error.strerror}); {advice}") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def load_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        problems = [
            f"PROFILES_{'_'.join(map(str, item['loc'])).upper()}: {item['msg']}"
            for item in error.errors()
        ]
        raise SettingsError(
            "invalid settings: " + "; ".join(problems) + ". Fix the environment or .env."
        ) from error


def without_secrets(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as a table or a report may keep them: `engine_options` read, and hidden what it may
    hold of a secret, a value of a telling name and every text below the first level, whose names
    are other people's."""
    options = settings.get("engine_options")
    if isinstance(options, str) and options.lstrip().startswith("{"):
        try:
            options = json.loads(options)
        except ValueError:
            options = _HIDDEN
    if isinstance(options, dict):
        texts = {name: value for name, value in options.items() if isinstance(value, str)}
        named = {name: value for name, value in texts.items() if not _is_secret(name)}
        options = _shown(options) | named
    return settings if options is None else settings | {"engine_options": options}


def _is_secret(name: str) -> bool:
    return bool(_SECRET.search(name)) and not _NOT_SECRET.search(name)


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _HIDDEN if _is_secret(name) else _shown(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return _HIDDEN if isinstance(value, str) else value

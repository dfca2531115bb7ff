"""Facts of this deployment, read from `PROFILES_*` environment variables when asked for.

Choices for one run are Airflow Params (`profiles.params`); secrets are Airflow Connections;
what a reviewer should see is a file under `include/`. Nothing here is read at DAG parse time.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from profiles.errors import SettingsError

INCLUDE_DIR = Path(__file__).resolve().parents[1]


class Settings(BaseSettings):
    """All `PROFILES_*` variables, with their defaults."""

    model_config = SettingsConfigDict(env_prefix="PROFILES_", extra="ignore")

    database_url: str | None = Field(
        default=None,
        description="Postgres URL; wins over the Airflow Connection `profiles_db`.",
    )
    sources_dir: Path = Field(
        default=INCLUDE_DIR / "sources", description="Folder of the source mappings (*.yaml)."
    )
    prompts_dir: Path = Field(
        default=INCLUDE_DIR / "prompts", description="Folder of the engine profiles and prompts."
    )
    taxonomy_dir: Path = Field(
        default=INCLUDE_DIR / "taxonomy", description="Folder of domains, labels and aliases."
    )
    max_delete_share: float = Field(
        default=0.02,
        ge=0,
        le=1,
        description="Largest share of a source's rows that may vanish in one night.",
    )
    industry_table: str = Field(
        default="src.company_industry", description="Table of company industries."
    )
    industry_columns: dict[str, str] = Field(
        default_factory=dict,
        description="JSON object: the industry table's own names of company_name, company_domain, "
        "company_linkedin_id, company_linkedin_url, industry, industry_code, is_primary; an empty "
        "one for a column that it does not have.",
    )
    render_shards: int = Field(
        default=2, ge=1, le=64, description="Mapped task instances that render documents."
    )
    engine: str = Field(
        default="llama_cpp",
        description="Engine of the nightly run: sglang, vllm, openai, llama_cpp, or module:Class.",
    )
    engine_profile: str | None = Field(
        default=None,
        description="Folder under the prompts folder; default: the engine's own.",
    )
    engine_python: Path = Field(
        default=Path(sys.executable), description="Interpreter that has the engine's packages."
    )
    engine_preset: str = Field(
        default="planned",
        description="Way to run an engine, a file of include/engine_presets: `planned` or, to "
        "compare against, `defaults` (the engine's own) and `seed` (sglang).",
    )
    engine_options: str = Field(
        default="{}",
        description="JSON object handed to the engine, for example arguments of SGLang or vLLM; "
        "`@path` names a file of it, as `profiles tune` writes.",
    )
    model: str = Field(
        default="", description="Model folder, GGUF file or, for openai, the served model's name."
    )
    model_revision: str = Field(
        default="",
        description="Revision that enters the fingerprint; default: derived from the model files.",
    )
    openai_base_url: str = Field(
        default="http://127.0.0.1:8000/v1",
        description="Address of the OpenAI-compatible server; loopback or private.",
    )
    allow_public_endpoint: bool = Field(
        default=False, description="Let profiles leave the machine through `openai_base_url`."
    )
    extractive_fallback: bool = Field(
        default=True,
        description="Publish a person whose answers the gate refused with skills, domains and "
        "sentences of the document, marked method = 'extractive'; `false` leaves them out.",
    )
    publish_inferred_skills: bool = Field(
        default=False, description="Publish skills that the document does not evidence."
    )
    stop_on_drift: bool = Field(
        default=False,
        description="Publish nothing when a share of the gate's outcomes lies outside the band of "
        "the runs before; otherwise the report warns.",
    )
    embeddings: Literal["off", "on"] = Field(
        default="off",
        description="Keep a vector of each published summary, after publish; needs "
        "`make embeddings` on the workers of the default queue.",
    )
    embeddings_dir: Path = Field(
        default=INCLUDE_DIR.parent / ".profiles" / "models" / "all-MiniLM-L6-v2",
        description="Folder of the embedding model: ONNX weights and `tokenizer.json`. Any model "
        "of that form, a multilingual one too.",
    )
    search_check: Path | None = Field(
        default=None,
        description="File of saved queries (`profiles search check`) that a canary tries too.",
    )
    judge_sample: int = Field(
        default=0,
        ge=0,
        le=1_000,
        description="Answers of each run that the engine scores against a rubric, after publish; 0 "
        "for none.",
    )
    lanes: int = Field(
        default=2,
        ge=1,
        le=1024,
        description="Lanes of a run unless the Param says otherwise; `make` gives pool `gpu` as "
        "many slots.",
    )
    batch_size: int = Field(default=256, ge=1, le=10_000, description="Documents per lease.")
    max_in_flight: int = Field(
        default=2500,
        ge=1,
        le=10_000,
        description="Most requests in flight per engine, those in its own queue included; a lane "
        "chooses below it by the engine's figures.",
    )
    max_running: int = Field(
        default=512,
        ge=1,
        le=4096,
        description="Most requests that an engine works on at once: sizes CUDA graphs and "
        "the connections of `openai`.",
    )
    lease_seconds: int = Field(
        default=120, ge=5, description="A lease not renewed for this long may be taken over."
    )
    drain_seconds: int = Field(
        default=45, ge=1, description="How long a stopping lane waits for answers in flight."
    )
    engine_network: Literal["none", "host"] = Field(
        default="none",
        description="Network of engine processes: `none` takes it away where the kernel allows, "
        "but for `openai`; `host` leaves it.",
    )
    engine_start_seconds: int = Field(
        default=900,
        ge=5,
        description="How long an engine may take to load; a judge's at most 40 minutes.",
    )
    engine_cache_dir: Path | None = Field(
        default=None,
        description="Folder of compiled kernels, worth a volume; default: `engine-cache` under "
        "AIRFLOW_HOME, else `profiles-engine` under XDG_CACHE_HOME.",
    )
    warm_up_seconds: int = Field(
        default=120,
        ge=0,
        description="Longest warm-up of `sglang` or `vllm`, with invented prompts; 0 for none.",
    )
    engine_silence_seconds: int = Field(
        default=300,
        ge=5,
        description="An engine without a heartbeat for this long is killed, and so is one that has "
        "requests and answers none for three times as long.",
    )
    request_seconds: int = Field(
        default=600,
        ge=0,
        description="A request that runs for longer than this is given up; 0 for never.",
    )
    engine_max_rss_gb: float = Field(
        default=0,
        ge=0,
        description="An engine whose processes hold more than this of the host's memory is drained "
        "and started again; 0 for 60 % of it divided by the cards of the host.",
    )
    engine_restarts: int = Field(
        default=3, ge=0, description="Engine restarts within one lane before it fails."
    )
    measured_tokens_per_second: float = Field(
        default=1000,
        gt=0,
        description="Output tokens per second and lane used by `plan` until a run has measured it.",
    )
    gpu_sample_seconds: float = Field(
        default=5, ge=1, le=60, description="How often a lane samples its cards into run_metric."
    )
    gpu_warn_celsius: int = Field(
        default=85, ge=1, le=150, description="A card at this temperature is warned about."
    )
    card_watts: float = Field(
        default=350,
        gt=0,
        description="Power of one card that `plan` reckons with until a run has measured it.",
    )
    electricity_price: float | None = Field(
        default=None,
        ge=0,
        description="Price of one kWh, in any currency; `plan` then prints what the energy costs.",
    )
    prices_file: Path = Field(
        default=INCLUDE_DIR / "prices" / "hosted_models.yaml",
        description="Prices and rate limits of hosted models that `plan` compares with.",
    )
    erasure_key: SecretStr | None = Field(
        default=None,
        description="Secret of the tombstones of erased people, 16 characters or more; wins over "
        "the password of the Airflow Connection `profiles_erasure`. After a rotation: the new one, "
        "a comma, the old ones.",
    )
    tombstone_file: Path | None = Field(
        default=None,
        description="Copy of the tombstones outside the database, which a restored backup is "
        "compared with; default: `tombstones.txt` under AIRFLOW_HOME, else in `.profiles`.",
    )
    keep_raw_days: int = Field(
        default=90,
        ge=0,
        description="Raw answers of the model and refused texts older than this are dropped after "
        "publishing; 0 keeps them.",
    )
    keep_runs_days: int = Field(
        default=365,
        ge=0,
        description="Items, leases, stages, scores and measurements of runs older than this are "
        "dropped after publishing, their report stays; 0 keeps them.",
    )
    reports: Path | None = Field(
        default=None,
        description="Folder of the run reports (HTML and JSON); default: `reports` under "
        "AIRFLOW_HOME, else `.profiles/reports` of the clone.",
    )
    on_failure: str = Field(
        default="",
        pattern=r"^$|^[A-Za-z_][\w.]*:[A-Za-z_]\w*$",
        description="`module:function` called with an Alert when a run fails or is late, for Slack "
        "or e-mail; log and table `run` say it anyway.",
    )
    device_lock_dir: Path = Field(
        default=Path(tempfile.gettempdir()) / "profiles-device-locks",
        description="Folder of the per-GPU lock files.",
    )


def load_settings() -> Settings:
    """The settings of this process.

    Raises:
        SettingsError: a variable has a bad value; the message names it and what was expected.
    """
    try:
        return Settings()
    except ValidationError as error:
        problems = [
            f"PROFILES_{'_'.join(str(part) for part in item['loc']).upper()}: {item['msg']}"
            for item in error.errors()
        ]
        raise SettingsError(
            "bad settings: " + "; ".join(problems) + ". Fix the environment or .env and try again."
        ) from error

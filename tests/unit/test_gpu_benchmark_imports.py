"""The GPU benchmarks run where only the engine's own packages are installed."""

import subprocess
import sys

import pytest
from benchmarks.people import REPOSITORY

pytestmark = pytest.mark.release

NOT_THERE = (
    "airflow bpe_openai ftfy json_repair jsonschema msgspec pandas phonenumbers psycopg rapidfuzz "
    "sqlalchemy"
)


@pytest.mark.parametrize(
    "name",
    [
        "endurance_check",
        "engine_check",
        "engine_feed",
        "settings_sweep",
    ],
)
def test_a_gpu_benchmark_needs_nothing_of_the_pipeline_s_packages(name):
    code = (
        f"import sys; sys.modules |= dict.fromkeys('{NOT_THERE}'.split()); import benchmarks.{name}"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        env={"PYTHONPATH": f"{REPOSITORY / 'include'}:{REPOSITORY}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

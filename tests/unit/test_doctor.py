"""`profiles doctor` finds what is missing and never falls ill itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from profiles import doctor
from profiles.doctor import Finding, diagnose, parts
from profiles.settings import Settings


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A shell that knows no Airflow and no database."""
    for name in list(os.environ):
        if name.startswith(("AIRFLOW", "PROFILES_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PROFILES_DATABASE_URL", "postgresql://nobody@/none?host=/nonexistent")
    return monkeypatch


def _settings(**values: object) -> Settings:
    return Settings(**{"engine": "openai", "model": "m", **values})  # type: ignore[arg-type]


def _by_name(findings: list[Finding]) -> dict[str, Finding]:
    found = {finding.name: finding for finding in findings}
    assert len(found) == len(findings)
    return found


def _script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.usefixtures("shell")
def test_a_bare_shell_gets_a_finding_for_every_part() -> None:
    found = _by_name(diagnose(_settings()))
    assert found["interpreter"].ok is True
    assert found["engine interpreter"].ok is True
    assert found["source mappings"].ok is True
    assert found["taxonomy"].ok is True
    assert found["database"].ok is False
    assert found["schema"].ok is None
    assert found["Airflow metadata"].ok is None
    assert found["erasure secret"].ok is None


@pytest.mark.usefixtures("shell")
def test_every_failed_finding_says_what_to_do() -> None:
    empty = Path("/nonexistent")
    findings = diagnose(
        _settings(
            engine="sglang",
            engine_python=empty / "python",
            model="",
            sources_dir=empty,
            prompts_dir=empty,
            taxonomy_dir=empty,
        )
    )
    failed = [finding for finding in findings if finding.ok is False]
    assert {finding.name for finding in failed} >= {
        "engine interpreter", "model", "prompts", "taxonomy", "source mappings", "database", "GPU",
    }  # fmt: skip
    assert [finding.name for finding in failed if not finding.remedy] == []


def test_a_bad_setting_is_a_finding(shell: pytest.MonkeyPatch) -> None:
    shell.setenv("PROFILES_LANES", "many")
    found = _by_name(diagnose())
    assert found["settings"].ok is False
    assert "PROFILES_LANES" in found["settings"].detail


def test_a_check_that_raises_something_unforeseen_is_a_finding(shell: pytest.MonkeyPatch) -> None:
    def explode(_settings: Settings) -> Finding:
        raise RuntimeError("a secret of the database")

    shell.setattr(parts, "taxonomy", explode)
    found = _by_name(diagnose(_settings()))
    assert found["taxonomy"].ok is False
    assert "RuntimeError" in found["taxonomy"].detail
    assert "secret" not in found["taxonomy"].detail
    assert found["source mappings"].ok is True


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize(
    ("value", "ok"),
    [
        ("30 1 * * 1-5 Europe/Berlin", True),
        ("whenever", False),
        ("61 1 * * * UTC", False),
        ("0 1 * * * Mars/Base", False),
    ],
)
def test_a_schedule_that_would_keep_the_dag_from_parsing_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, value: str, ok: bool
) -> None:
    monkeypatch.setenv("PROFILES_SCHEDULE", value)
    finding = doctor.guarded("schedule", parts.nightly_schedule)
    assert finding.ok is ok
    assert "PROFILES_SCHEDULE" in finding.detail or ok


def test_the_engines_interpreter_is_asked_itself(tmp_path: Path) -> None:
    python = _script(
        tmp_path / "python",
        """echo '{"python": "3.12.9", "packages": {"sglang": "0.5.23", "torch": null}}'""",
    )
    found = _by_name(diagnose(_settings(engine="sglang", engine_python=python)))
    finding = found["engine interpreter"]
    assert finding.ok is False
    assert "Python 3.12.9, lacks torch" in finding.detail
    assert "requirements-gpu.txt" in finding.remedy


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize("text", ["exit 3", "echo no json", "kill -9 $$"])
def test_an_engine_interpreter_that_misbehaves_is_a_finding(tmp_path: Path, text: str) -> None:
    python = _script(tmp_path / "python", text)
    finding = _by_name(diagnose(_settings(engine_python=python)))["engine interpreter"]
    assert finding.ok is False
    assert "does not answer" in finding.detail


@pytest.mark.usefixtures("shell")
def test_a_missing_or_too_old_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["orjson", "no-such-package>=1", "pydantic>=99", "uv; extra == 'dev'"]
    monkeypatch.setattr(doctor.metadata, "requires", lambda name: wanted)
    finding = _by_name(diagnose(_settings()))["interpreter"]
    assert finding.ok is False
    assert "no-such-package is missing" in finding.detail
    assert "does not fit >=99" in finding.detail
    assert "orjson" not in finding.detail
    assert "uv" not in finding.detail


@pytest.mark.parametrize(
    ("engine", "answer", "ok"),
    [
        ("sglang", "echo '0, GPU-1, NVIDIA X, 24576, 8.9'", True),
        ("sglang", "exit 9", False),
        ("openai", "exit 9", None),
    ],
)
def test_a_gpu_is_required_only_by_the_engine_that_needs_one(
    shell: pytest.MonkeyPatch, tmp_path: Path, engine: str, answer: str, ok: bool | None
) -> None:
    _script(tmp_path / "nvidia-smi", answer)
    shell.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    settings = _settings(engine=engine, engine_python=Path(sys.executable))
    assert _by_name(diagnose(settings))["GPU"].ok is ok

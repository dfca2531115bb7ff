"""Recorded answers of a strong model pass the gate and leave no trace in the database."""

from __future__ import annotations

import pytest
from tests.planned_runs import one

from profiles.models import Outcome, Profile
from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources, render_profiles, resolve_identities
from profiles.storage.connection import Database
from sample_data import load_sample
from scripts import dag_run, demo

RUN = "r"


@pytest.fixture
def rendered(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """The bundled sample up to its documents."""
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    load_sample(database)
    for source in check_sources.run(database, run_id=RUN, params=RunParams()):
        extract_sources.run(database, run_id=RUN, source=source)
    resolve_identities.run(database, run_id=RUN)
    for span in resolve_identities.ranges(database):
        render_profiles.run(database, run_id=RUN, **span)
    return database


def test_recorded_answers_fit_the_documents_of_today_and_are_only_shown(
    rendered: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts = demo.recorded_answers(rendered)
    assert len(verdicts) == len(demo.RECORDED.read_text(encoding="utf-8").splitlines()) == 7
    for verdict in verdicts.values():
        assert isinstance(verdict, Profile)
        assert verdict.outcome in (Outcome.VALID, Outcome.REPAIRED)
        assert verdict.supported == verdict.claims > 10
        demo._show_recorded(verdict)
    shown = capsys.readouterr().out
    assert shown.count("recorded answer of a strong model") == 7
    assert "gate: valid, 28 of 28 claims supported" in shown
    for table in ("completion", "candidate_synthesis", "run_item"):
        assert one(rendered, f"SELECT count(*) FROM synthesis.{table}") == (0,)


def test_reasons_of_sources_are_shown_in_the_totals() -> None:
    assert dag_run._counts({"linkedin: empty": 1, "resume: no_key": 0}) == "1 linkedin: empty"

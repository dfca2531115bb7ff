"""A run's raw answers and figures as files: complete, private, streamed, never overwritten."""

from __future__ import annotations

import json
import stat
import tracemalloc

import pytest
from psycopg.types.json import Jsonb
from tests.planned_runs import LANE_KEY, add_documents, attempt, plan, use_scripted_engine

from profiles.cli import main
from profiles.errors import ExportError
from profiles.models import Outcome
from profiles.operations import export
from profiles.storage.leases import LaneQueue

GAUGES = {"context_tokens": 1000.0, "token_usage": 0.9}


@pytest.fixture(autouse=True)
def scripted(monkeypatch):
    use_scripted_engine(monkeypatch, model="model-a")


def finished_run(database, run_id="run-1", *, documents=4, raw_text='{"summary": "…"}'):
    """All documents answered by lane 0: the first refused once, the second for good."""
    add_documents(database, documents)
    plan(database, run_id)
    queue = LaneQueue(database, run_id, 0, 60)
    queue.open_lane(LANE_KEY, cards=("0",), reason="")
    lease = queue.lease(documents)
    first, second, *rest = lease.items
    tokens = {"prompt_tokens": 600, "completion_tokens": 200, "raw_text": raw_text, "seconds": 2.0}
    refused = {
        "outcome": Outcome.REJECTED,
        "reason": "too_short",
        **tokens,
    }
    queue.store(lease.batch_id, [attempt(first, is_terminal=False, **refused)])
    queue.store(
        lease.batch_id,
        [
            attempt(first, number=2, **tokens),
            attempt(second, **refused),
            *(attempt(item, **tokens) for item in rest),
        ],
    )
    queue.close_lane(succeeded=True, counters={"completion_tokens": 200 * (documents + 1)})
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.lane SET started_at = ended_at - interval '20 s', load_seconds = 9, "
            "warm_up_seconds = 1, gauges = %s WHERE run_id = %s",
            (Jsonb(GAUGES), run_id),
        )


def test_every_attempt_is_a_line_with_what_the_model_wrote_and_what_the_gate_said(
    database, tmp_path
):
    finished_run(database)
    written = export.run(database, run_id="run-1", folder=tmp_path)
    lines = [json.loads(line) for line in written.raw.read_bytes().splitlines()]
    assert written.answers == len(lines) == 5
    first = lines[0]
    assert set(first) >= {
        "candidate_id",
        "fingerprint",
        "attempt",
        "outcome",
        "reason",
        "raw_text",
        "summary",
        "skills",
        "prompt_tokens",
        "completion_tokens",
        "seconds",
        "lane",
        "release_id",
    }
    assert (first["attempt"], first["outcome"], first["reason"]) == (1, "rejected", "too_short")
    assert (first["lane"], first["raw_text"]) == (0, '{"summary": "…"}')
    assert lines[1]["attempt"] == 2


def test_the_figures_of_the_run_stand_beside_them(database, tmp_path):
    finished_run(database)
    written = export.run(database, run_id="run-1", folder=tmp_path)
    said = json.loads(written.metadata.read_bytes())
    assert "Personal data" in said["notice"]
    assert said["release"]["model"] == "model-a"
    assert said["settings"]["engine"] == "tests.scripted_engine:ScriptedEngine"
    (lane,) = said["lanes"]
    loading = ("load_seconds", "warm_up_seconds")
    assert [lane[name] for name in loading] == [9, 1]
    assert lane["gauges"] == GAUGES
    assert (said["success_rate"], said["attempts"]) == (0.75, 5)
    assert said["failures"] == {"too_short": 2}
    assert said["tokens"]["completion_tokens"] == 1000
    use = said["context_use"]
    assert (use["context_tokens"], use["median"], use["max"]) == (1000, 800, 800)
    assert use["tenths"] == {"90 %": 5}
    assert said["energy_kwh"] is None


def test_a_run_without_answers_has_no_rate(database, tmp_path):
    add_documents(database, 1)
    plan(database, "run-1")
    written = export.run(database, run_id="run-1", folder=tmp_path)
    said = json.loads(written.metadata.read_bytes())
    assert (written.answers, said["success_rate"]) == (0, None)


def test_files_are_their_owners_alone_and_nothing_half_written_stays(database, tmp_path):
    finished_run(database)
    written = export.run(database, run_id="latest", folder=tmp_path / "new")
    for path in (written.raw, written.metadata):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "run-1-metadata.json",
        "run-1-raw.jsonl",
    ]


def test_what_is_there_is_kept_unless_forced(database, tmp_path):
    finished_run(database)
    raw = export.run(database, run_id="run-1", folder=tmp_path).raw
    raw.write_text("mine")
    with pytest.raises(ExportError, match=r"run-1-raw\.jsonl.*--force"):
        export.run(database, run_id="run-1", folder=tmp_path)
    assert raw.read_text() == "mine"
    export.run(database, run_id="run-1", folder=tmp_path, force=True)
    assert len(raw.read_bytes().splitlines()) == 5
    assert stat.S_IMODE(raw.stat().st_mode) == 0o600


def test_an_unknown_run_is_told_which_there_are(database, tmp_path):
    with pytest.raises(ExportError, match="no run to export yet"):
        export.run(database, run_id="latest", folder=tmp_path)
    add_documents(database, 1)
    plan(database, "manual__2026-01-01T00:00:00+00:00")
    with pytest.raises(ExportError, match="no run 'x'; the newest are manual__2026"):
        export.run(database, run_id="x", folder=tmp_path)
    written = export.run(
        database, run_id="manual__2026-01-01T00:00:00+00:00", folder=tmp_path / "o"
    )
    assert written.raw.name == "manual__2026-01-01T00_00_00_00_00-raw.jsonl"


def test_a_folder_that_cannot_be_made_is_named(database, tmp_path):
    add_documents(database, 1)
    plan(database, "run-1")
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="give another --out"):
        export.run(database, run_id="run-1", folder=tmp_path / "file" / "x")


def test_memory_does_not_grow_with_the_run(database, tmp_path):
    finished_run(database, documents=1500, raw_text="x" * 10_000)
    tracemalloc.start()
    try:
        written = export.run(database, run_id="run-1", folder=tmp_path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert written.raw.stat().st_size > 15_000_000
    assert peak < 9_000_000


def test_the_command_says_where_the_files_are_and_what_is_in_them(
    database, tmp_path, monkeypatch, capsys
):
    finished_run(database)
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    assert main(["export", "latest", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "run-1-raw.jsonl" in said
    assert "Personal data" in said
    assert main(["export", "latest", "--out", str(tmp_path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"] == "ExportError"

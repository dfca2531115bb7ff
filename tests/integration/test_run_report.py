"""The run report that travels: whole, self-contained, escaped, small, and about nobody."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import psycopg
import pytest
from psycopg.types.json import Jsonb
from tests.planned_runs import LANE_KEY, add_documents, attempt, one, plan, use_scripted_engine

from profiles.cli import main
from profiles.errors import EngineError, ExportError, RunFailedError
from profiles.models import Check, Outcome, Provenance, Skill
from profiles.params import RunParams
from profiles.steps import verify_run
from profiles.steps.reports import run_report
from profiles.steps.stage import stage
from profiles.storage.leases import LaneQueue
from profiles.storage.runs import start_run

START = datetime(2026, 3, 1, 22, tzinfo=UTC)
HOSTILE = """</script><script>alert(1)</script><img src=x onerror=alert(2)> "'&{{7*7}}\u2028"""
PERSON = ("Zebediah Quillfeather", "zeb@quillfeather.example", "linkedin.com/in/zebq-7712")


@pytest.fixture(autouse=True)
def scripted(monkeypatch):
    use_scripted_engine(monkeypatch, model="model-a")


def finished_run(database, run_id="run-1", *, documents=4, **texts):
    """All documents answered by lane 0, the first one refused; `texts` go into its answer."""
    add_documents(database, documents)
    plan(database, run_id)
    queue = LaneQueue(database, run_id, 0, 60)
    queue.open_lane(LANE_KEY, cards=("GPU-a",), reason="")
    lease = queue.lease(documents)
    first, *rest = lease.items
    tokens = {"prompt_tokens": 600, "completion_tokens": 200, "seconds": 2.0}
    refused = {"outcome": Outcome.REJECTED, "reason": "too_short"}
    queue.store(
        lease.batch_id,
        [attempt(first, **refused, **tokens, **texts), *(attempt(i, **tokens) for i in rest)],
    )
    queue.close_lane(succeeded=True, counters={"completion_tokens": 200 * documents})
    queue.store_gpu_samples([gpu_sample(0), gpu_sample(5, throttle=("hw_thermal",))])


def gpu_sample(second, **changes):
    values = {
        "sampled_at": (datetime.now(UTC) + timedelta(seconds=second)).isoformat(),
        "index": 0,
        "uuid": "GPU-a",
        "name": "RTX 4090",
        "celsius": 70,
        "watts": 300.0,
        "utilisation": 90,
        "memory_used_mb": 20480,
        "memory_total_mb": 24576,
        "throttle": (),
    }
    return {**values, **changes}


class Page(HTMLParser):
    """Content of the page for a browser: elements, their attributes, and the text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self.words, self._open = [], [], [], []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in ("meta", "img", "br", "link"):
            self._open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] == ["script"]:
            self.scripts[-1] += data
        elif self._open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def named(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def page_of(database, tmp_path, run_id="run-1"):
    report = run_report.collect(database, run_id=run_id)
    run_report.write(report, html=tmp_path / "r.html", json_file=tmp_path / "r.json")
    return Page((tmp_path / "r.html").read_text(encoding="utf-8")), report


def test_both_files_have_the_figures_of_report_and_export(database, tmp_path):
    finished_run(database)
    page, _ = page_of(database, tmp_path)
    said = json.loads((tmp_path / "r.json").read_bytes())
    counted = run_report.build_report(database, run_id="run-1")
    assert said["buckets"] == counted["buckets"]
    assert said["buckets"] | {"valid": 3, "rejected": 1} == said["buckets"]
    assert (said["tokens"], said["gate"]) == (counted["tokens"], counted["gate"])
    assert said["refused"] == {"too_short": 1}
    assert (said["success_rate"], said["release"]["model"]) == (0.75, "model-a")
    assert said["settings"]["engine"] == "tests.scripted_engine:ScriptedEngine"
    for shown in ("75.0 %", "2,400", "800", "too_short", "rejected: too_short", "RTX 4090"):
        assert shown in page.text, shown
    heads = re.findall(r"<h2>(.*?)</h2>", (tmp_path / "r.html").read_text())
    assert heads[:3] == [
        "Where every candidate stands",
        "Why documents were planned",
        "Why answers were rejected",
    ]
    assert {"Throughput", "Lanes", "Cards", "Stages", "What shaped the run"} <= set(heads)


def test_the_page_needs_nothing_else_and_runs_its_own_script_alone(database, tmp_path):
    finished_run(database)
    page, _ = page_of(database, tmp_path)
    policy = next(
        item["content"]
        for item in page.named("meta")
        if item.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    own = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{own}'" in policy
    assert "uPlot" in page.scripts[1]
    assert "export {" not in page.scripts[1], "an upgraded library exports itself by other words"
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "base")
        assert not {"src", "href", "action"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
    assert "@import" not in (tmp_path / "r.html").read_text()
    assert "url(" not in (tmp_path / "r.html").read_text()


def test_a_plot_has_its_series_and_says_in_words_what_it_shows(database, tmp_path):
    finished_run(database)
    page, report = page_of(database, tmp_path)
    drawn = {chart["id"]: chart for chart in json.loads(page.scripts[0])}
    assert set(drawn) == {"output", "prompt", "celsius", "watts", "utilisation", "memory"}
    places = [item for item in page.named("div") if item.get("id", "").startswith("plot-")]
    assert {item["id"] for item in places} == {f"plot-{name}" for name in drawn}
    assert all(item["aria-label"] for item in places)
    for chart in drawn.values():
        for line in chart["lines"]:
            assert len(line["values"]) == len(chart["seconds"])
    assert max(filter(None, drawn["watts"]["lines"][0]["values"])) == 300
    assert len(drawn["watts"]["marks"]) == 1
    # The tokens of a lease are all there, however they are spread over time.
    lane = report["series"]["lanes"][0]
    spread = sum(filter(None, lane["output_tokens_per_second"]))
    assert spread * report["series"]["bucket_seconds"] == pytest.approx(800, rel=0.01)


def test_hostile_texts_are_shown_and_never_run(database, tmp_path):
    finished_run(database)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.completion SET reason = %s WHERE outcome = 'rejected'", (HOSTILE,)
        )
        connection.execute("UPDATE synthesis.run SET error = %s, notice = %s", (HOSTILE, HOSTILE))
        connection.execute(
            "UPDATE synthesis.lane SET host = %s, error = %s, reason = %s, counters = %s",
            (HOSTILE, HOSTILE, HOSTILE, Jsonb({HOSTILE: HOSTILE})),
        )
        connection.execute("UPDATE synthesis.run_item SET reason = %s", (HOSTILE,))
        connection.execute(
            "INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, error) "
            "VALUES ('run-1', %s, %s, %s, 1, %s)",
            (HOSTILE, HOSTILE, Jsonb({HOSTILE: HOSTILE}), HOSTILE),
        )
        connection.execute(
            "UPDATE synthesis.run_metric SET value = value || %s WHERE kind = 'gpu'",
            (Jsonb({"name": HOSTILE, "uuid": HOSTILE, "throttle": [HOSTILE]}),),
        )
    page, _ = page_of(database, tmp_path)
    assert len(page.scripts) == 2
    assert page.named("img") == []
    assert page.text.count("<script>alert(1)</script>") >= 8
    assert "{{7*7}}" in page.text
    names = [line["label"] for chart in json.loads(page.scripts[0]) for line in chart["lines"]]
    assert any("</script>" in name for name in names)
    assert "</script>" not in page.scripts[0]


def test_nothing_that_a_row_or_an_answer_says_of_a_person_is_in_it(database, tmp_path):
    name, mail, link = PERSON
    told = f"{name}, {mail}, {link}"
    finished_run(
        database,
        raw_text=told,
        summary=told,
        skills=(Skill(told, Provenance.MODEL),),
        inferred_skills=(told,),
        checks=(Check(told, passed=False),),
    )
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.document SET full_name = %s, markdown = %s", (told,) * 2
        )
        connection.execute(
            "UPDATE synthesis.run SET params = params || %s", (Jsonb({"candidate_ids": [987654]}),)
        )
        connection.execute(
            "UPDATE synthesis.release SET decided_by = %s, prompt = %s", (name, Jsonb({"a": told}))
        )
        connection.execute(
            "INSERT INTO synthesis.rejected_row VALUES "
            "('linkedin', %s, 't', 'v', 'unreadable_date', %s, 'run-1')",
            (link, told),
        )
    _, report = page_of(database, tmp_path)
    for path in (tmp_path / "r.html", tmp_path / "r.json"):
        text = path.read_text(encoding="utf-8")
        assert [planted for planted in (*PERSON, "987654") if planted in text] == []
    assert report["unreadable_rows"] == {"linkedin: unreadable_date": 1}
    assert report["run"]["params"]["candidate_ids"] == 1


def test_a_secret_among_the_engine_options_is_hidden(database, tmp_path):
    finished_run(database)
    options = {"api_key": "sk-quill", "api_key_env": "OPENAI_KEY", "max_total_tokens": 5}
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.run SET settings = settings || %s",
            (Jsonb({"engine_options": json.dumps(options)}),),
        )
    _, report = page_of(database, tmp_path)
    assert report["settings"]["engine_options"] == {**options, "api_key": "(hidden)"}


def test_an_interrupted_run_says_how_far_it_came(database, tmp_path):
    add_documents(database, 3)
    plan(database, "run-1")
    LaneQueue(database, "run-1", 0, 60).open_lane(LANE_KEY, reason="")
    page, report = page_of(database, tmp_path)
    assert report["buckets"]["missing"] == 3
    assert "running" in page.text
    assert "not ended" in page.text
    assert "No card was watched" in page.text
    assert json.loads(page.scripts[0]) == []


def test_a_run_that_was_never_planned_has_a_report(database, tmp_path):
    start_run(database, run_id="run-1", params=RunParams())
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.run_stage (run_id, stage, counts, seconds, error) "
            "VALUES ('run-1', 'check_sources', '{}', 1, 'MappingError: no column')"
        )
    page, report = page_of(database, tmp_path)
    assert report["buckets"] == {}
    assert "never planned" in page.text
    assert "MappingError: no column" in page.text


def test_a_night_of_a_hundred_thousand_measurements_stays_small(database, tmp_path):
    add_documents(database, 1)
    plan(database, "run-1")
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value) "
            "SELECT 'run-1', card, 'gpu', %s::timestamptz + n * interval '5 s', jsonb_build_object("
            "'uuid', 'GPU-' || card, 'name', 'RTX 4090', 'celsius', 60 + n %% 20, 'watts', 300.5, "
            "'utilisation', 97, 'memory_used_mb', 23000 + n %% 7, 'throttle', '[]'::jsonb) "
            "FROM generate_series(0, 5759) AS n, generate_series(0, 15) AS card",
            (START,),
        )
        connection.execute(
            "INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value) "
            "SELECT 'run-1', n %% 16, 'batch', %s::timestamptz + (60 + n * 3) * interval '1 s', "
            "jsonb_build_object('seconds', 55, 'completion_tokens', 100000, 'prompt_tokens', 1, "
            "'waiting', 12) FROM generate_series(0, 8999) AS n",
            (START,),
        )
        assert connection.execute("SELECT count(*) FROM synthesis.run_metric").fetchone()[0] > 1e5
    _, report = page_of(database, tmp_path)
    for path in (tmp_path / "r.html", tmp_path / "r.json"):
        assert path.stat().st_size < 2_000_000, path
    series = report["series"]
    values = sum(
        len(values)
        for one in series["cards"] + series["lanes"]
        for values in one.values()
        if isinstance(values, list)
    )
    assert 30_000 < values < 90_000
    first = series["cards"][0]
    assert None not in first["watts"]
    assert max(first["celsius"]) == 79
    total = sum(sum(filter(None, lane["output_tokens_per_second"])) for lane in series["lanes"])
    assert total * series["bucket_seconds"] == pytest.approx(9000 * 100_000, rel=0.01)


def test_the_task_keeps_both_files_and_notes_where(database, tmp_path, monkeypatch):
    monkeypatch.setenv("PROFILES_REPORTS", str(tmp_path / "reports"))
    run_id = "manual__2026-01-01T00:00:00+00:00"
    finished_run(database, run_id)
    run_report.store(database, run_id=run_id)
    run_report.keep(database, run_id=run_id)
    names = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert names == [f"manual__2026-01-01T00_00_00_00_00.{kind}" for kind in ("html", "json")]
    stored = one(database, "SELECT report FROM synthesis.run")[0]
    assert stored["files"]["html"] == str(tmp_path / "reports" / names[0])
    assert stored["files"]["warning"] is None
    assert stored["buckets"]["valid"] == 3


def test_a_folder_that_cannot_be_written_is_a_warning_and_no_failed_night(
    database, tmp_path, monkeypatch, caplog
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PROFILES_REPORTS", str(tmp_path / "file" / "reports"))
    finished_run(database)
    run_report.store(database, run_id="run-1")
    files = run_report.keep(database, run_id="run-1")
    assert files["html"] is None
    stored = one(database, "SELECT report FROM synthesis.run")[0]
    assert "cannot be written" in stored["files"]["warning"]
    assert "PROFILES_REPORTS" in caplog.text


@pytest.mark.parametrize("published", [True, False])
def test_a_report_that_cannot_be_made_anew_decides_no_run(
    database, tmp_path, monkeypatch, caplog, published
):
    """It is made again after an optional stage failed, from a database that may be away by then."""
    monkeypatch.setenv("PROFILES_REPORTS", str(tmp_path))
    finished_run(database)
    with pytest.raises(EngineError), stage(database, run_id="run-1", name="embed"):
        raise EngineError("no model")

    def lose(*_, **__):
        raise psycopg.OperationalError("the row of Ada Testwell")

    monkeypatch.setattr(run_report, "collect", lose)
    if published:
        verify_run.run(database, run_id="run-1", published=True)
    else:
        with pytest.raises(RunFailedError, match="publish did not succeed"):
            verify_run.run(database, run_id="run-1", published=False)
    assert "could not be made again (OperationalError)" in caplog.text
    assert "Ada" not in caplog.text


def test_a_reader_without_raw_answers_sees_what_the_task_stored(database, tmp_path):
    finished_run(database)
    with pytest.raises(ExportError, match="no report yet"):
        run_report.collect(database, run_id="run-1", is_stored=True)
    run_report.store(database, run_id="run-1")
    stored = run_report.collect(database, run_id="run-1", is_stored=True)
    counted = run_report.collect(database, run_id="run-1")
    same = set(stored) - {"made_at", "seconds"}
    assert {name: stored[name] for name in same} == {name: counted[name] for name in same}


def test_the_command_writes_what_it_is_asked_for(database, tmp_path, monkeypatch, capsys):
    finished_run(database)
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    monkeypatch.setenv("PROFILES_REPORTS", str(tmp_path / "all"))
    html, data = tmp_path / "a.html", tmp_path / "a.json"
    assert main(["report", "run-1", "--html", str(html), "--json", str(data)]) == 0
    assert str(html) in capsys.readouterr().out
    assert html.read_text().startswith("<!doctype html>")
    assert json.loads(data.read_bytes())["run"]["run_id"] == "run-1"
    assert main(["report", "latest", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["run"]["run_id"] == "run-1"
    assert main(["report", "latest"]) == 0
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == [
        "run-1.html",
        "run-1.json",
    ]
    assert main(["report", "no-such-run"]) == 1
    assert "the newest are run-1" in capsys.readouterr().err

"""View Runs: what a real run's rows come to, and what is said when they cannot be read."""

from __future__ import annotations

import pytest
from psycopg.types.json import Jsonb

from profiles.models import Bucket
from profiles.operations import roles
from profiles.operations.status import last_run
from profiles.steps import publish, synthesise, verify_run
from profiles.steps.reports import run_report
from profiles.steps.stage import open_stage
from tests.integration.test_roles import become
from tests.page.conftest import make_client
from tests.planned_runs import add_documents, approve_newest, plan, use_scripted_engine


@pytest.fixture
def ended(database, databases, monkeypatch):
    """A run of 12 people through the real steps: one too thin, some refused, one lane."""
    use_scripted_engine(monkeypatch)
    return databases.fill(database, end_run)


def end_run(database, environment):
    use_scripted_engine(environment)
    ids = add_documents(database, 12, thin=[0])
    plan(database, "run-1", lanes=1)
    approve_newest(database)
    synthesise.run(database, run_id="run-1", lane=0)
    publish.run(database, run_id="run-1", planned=True, tagged=True)
    run_report.store(database, run_id="run-1")
    verify_run.run(database, run_id="run-1", published=True)
    return ids


def execute(database, statement, *values):
    with database.connect() as connection:
        connection.execute(statement, values or None)


def test_buckets_add_up_to_the_candidates_and_nothing_is_open(get, ended):
    view = get("/api/runs/view", run="run-1")

    buckets = {line["bucket"]: line["candidates"] for line in view["buckets"]}
    assert set(buckets) == set(Bucket)
    assert sum(buckets.values()) == view["candidates"] == 12
    assert buckets["too_thin"] == 1
    assert view["state"] == "succeeded"
    assert view["progress"]["open"] == 0
    assert view["progress"]["done"] == view["planned"] == 11
    assert view["progress"]["ends_at"] is None
    assert view["night"] is None


def test_a_lane_shows_its_work(get, ended):
    (lane,) = get("/api/runs/view", run="run-1")["lanes"]

    assert lane["state"] == "succeeded"
    assert lane["documents"] == 11
    assert lane["restarts"] == 0
    assert lane["host"]
    assert 0 <= lane["cache_hits"] <= 1


def test_details_have_stages_and_the_gate(get, ended):
    details = get("/api/runs/details", run="run-1")

    stages = {stage["stage"]: stage for stage in details["stages"]}
    assert {"plan_synthesis", "synthesise", "publish"} <= set(stages)
    assert stages["plan_synthesis"]["counts"]["planned"] == 11
    assert sum(details["gate"].values()) == 11
    assert details["stale"] == {"new": 11}


def test_what_has_begun_is_no_failure_while_the_run_goes_on(get, database, ended):
    execute(database, "UPDATE synthesis.run SET state = 'running', ended_at = NULL")
    open_stage(database, run_id="run-1", name="judge", until_ended="judging has not ended")

    def judging():
        stages = get("/api/runs/details", run="run-1")["stages"]
        return [(s["error"], s["peak_mb"]) for s in stages if s["stage"] == "judge"]

    assert judging() == []
    execute(database, "UPDATE synthesis.run SET state = 'succeeded', ended_at = now()")
    assert judging() == [("judging has not ended", None)]


@pytest.mark.parametrize("seconds", [0, 2000])
def test_a_running_run_has_an_end_with_its_basis_and_what_fits_the_window(
    get, database, monkeypatch, seconds
):
    use_scripted_engine(monkeypatch)
    add_documents(database, 100)
    plan(database, "run-1", lanes=1)
    execute(
        database,
        "INSERT INTO synthesis.lane (run_id, lane, state, host, pid, counters, started_at, "
        "heartbeat_at) VALUES ('run-1', 0, 'running', 'host-a', 1, %s, "
        "now() - interval '100 s', now())",
        Jsonb({"valid": 30, "rejected": 10, "completion_tokens": 8000, "prompt_tokens": 100}),
    )
    execute(
        database,
        "UPDATE synthesis.run_item SET outcome = 'valid', ended_at = now() WHERE candidate_id IN "
        "(SELECT candidate_id FROM synthesis.run_item WHERE run_id = 'run-1' LIMIT 40)",
    )
    execute(
        database,
        "UPDATE synthesis.run SET stop_at = now() + interval '60 s' WHERE run_id = 'run-1'",
    )
    if seconds:
        execute(
            database,
            "INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value) VALUES "
            "('run-1', 0, 'batch', now() - interval '60 s', %s)",
            Jsonb({"done": 90, "seconds": seconds}),
        )

    view = get("/api/runs/view", run="run-1")

    progress, night = view["progress"], view["night"]
    assert (progress["planned"], progress["done"], progress["open"]) == (100, 40, 60)
    if seconds:
        assert progress["basis"] == "90 documents ended in the last 15 minutes"
        assert progress["documents_per_second"] == pytest.approx(0.1)
        assert night["fits"] in (5, 6)
    else:
        assert progress["basis"] == "mean of 1 running lane since its first question"
        assert progress["documents_per_second"] == pytest.approx(0.4)
        assert night["fits"] in (23, 24)
    assert progress["ends_at"] > view["now"]
    assert night["fits"] + night["left_over"] == 60
    assert view["lanes"][0]["output_tokens_per_second"] == pytest.approx(80)


def test_a_run_without_a_rate_says_so_instead_of_guessing(get, database, monkeypatch):
    use_scripted_engine(monkeypatch)
    add_documents(database, 3)
    plan(database, "run-1")

    progress = get("/api/runs/view", run="run-1")["progress"]

    assert progress["ends_at"] is None
    assert progress["basis"] == "no rate yet: no lane has ended a document"


def test_refusals_are_grouped_and_leave_once_they_are_opened_again(get, database, monkeypatch):
    use_scripted_engine(monkeypatch)
    add_documents(database, 3)
    plan(database, "run-1", lanes=1)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.run_item SET outcome = 'rejected' WHERE run_id = 'run-1'"
        )
        connection.execute(
            "INSERT INTO synthesis.completion (candidate_id, fingerprint, attempt_id, run_id, "
            "batch_id, release_id, content_hash, attempt, is_terminal, outcome, reason, method, "
            "raw_text, finish_reason, prompt_tokens, completion_tokens, cached_tokens, seconds) "
            "SELECT candidate_id, fingerprint, '1.1', run_id, 1, "
            "(SELECT release_id FROM synthesis.run WHERE run_id = 'run-1'), content_hash, 1, true, "
            "'rejected', 'too_short', 'model', '', 'stop', 1, 1, 0, 0.1 "
            "FROM synthesis.run_item WHERE run_id = 'run-1'"
        )

    assert get("/api/runs/details", run="run-1")["refused"] == [
        {"outcome": "rejected", "reason": "too_short", "documents": 3}
    ]

    execute(database, "UPDATE synthesis.completion SET is_terminal = false, retried_at = now()")
    assert get("/api/runs/details", run="run-1")["refused"] == []


def test_the_list_is_paged_by_key_and_shows_every_run_once(get, database):
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.run (run_id, state, started_at) SELECT 'run-' || n, "
            "'succeeded', now() - make_interval(mins => n / 3) FROM generate_series(1, 60) AS n"
        )

    seen, before = [], None
    while True:
        page = get("/api/runs", before=before)
        seen += [run["run_id"] for run in page["runs"]]
        before = page["next"]
        if before is None:
            break
    assert len(seen) == len(set(seen)) == 60
    assert set(seen[:2]) == {"run-1", "run-2"}


def test_series_share_one_axis_and_mark_throttling(get, database, ended):
    sample = {"uuid": "GPU-1", "name": "H100", "celsius": 71, "watts": 500.5, "utilisation": 98}
    with database.connect() as connection:
        for second in range(0, 60, 5):
            throttle = ["hw_thermal"] if second == 30 else []
            value = sample | {"throttle": throttle, "memory_used_mb": 70_000}
            connection.execute(
                "INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value) VALUES "
                "('run-1', 0, 'gpu', now() + make_interval(secs => %s), %s)",
                (second, Jsonb(value)),
            )

    found = get("/api/runs/series", run="run-1")

    (card,) = found["cards"]
    assert len(card["celsius"]) == len(found["seconds"])
    assert max(value for value in card["celsius"] if value is not None) == 71
    assert sum(value or 0 for value in card["throttled"]) == 1
    assert found["lanes"]


def test_an_unknown_run_is_404_and_says_which_runs_are_here(client, ended):
    response = client.get("/api/runs/view", params={"run": "scheduled__other_dag"})
    assert response.status_code == 404
    assert "profile_synthesis" in response.json()["detail"]
    assert "paused" in response.json()["detail"]


def test_the_page_role_is_enough(database, ended):
    roles.apply_roles(database)
    page = become(database, "profiles_page")
    client = make_client(page.url)
    for path in ("/api/runs", "/api/coverage"):
        assert client.get(path).status_code == 200
    for path in ("/api/runs/view", "/api/runs/details", "/api/runs/series"):
        assert client.get(path, params={"run": "run-1"}).status_code == 200, path


@pytest.mark.parametrize("role", ["postgres", "profiles_pipeline"])
def test_a_login_with_more_rights_takes_the_role_of_the_page(database, role):
    from profile_runs.database import _engine

    roles.apply_roles(database)
    login = database if role == "postgres" else become(database, role)
    with _engine(login.url).connect() as connection:
        assert connection.exec_driver_sql("SELECT current_user").scalar() == "profiles_page"
        with pytest.raises(Exception, match="permission denied"):
            connection.exec_driver_sql("SELECT raw_text FROM synthesis.completion")


def test_an_outage_is_503_with_what_to_do_and_never_an_empty_list(postgres_server):
    away = postgres_server.format("postgres").replace("host=", "host=/nowhere")
    response = make_client(away).get("/api/runs")
    assert response.status_code == 503
    assert "does not answer" in response.json()["what"]
    assert "profiles_ro" in response.json()["next"]


def test_a_database_without_the_tables_says_to_migrate(postgres_server):
    response = make_client(postgres_server.format("postgres")).get("/api/runs")
    assert response.status_code == 503
    assert "profiles migrate" in response.json()["next"]


def test_the_page_cannot_write(database):
    from profile_runs.database import _engine

    with (
        _engine(database.url).connect() as connection,
        pytest.raises(Exception, match="read-only"),
    ):
        connection.exec_driver_sql("DELETE FROM synthesis.run")


def test_every_answer_carries_the_security_headers(client):
    for path in ("/runs", "/static/page.js", "/api/me", "/static/nothing.js"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["../plugin.py", "..%2fplugin.py", "%2e%2e/access.py", "vendor/"])
def test_nothing_outside_static_is_served(client, name):
    assert client.get(f"/static/{name}").status_code == 404


def ids_of(get, **filters):
    return [
        person["candidate_id"]
        for person in get("/api/runs/people", run="run-1", **filters)["people"]
    ]


def test_every_bucket_leads_to_as_many_people_as_it_counts(get, database, ended):
    execute(
        database,
        "UPDATE synthesis.completion SET outcome = 'rejected', reason = 'ungrounded', "
        "is_accepted = false, removed = %s WHERE candidate_id IN (%s, %s)",
        Jsonb([{"reason": "numbers", "sentence": "The candidate led ninety people."}]),
        *ended[1:3],
    )
    execute(
        database,
        "UPDATE synthesis.run_item SET outcome = 'rejected' WHERE candidate_id IN (%s, %s)",
        *ended[1:3],
    )
    view = get("/api/runs/view", run="run-1")
    execute(database, "UPDATE synthesis.run SET report = NULL, ended_at = NULL")
    view = get("/api/runs/view", run="run-1")
    for line in view["buckets"]:
        assert len(ids_of(get, bucket=line["bucket"])) == line["candidates"], line
    assert ids_of(get, bucket="rejected") == ended[1:3]
    assert ids_of(get, bucket="rejected", reason="ungrounded", after=ended[1]) == [ended[2]]
    assert ids_of(get, removed="numbers") == ended[1:3]
    assert ids_of(get, reason="too_long") == []
    (first, _) = get("/api/runs/people", run="run-1", removed="numbers")["people"]
    assert first["removed"][0]["sentence"] == "The candidate led ninety people."
    plan(database, "run-2")
    later = get("/api/runs/people", run="run-2", bucket="rejected_before")["people"]
    assert [person["candidate_id"] for person in later] == ended[1:3]


def test_a_cleared_lane_makes_its_run_a_running_one(get, database, ended):
    execute(database, "UPDATE synthesis.run SET state = 'failed', error = 'lane 0 did not succeed'")
    lane = (
        "UPDATE synthesis.lane SET state = 'running', started_at = now(), "
        "heartbeat_at = now() - %s::interval"
    )
    execute(database, lane, "1 min")
    view = get("/api/runs/view", run="run-1")
    assert (view["state"], view["ended_at"], view["error"]) == ("running", None, None)
    assert [run["state"] for run in get("/api/runs")["runs"]] == ["running"]
    status = last_run(database)
    assert status is not None and (status["state"], status["error"]) == ("running", None)
    execute(database, lane, "1 h")
    assert get("/api/runs/view", run="run-1")["state"] == "failed", "that lane is gone"


def test_warnings_stand_alone_and_zeros_are_left_out(get, database, ended):
    counts = {"rows": 3, "gone": 0, "warning: hr: a.b": 1, "unread: hr: a.c (40% of rows)": 0.4}
    execute(
        database,
        "UPDATE synthesis.run_stage SET counts = %s WHERE stage = 'publish'",
        Jsonb(counts),
    )
    details = get("/api/runs/details", run="run-1")
    assert details["warnings"] == ["hr: a.b"]
    assert details["unread_paths"] == {"hr: a.c (40% of rows)": 0.4}
    (publishing,) = [stage for stage in details["stages"] if stage["stage"] == "publish"]
    assert publishing["counts"] == {"rows": 3}

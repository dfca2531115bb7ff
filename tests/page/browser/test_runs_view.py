"""Views Runs and Coverage in a real browser, inside Airflow's UI and alone."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from profiles.steps.stage import open_stage, remove_stage
from tests.page import small_run
from tests.page.airflow_server import PASSWORDS

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = [pytest.mark.release, pytest.mark.filterwarnings("default")]

RUN_PAGE = f"/profiles/runs?run={quote(small_run.RUN)}"


def actions(server):
    runs = server.request(
        "GET", "/api/v2/dags/candidate_actions/dagRuns", token=server.token("admin")
    )
    return runs.json()["dag_runs"]


def test_after_the_login_the_page_is_in_the_navigation(browser, airflow_server):
    context = browser.new_context(base_url=airflow_server.base)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(PASSWORDS["admin"])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Profiles").click()

    frame = page.frame_locator("iframe")
    frame.get_by_role("heading", name="Runs", exact=True).wait_for()
    frame.get_by_role("link", name=small_run.RUN).first.click()
    frame.get_by_role("heading", name="Rows by bucket").wait_for()
    # The frame may not navigate the window around it; the page does it all the same.
    frame.get_by_role("link", name="DAG run").click()
    page.wait_for_url("**/dags/profile_synthesis/runs/**")
    context.close()


def test_without_a_login_there_is_nothing(browser, airflow_server):
    context = browser.new_context(base_url=airflow_server.base)
    page = context.new_page()
    response = page.goto(RUN_PAGE)
    assert response.status == 401
    assert small_run.RUN not in page.content()
    context.close()


def test_a_run_shows_its_figures_and_hostile_texts_stay_texts(open_page):
    page = open_page("viewer", RUN_PAGE)

    page.get_by_role("table", name=re.compile("candidates by bucket")).wait_for()
    buckets = page.get_by_role("table", name=re.compile("candidates by bucket"))
    shown = [int(text) for text in buckets.locator("td.number:nth-child(2)").all_inner_texts()]
    assert sum(shown) == small_run.PEOPLE
    assert page.get_by_role("progressbar").get_attribute("aria-label") == "11 of 11 documents"
    page.locator("figure.chart canvas").first.wait_for()
    page.get_by_role("table", name=re.compile("One lane is one engine")).wait_for()
    # Notice, host and note of the lane.
    assert page.get_by_text(small_run.HOSTILE).count() == 3
    assert page.locator("main script, main img").count() == 0
    assert page.evaluate("window.pwned") is None


def test_headings_tables_and_focus_serve_keyboard_and_screen_reader(open_page):
    page = open_page("viewer", RUN_PAGE)
    page.get_by_role("heading", name="Stages").wait_for()
    page.get_by_role("table", name=re.compile("Rows read and written")).wait_for()

    assert page.locator("h1").count() == 1
    assert page.locator("h1").inner_text().startswith(small_run.RUN)
    # The charts are hidden from screen readers, which have the words below each.
    ours = "table:not([aria-hidden=true] table)"
    assert page.locator(ours).count() >= 4
    assert page.locator(f"{ours}:not(:has(caption))").count() == 0
    assert page.locator(f"{ours} thead th:not([scope=col])").count() == 0
    assert page.locator("figure.chart figcaption:empty").count() == 0
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to content"
    page.keyboard.press("Tab")
    assert page.locator(":focus").get_attribute("aria-current") == "page"
    assert page.locator("[aria-live=polite]").first.count() == 1


def test_a_refused_group_is_asked_again_through_airflow(open_page, airflow_server):
    before = len(actions(airflow_server))
    page = open_page("admin", RUN_PAGE)

    page.get_by_role("button", name="Retry too short").click()

    page.get_by_text("Started: queued.").wait_for()
    (started, *_) = actions(airflow_server)[before:]
    assert started["conf"]["action"] == "retry"
    assert started["conf"]["run"] == small_run.RUN
    assert started["conf"]["reason"] == "too_short"
    assert started["triggering_user_name"] == "admin"


def test_a_viewer_has_no_button_and_airflow_refuses_the_request(open_page, airflow_server):
    before = len(actions(airflow_server))
    page = open_page("viewer", RUN_PAGE)
    page.get_by_role("table", name=re.compile("not simply accepted")).wait_for()
    assert page.get_by_role("button", name=re.compile("Retry")).count() == 0

    status = page.evaluate(
        "async () => { const { act } = await import('./static/page.js');"
        "  try { await act({ action: 'retry', reason: 'too_short' }); return 'started'; }"
        "  catch (error) { return error.status; } }"
    )
    assert status == 403
    assert len(actions(airflow_server)) == before
    # Chromium notes each refused request in its console.
    assert all("403" in problem for problem in open_page.problems)
    open_page.problems.clear()


def test_a_stage_that_began_and_never_ended_is_not_called_failed(open_page, page_database):
    said = "judging has not ended"
    open_stage(page_database, run_id=small_run.RUN, name="judge", until_ended=said)
    try:
        page = open_page("viewer", RUN_PAGE)
        stages = page.get_by_role("table", name=re.compile("Rows read and written"))
        row = stages.locator("tr", has_text=said)
        row.wait_for()
        assert row.locator(".badge").all_inner_texts() == ["not ended"]
    finally:
        remove_stage(page_database, run_id=small_run.RUN, name="judge")


def test_a_running_run_moves_without_a_reload(open_page, page_database):
    with page_database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.run (run_id, state, candidates, fresh, too_thin, planned, "
            "planned_at, stop_at) VALUES ('live', 'running', 2, 0, 0, 2, now(), now() + "
            "interval '1 h')"
        )
        connection.execute(
            "INSERT INTO synthesis.run_item (run_id, candidate_id, fingerprint, content_hash, "
            "reason, priority, token_estimate) SELECT 'live', candidate_id, 'f', 'c', 'new', 1, 9 "
            "FROM synthesis.document ORDER BY candidate_id LIMIT 2"
        )
    try:
        page = open_page("viewer", "/profiles/runs?run=live")
        page.locator(".progress", has_text="0 of 2 documents").wait_for()
        page.get_by_text("no rate yet: no lane has ended a document").wait_for()

        with page_database.connect() as connection:
            connection.execute(
                "UPDATE synthesis.run_item SET outcome = 'valid', ended_at = now() "
                "WHERE run_id = 'live'"
            )
        page.locator(".progress", has_text="2 of 2 documents").wait_for()
        with page_database.connect() as connection:
            connection.execute(
                "UPDATE synthesis.run SET state = 'succeeded', ended_at = now() "
                "WHERE run_id = 'live'"
            )
        page.locator("h1 .badge", has_text="succeeded").wait_for()
    finally:
        with page_database.connect() as connection:
            connection.execute("DELETE FROM synthesis.run_item WHERE run_id = 'live'")
            connection.execute("DELETE FROM synthesis.run WHERE run_id = 'live'")


def test_an_outage_is_an_error_that_leaves_the_last_figures_on_screen(open_page):
    page = open_page("viewer", "/profiles/runs")
    page.get_by_role("link", name=small_run.RUN).wait_for()
    page.route(
        "**/api/runs*",
        lambda route: route.fulfill(
            status=503, json={"what": "Postgres is unavailable.", "next": "Start it."}
        ),
    )
    page.reload()
    page.get_by_role("alert").get_by_text("Postgres is unavailable. Start it.").wait_for()
    assert page.get_by_text("No run yet").count() == 0
    page.unroute("**/api/runs*")
    page.get_by_role("link", name=small_run.RUN).wait_for()
    assert page.get_by_role("alert").count() == 0
    assert all("503" in problem for problem in open_page.problems)
    open_page.problems.clear()


def test_coverage_counts_everybody_and_domains_stay_texts(open_page):
    page = open_page("viewer", "/profiles/coverage")
    states = page.get_by_role("table", name=re.compile("Candidates by state"))
    states.wait_for()

    rows = dict(
        zip(
            states.locator("tbody th").all_inner_texts(),
            states.locator("td.number:nth-child(2)").all_inner_texts(),
            strict=True,
        )
    )
    assert rows["too thin"] == "1"
    assert sum(int(n) for name, n in rows.items()) == small_run.PEOPLE
    page.get_by_text(small_run.HOSTILE).wait_for()
    assert page.evaluate("window.pwned") is None
    assert page.locator("main img, main script").count() == 0


NARROW = (
    RUN_PAGE,
    "/profiles/runs",
    f"{RUN_PAGE}&bucket=rejected",
    "/profiles/coverage",
    "/profiles/candidates?q=2",
    "/profiles/candidates?id=2",
    "/profiles/search?q=engineer",
    f"/profiles/report?run={quote(small_run.RUN)}",
)


@pytest.mark.parametrize("path", NARROW)
def test_nothing_scrolls_sideways_on_a_narrow_screen(open_page, path):
    page = open_page("viewer", path, width=390)
    page.locator("main section, main table, main .both").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth)"
    assert page.evaluate(f"{wide}.map(e => e.ariaLabel || e.textContent.slice(0, 40))") == []


def test_a_bucket_and_a_reason_lead_to_their_people(open_page):
    page = open_page("viewer", RUN_PAGE)
    buckets = page.get_by_role("table", name=re.compile("candidates by bucket"))
    rejected = buckets.get_by_role("link", name="rejected", exact=True)
    rejected.wait_for()
    row = buckets.locator("tr", has=page.get_by_role("link", name="rejected", exact=True))
    counted = row.locator("td.number").first.inner_text()
    rejected.click()
    page.get_by_role("heading", name="People in bucket rejected").wait_for()
    people = page.locator("tbody tr")
    people.first.wait_for()
    assert people.count() == int(counted) > 0
    assert set(page.locator("tbody .badge").all_inner_texts()) == {"rejected"}
    page.go_back()
    page.get_by_role("link", name="too short").click()
    page.get_by_text("in bucket rejected for too short").wait_for()
    people.first.wait_for()
    assert people.count() == int(counted)


def test_an_outcome_has_the_same_colour_on_every_view(open_page):
    dot = "e => getComputedStyle(e, '::before').backgroundColor"
    key = "e => getComputedStyle(e).backgroundColor"
    found = set()
    for path, selector, read in (
        (RUN_PAGE, ".key.k-rejected", key),
        (f"{RUN_PAGE}&bucket=rejected", ".badge.k-rejected", dot),
        ("/profiles/coverage", ".key.k-rejected", key),
        (f"/profiles/report?run={quote(small_run.RUN)}", "i.k-rejected", key),
    ):
        page = open_page("viewer", path)
        page.locator(selector).first.wait_for()
        found.add(page.locator(selector).first.evaluate(read))
    assert len(found) == 1


def test_the_colour_mode_is_that_of_airflow_and_follows_it(open_page):
    page = open_page("viewer", "/plugin/profiles", theme="dark")
    html = page.frame_locator("iframe").locator("html")
    page.frame_locator("iframe").get_by_role("heading", name="Runs", exact=True).wait_for()
    assert html.get_attribute("data-theme") == "dark"

    page.evaluate("localStorage.setItem('theme', 'light')")
    page.frame_locator("iframe").locator("html[data-theme=light]").wait_for()


def test_when_airflow_itself_fails_the_page_says_what_to_look_at(open_page):
    page = open_page("viewer", "/profiles/runs")
    page.get_by_role("link", name=small_run.RUN).first.wait_for()
    page.route(
        "**/api/runs*", lambda route: route.fulfill(status=500, body="Internal Server Error")
    )

    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    page.get_by_role("alert").filter(has_text="Airflow's own database").first.wait_for()
    assert all("500" in problem for problem in open_page.problems)
    open_page.problems.clear()

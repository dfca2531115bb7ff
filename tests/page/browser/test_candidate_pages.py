"""Views Candidates and Search preview in Chromium, served by a running Airflow."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from profiles.models import Outcome, Provenance, Skill
from profiles.steps import index_documents
from profiles.storage.connection import Database
from tests.conftest import Databases
from tests.page import airflow_server
from tests.page.airflow_server import PASSWORDS, AirflowServer
from tests.page.test_candidate import answered, publish_all
from tests.planned_runs import add_documents, use_scripted_engine, write_document

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.release,
    pytest.mark.e2e,
    # The drivers of other people's servers and browsers warn.
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]

SCRIPT = "<script>window.ran = 1</script>"
IMAGE = "<img src=x onerror='window.ran = 1'>"
TEXTAREA = "</textarea></title><svg onload='window.ran = 1'>"
LINK = "javascript:window.ran=1"
MARKDOWN = f"[press here]({LINK}) {IMAGE} <a href='{LINK}'>x</a>"
HOSTILE = (SCRIPT, IMAGE, TEXTAREA, LINK)

NAME = f"Ada {SCRIPT}"
SUMMARY = f"An engineer who built billing services. {IMAGE} {TEXTAREA}"
OLDER = f"A developer who built billing services. {TEXTAREA}"


class World:
    """A person with hostile texts everywhere, one who was erased, and the server of both."""

    def __init__(self, database: Database, server: AirflowServer, browser: Any) -> None:
        self.database = database
        self.server = server
        self.browser = browser
        self.ada = 0
        self._cookies: dict[str, Any] = {}
        self.erased = 4711

    @contextmanager
    def page(self, user: str = "admin", **options: Any) -> Iterator[Any]:
        """A page of a fresh context, `user` signed in; a script error or dialog fails the test."""
        shown = {"viewport": {"width": 1280, "height": 900}, "storage_state": self._signed_in(user)}
        with self.browser.new_context(**(shown | options)) as context:
            page = context.new_page()
            failures: list[str] = []
            page.on("pageerror", lambda error: failures.append(str(error)))
            page.on("dialog", lambda dialog: failures.append(dialog.message))
            yield page
        assert failures == []

    def _signed_in(self, user: str) -> Any:
        """The cookies of a user who signed in with Airflow's form, once."""
        if user not in self._cookies:
            with self.browser.new_context() as context:
                page = context.new_page()
                page.goto(self.server.base + "/")
                page.fill("input[name=username]", user)
                page.fill("input[name=password]", PASSWORDS[user])
                page.keyboard.press("Enter")
                page.wait_for_url(re.compile(r"^(?!.*login)"), wait_until="commit")
                self._cookies[user] = context.storage_state()
        return self._cookies[user]

    def open(self, page: Any, path: str) -> None:
        """Loads a view and waits until it has said what it found."""
        page.goto(f"{self.server.base}/profiles/{path}")
        page.wait_for_function(
            "() => { const said = document.querySelector('[role=status]'); "
            "return said && !/Searching…|Reading…/.test(said.textContent); }"
        )


@pytest.fixture(scope="module")
def world(
    databases: Databases, module_database: Database, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("candidate-pages")
    metadata = databases.create("template1").url.replace("postgresql://", "postgresql+psycopg://")
    environment = airflow_server.environment_of(folder, metadata=metadata)
    airflow_server.prepare(environment, profiles=module_database.url)
    server, process = airflow_server.start(environment, folder)
    try:
        with playwright.sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            found = World(module_database, server, browser)
            with pytest.MonkeyPatch.context() as patch:
                use_scripted_engine(patch)
                found.ada = plant(module_database)
            yield found
            browser.close()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def plant(database: Database) -> int:
    """Ada: three versions of which the last was refused, hostile in every text; returns her id."""
    (ada,) = add_documents(database, 1)
    skills = (Skill("Python", Provenance.BOTH), Skill(LINK, Provenance.MODEL))
    answered(database, "one", summary=OLDER, skills=skills)
    document = f"# {NAME}\n## Skills\nPython, {LINK}\n## Experience\n- Built billing. {MARKDOWN}\n"
    with database.connect() as connection:
        write_document(connection, ada, document + "More words about billing. " * 30)
    answered(database, "two", summary=SUMMARY, skills=(*skills, Skill(IMAGE, Provenance.MODEL)))
    publish_all(database, "two")
    answered(database, "three")
    with database.connect() as connection:
        write_document(connection, ada, document + "Other words about billing. " * 30)
    refused = {"outcome": Outcome.REJECTED, "reason": "ungrounded"}
    answered(database, "four", summary=f"Refused {IMAGE}", **refused)
    index_documents.refresh(database)
    with database.connect() as connection:
        make_hostile(connection, ada)
    return ada


def make_hostile(connection: Any, ada: int) -> None:
    choice = {"field": "headline", "value": IMAGE, "source": "lemlist", "source_key": SCRIPT,
              "reason": "newest", "more": 0,
              "losers": [{"value": TEXTAREA, "source": "weekday", "source_key": LINK}]}  # fmt: skip
    connection.execute(
        "UPDATE synthesis.document SET full_name = %s, choices = %s WHERE candidate_id = %s",
        (NAME, Jsonb([choice]), ada),
    )
    connection.execute(
        "UPDATE synthesis.candidate_synthesis SET full_name = %s, domains = %s", (NAME, [TEXTAREA])
    )
    connection.execute(
        "INSERT INTO synthesis.domain_tag (candidate_id, domain, months, weight, employers) "
        "VALUES (%s, %s, 30, 0.7, %s)",
        (ada, TEXTAREA, [IMAGE, LINK]),
    )
    for source, key in (("lemlist", SCRIPT), ("weekday", LINK)):
        evidence = [{"with": ["weekday", LINK], "score": 9, "signals": [[IMAGE, 4]]}]
        connection.execute(
            "INSERT INTO synthesis.candidate_source (source, source_key, candidate_id, rule, "
            "evidence, assigned_run) VALUES (%s, %s, %s, %s, %s, 'one')",
            (source, key, ada, SCRIPT, Jsonb(evidence)),
        )
        record = {
            "full_name": NAME, "headline": IMAGE, "location": TEXTAREA, "skills": [SCRIPT],
            "positions": [{"title": IMAGE, "company": LINK}], "education": [{"school": SCRIPT}],
        }  # fmt: skip
        connection.execute(
            "INSERT INTO synthesis.source_record (source, source_key, change_token, "
            "extractor_version, record_hash, record) VALUES (%s, %s, '', '', '', %s)",
            (source, key, Jsonb(record)),
        )
        connection.execute(
            "INSERT INTO synthesis.identity_row (source, source_key, record_hash, "
            "resolver_version, features) VALUES (%s, %s, '', '', '{}')",
            (source, key),
        )
    connection.execute(
        "INSERT INTO synthesis.identity_decision (kind, candidate_id, decided_by, note) "
        "VALUES ('split', %s, %s, %s)",
        (ada, SCRIPT, IMAGE),
    )
    connection.execute(
        "INSERT INTO synthesis.erasure_log (candidate_ids, erased_by, rows_removed, tombstones) "
        "VALUES ('{4711}', 'test', '{}', 0)"
    )


def runs_of(world: World) -> list[dict[str, Any]]:
    """The runs of candidate_actions, newest first, as Airflow has them."""
    answer = world.server.request(
        "GET",
        "/api/v2/dags/candidate_actions/dagRuns?order_by=-id",
        token=world.server.token("admin"),
    )
    return list(answer.json()["dag_runs"])


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("candidates?id={ada}", HOSTILE),
        ("candidates?q=ada", (SCRIPT, TEXTAREA)),
        ("search?q=billing", (SCRIPT, TEXTAREA)),
        ("candidates?q=%3Cimg%20src%3Dx%20onerror%3D%22window.ran%3D1%22%3E", ()),
        ("search?q=%3Cscript%3Ewindow.ran%3D1%3C/script%3E&domain=%22%3E%3Cimg%20src%3Dx%3E", ()),
    ],
)
def test_planted_scripts_are_shown_as_text_and_never_run(world, path, texts):
    with world.page() as page:
        world.open(page, path.format(ada=world.ada))
        page.wait_for_timeout(500)
        assert page.evaluate("window.ran") is None
        made = page.locator("main script, main img, main svg, main textarea, main iframe")
        assert made.count() == 0
        assert page.locator("a[href^='javascript' i], [onload], [onerror]").count() == 0
        shown = page.locator("main").inner_text()
        assert [text for text in texts if text not in shown] == []


def test_the_diff_and_the_dialogs_hold_hostile_text_as_text(world):
    with world.page() as page:
        world.open(page, f"candidates?id={world.ada}")
        page.select_option("#from", index=page.locator("#from option").count() - 1)
        assert page.locator(".diff del").count() > 0
        assert page.locator(".diff ins").count() > 0
        page.get_by_role("button", name="Split…").click()
        assert SCRIPT in page.locator("dialog").inner_text()
        assert page.evaluate("window.ran") is None
        assert page.locator("dialog script, dialog img").count() == 0


def test_a_refused_answer_is_shown_as_refused_beside_what_is_served(world):
    with world.page() as page:
        world.open(page, f"candidates?id={world.ada}")
        text = page.locator("main").inner_text()
        assert "The last answer about this document was rejected: ungrounded" in text
        assert "An older summary stays in use" in text
        row = page.get_by_role("row").filter(has_text="rejected").first
        assert "ungrounded" in row.inner_text()


def test_erasing_needs_the_id_typed_and_becomes_a_run_of_the_user(world):
    with world.page() as page:
        world.open(page, f"candidates?id={world.ada}")
        page.get_by_role("button", name="Erase…").click()
        dialog = page.get_by_role("dialog")
        erase = dialog.get_by_role("button", name="Erase", exact=True)
        assert erase.is_disabled()
        dialog.get_by_label("to confirm").fill(f"{world.ada}1")
        assert erase.is_disabled()
        dialog.get_by_label("to confirm").fill(str(world.ada))
        before = len(runs_of(world))
        erase.click()
        page.wait_for_selector("text=Started: queued.")
        found = runs_of(world)
        assert len(found) == before + 1
        assert found[0]["triggering_user_name"] == "admin"
        asked = {name: value for name, value in found[0]["conf"].items() if value}
        assert asked == {"action": "erase", "candidate_ids": [world.ada], "confirm": world.ada}


def test_without_a_secret_nobody_can_be_erased_and_it_says_why(world):
    lacks = "PROFILES_ERASURE_KEY is not set; make one with `python3`"
    with world.page() as page:
        page.route(
            "**/profiles/api/me",
            lambda route: route.fulfill(json={**route.fetch().json(), "cannot_erase": lacks}),
        )
        world.open(page, f"candidates?id={world.ada}")
        assert page.get_by_role("button", name="Erase…").is_disabled()
        assert page.get_by_role("button", name="Merge…").is_enabled()
        assert lacks in page.locator("main").inner_text()


def test_a_split_names_rows_by_number_alone(world):
    with world.page() as page:
        world.open(page, f"candidates?id={world.ada}")
        page.get_by_role("button", name="Split…").click()
        dialog = page.get_by_role("dialog")
        button = dialog.get_by_role("button", name="Split", exact=True)
        boxes = dialog.get_by_role("checkbox")
        assert button.is_disabled()
        boxes.nth(0).check()
        boxes.nth(1).check()
        assert button.is_disabled(), "one row has to stay"
        boxes.nth(1).uncheck()
        button.click()
        page.wait_for_selector("text=Started: queued.")
    conf = runs_of(world)[0]["conf"]
    with world.database.connect() as connection:
        ids = {row[0] for row in connection.execute("SELECT row_id FROM synthesis.identity_row")}
    asked = conf["action"], conf["candidate_ids"], len(conf["row_ids"])
    assert asked == ("split", [world.ada], 1)
    assert set(conf["row_ids"]) < ids


def test_a_viewer_sees_no_action_and_airflow_refuses_one(world):
    with world.page("viewer") as page:
        world.open(page, f"candidates?id={world.ada}")
        assert page.locator("main .actions button").count() == 0
        assert "You have read access" in page.locator("main").inner_text()
        status = page.evaluate(
            """async () => (await fetch('/api/v2/dags/candidate_actions/dagRuns', {
                method: 'POST', headers: {'Content-Type': 'application/json'},
                body: JSON.stringify({logical_date: null, conf: {action: 'erase',
                  candidate_ids: [1], confirm: 1}})})).status"""
        )
        assert status == 403


@pytest.mark.parametrize(
    "path", ["candidates", "search", "api/candidates?q=a", "api/candidates/1", "api/search?q=a"]
)
def test_nobody_reads_without_signing_in(world, path):
    assert world.server.request("GET", f"/profiles/{path}").status == 401


def test_an_erased_and_an_unknown_person_are_said_in_words(world):
    with world.page() as page:
        world.open(page, f"candidates?id={world.erased}")
        assert f"{world.erased} was erased on" in page.get_by_role("alert").inner_text()
        world.open(page, "candidates?id=99999")
        assert "was never given out" in page.get_by_role("alert").inner_text()


def test_an_outage_is_shown_as_an_error(world):
    name = psycopg.conninfo.conninfo_to_dict(world.database.url)["dbname"]
    admin = psycopg.conninfo.make_conninfo(world.database.url, dbname="postgres")
    with psycopg.connect(admin, autocommit=True) as connection, world.page() as page:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )
        try:
            for path in (f"candidates?id={world.ada}", "candidates?q=ada", "search?q=billing"):
                world.open(page, path)
                alert = page.get_by_role("alert").first
                assert "refused the connection" in alert.inner_text(), path
        finally:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        world.open(page, "candidates?q=ada")
        assert "1 person" in page.get_by_role("status").inner_text()


def test_keyboard_alone_finds_a_person_and_leaves_a_dialog(world):
    with world.page() as page:
        world.open(page, "candidates")
        page.get_by_label("Find people").focus()
        page.keyboard.type("ada")
        page.keyboard.press("Enter")
        page.wait_for_url("**/candidates?q=ada**")
        page.get_by_role("link", name="Ada").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/candidates?id=*")
        page.get_by_role("button", name="Erase…").focus()
        page.keyboard.press("Enter")
        assert page.get_by_role("dialog").is_visible()
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        assert page.evaluate("document.activeElement.textContent") == "Erase…"


@pytest.mark.parametrize("path", ["candidates?id={ada}", "candidates?q=ada", "search?q=billing"])
def test_a_view_fits_a_narrow_screen_and_names_its_fields_and_tables(world, path):
    with world.page(viewport={"width": 360, "height": 800}) as page:
        world.open(page, path.format(ada=world.ada))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for missing in (
            "[...document.querySelectorAll('input, select')].filter(e => !e.labels[0]).length",
            "[...document.querySelectorAll('table')].filter(e => !e.caption).length",
        ):
            assert page.evaluate(missing) == 0
        assert page.locator("h1").count() == 1
        assert page.evaluate("document.documentElement.lang") == "en"


def test_it_works_inside_airflows_own_frame(world):
    with world.page() as page:
        page.goto(f"{world.server.base}/plugin/profiles")
        frame = page.frame_locator("iframe")
        frame.get_by_role("link", name="Candidates").click()
        frame.get_by_label("Find people").fill("ada")
        frame.get_by_role("button", name="Search").click()
        frame.get_by_role("link", name="Ada").click()
        frame.get_by_role("button", name="Re-synthesise…").click()
        before = len(runs_of(world))
        frame.get_by_role("dialog").get_by_role("button", name="Re-synthesise").click()
        frame.get_by_text("Started: queued.").wait_for()
        assert len(runs_of(world)) == before + 1
        assert runs_of(world)[0]["conf"]["action"] == "resynthesise"
        frame.get_by_role("link", name="DAG run").click()
        page.wait_for_url("**/dags/candidate_actions/runs/**")


def test_search_preview_marks_matches_on_both_sides(world):
    with world.page() as page:
        world.open(page, "search?q=billing")
        for side in ("Synthesised profiles", "Raw documents"):
            section = page.get_by_role("region", name=side)
            assert section.locator("mark").first.inner_text() == "billing"
            assert section.get_by_role("link").count() == 1

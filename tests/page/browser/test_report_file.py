"""The report of a run as somebody opens it who got it by mail: from a file, offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.steps.reports import run_report
from profiles.storage.connection import Database
from tests.integration.test_run_report import HOSTILE, finished_run
from tests.planned_runs import use_scripted_engine

pytestmark = pytest.mark.release


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_plots_are_drawn_and_nothing_else_is_loaded_or_run(
    browser, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
):
    use_scripted_engine(monkeypatch, model="model-a")
    finished_run(database)
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET error = %s, notice = %s", (HOSTILE,) * 2)
        connection.execute("UPDATE synthesis.completion SET reason = %s", (HOSTILE,))
    html = tmp_path / "report.html"
    run_report.write(run_report.collect(database, run_id="run-1"), html=html)

    said, asked = [], []
    context = browser.new_context(color_scheme=scheme, viewport={"width": 480, "height": 900})
    page = context.new_page()
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.append(line.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(html.as_uri())
    page.wait_for_selector("body.drawn")

    assert page.locator("canvas").count() == 6
    assert page.locator("img").count() == 0
    assert (said, asked) == ([], [html.as_uri()])
    # Wide tables scroll in themselves; the page does not.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(17, 22, 29)")
    context.close()

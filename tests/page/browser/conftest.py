"""A real Chromium, driven by Playwright, signed in to a running Airflow."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.page.airflow_server import AirflowServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SECONDS = 30_000
"""Milliseconds that a test waits for what it expects; the machine may be busy."""

NAMES = ("chromium", "chromium-browser", "google-chrome")

# Of Airflow's own UI, about the frame in which it shows every plugin.
EXPECTED = ("An iframe which has both allow-scripts and allow-same-origin",)

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium; CHROMIUM names another executable.

    For one module: Playwright allows one driver at a time, and modules may bring their own.
    """
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium here; install it (Debian: chromium) or name it in CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser, airflow_server: AirflowServer) -> Iterator[Open]:
    """Opens a path as a user. A script error or a refusal of the page's policy fails the test."""
    contexts = []
    problems: list[str] = []

    def open_as(user: str, path: str, *, theme: str = "light", width: int = 1280) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, base_url=airflow_server.base
        )
        context.set_default_timeout(SECONDS)
        context.add_cookies(
            [{"name": "_token", "value": airflow_server.token(user), "url": airflow_server.base}]
        )
        context.add_init_script(
            f"localStorage.getItem('theme') ?? localStorage.setItem('theme', '{theme}')"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda said: (
                problems.append(said.text)
                if said.type in ("error", "warning") and not said.text.startswith(EXPECTED)
                else None
            ),
        )
        page.goto(path)
        return page

    open_as.problems = problems  # type: ignore[attr-defined]
    yield open_as
    for context in contexts:
        context.close()
    assert problems == []

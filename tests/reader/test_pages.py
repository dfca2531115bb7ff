"""README, tutorial and the pages that start services, followed in order in one clone.

Each test is a page, and begins where the one before it left the clone: like a reader's, whose
second `make demo` finds the first one's work. So they are run together, in the order of this file.
"""

from __future__ import annotations

import os
import re
import signal
import time

import psutil
import psycopg
import pytest

from scripts import embedded
from scripts.embedded.files import EmbeddedServer
from tests.docs.pages import blocks_of
from tests.paths import REPOSITORY
from tests.reader.airflow import SignedIn
from tests.reader.walk import Page, Reader, is_shown

pytestmark = [pytest.mark.e2e, pytest.mark.model, pytest.mark.timeout(2400)]

_MISTAKE = re.compile(r"^( *\w+: )\S+( +)# write `(\S+)` first$", flags=re.MULTILINE)


def test_readme(reader: Reader):
    readme = reader.follows("README.md")
    said = readme.runs("make demo")
    readme.ends()

    assert "24 candidates = " in said
    people = said.count("── candidate ")
    assert people == 23
    for part in ("merged", "summary", "skills", "domains", "gate"):
        assert len(re.findall(rf"^{part} ", said, flags=re.MULTILINE)) == people, part
    assert "no model call: nothing changed" in said, "make night asked the model again"
    assert said.count("recorded answer of a strong model") == 7
    assert (reader.copy / ".profiles" / "site" / "index.html").exists()
    airflow = SignedIn.with_what_is_printed(said)
    assert airflow.server.base.endswith(f":{reader.port}")
    assert airflow.is_paused()
    waiting = airflow.triggers()
    assert airflow.state_of(waiting) == "queued"
    airflow.deletes(waiting)

    running = "\n".join(processes_of(reader))
    assert [name for name in ("api_server", "scheduler", "postgres") if name not in running] == []
    reader.types("make down\n")
    assert processes_of(reader) == []


@pytest.mark.release
def test_tutorial(reader: Reader):
    reader.opens_a_new_shell()
    tutorial = reader.follows("docs/tutorial.md")

    # README's reader has run it before.
    said = tutorial.runs("make demo")
    assert "24 candidates = 23 fresh, 1 too_thin" in said

    tutorial.runs("CREATE DATABASE team")
    tutorial.runs("mkdir -p our_sources")
    mistakes = [saves_mapping(tutorial), saves_mapping(tutorial)]
    assert mistakes == [{"persn": "person", "cv.abuot": "cv.about"}, {}]
    tutorial.runs("cat > .env")

    reader.opens_a_new_shell()
    said = tutorial.runs("profiles migrate")
    assert "2 files: applicants (crm.applicants), sourced (crm.sourced_people)" in said
    tutorial.runs("profiles check", fails=True)
    corrects(reader, "persn", "person")
    said = tutorial.runs("make night")
    assert figures(said, "check_sources")["applicants.rows"] == 4

    said = tutorial.runs("profiles status")
    assert {"candidates": "5", "too_thin": "2", "planned": "3"}.items() <= lines_of(said).items()
    assert said.count("verdict: accepted") == 1
    document = asks_the_team_s_database(reader, tutorial.text_of("sql"))
    assert "Staff engineer for payments" in document
    assert "## Summary" not in document
    corrects(reader, "cv.abuot", "cv.about")
    said = tutorial.runs("make night")
    assert figures(said, "extract_sources applicants")["read"] == 4
    assert {"planned": "1", "fresh": "2"}.items() <= lines_of(said).items()
    document = asks_the_team_s_database(reader, "SELECT markdown FROM synthesis.document")
    assert "## Summary\nBuilds payment platforms" in document
    assert lines_of(tutorial.runs("profiles plan"))["planned"] == "0"
    assert asks_the_team_s_database(reader, tutorial.text_of("sql")) == "1"
    (report,) = re.findall(r"^html: +(\S+)$", tutorial.runs("profiles report"), flags=re.MULTILINE)
    assert "<html" in (reader.copy / report).read_text(encoding="utf-8")

    said = tutorial.runs("profiles split 1")
    assert "kind: split" in said
    assert "revoked: 1" in said
    said = tutorial.runs("profiles erase amara", answer="yes\n")
    assert "Erase candidate" in said
    assert "applicants:1003" in said.partition("[yes/no]")[2]

    airflow = SignedIn.with_what_is_printed(tutorial.runs("make up"))
    tutorial.ends()
    airflow.unpauses()
    run_id = airflow.triggers()
    assert airflow.waits_for(run_id) == "success"
    assert list(airflow.links_of(run_id, "report")) == ["Run report"]
    assert lines_of(reader.types("profiles status\n"))["candidates"] == "4"


@pytest.mark.release
def test_more_gpus(reader: Reader):
    page = reader.follows("docs/how-to/more-gpus.md")
    page.runs("airflow pools set gpu 4")
    page.ends()
    with psycopg.connect(server_of(reader).url("airflow")) as connection:
        found = connection.execute("SELECT slots FROM slot_pool WHERE pool = 'gpu'").fetchone()
    assert found == (4,)


@pytest.mark.release
def test_make_up_after_a_killed_postgres_ends_the_run(reader: Reader):
    reader.opens_a_new_shell()
    airflow = SignedIn.with_what_is_printed(reader.types("make up\n"))
    airflow.unpauses()
    run_id = airflow.triggers()
    while airflow.state_of(run_id) == "queued":
        time.sleep(1)
    server = reader.copy / ".profiles" / "postgres" / "postmaster.pid"
    os.kill(int(server.read_text(encoding="utf-8").split()[0]), signal.SIGKILL)
    reader.types("make up\n")
    health = airflow.ask("GET", "/api/v2/monitor/health")
    assert {name: part["status"] for name, part in health.items() if part["status"]} == (
        dict.fromkeys(("metadatabase", "scheduler", "triggerer", "dag_processor"), "healthy")
    )
    assert airflow.waits_for(run_id) == "success"


@pytest.mark.release
def test_operations(reader: Reader):
    page = (REPOSITORY / "docs" / "operations.md").read_text(encoding="utf-8")
    assert "Without Docker, `make up-distributed` starts the same services" in page
    reader.opens_a_new_shell()
    said = reader.types("make down\nmake up-distributed\n")
    airflow = SignedIn.with_what_is_printed(said)
    running = "\n".join(processes_of(reader))
    wanted = ("redis-server", "celeryd: worker", "celeryd: gpu-worker", "api_server", "postgres")
    assert [name for name in wanted if name not in running] == []
    airflow.unpauses()
    assert airflow.waits_for(airflow.triggers()) == "success"
    reader.types("make down\n")
    assert processes_of(reader) == []


@pytest.mark.parametrize(
    ("name", "by"),
    [("docs/index.md", "README.md"), ("docs/how-to/own-source.md", "docs/tutorial.md")],
)
def test_a_page_that_repeats_commands_of_another_in_the_same_state(name: str, by: str):
    known = "".join(block.text for block in blocks_of(REPOSITORY / by) if not block.needs)
    for block in blocks_of(REPOSITORY / name):
        if block.language == "sh":
            assert [line for line in block.text.splitlines() if line not in known] == [], block


@pytest.mark.release
def test_contributing(reader: Reader):
    before = sources(reader)
    page = reader.follows("CONTRIBUTING.md")
    page.runs("make docs")
    page.runs("render_reference")
    page.ends()
    assert sources(reader) == before, "the tree is not as make format and the reference leave it"


@pytest.mark.release
def test_make_clean_leaves_nothing_behind(reader: Reader):
    reader.types("rm .env; make clean\n")
    assert processes_of(reader) == []
    assert [path.name for path in (reader.copy / ".profiles").iterdir()] == ["models"]


def test_an_output_is_the_shown_one_with_other_times():
    said = "x run manual__2026-11-28T10:28:48.954915+00:00: succeeded in 0.5 s, 12 rows\n"
    assert is_shown("run manual__2026-03-01T22:00:00+00:00: succeeded in 18 s, 12 rows", said)
    assert is_shown("run … 12 rows", said)
    assert not is_shown("run manual__2026-03-01T22:00:00+00:00: succeeded in 18 s, 13 rows", said)
    assert not is_shown("run …: failed", said)


def saves_mapping(page: Page) -> dict[str, str]:
    """Writes the next mapping with its mistakes; returns each with the right word."""
    text = page.text_of("yaml")
    name = text.split("\n", 1)[0].removeprefix("# ")
    (page.reader.copy / name).write_text(_MISTAKE.sub(r"\1\3", text), encoding="utf-8")
    return {
        match[3]: re.split(r": ", match[0], maxsplit=1)[1].split()[0]
        for match in _MISTAKE.finditer(text)
    }


def asks_the_team_s_database(reader: Reader, query: str) -> str:
    """The first column of all rows."""
    with psycopg.connect(server_of(reader).url("team")) as connection:
        return "\n".join(str(row[0]) for row in connection.execute(query.encode()).fetchall())


def server_of(reader: Reader) -> EmbeddedServer:
    server = embedded.running(reader.copy / ".profiles")
    assert server is not None
    return server


def corrects(reader: Reader, wrong: str, right: str) -> None:
    path = reader.copy / "our_sources" / "applicants.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(f": {wrong}\n") == 1
    path.write_text(text.replace(f": {wrong}\n", f": {right}\n"), encoding="utf-8")


def figures(said: str, stage: str) -> dict[str, int]:
    """The counts in the line with which a stage ends."""
    name, _, part = stage.partition(" ")
    (line,) = re.findall(rf"^  {name} +{re.escape(part)} +(\d.*)$", said, flags=re.MULTILINE)
    return {name: int(count) for count, name in re.findall(r"(\d+) ([\w.]+)", line)}


def lines_of(said: str) -> dict[str, str]:
    """The lines of a command that prints names with values."""
    return dict(re.findall(r"^(\w+):? +(\S+)$", said, flags=re.MULTILINE))


def sources(reader: Reader) -> dict[str, bytes]:
    """Every file that is not state of the clone."""
    folders = ("include", "dags", "plugins", "scripts", "tests", "benchmarks", "docs")
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in (reader.copy / folder).rglob("*")
        if path.is_file() and path.suffix in (".py", ".md", ".sql", ".yaml")
    }


def processes_of(reader: Reader) -> list[str]:
    """Processes started in the copy: Airflow's rename themselves but stay in its folder."""
    found = []
    for process in psutil.process_iter(["cmdline", "cwd"]):
        command = " ".join(process.info["cmdline"] or ())
        if str(reader.copy) in command or str(reader.copy) in (process.info["cwd"] or ""):
            found.append(command)
    return found

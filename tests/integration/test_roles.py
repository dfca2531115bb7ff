"""Each role may do its work and nothing else; source tables are read-only by right."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psycopg
import pytest
from tests.integration.test_erase import answer, finish, run_all
from tests.planned_runs import one, use_scripted_engine
from tests.source_rows import create_tables, insert, lead

from profiles.operations import apply_migrations, roles
from profiles.settings import load_settings
from profiles.steps import publish
from profiles.storage.connection import Database


def become(database: Database, role: str, *, options: str = "") -> Database:
    """The database as a login of its own that is a member of `role`."""
    name = f"test_{role}_{os.getpid()}"
    with database.connect() as connection:
        connection.execute(f"DROP ROLE IF EXISTS {name}")
        connection.execute(f"CREATE ROLE {name} LOGIN {options}")
        if role.startswith("profiles_"):
            connection.execute(f"GRANT {role} TO {name}")
    return Database(
        database.url.replace("postgres:@", f"{name}:@").replace("postgres@", f"{name}@")
    )


@pytest.fixture
def granted(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    use_scripted_engine(monkeypatch)
    create_tables(database)
    assert apply_migrations.run(database) == []
    yield database
    with database.connect() as connection:
        for (name,) in connection.execute(
            "SELECT rolname FROM pg_roles WHERE rolname LIKE %s", (f"test\\_%\\_{os.getpid()}",)
        ).fetchall():
            connection.execute(f"REASSIGN OWNED BY {name} TO profiles_pipeline")
            connection.execute(f"DROP OWNED BY {name}")
            connection.execute(f"DROP ROLE {name}")


def refuses(database: Database, *statements: str) -> None:
    for statement in statements:
        with (
            pytest.raises(psycopg.errors.InsufficientPrivilege),
            database.connect() as connection,
        ):
            connection.execute(statement)


def test_the_pipeline_does_all_its_work_and_cannot_write_a_source(granted, monkeypatch):
    insert(
        granted,
        "lemlist_leads",
        [lead(f"k{n}", full_name=f"Ada Testwell{n}", summary="Word " * 80) for n in range(3)],
    )
    pipeline = become(granted, "profiles_pipeline")
    refuses(
        pipeline,
        "INSERT INTO src.lemlist_leads (id) VALUES ('x')",
        "UPDATE src.lemlist_leads SET email = NULL",
        "DELETE FROM src.lemlist_leads",
        "TRUNCATE src.lemlist_leads",
        "DROP TABLE src.lemlist_leads",
        "CREATE TABLE src.own (id text)",
        "UPDATE src.company_industry SET industry = NULL",
    )
    monkeypatch.setattr(publish, "REBUILD_ROWS", 1)
    run_all(pipeline, "one")
    assert one(pipeline, "SELECT count(*) FROM synthesis.candidate_synthesis") == (3,)
    assert apply_migrations.run(granted) == []
    with granted.connect() as connection:
        connection.execute("UPDATE src.lemlist_leads SET summary = repeat('Other ', 80)")
    run_all(pipeline, "two", answered=False)
    answer(pipeline, "two")
    finish(pipeline, "two")
    assert roles.standing(pipeline)[0] is True


def test_a_reader_sees_the_result_alone(granted):
    reader = become(granted, "profiles_reader")
    with reader.connect() as connection:
        connection.execute("SELECT * FROM synthesis.candidate_synthesis").fetchall()
        connection.execute("SELECT * FROM synthesis.candidate_redirect").fetchall()
    refuses(
        reader,
        "SELECT * FROM synthesis.document",
        "SELECT * FROM synthesis.completion",
        "SELECT * FROM synthesis.run",
        "SELECT * FROM src.lemlist_leads",
        "UPDATE synthesis.candidate_synthesis SET summary = ''",
        "CREATE TABLE synthesis.own (id text)",
    )


def test_the_page_sees_runs_and_people_but_no_raw_answer(granted):
    page = become(granted, "profiles_page")
    with page.connect() as connection:
        for table in ("run", "run_item", "lane", "document", "candidate_synthesis"):
            connection.execute(f"SELECT * FROM synthesis.{table}").fetchall()
        connection.execute("SELECT summary, skills, reason FROM synthesis.completion").fetchall()
    refuses(
        page,
        "SELECT raw_text FROM synthesis.completion",
        "SELECT * FROM synthesis.source_record",
        "SELECT * FROM synthesis.identity_key",
        "SELECT * FROM synthesis.tombstone",
        "SELECT * FROM src.lemlist_leads",
        "DELETE FROM synthesis.run",
    )


def test_roles_that_exist_are_used_by_a_user_that_may_not_create_any(granted, database):
    plain = become(granted, "plain")
    with database.connect() as connection:
        connection.execute("ALTER TABLE src.lemlist_leads OWNER TO profiles_pipeline")
    (problem,) = roles.apply_roles(plain)
    assert "cannot hand schema synthesis to profiles_pipeline" in problem
    assert "superuser runs `profiles migrate` once" in problem


def test_a_source_of_somebody_else_is_named_with_the_statement_for_its_owner(granted):
    owner = become(granted, "team", options="")
    pipeline = become(granted, "profiles_pipeline", options="CREATEROLE")
    name = owner.url.split("//")[1].split(":")[0].split("@")[0]
    with granted.connect() as connection:
        connection.execute(f"ALTER TABLE src.lemlist_leads OWNER TO {name}")
    problems = roles.apply_roles(pipeline)
    assert any("GRANT SELECT ON src.lemlist_leads TO profiles_pipeline" in p for p in problems)


def test_the_login_is_told_who_it_is_and_that_the_sources_are_its_own(granted, monkeypatch):
    is_enough, detail = roles.standing(granted)
    assert is_enough is None
    assert "postgres" in detail
    assert "src.lemlist_leads" in detail
    pipeline = become(granted, "profiles_pipeline")
    is_enough, detail = roles.standing(pipeline)
    assert is_enough is True
    assert "can write schema synthesis alone" in detail
    is_enough, detail = roles.standing(become(granted, "profiles_reader"))
    assert is_enough is False
    assert "cannot write synthesis.batch" in detail
    monkeypatch.setenv("PROFILES_DATABASE_URL", pipeline.url)
    assert load_settings().database_url == pipeline.url


def test_a_wrong_mapping_keeps_no_migration_from_its_end(granted, tmp_path, monkeypatch):
    (tmp_path / "staff.yaml").write_text("source: staff\ntable: hr.staff\nkee: nr\n")
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
    (_, problem) = roles.apply_roles(granted)[0].split(": ", 1)
    assert problem.startswith("staff.yaml, line 1: 'key' is missing")
    assert "line 3: unknown key 'kee'; nearest is 'key'" in problem

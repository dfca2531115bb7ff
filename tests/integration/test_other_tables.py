"""Source tables as other people have them: names, types, rights, lengths, publications."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from tests.source_rows import create_tables

from profiles.errors import MappingError
from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources, tag_domains
from profiles.storage.connection import Database

_MAPPING = "source: people\ntable: hr.people\nkey: id\nfields:\n  full_name: full_name\n"


def _execute(database: Database, *statements: str) -> None:
    with database.connect() as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]


def _night(database: Database, run_id: str = "r1") -> dict[str, int | float]:
    names = check_sources.run(database, run_id=run_id, params=RunParams())
    (part,) = extract_sources.parts(database, sources=names)
    return extract_sources.run(database, run_id=run_id, **part)


def _records(database: Database) -> list[dict]:
    with database.connect() as connection:
        rows = connection.execute("SELECT record FROM synthesis.source_record ORDER BY source_key")
        return [row[0] for row in rows]


@pytest.fixture
def people(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    create_tables(database)
    (tmp_path / "people.yaml").write_text(_MAPPING + "  emails: email\n")
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
    _execute(
        database,
        "CREATE SCHEMA hr",
        'CREATE TABLE hr.people (id text PRIMARY KEY, full_name text, email text, "match %" text)',
        "INSERT INTO hr.people VALUES ('1', 'Ines Ferrand', 'ines@example.org', 'Engineer')",
    )
    return database


def test_a_column_may_have_a_percent_sign_in_its_name(people: Database, tmp_path: Path):
    (tmp_path / "people.yaml").write_text(_MAPPING + "  headline: 'match %'\n")
    assert _night(people)["added"] == 1
    assert _records(people)[0]["headline"] == "Engineer"


@pytest.mark.parametrize("name", ["t", "r", "x", "note"])
def test_a_view_may_have_a_column_named_like_an_alias(people: Database, tmp_path: Path, name: str):
    _execute(
        people,
        f"CREATE VIEW hr.all_people AS SELECT id, full_name, email, null AS {name} FROM hr.people",
    )
    (tmp_path / "people.yaml").write_text(_MAPPING.replace("hr.people", "hr.all_people"))
    assert _night(people)["added"] == 1
    _execute(people, "UPDATE hr.people SET full_name = 'Ines Ferrand-Okoye'")
    assert _night(people, "r2")["changed"] == 1


def test_domains_and_enums_are_read_as_what_they_hold(people: Database, tmp_path: Path):
    _execute(
        people,
        "CREATE DOMAIN hr.names AS text[]",
        "CREATE DOMAIN hr.document AS jsonb",
        "CREATE TYPE hr.place AS ENUM ('Oslo', 'Lagos')",
        "ALTER TABLE hr.people ADD skills hr.names, ADD raw hr.document, ADD place hr.place",
        "UPDATE hr.people SET skills = '{Go,Kafka}', raw = '{\"title\": \"Engineer\"}', "
        "place = 'Oslo'",
    )
    (tmp_path / "people.yaml").write_text(
        _MAPPING + "  skills: skills\n  headline: raw.title\n  location: place\n"
    )
    _night(people)
    (record,) = _records(people)
    assert record["headline"] == "Engineer"
    assert record["location"] == "Oslo"
    assert {"Go", "Kafka"} <= set(record["skills"])


@pytest.mark.parametrize(
    ("sql_type", "value", "path"),
    [
        ("text[]", "'{Engineer}'", "x[]"),
        ("text[]", "'{Engineer,Nurse}'", "x[0]"),
        ("jsonb", "'[\"Engineer\"]'", "x[]"),
        ("jsonb", "'\"Engineer\"'", "x[]"),
        ("text", "'Engineer, Nurse'", "x[]"),
        ("hr.place[]", "array[row('Engineer', 7)::hr.place]", "x[0].title"),
        ("hr.place", "row('Engineer', 7)", "x.title"),
        ("hr.below", '\'{"title": "Engineer"}\'', "x.title"),
        ("json", f'\'{{"title": "Engineer", "id": {"7" * 5000}}}\'', "x.title"),
    ],
)
def test_a_list_or_a_row_of_any_type_is_read(
    people: Database, tmp_path: Path, sql_type: str, value: str, path: str
):
    _execute(
        people,
        "CREATE TYPE hr.place AS (title text, floor int)",
        "CREATE DOMAIN hr.document AS jsonb",
        "CREATE DOMAIN hr.below AS hr.document",
        f"ALTER TABLE hr.people ADD x {sql_type}",
        f"UPDATE hr.people SET x = {value}",
    )
    (tmp_path / "people.yaml").write_text(f"{_MAPPING}  headline: {path}\n")
    assert _night(people)["added"] == 1
    assert _records(people)[0]["headline"] == "Engineer"


def test_a_row_nested_too_deep_is_that_rows_fault(people: Database, tmp_path: Path):
    nested = "[" * 900 + '"' + "a b" * 9000 + '"' + "]" * 900
    _execute(
        people,
        "ALTER TABLE hr.people ADD raw json",
        "INSERT INTO hr.people (id, full_name) VALUES ('2', 'Uma Deep')",
        f"UPDATE hr.people SET raw = '{{\"x\": {nested}}}' WHERE id = '2'",
    )
    (tmp_path / "people.yaml").write_text(_MAPPING + "  headline: raw.title\n")
    counts = _night(people)
    assert (counts["added"], counts["rejected.reader_failed"]) == (1, 1)


def _as(people: Database, *grants: str) -> Database:
    _execute(
        people,
        "DO $$ BEGIN CREATE ROLE plain_login LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; "
        "END $$",
        "GRANT USAGE, CREATE ON SCHEMA synthesis TO plain_login",
        "GRANT ALL ON ALL TABLES IN SCHEMA synthesis TO plain_login",
        "GRANT USAGE ON SCHEMA hr, src TO plain_login",
        "GRANT SELECT ON ALL TABLES IN SCHEMA src TO plain_login",
        *grants,
    )
    return Database(people.url.replace("//postgres:", "//plain_login:"))


def test_a_right_to_the_mapped_columns_is_enough(people: Database):
    login = _as(people, "GRANT SELECT (id, full_name, email) ON hr.people TO plain_login")
    assert _night(login)["added"] == 1
    _execute(people, "UPDATE hr.people SET full_name = 'Ines Ferrand-Okoye'")
    assert _night(login, "r2")["changed"] == 1
    assert _night(login, "r3")["read"] == 0


def test_a_missing_right_is_named_with_its_table_and_column(people: Database):
    login = _as(people, "GRANT SELECT (id, full_name) ON hr.people TO plain_login")
    with pytest.raises(
        MappingError, match=r"plain_login may not read column 'email' of hr\.people"
    ):
        _night(login)


def test_rows_that_row_level_security_hides_are_reported(people: Database):
    login = _as(
        people,
        "GRANT SELECT ON hr.people TO plain_login",
        "ALTER TABLE hr.people ENABLE ROW LEVEL SECURITY",
    )
    with pytest.raises(MappingError, match=r"row level security of hr\.people hides rows"):
        _night(login)


@pytest.mark.parametrize("statement", [
    "CREATE VIEW hr.seen WITH (security_invoker = true) AS SELECT * FROM hr.people",
    "CREATE TABLE hr.seen AS SELECT * FROM hr.people",
])  # fmt: skip
def test_rows_that_are_hidden_below_a_view_or_a_child_are_reported(
    people: Database, tmp_path: Path, statement: str
):
    login = _as(
        people,
        statement,
        "GRANT SELECT ON hr.people, hr.seen TO plain_login",
        "ALTER TABLE hr.people ENABLE ROW LEVEL SECURITY",
    )
    child = "children:\n  more: {table: hr.people, key: id}\nfields:"
    is_table = "TABLE" in statement
    text = _MAPPING.replace("hr.people", "hr.seen")
    (tmp_path / "people.yaml").write_text(text.replace("fields:", child) if is_table else text)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        _night(login)


def test_long_keys_are_those_rows_faults_and_no_vanished_rows(people: Database):
    _execute(
        people,
        "INSERT INTO hr.people SELECT n, 'Ines Ferrand' FROM generate_series(2, 60) AS n",
        "INSERT INTO hr.people SELECT m || string_agg(md5(n::text), ''), 'Uma Long' "
        "FROM generate_series(1, 60) AS n, generate_series(1, 9) AS m GROUP BY m",
    )
    counts = _night(people)
    assert (counts["added"], counts["rejected.key_too_long"]) == (60, 9)
    _execute(people, "DELETE FROM hr.people WHERE id LIKE '1%' AND length(id) > 500")
    counts = _night(people, "r2")
    assert (counts["deleted"], counts["rejected.key_too_long"]) == (0, 8)
    with people.connect() as connection:
        rejected = connection.execute("SELECT count(*) FROM synthesis.rejected_row").fetchone()
    assert rejected == (8,)


@pytest.mark.parametrize("value", ["yes", "1", "perhaps", ""])
def test_an_industry_row_without_a_truth_value_stops_nobody(people: Database, value: str):
    _execute(
        people,
        "ALTER TABLE src.company_industry ALTER is_primary TYPE text",
        "INSERT INTO src.company_industry (id, company_name, industry, is_primary) "
        f"VALUES (1, 'Acme', 'Software Development', '{value}')",
    )
    _night(people)
    assert tag_domains.run(people, run_id="r1")["claims"] == 1


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("CREATE TABLE hr.more () INHERITS (hr.people)", "share a value of 'id'"),
        (
            "CREATE MATERIALIZED VIEW hr.more AS SELECT * FROM hr.people WITH NO DATA",
            "REFRESH MATERIALIZED VIEW hr.more",
        ),
    ],
)
def test_rows_that_cannot_be_told_apart_or_read_are_reported(
    people: Database, tmp_path: Path, statement: str, message: str
):
    _execute(people, statement)
    if "INHERITS" in statement:
        _execute(people, "INSERT INTO hr.more SELECT * FROM hr.people")
    else:
        (tmp_path / "people.yaml").write_text(_MAPPING.replace("hr.people", "hr.more"))
    with pytest.raises(MappingError, match=message):
        _night(people)


def test_a_long_industry_label_stops_nobody(people: Database):
    _execute(
        people,
        "INSERT INTO src.company_industry (id, company_name, industry) SELECT 1, 'Acme', "
        "string_agg('word' || md5(n::text), ' ') FROM generate_series(1, 400) AS n",
        "INSERT INTO src.company_industry (id, company_name, industry) SELECT 2, "
        "string_agg(md5(n::text), ''), 'Software' FROM generate_series(1, 400) AS n",
    )
    _night(people)
    assert tag_domains.run(people, run_id="r1")["unknown"] == 1


def test_every_table_can_be_published_with_updates_and_deletes(database: Database):
    """A publication of all tables refuses an update of one that it cannot tell rows of."""
    with database.connect() as connection:
        without = connection.execute(
            "SELECT relname FROM pg_class AS c WHERE relnamespace = 'synthesis'::regnamespace "
            "AND relkind = 'r' AND relpersistence = 'p' AND relreplident = 'd' AND NOT EXISTS "
            "(SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary)"
        ).fetchall()
        generated = connection.execute(
            "SELECT relname FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid "
            "WHERE relnamespace = 'synthesis'::regnamespace AND relreplident = 'f' "
            "AND attgenerated <> ''"
        ).fetchall()
    assert (without, generated) == ([], [])


def test_tables_children_and_industries_may_have_percent_signs_and_colons(
    people: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    _execute(
        people,
        'CREATE TABLE hr."100 % staff" (id text PRIMARY KEY, full_name text, "years %" int)',
        """INSERT INTO hr."100 % staff" VALUES ('1', 'Ines Ferrand', 7)""",
        'CREATE TABLE hr."jobs %" ("of %" text, title text, company text)',
        """INSERT INTO hr."jobs %" VALUES ('1', 'Engineer', 'Acme')""",
        'CREATE TABLE hr."lines %" (company_name text, "line: %" text)',
        """INSERT INTO hr."lines %" VALUES ('Acme', 'Software Development')""",
    )
    (tmp_path / "people.yaml").write_text(
        "source: people\ntable: hr.100 % staff\nkey: id\n"
        "children:\n  'job %': {table: hr.jobs %, key: 'of %'}\n"
        "fields:\n  full_name: full_name\n  years_experience: 'years %'\n"
        "positions:\n  - path: 'job %[]'\n    fields: {title: title, company: company}\n"
    )
    monkeypatch.setenv("PROFILES_INDUSTRY_TABLE", "hr.lines %")
    names = dict.fromkeys(
        ("company_linkedin_id", "company_linkedin_url", "company_domain", "industry_code",
         "is_primary"), "",
    ) | {"industry": "line: %"}  # fmt: skip
    monkeypatch.setenv("PROFILES_INDUSTRY_COLUMNS", json.dumps(names))
    assert _night(people)["added"] == 1
    (record,) = _records(people)
    assert record["positions"][0]["company"] == "Acme"
    assert tag_domains.run(people, run_id="r1")["claims"] == 1


def test_na_is_a_country_and_nothing_elsewhere(people: Database, tmp_path: Path):
    (tmp_path / "people.yaml").write_text(_MAPPING + "  country: land\n  location: email\n")
    _execute(people, "ALTER TABLE hr.people ADD land text", "UPDATE hr.people SET land = 'NA'")
    _execute(people, "UPDATE hr.people SET email = 'NA'")
    _night(people)
    (record,) = _records(people)
    assert record["country"] == "NA"
    assert record.get("location") is None


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_costs_nothing_else_of_its_row(
    people: Database, tmp_path: Path, number: str
):
    fields = ("years", "months", "phone", "skill", "member", "year", "title", "place", "at")
    raw = "{" + ", ".join(f'"{name}": {number}' for name in fields) + "}"
    (tmp_path / "people.yaml").write_text(
        _MAPPING.replace("key: id", "key: id\nupdated_at: at")
        + "  years_experience: [n, raw.years]\n  months_experience: raw.months\n"
        "  phones: raw.phone\n  skills: raw.skill\n  linkedin_member_ids: raw.member\n"
        "  location: raw.place\n"
        "positions:\n  - path: raw\n    fields: {title: title, company: title, start: year, "
        "end: raw.year, is_current: raw.at}\n"
    )
    _execute(
        people,
        "ALTER TABLE hr.people ADD raw text, ADD n float8 DEFAULT 'NaN', "
        "ADD at timestamptz DEFAULT 'infinity'",
        f"UPDATE hr.people SET raw = '{raw}'",
    )
    assert _night(people)["added"] == 1
    assert _records(people)[0]["full_name"] == "Ines Ferrand"


def test_what_is_too_long_to_be_read_is_cut_and_counted(people: Database):
    _execute(
        people,
        "UPDATE hr.people SET full_name = 'Ines ' || repeat('x ', 400), "
        "email = 'ines@example.org,' || repeat('a b', 9000)",
    )
    counts = _night(people)
    assert (counts["cut.long_line"], counts["cut.long_text"]) == (2, 1)
    assert _records(people)[0]["emails"] == ["ines@example.org"]

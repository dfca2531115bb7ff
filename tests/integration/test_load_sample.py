"""Loading sample files into a real Postgres."""

from __future__ import annotations

import shutil

import pytest

from profiles.errors import SettingsError
from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources, resolve_identities
from profiles.storage.mappings import load_mappings
from sample_data import load_sample, write_sample
from sample_data.bundle import PEOPLE, SEED
from sample_data.loading import BUNDLED_SAMPLE
from sample_data.population import Population
from sample_data.rows import rows_of

TABLES = (
    "linkedin_profiles",
    "weekday_candidates",
    "parsed_resumes",
    "lemlist_leads",
    "company_industry",
)


def count(database, table):
    with database.connect() as connection:
        return connection.execute(f"SELECT count(*) FROM src.{table}").fetchone()[0]


def test_bundled_sample_loads_completely(database):
    added = load_sample(database)
    assert set(added) == set(TABLES)
    for table in TABLES:
        lines = (BUNDLED_SAMPLE / f"{table}.copy").read_text(encoding="utf-8").count("\n")
        assert added[table] == lines == count(database, table)


@pytest.mark.parametrize("replace", [False, True])
def test_a_schema_that_the_sample_did_not_make_is_left_alone(database, replace):
    with database.connect() as connection:
        connection.execute("CREATE SCHEMA src")
        connection.execute("CREATE TABLE src.lemlist_leads (id text)")
        connection.execute("INSERT INTO src.lemlist_leads VALUES ('a real one')")
    with pytest.raises(SettingsError, match=r"schema src of .* was not made by the sample"):
        load_sample(database, replace=replace)
    assert count(database, "lemlist_leads") == 1


def test_second_load_adds_nothing_and_keeps_edited_rows(database):
    load_sample(database)
    with database.connect() as connection:
        connection.execute(
            "UPDATE src.weekday_candidates SET notes = 'edited' WHERE id = 'thin-0001'"
        )
    assert load_sample(database) == dict.fromkeys(TABLES, 0)
    with database.connect() as connection:
        notes = connection.execute(
            "SELECT notes FROM src.weekday_candidates WHERE id = 'thin-0001'"
        ).fetchone()
    assert notes == ("edited",)


def test_replace_brings_the_tables_back_to_the_files(database):
    first = load_sample(database)
    with database.connect() as connection:
        connection.execute("INSERT INTO src.weekday_candidates (id) VALUES ('another')")
        connection.execute("DELETE FROM src.lemlist_leads")
    assert load_sample(database, replace=True) == first
    assert count(database, "weekday_candidates") == first["weekday_candidates"]


def test_json_inside_a_json_string_survives_the_load(database):
    load_sample(database)
    with database.connect() as connection:
        kinds = dict(
            connection.execute(
                "SELECT jsonb_typeof(raw), count(*) FROM src.parsed_resumes GROUP BY 1"
            ).fetchall()
        )
    assert kinds["string"] >= 2


def test_generated_people_load_beside_the_bundled_ones(database, tmp_path):
    load_sample(database)
    before = count(database, "linkedin_profiles")
    write_sample(tmp_path, people=30, seed=5)
    added = load_sample(database, tmp_path)
    assert added["linkedin_profiles"] > 0
    assert count(database, "linkedin_profiles") == before + added["linkedin_profiles"]


def test_missing_file_is_named_and_nothing_is_loaded(database, tmp_path):
    for table in TABLES[:-1]:
        shutil.copy(BUNDLED_SAMPLE / f"{table}.copy", tmp_path)
    with pytest.raises(SettingsError, match=r"company_industry\.copy"):
        load_sample(database, tmp_path)
    with database.connect() as connection:
        found = connection.execute("SELECT to_regclass('src.linkedin_profiles')").fetchone()
    assert found == (None,)


def test_each_person_of_the_sample_is_one_candidate(database, monkeypatch):
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    load_sample(database)
    for source in check_sources.run(database, run_id="r", params=RunParams()):
        extract_sources.run(database, run_id="r", source=source)
    resolve_identities.run(database, run_id="r")
    tables = {name: mapping.table.removeprefix("src.") for name, mapping in load_mappings().items()}
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT source, source_key, candidate_id FROM synthesis.candidate_source"
        ).fetchall()
    found: dict[int, set] = {}
    for source, key, candidate_id in rows:
        found.setdefault(candidate_id, set()).add((tables[source], key))
    population = Population(SEED)
    people = [{(row.table, row.key) for row in rows_of(population, n)[1]} for n in PEOPLE]
    by_hand = [{("weekday_candidates", "thin-0001")}, {("linkedin_profiles", "hostile-0002")}]
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, people + by_hand))

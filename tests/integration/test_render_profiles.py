"""render_profiles stores documents for what changed, and for nothing else."""

import pytest
from tests.factories import position, record

from profiles.models.record_json import digest, encode
from profiles.params import RunParams
from profiles.steps import render_profiles
from profiles.storage.runs import start_run

ADA = {"full_name": "Ada Testwell", "positions": (position(description="Built the press."),)}


@pytest.fixture
def known(database):
    """Two candidates: 1 with two rows, 2 with one."""
    start_run(database, run_id="r1", params=RunParams())
    add_candidate(database, "li-1", **ADA)
    add_candidate(database, "li-2", full_name="Bo Sample", headline="Baker of bread")
    put(database, record(source="resume", source_key="cv-1", **ADA), candidate_id=1)
    return database


def put(database, stated, candidate_id=None):
    """Stores a record as extract and resolve would."""
    content = encode(stated)
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.source_record (source, source_key, change_token,"
            " extractor_version, observed_at, record_hash, record)"
            " VALUES (%s, %s, '1', '1', %s, %s, %s)"
            " ON CONFLICT (source, source_key) DO UPDATE"
            " SET record = excluded.record, record_hash = excluded.record_hash",
            (
                stated.source,
                stated.source_key,
                stated.observed_at,
                digest(content),
                content.decode(),
            ),
        )
        if candidate_id is not None:
            connection.execute(
                "INSERT INTO synthesis.candidate_source (source, source_key, candidate_id, rule,"
                " assigned_run) VALUES (%s, %s, %s, 'test', 'r1')",
                (stated.source, stated.source_key, candidate_id),
            )


def add_candidate(database, source_key, **facts):
    with database.connect() as connection:
        row = connection.execute(
            "INSERT INTO synthesis.candidate (created_run) VALUES ('r1') RETURNING candidate_id"
        ).fetchone()
    put(database, record(source_key=source_key, **facts), candidate_id=row[0])
    return row[0]


def execute(database, statement):
    with database.connect() as connection:
        connection.execute(statement)


def render(database, lo=0, hi=100):
    return render_profiles.run(database, run_id="r1", lo=lo, hi=hi)


def documents(database, columns="candidate_id"):
    with database.connect() as connection:
        return connection.execute(
            f"SELECT {columns} FROM synthesis.document ORDER BY candidate_id"
        ).fetchall()


def test_every_candidate_gets_one_document_and_its_jobs(known):
    counts = render(known)
    assert (counts["candidates"], counts["added"], counts["thin"]) == (2, 2, 2)
    (first, second) = documents(known, "full_name, markdown, too_thin, as_of")
    assert first[0] == "Ada Testwell"
    assert first[1].count("Built the press.") == 1
    assert first[2:] == (True, "2026-05")
    assert second[1] == "# Bo Sample\nBaker of bread\n"
    with known.connect() as connection:
        jobs = connection.execute(
            "SELECT candidate_id, n, employer, start_month, end_month, is_current, sources"
            " FROM synthesis.experience"
        ).fetchall()
    assert jobs == [(1, 0, "Northvale Systems", "2020-01", None, True, ["linkedin", "resume"])]


def test_choices_and_odd_names_of_sources_are_stored_as_they_are(known):
    odd = 'a "b", {c}\\d'
    put(known, record(source=odd, source_key="1", **ADA), candidate_id=2)
    render(known)
    with known.connect() as connection:
        (sources,) = connection.execute(
            "SELECT sources FROM synthesis.experience WHERE candidate_id = 2"
        ).fetchone()
    assert sources == [odd]
    (choices,) = documents(known, "choices")[1]
    assert {choice["field"]: (choice["value"], choice["source"]) for choice in choices} == {
        "full_name": ("Ada Testwell", odd),
        "headline": ("Baker of bread", "linkedin"),
    }


def test_a_second_run_renders_nothing(known):
    render(known)
    before = documents(known, "candidate_id, rendered_at")
    assert render(known)["candidates"] == 0
    assert documents(known, "candidate_id, rendered_at") == before


def test_only_the_candidate_with_a_changed_row_is_rendered_again(known):
    render(known)
    before = dict(documents(known, "candidate_id, changed_at"))
    put(known, record(source_key="li-2", full_name="Bo Sample", headline="Baker of cakes"))
    counts = render(known)
    assert (counts["candidates"], counts["changed"]) == (1, 1)
    after = dict(documents(known, "candidate_id, changed_at"))
    assert after[1] == before[1]
    assert after[2] > before[2]


def test_a_row_that_changes_no_byte_of_the_text_does_not_move_changed_at(known):
    render(known)
    before = documents(known, "candidate_id, changed_at, content_hash")
    put(
        known,
        record(source="resume", source_key="cv-1", emails=("ada@mail-example.com",), **ADA),
    )
    counts = render(known)
    assert (counts["candidates"], counts["changed"], counts["unchanged"]) == (1, 0, 1)
    assert documents(known, "candidate_id, changed_at, content_hash") == before


def test_a_row_that_moves_to_another_candidate_renders_both(known):
    render(known)
    execute(
        known, "UPDATE synthesis.candidate_source SET candidate_id = 2 WHERE source_key = 'cv-1'"
    )
    assert render(known)["candidates"] == 2


def test_documents_of_merged_and_retired_candidates_are_deleted(known):
    add_candidate(known, "li-3", full_name="Cy Example")
    render(known)
    execute(known, "UPDATE synthesis.candidate_source SET candidate_id = 1 WHERE candidate_id = 2")
    execute(
        known,
        "UPDATE synthesis.candidate SET merged_into = 1, merged_at = now() WHERE candidate_id = 2",
    )
    execute(known, "DELETE FROM synthesis.candidate_source WHERE candidate_id = 3")
    execute(known, "UPDATE synthesis.candidate SET retired_at = now() WHERE candidate_id = 3")
    counts = render(known)
    assert counts["deleted"] == 2
    assert documents(known) == [(1,)]
    with known.connect() as connection:
        left = connection.execute("SELECT DISTINCT candidate_id FROM synthesis.experience")
        assert left.fetchall() == [(1,)]


def test_a_range_touches_no_candidate_outside_it(known):
    assert render(known, lo=2, hi=2)["added"] == 1
    assert documents(known) == [(2,)]
    assert render(known, lo=0, hi=1)["added"] == 1


def test_a_candidate_that_says_nothing_any_more_loses_its_document(known):
    render(known)
    put(known, record(source_key="li-2", full_name=None, emails=("bo@mail-example.com",)))
    assert render(known)["empty"] == 1
    assert documents(known) == [(1,)]


def test_more_candidates_than_a_batch_are_all_rendered(known, monkeypatch):
    monkeypatch.setattr(render_profiles, "BATCH", 2)
    for number in range(5):
        add_candidate(known, f"li-more-{number}", full_name=f"Di Person {number}")
    assert render(known)["added"] == 7
    assert len(documents(known)) == 7


def test_a_record_of_another_version_leaves_its_candidate_and_the_others_alone(known):
    render(known)
    before = documents(known, "candidate_id, content_hash")
    put(known, record(source_key="li-2", full_name="Bo Sample", headline="Baker of rolls"))
    execute(
        known,
        "UPDATE synthesis.source_record SET record = '{\"source\": 7}', record_hash = 'other' "
        "WHERE source = 'resume'",
    )

    counts = render(known)

    after = documents(known, "candidate_id, content_hash")
    assert (counts["unreadable"], counts["candidates"], counts["changed"]) == (1, 1, 1)
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_what_a_killed_try_stored_meanwhile_is_replaced(known, monkeypatch):
    """Its last batch was committed after the next try had begun to read."""
    rendered = render_profiles.render

    def render_late(candidate, **given):
        if candidate.candidate_id == 1:
            execute(
                known,
                "INSERT INTO synthesis.document (candidate_id, markdown, content_hash, input_hash,"
                " word_count, token_estimate, renderer_version, too_thin)"
                " VALUES (1, 'old', 'old', 'old', 0, 0, '1', true);"
                " INSERT INTO synthesis.experience (candidate_id, n, is_current)"
                " VALUES (1, 0, false), (1, 7, false)",
            )
        return rendered(candidate, **given)

    monkeypatch.setattr(render_profiles, "render", render_late)
    counts = render(known)

    assert (counts["added"], counts["changed"]) == (1, 1)
    assert [text != "old" for (text,) in documents(known, "markdown")] == [True, True]
    with known.connect() as connection:
        jobs = connection.execute("SELECT candidate_id, n FROM synthesis.experience").fetchall()
    assert jobs == [(1, 0)]


def test_the_growing_table_of_documents_is_not_read_for_each_candidate(database):
    """Vacuumed while empty, it is planned as empty: 20,000 candidates took 27 times as long."""
    start_run(database, run_id="r1", params=RunParams())
    with database.connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    for number in range(40):
        add_candidate(database, f"li-{number}", full_name=f"Ada Testwell {number}")
    count = "SELECT seq_scan FROM pg_stat_user_tables WHERE relid = 'synthesis.document'::regclass"
    with database.connect() as connection:
        before = connection.execute(count).fetchone()[0]

    assert render(database)["added"] == 40

    with database.connect() as connection:
        assert connection.execute(count).fetchone()[0] - before < 10

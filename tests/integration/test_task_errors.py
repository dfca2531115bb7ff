"""A task's message for an error that quotes a row: its kind and place, never its text."""

from __future__ import annotations

import logging

import airflow.sdk.exceptions  # noqa: F401 - sets logging up as it is imported; not within a test
import pytest

from profiles import task_runner
from profiles.errors import UnexpectedError

MARK = "Zyxmarker"


def fail_in_database(database) -> None:
    with database.connect() as connection:
        connection.execute("ALTER TABLE synthesis.document ADD CONSTRAINT never CHECK (false)")
        connection.execute("INSERT INTO synthesis.candidate (created_run) VALUES ('r')")
        connection.execute(
            "INSERT INTO synthesis.document (candidate_id, markdown, content_hash, input_hash, "
            "word_count, token_estimate, renderer_version, too_thin) "
            "SELECT candidate_id, %s, '', '', 0, 0, '', false FROM synthesis.candidate",
            (MARK,),
        )


def fail_in_library(_database) -> None:
    int(MARK)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (fail_in_database, "CheckViolation, SQLSTATE 23514, table document, constraint never"),
        (fail_in_library, "ValueError"),
    ],
)
def test_the_text_of_a_foreign_error_is_neither_raised_nor_logged(
    step, said, database, monkeypatch, caplog
):
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    with caplog.at_level(logging.DEBUG), pytest.raises(UnexpectedError) as raised:
        task_runner.run_step(step)
    assert str(raised.value) == f"{said}; see the task's log"
    assert step.__name__ in caplog.text
    assert raised.value.__suppress_context__
    assert raised.value.__cause__ is None
    assert MARK not in caplog.text

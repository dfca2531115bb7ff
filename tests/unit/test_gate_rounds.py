"""The wordings from which the gate's labelled outputs are made."""

from __future__ import annotations

from collections import Counter
from random import Random

from benchmarks.gate_made import made
from benchmarks.gate_rounds import TUNING, Wordings


def test_every_wording_of_a_list_is_taken_as_often_as_the_others() -> None:
    wordings = Wordings({"again": ["Again, {}", "Also, {}", "Once more, {}"]})
    stream = Random(3)
    taken = Counter(wordings.fill("again", {}, stream, "yes") for _ in range(9))
    assert taken == {"Again, yes": 3, "Also, yes": 3, "Once more, yes": 3}


def test_a_wording_is_left_out_where_the_document_lacks_a_slot() -> None:
    wordings = Wordings({"named_rightly": ["{first} works.", "{last} works."]})
    stream = Random(3)
    told = {wordings.fill("named_rightly", {"last": "Quill"}, stream) for _ in range(4)}
    assert told == {"Quill works."}
    assert wordings.fill("named_rightly", {}, stream) is None


def test_a_round_without_foreign_text_has_no_outputs_of_it() -> None:
    checks = {check for case in made(3, 5, "second", is_tuning=True) for check in case.checks or ()}
    assert "titles" in checks
    assert "language" not in checks


def test_outputs_follow_from_the_seed() -> None:
    first, second = (
        [case.summary for case in made(3, 5, TUNING[0], is_tuning=True)] for _ in range(2)
    )
    assert first == second

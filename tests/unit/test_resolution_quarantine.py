"""Conditions under which a key no longer points at one person."""

from tests.factories import position, record

from profiles.resolution.comparison import compare
from profiles.resolution.features import describe
from profiles.resolution.quarantine import (
    MAX_BLOCK_ROWS,
    MAX_STRONG_ROWS,
    Corpus,
    count_people,
    generic_reason,
)


def test_three_disagreeing_names_make_a_key_generic():
    names = ["Ria Agencyheld", "Sam Agencyheld", "Otto Oldowner"]
    assert generic_reason(kind="phone", rows=3, names=names) == "names"
    assert generic_reason(kind="phone", rows=2, names=names[:2]) is None


def test_spellings_of_one_name_count_once():
    names = [
        "Jörg Müllenbach",
        "JOERG MUELLENBACH",
        "Jörg M.",
        "Müllenbach, Jörg",
        "Jörg Q. Müllenbach",
    ]
    assert count_people(names) == 1


def test_scripts_that_cannot_be_compared_count_as_one_person():
    assert count_people(["王思远", "Siyuan Wang"]) == 1


def test_too_many_rows_make_a_key_generic():
    assert generic_reason(kind="email", rows=MAX_STRONG_ROWS + 1, names=["Ada Testwell"]) == "rows"
    for kind in ("name_employer", "initial"):
        most = MAX_BLOCK_ROWS[kind]
        assert generic_reason(kind=kind, rows=most + 1, names=[]) == "rows"
        assert generic_reason(kind=kind, rows=most, names=["A B", "C D", "E F"]) is None


def test_the_verdict_does_not_depend_on_the_order_of_names():
    names = ["Ada T.", "Otto Oldowner", "Ada Testwell", "Nila Newowner"]
    assert count_people(names) == count_people(reversed(names)) == 3


def test_without_a_key_more_rows_ask_for_more_evidence():
    job = {"positions": (position("Tarn Media", "2019-03"),)}
    for keys, costs in (({}, True), ({"emails": ("dora@mail-example.com",)}, False)):
        row = describe(record(**job, **keys)).features
        few, weighed, many = (
            dict(compare(row, row, Corpus(rows=rows)).signals).get("more_rows", 0)
            for rows in (10, 14, 20)
        )
        assert few == weighed == 0
        assert (many < 0) is costs

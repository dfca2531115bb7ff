"""What it takes for two rows to be one person."""

import itertools

import pytest
from tests.factories import education, position, record

from profiles.models import SourceRecord
from profiles.resolution.comparison import (
    ACCEPT_DISPUTED,
    CONFLICT,
    Evidence,
    NameVerdict,
    compare,
    compare_names,
)
from profiles.resolution.features import describe


def evidence(a: SourceRecord, b: SourceRecord, generic: tuple = ()) -> Evidence:
    return compare(describe(a).features, describe(b).features, generic=generic)


STRONG_KEYS = {
    "member_id": {"linkedin_member_ids": ("94142",)},
    "linkedin": {"linkedin_id": "dora-twourls"},
    "email": {"emails": ("dora@mail-example.com",)},
    "phone": {"phones": ("+12025550101",)},
}


@pytest.mark.parametrize("kind", STRONG_KEYS)
def test_one_strong_key_whose_names_agree_is_enough(kind):
    found = evidence(
        record(**STRONG_KEYS[kind]), record(full_name="Testwell, Ada", **STRONG_KEYS[kind])
    )
    assert found.accepted
    assert found.rule == kind


@pytest.mark.parametrize("kind", STRONG_KEYS)
def test_one_strong_key_whose_names_agree_by_an_initial_is_enough(kind):
    assert evidence(
        record(**STRONG_KEYS[kind]), record(full_name="Ada T.", **STRONG_KEYS[kind])
    ).accepted


@pytest.mark.parametrize("kind", ["linkedin", "email", "phone"])
def test_one_strong_key_whose_names_disagree_is_not_enough(kind):
    assert not evidence(
        record(**STRONG_KEYS[kind]), record(full_name="Otto Oldowner", **STRONG_KEYS[kind])
    ).accepted


def test_a_linkedin_key_and_a_contact_outweigh_disagreeing_names():
    keys = {**STRONG_KEYS["linkedin"], **STRONG_KEYS["email"]}
    assert evidence(record(**keys), record(full_name="Otto Oldowner", **keys)).accepted


def test_a_recruiters_mail_and_phone_together_join_nobody():
    keys = {**STRONG_KEYS["email"], **STRONG_KEYS["phone"]}
    assert not evidence(
        record(full_name="Ria Agencyheld", **keys), record(full_name="Sam Agencyheld", **keys)
    ).accepted


def test_a_generic_key_is_no_evidence():
    keys = STRONG_KEYS["phone"]
    assert not evidence(record(**keys), record(**keys), (("phone", "+12025550101"),)).accepted


def test_names_in_other_scripts_do_not_stand_against_a_strong_key():
    keys = STRONG_KEYS["email"]
    assert evidence(
        record(full_name="王思远", **keys), record(full_name="Siyuan Wang", **keys)
    ).accepted


def test_a_row_without_a_name_joins_by_a_strong_key():
    keys = STRONG_KEYS["email"]
    assert evidence(record(full_name=None, **keys), record(**keys)).accepted


def test_same_name_and_employer_are_not_enough():
    job = {"positions": (position("Tarn Media", None),)}
    assert not evidence(record(**job), record(**job)).accepted


def test_same_name_employer_start_and_school_are_enough():
    facts = {"positions": (position("Tarn Media", "2019-03"),), "education": (education(),)}
    found = evidence(record(**facts), record(**facts))
    assert found.accepted
    assert found.rule == "name_employer"


def test_same_name_and_two_jobs_with_the_same_start_are_enough():
    jobs = (position("Tarn Media", "2019-03"), position("Umbra Media", "2016-01"))
    assert evidence(record(positions=jobs), record(positions=jobs)).accepted


def test_twins_at_one_employer_stay_apart():
    first = record(
        linkedin_id="rohan-one",
        positions=(position("Tarn Media", "2019-03"),),
        location="Pune, India",
    )
    second = record(
        linkedin_id="rohan-two",
        positions=(position("Tarn Media", "2021-08"),),
        location="Pune, India",
    )
    assert not evidence(first, second).accepted


def test_different_member_ids_contradict_and_a_urn_does_not_contradict_a_number():
    one = record(linkedin_member_ids=("1",))
    assert (
        evidence(one, record(full_name="Otto Oldowner", linkedin_member_ids=("2",))).score
        <= CONFLICT
    )
    signals = dict(evidence(one, record(linkedin_member_ids=("ACoAAx",))).signals)
    assert "other_member_id" not in signals


def test_the_score_is_symmetric():
    rows = [
        record(full_name=name, positions=jobs, location=place, **keys)
        for name, jobs, place, keys in itertools.product(
            ("Ada Testwell", "A. Testwell", None),
            ((position(),), (position("Umbra Media", "2016"),)),
            ("Pune, India", None),
            (STRONG_KEYS["email"], STRONG_KEYS["linkedin"]),
        )
    ]
    for a, b in itertools.combinations(rows, 2):
        assert evidence(a, b) == evidence(b, a)


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("Ada Testwell", "TESTWELL, Ada", NameVerdict.FULL),
        ("Ada Testwell", "Ada M. Testwell", NameVerdict.FULL),
        ("Ada Testwell", "Ada T.", NameVerdict.LOOSE),
        ("Ada Testwell", "Ada Newname", NameVerdict.PARTIAL),
        ("Ada Testwell", "Otto Testwell", NameVerdict.DISAGREE),
        ("Ada Testwell", None, NameVerdict.UNKNOWN),
        ("Андрей Щербаковский", "Andrey Shcherbakovsky", NameVerdict.UNKNOWN),
    ],
)
def test_names_compare(a, b, verdict):
    assert compare_names(a, b) is verdict
    assert compare_names(b, a) is verdict


NAMESAKE = {"positions": (position(),), "location": "Pune, India"}


def test_namesakes_with_like_careers_need_more_where_something_speaks_against_it():
    assert evidence(record(**NAMESAKE), record(**NAMESAKE)).accepted
    for dispute, values in {
        "other_school": [
            {"education": (education("Halden University"),)},
            {"education": (education("Northvale College"),)},
        ],
        "other_email": [
            {"emails": ("ada.t@gmail.com",)},
            {"emails": ("testwell.ada@gmail.com",)},
        ],
    }.items():
        found = evidence(record(**NAMESAKE, **values[0]), record(**NAMESAKE, **values[1]))
        assert dispute in dict(found.signals)
        assert found.score >= 10, found
        assert not found.accepted, found


def test_a_shared_key_is_not_held_to_the_limit_of_a_dispute():
    values = {"linkedin_id": "ada-testwell"}
    found = evidence(
        record(education=(education("Halden University"),), **values),
        record(education=(education("Northvale College"),), **values),
    )
    assert found.score < ACCEPT_DISPUTED
    assert found.accepted


def test_namesakes_without_a_title_or_text_in_common_need_more():
    there = "Pune, India"
    found = evidence(
        record(positions=(position(title="Engineer"),), location=there),
        record(positions=(position(title="Cook"),), location=there),
    )
    assert found.score >= 10
    assert not found.accepted

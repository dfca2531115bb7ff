"""Which values of a record become identity keys."""

from tests.factories import position, record

from profiles.resolution.blocking import block_name, identity_keys, is_strong


def test_strong_keys_come_first_and_once():
    keys = identity_keys(
        record(
            linkedin_member_ids=("94142",),
            linkedin_id="dora-twourls",
            emails=("dora@mail-example.com", "dora@mail-example.com"),
            phones=("+12025550101",),
            positions=(position("Umbra Media"), position("Umbra Media Ltd", "2022-02")),
        )
    )
    assert [kind for kind, _ in keys[:4]] == ["member_id", "linkedin", "email", "phone"]
    assert len(keys) == len(set(keys))
    assert not any(is_strong(key) for key in keys[4:])


def test_a_role_mailbox_is_never_a_key():
    assert identity_keys(record(full_name=None, emails=("careers@halden-example.com",))) == ()


def test_a_bare_name_gives_no_key():
    assert identity_keys(record(full_name="Solo Nameonly")) == ()


def test_an_employer_without_a_name_gives_no_key():
    assert identity_keys(record(full_name=None, positions=(position(),))) == ()


def test_the_block_ignores_order_initials_accents_and_umlaut_spelling():
    assert block_name("Jörg Müllenbach") == block_name("Muellenbach Joerg")
    assert block_name("Avery Q. Ashcombe") == block_name("Ashcombe, Avery")


def test_the_block_of_an_east_asian_name_ignores_order_and_space():
    assert block_name("王若曦") == block_name("若曦 王") != block_name("王若")


def test_an_initial_meets_the_full_family_name_at_the_same_employer():
    job = {"positions": (position(),)}
    short, full = record(full_name="Uday V.", **job), record(full_name="Uday Venkataraman", **job)
    assert set(identity_keys(short)) & set(identity_keys(full))


def test_two_dated_jobs_find_a_person_whatever_the_name():
    jobs = {"positions": (position("Umbra Media", "2016-01"), position("Tarn Media", "2019-03"))}
    one, other = record(full_name="王若曦", **jobs), record(full_name="Ruoxi Wang", **jobs)
    assert [kind for kind, _ in set(identity_keys(one)) & set(identity_keys(other))] == ["career"]


def test_a_single_long_word_keeps_its_initial():
    assert block_name("Priya K") != block_name("Priya")
    assert block_name("Priya K") != block_name("Priya S")


def test_a_single_ideograph_counts_as_a_word():
    assert "王" in block_name("王 思远")

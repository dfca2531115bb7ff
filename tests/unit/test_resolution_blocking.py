"""Which values of a record become identity keys."""

from tests.factories import position, record

from profiles.resolution.blocking import block_name, identity_keys


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
    assert all(kind == "name_employer" for kind, _ in keys[4:])


def test_a_role_mailbox_is_never_a_key():
    assert identity_keys(record(full_name=None, emails=("careers@halden-example.com",))) == ()


def test_a_bare_name_gives_no_key():
    assert identity_keys(record(full_name="Solo Nameonly")) == ()


def test_an_employer_without_a_name_gives_no_key():
    assert identity_keys(record(full_name=None, positions=(position(),))) == ()


def test_the_block_ignores_order_initials_accents_and_umlaut_spelling():
    assert block_name("Jörg Müllenbach") == block_name("Muellenbach Joerg")
    assert block_name("Avery Q. Ashcombe") == block_name("Ashcombe, Avery")


def test_a_single_long_word_keeps_its_initial():
    assert block_name("Priya K") != block_name("Priya")
    assert block_name("Priya K") != block_name("Priya S")


def test_a_single_ideograph_counts_as_a_word():
    assert "王" in block_name("王 思远")

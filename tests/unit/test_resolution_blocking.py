"""Values of a record that become identity keys."""

from tests.factories import position, record

from profiles.models import SourceRecord
from profiles.resolution.blocking import WEAK_KINDS, IdentityKey, JobMark, title_words
from profiles.resolution.features import describe

EMPLOYER_KINDS = {"name_employer", "initial"}


def identity_keys(row: SourceRecord) -> tuple[IdentityKey, ...]:
    return tuple(describe(row).keys)


def marks(**overrides) -> dict[str, JobMark]:
    keys = describe(record(**overrides)).keys
    return {value: mark for (kind, value), mark in keys.items() if kind in EMPLOYER_KINDS}


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
    assert {kind for kind, _ in keys[4:]} <= {*WEAK_KINDS}


def test_a_role_mailbox_is_never_a_key():
    assert identity_keys(record(full_name=None, emails=("careers@halden-example.com",))) == ()


def test_a_bare_name_meets_its_other_forms_alone():
    key = ("name", "nmnl rbrt")
    assert key in identity_keys(record(full_name="Robert Nameonly"))
    assert key in identity_keys(record(full_name="Bob Nameonly"))
    assert key not in identity_keys(record(full_name="Ada Nameonly"))


def test_a_name_of_four_words_meets_itself_in_any_order():
    names = ("Nguyen Thi Thanh Huong", "Huong Nguyen Thi Thanh")
    first, second = (set(identity_keys(record(full_name=name))) for name in names)
    assert any(kind == "name" for kind, _ in first & second)


def test_an_employer_without_a_name_gives_no_key():
    assert identity_keys(record(full_name=None, positions=(position(),))) == ()


def test_an_initial_meets_the_full_family_name_at_the_same_employer():
    job = {"positions": (position(),)}
    short, full = record(full_name="Uday V.", **job), record(full_name="Uday Venkataraman", **job)
    assert set(identity_keys(short)) & set(identity_keys(full))


def test_two_dated_jobs_find_a_person_whatever_the_name():
    jobs = {"positions": (position("Umbra Media", "2016-01"), position("Tarn Media", "2019-03"))}
    one, other = (
        record(full_name="大輔 小野寺", **jobs),
        record(full_name="Daisuke Onodera", **jobs),
    )
    assert "career" in {kind for kind, _ in set(identity_keys(one)) & set(identity_keys(other))}


def test_a_name_meets_its_reading_in_latin_letters_at_an_employer():
    job = {"positions": (position("Halden Works"),)}
    for native, latin in (("林静怡", "Jingyi Lin"), ("하은 남궁", "Haeun Namgung")):
        one, other = record(full_name=native, **job), record(full_name=latin, **job)
        assert set(identity_keys(one)) == set(identity_keys(other))


def test_a_division_a_town_and_initials_of_an_employer_are_looked_up_together():
    def at(company: str) -> set[IdentityKey]:
        return set(identity_keys(record(positions=(position(company),))))

    assert at("Tarnwell Retail Group Pune") & at("Tarnwell Retail Group - Payments")
    assert at("Tarnwell Retail Group") & at("TRG")
    assert at("Newname (formerly Tarnwell)") & at("Tarnwell Ltd")


def test_a_turned_name_and_another_spelling_meet_at_an_employer():
    jobs = {"positions": (position("Halden Works"),)}
    names = ("Karthik Srinivasan", "Srinivasan Kartik", "Karthik S.")
    first, *others = (set(identity_keys(record(full_name=name, **jobs))) for name in names)
    assert all(any(kind in EMPLOYER_KINDS for kind, _ in first & other) for other in others)


def test_both_names_and_an_employer_tell_more_people_apart_than_an_initial():
    def at_work(name: str) -> dict[str, set[str]]:
        keys = identity_keys(record(full_name=name, positions=(position("Halden Works"),)))
        return {kind: {value for found, value in keys if found == kind} for kind in EMPLOYER_KINDS}

    names = ("Robert Testwell", "Testwell, Robert", "Robert Tarn", "Robert T.")
    ours, turned, namesake, short = map(at_work, names)
    assert ours["name_employer"] == turned["name_employer"] != set()
    assert ours["name_employer"].isdisjoint(namesake["name_employer"])
    assert ours["initial"] & namesake["initial"]
    assert not short["name_employer"]


def test_a_key_of_name_and_employer_holds_the_months_in_which_the_jobs_can_have_begun():
    jobs = (
        position("Tarn Media", "2016-02"),
        position("Umbra Media", "2019"),
        position("Tarn Media", "2021-08"),
        position("Halden Bank", None),
        position("Halden Bank", "2018-01"),
    )
    found = marks(positions=jobs)
    started = {employer: found[f"ad t|{employer}"][1:] for employer in ("tarn", "umbra", "halden")}
    assert started == {
        "tarn": (2016 * 12 + 1, 2021 * 12 + 7),
        "umbra": (2018 * 12, 2020 * 12 + 11),
        "halden": (None, None),
    }


def test_the_words_of_a_title_are_among_those_of_a_longer_one():
    short, long, other = map(title_words, ("engineer", "senior engineer platform", "buyer"))
    assert short & long == short != long
    assert short & other == 0 == title_words("")


def test_the_titles_of_all_jobs_at_an_employer_count():
    jobs = (position(title="Buyer"), position(start="2012-01", title="Engineer"))
    assert marks(positions=jobs)["ad t|northv"][0] == title_words("buyer engineer")


def test_other_kinds_of_key_have_no_mark():
    row = record(emails=("ada@mail-example.com",), linkedin_id="ada", positions=(position(),))
    marked = {kind for (kind, _), mark in describe(row).keys.items() if mark != (None, None, None)}
    assert marked == EMPLOYER_KINDS

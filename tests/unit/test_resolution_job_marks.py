"""What is kept of a row's jobs beside the keys of its name and employers."""

from tests.factories import position, record

from profiles.resolution.features import describe
from profiles.resolution.job_marks import MarkedKey, marked_keys, title_words


def marks(**overrides) -> dict[str, MarkedKey]:
    return {key.value: key for key in marked_keys(describe(record(**overrides)))}


def test_a_key_of_name_and_employer_holds_the_months_in_which_the_jobs_can_have_begun():
    jobs = (
        position("Tarn Media", "2016-02"),
        position("Umbra Media", "2019"),
        position("Tarn Media", "2021-08"),
        position("Halden Bank", None),
        position("Halden Bank", "2018-01"),
    )
    found = marks(positions=jobs)
    started = {employer: found[f"ad t|{employer}"][3:] for employer in ("tarn", "umbra", "halden")}
    assert started == {
        "tarn": (2016 * 12 + 1, 2021 * 12 + 7),
        "umbra": (2018 * 12, 2020 * 12 + 11),
        "halden": (None, None),
    }


def test_keys_are_those_of_the_row_and_other_kinds_have_no_mark():
    row = record(emails=("ada@mail-example.com",), linkedin_id="ada", positions=(position(),))
    found = list(marked_keys(describe(row)))
    assert tuple((key.kind, key.value) for key in found) == describe(row).keys
    assert {key.kind for key in found if key.title_words is not None} == {"name_employer"}


def test_the_words_of_a_title_are_among_those_of_a_longer_one():
    short, long, other = map(title_words, ("engineer", "senior engineer platform", "buyer"))
    assert short & long == short != long
    assert short & other == 0 == title_words("")


def test_the_titles_of_all_jobs_at_an_employer_count():
    jobs = (position(title="Buyer"), position(start="2012-01", title="Engineer"))
    found = marks(positions=jobs)["ad t|northv"]
    assert found.title_words == title_words("buyer engineer")

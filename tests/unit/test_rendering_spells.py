"""Job claims that are one spell, and those that are kept apart."""

import pytest
from msgspec.structs import replace
from tests.factories import position, record

from profiles.models import Candidate
from profiles.rendering.markdown import render
from profiles.rendering.merging import merge
from profiles.standardization.skills import Vocabulary

VOCABULARY = Vocabulary.from_aliases({})


def jobs(*records):
    profile = merge(Candidate(1, records), VOCABULARY)
    return [
        (job.title, job.employer, str(job.start), str(job.end)) for job, _ in profile.experience
    ]


def count(*positions):
    """Jobs left when each position comes from a record of its own."""
    return len(jobs(*(record(positions=(each,)) for each in positions)))


@pytest.mark.parametrize(
    "job",
    [
        position(start="2019-03", company_domain="tarn.example", employment_type="Contract"),
        position(start="2019-03", end="2021", company_linkedin_id="tarn"),
        position(start="2021-05", end="2019-01"),
        position(start="2014", is_current=False),
        position(start=None, end="2016-02", title=None),
        position(start=None, company=None, description="Ran the mill. Ran the mill. Sold it."),
        position(start=None, is_current=False, title="", company="Freelance"),
    ],
)
@pytest.mark.parametrize("listed", [(), (position("Veltrix", "2023-01"),)])
def test_a_job_that_one_record_states_is_as_if_two_stated_it_alike(job, listed):
    newest = record(observed_at="2026-05-01T00:00:00Z", positions=listed)
    old = record(observed_at="2021-01-01T00:00:00Z", positions=(job,))
    copy = replace(old, source_key="copy")

    once, twice = (
        merge(Candidate(1, records), VOCABULARY) for records in ((newest, old), (newest, old, copy))
    )
    assert once.experience == twice.experience
    assert once.total_months == twice.total_months


def test_a_job_of_two_vendors_is_one():
    assert jobs(
        record(positions=(position("Veltrix Ltd", "2020-04", title="Sr. Engineer"),)),
        record(positions=(position("VELTRIX", "2020-04", title="Senior Engineer"),)),
    ) == [("Senior Engineer", "Veltrix", "2020-04", "None")]


def test_starts_three_months_apart_are_the_same_start():
    assert count(position(start="2020-01"), position(start="2020-04")) == 1


def test_starts_a_year_apart_are_two_jobs():
    assert count(position(start="2019-01", end="2019-12"), position(start="2020-02")) == 2


def test_a_year_matches_a_month_of_that_year_and_the_month_is_shown():
    assert jobs(
        record(positions=(position(start="2018", end="2020"),)),
        record(positions=(position(start="2018-11", end="2020-02"),)),
    ) == [("Engineer", "Northvale Systems", "2018-11", "2020-02")]


def test_a_year_alone_gets_no_month():
    assert jobs(record(positions=(position(start="2014", end="2016"),))) == [
        ("Engineer", "Northvale Systems", "2014", "2016")
    ]


def test_promotions_listed_as_jobs_stay_jobs_whatever_other_vendors_say():
    ladder = (
        position(start="2022-01", title="Staff Engineer"),
        position(start="2020-01", end="2021-12", title="Senior Engineer"),
        position(start="2018-01", end="2019-12", title="Engineer"),
    )
    assert len(jobs(record(positions=ladder), record(positions=ladder))) == 3


def test_a_return_to_an_old_employer_is_a_second_job():
    stays = (position(start="2023-01"), position(start="2018-01", end="2020-12"))
    assert len(jobs(record(positions=stays), record(positions=stays[::-1]))) == 2


def test_short_steps_at_one_employer_pair_up_with_their_own_counterparts():
    one = (
        position(start="2021-05", title="Engineer"),
        position(start="2020-12", end="2021-05", title="Engineer"),
    )
    other = (
        position(start="2021-07", title="Engineer"),
        position(start="2021-02", end="2021-05", title="Engineer"),
    )
    assert len(jobs(record(positions=one), record(positions=other))) == 2


def test_another_title_for_the_same_dates_is_the_same_job():
    assert count(position(title="SDE 3"), position(title="Senior Software Engineer")) == 1


def test_other_titles_of_a_job_stay_in_its_text():
    rows = [
        record(source=source, positions=(position(title=title),))
        for source, title in (("resume", "QC Lead"), ("linkedin", "Weld Inspector"))
    ]
    texts = [
        render(Candidate(1, tuple(given)), vocabulary=VOCABULARY).markdown
        for given in (rows, rows[:1])
    ]
    assert ["- Also: " in text for text in texts] == [True, False]


def test_an_old_view_from_before_a_promotion_joins_the_first_step():
    new = (
        position(start="2021-01", title="Lead Engineer"),
        position(start="2018-01", end="2020-12", title="Engineer"),
    )
    old = (position(start="2018-02", title="Engineer"),)
    assert jobs(
        record(positions=new, observed_at="2026-01-01T00:00:00Z"),
        record(positions=old, observed_at="2019-01-01T00:00:00Z"),
    ) == [
        ("Lead Engineer", "Northvale Systems", "2021-01", "None"),
        ("Engineer", "Northvale Systems", "2018-01", "2020-12"),
    ]


def test_the_same_text_bridges_a_start_that_two_vendors_state_half_a_year_apart():
    text = "- Built the billing service.\n- Cut invoice errors by 40%."
    assert (
        count(
            position(start="2020-01", description=text), position(start="2020-07", description=text)
        )
        == 1
    )
    assert count(position(start="2020-01"), position(start="2020-07", title="Lead Engineer")) == 2


def test_a_current_title_without_dates_joins_the_running_job():
    assert count(position(start="2020-01"), position(start=None, end=None, title="ENGINEER")) == 1


@pytest.mark.parametrize(
    ("listed", "seen", "number"),
    [
        (position(start="2020-01"), "2026-05", 1),
        (position(start="2020-01"), "2025-11", 1),
        (position(start="2020-01", end="2026-04"), "2023-02", 1),
        (position(start="2020-01", end="2026-04"), "2018-02", 2),
        (position(start="2020-01", end="2022-04"), "2025-11", 2),
        (position(start="2020-01"), "2026-08", 1),
        (position(start="2020-01"), "2026-09", 2),
    ],
)
def test_a_current_title_in_other_words_is_the_job_that_ran_when_it_was_seen(listed, seen, number):
    stated = position(start=None, title="Head of Privacy")
    lead = record(observed_at=f"{seen}-01T00:00:00Z", positions=(stated,))
    assert len(jobs(record(positions=(listed,)), lead)) == number


def test_a_current_title_of_another_employer_is_its_own_job():
    assert count(position(start="2020-01"), position("Halden Group", start=None)) == 2


def test_an_employer_is_the_same_by_linkedin_id_or_shortened_name():
    assert (
        count(
            position("Acquired Name", company_linkedin_id="4711"),
            position("Old Name", company_linkedin_id="4711"),
        )
        == 1
    )
    names = ("Veltrix", "Veltrix Pay", "Veltrix Software")
    assert count(*map(position, names)) == 1


def test_one_record_that_states_a_job_twice_has_one_job():
    twice = position(title="Engineer", description="Wrote code.")
    assert len(jobs(record(positions=(twice, twice)))) == 1


def test_jobs_come_newest_first_running_ones_before_all_others():
    stated = (
        position("Alpha One", "2010-01", "2012-01"),
        position("Beta Two", None, None, is_current=False),
        position("Gamma Three", "2013-01", None),
        position("Delta Four", "2020-01", "2024-01"),
    )
    assert [job[1] for job in jobs(record(positions=stated))] == [
        "Gamma Three",
        "Delta Four",
        "Alpha One",
        "Beta Two",
    ]


def test_a_reported_end_beats_an_older_present():
    assert jobs(
        record(positions=(position(end="2025-02"),), observed_at="2026-01-01T00:00:00Z"),
        record(positions=(position(),), observed_at="2024-01-01T00:00:00Z"),
    ) == [("Engineer", "Northvale Systems", "2020-01", "2025-02")]


def test_a_present_that_newer_lists_of_jobs_lack_is_not_present():
    profile = merge(
        Candidate(
            1,
            (
                record(positions=(position("Now Here"),), observed_at="2026-01-01T00:00:00Z"),
                record(
                    positions=(position("Once There", "2016-09"),),
                    observed_at="2019-09-01T00:00:00Z",
                ),
            ),
        ),
        VOCABULARY,
    )
    once = profile.experience[1][0]
    assert (once.employer, once.is_current, once.end, once.months) == (
        "Once There",
        False,
        None,
        37,
    )


def test_a_lone_date_that_is_the_end_elsewhere_is_that_job_and_not_a_new_one():
    assert jobs(
        record(source="resume", positions=(position(start="2022-10", end=None, is_current=False),)),
        record(positions=(position(start="2019-08", end="2022-10"),)),
    ) == [("Engineer", "Northvale Systems", "2019-08", "2022-10")]


def test_a_january_that_may_be_a_bare_year_gives_way_to_the_month():
    text = "- Built the billing service.\n- Cut invoice errors by 40%."
    assert jobs(
        record(positions=(position(start="2022-01", description=text),)),
        record(positions=(position(start="2022-10", description=text),)),
    ) == [("Engineer", "Northvale Systems", "2022-10", "None")]


def test_a_listed_job_without_dates_is_not_folded_into_a_dated_one_of_its_record():
    undated = position(start=None, is_current=False)
    assert len(jobs(record(positions=(undated, position(start="2020-01", end="2021-01"))))) == 2


def test_a_current_title_column_joins_the_running_job_of_its_record():
    columns = position(start=None)
    assert len(jobs(record(positions=(columns, position(start="2020-01"))))) == 1


def test_vendors_that_err_in_opposite_directions_mean_one_job():
    assert (
        count(position(start="2016-04", end="2019-04"), position(start="2015-12", end="2019-07"))
        == 1
    )


def test_short_spells_that_follow_one_another_stay_two_jobs():
    assert (
        count(position(start="2019-01", end="2019-05"), position(start="2019-05", end="2019-09"))
        == 2
    )


def test_an_end_that_one_vendor_read_as_present_does_not_make_a_second_job():
    assert (
        count(position(start=None, end="2017-03"), position(start="2016-11", is_current=True)) == 1
    )


def test_an_end_before_the_other_spell_began_makes_a_second_job():
    assert (
        count(position(start=None, end="2017-03"), position(start="2021-11", is_current=True)) == 2
    )


@pytest.mark.parametrize(
    ("newer", "older", "shown"),
    [
        ("Teacher", "Physics Teacher & TY Coordinator", "Physics Teacher & TY Coordinator"),
        ("Oncology Pharmacist", "Clinical Pharmacist, Oncology", "Clinical Pharmacist, Oncology"),
        ("Engineer", "Engineer | Python | AWS", "Engineer"),
    ],
)
def test_the_title_that_says_more_of_one_job_is_shown(newer, older, shown):
    ((title, *_),) = jobs(
        record(positions=(position(title=newer),), observed_at="2026-05-01T00:00:00Z"),
        record(positions=(position(title=older),), observed_at="2021-01-01T00:00:00Z"),
    )
    assert title == shown


def test_a_job_that_two_records_tell_in_two_scripts_is_one_with_both_names():
    english = position("Nile Construction", "2012-04", "2017-12", title="Site Engineer")
    arabic = position("شركة النيل للإنشاءات", "2012-04", "2017-12", title="مهندس موقع")
    before = position("المقاولون المتحدون", "2009-08", "2012-03", title="مهندس")
    records = (record(positions=(english,)), record(positions=(arabic, before)))
    assert jobs(*records) == [
        ("Site Engineer", "Nile Construction", "2012-04", "2017-12"),
        ("مهندس", "المقاولون المتحدون", "2009-08", "2012-03"),
    ]
    rendered = render(Candidate(1, records), vocabulary=VOCABULARY)
    assert rendered is not None
    assert "- Also: مهندس موقع; شركة النيل للإنشاءات" in rendered.markdown


def test_jobs_of_one_record_in_two_scripts_are_two():
    english = position("Nile Construction", "2012-04", "2017-12")
    arabic = position("شركة النيل للإنشاءات", "2012-04", "2017-12")
    assert len(jobs(record(positions=(english, arabic)))) == 2

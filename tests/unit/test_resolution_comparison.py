"""Evidence that makes two rows one person."""

import itertools

import pytest
from tests.factories import education, position, record

from profiles.models import SourceRecord
from profiles.resolution.comparison import Evidence, compare
from profiles.resolution.employers import related
from profiles.resolution.features import describe
from profiles.resolution.names import NameVerdict, compare_names
from profiles.resolution.quarantine import Corpus


def evidence(a: SourceRecord, b: SourceRecord, generic: tuple = (), **corpus) -> Evidence:
    return compare(describe(a).features, describe(b).features, Corpus(generic=generic, **corpus))


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
def test_one_strong_key_whose_names_agree_by_an_initial_and_a_town_is_enough(kind):
    rows = [
        record(full_name=name, location="Pune, India", **STRONG_KEYS[kind])
        for name in ("Ada Testwell", "Ada T.")
    ]
    assert evidence(*rows).accepted


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
        record(full_name="大輔 小野寺", **keys), record(full_name="Daisuke Onodera", **keys)
    ).accepted


def test_a_row_without_a_name_joins_by_a_strong_key():
    keys = STRONG_KEYS["email"]
    assert evidence(record(full_name=None, **keys), record(**keys)).accepted


def test_same_name_and_employer_are_not_enough():
    job = {"positions": (position("Tarn", None),)}
    frequent = weighed(ada=10, testwell=10, _tarn=8)
    assert not evidence(record(**job), record(**job), **frequent).accepted


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
    assert evidence(one, record(full_name="Otto Oldowner", linkedin_member_ids=("2",))).score < -30
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
        ("Ada Testwell", "Ada M. Testwell", NameVerdict.LOOSE),
        ("Jörg Müllenbach", "Muellenbach Joerg", NameVerdict.FULL),
        ("AnitaMergewell", "Anita Mergewell", NameVerdict.FULL),
        ("Jan van der Testwell", "Jan Testwell", NameVerdict.FULL),
        ("Ana Testwell Lopez", "Ana Testwell", NameVerdict.LOOSE),
        ("Bob Testwell", "Robert Testwell", NameVerdict.FORM),
        ("Mike Testwell", "Michael Testwell", NameVerdict.FORM),
        ("Meenu Testwell", "Meenakshi Testwell", NameVerdict.ALIKE),
        ("Laxmi Testwell", "Lakshmi Testwell", NameVerdict.FORM),
        ("Mohd Testwell", "Mohammed Testwell", NameVerdict.FORM),
        ("Priya Testwell", "Priyanka Testwell", NameVerdict.FORM),
        ("Anita Testwell", "Anita Testwpll", NameVerdict.TYPO),
        ("Lakshman Srinivasan", "Nila Oldowner", NameVerdict.DISAGREE),
        ("A. K.", "Anita Khan", NameVerdict.DISAGREE),
        ("Ada Testwell", "Ada T.", NameVerdict.LOOSE),
        ("Ada Testwell", "Ada Newname", NameVerdict.GIVEN),
        ("Ada Testwell", "Otto Testwell", NameVerdict.FAMILY),
        ("Ada Testwell", None, NameVerdict.UNKNOWN),
        ("Андрей Щербаковский", "Siyuan Wang", NameVerdict.UNKNOWN),
        ("Дмитрий Иванов", "Dmitry Ivanov", NameVerdict.FULL),
        ("静怡 林", "Jingyi Lin", NameVerdict.FULL),
        ("欧阳静怡", "Ouyang Jingyi", NameVerdict.FULL),
        ("하은 남궁", "Haeun Namgung", NameVerdict.FULL),
        ("남궁하은", "Haeun Namgung", NameVerdict.FULL),
        ("최지우", "Jiwoo Choi", NameVerdict.FULL),
        ("佐藤 さくら", "Sakura Sato", NameVerdict.FULL),
        ("大輔 小野寺", "Daisuke Onodera", NameVerdict.UNKNOWN),
        ("大輔 小野寺", "小野寺大輔", NameVerdict.FULL),
        ("静怡 林", "静宜 林", NameVerdict.DISAGREE),
        ("静怡 林", "Jingyi Lin 林静怡", NameVerdict.FULL),
        ("Γιώργος Παπαδόπουλος", "Giorgos Papadopoulos", NameVerdict.FULL),
        ("خالد القحطاني", "Khaled Alqahtani", NameVerdict.FULL),
        ("سلطان القحطاني", "Sultan Al-Qahtani", NameVerdict.FULL),
        ("Corbie Prow", "Corbinian Prow", NameVerdict.FORM),
        ("Ada Oikonomou", "Ada Economou", NameVerdict.FORM),
        ("דוד כהן", "David Cohen", NameVerdict.FULL),
        ("राहुल शर्मा", "Rahul Sharma", NameVerdict.FULL),
    ],
)
def test_names_compare(a, b, verdict):
    assert compare_names(a, b).verdict is verdict
    assert compare_names(b, a).verdict is verdict


def weighed(**rows: int) -> dict:
    """A corpus of 2**14 rows with so many steps of rows that hold each term."""
    return {"rows": 14, "frequent": {name.replace("_", "@"): n for name, n in rows.items()}}


SAME_LINKEDIN = {"linkedin_id": "ada-testwell"}


def test_a_pasted_url_of_a_namesake_with_another_career_is_not_enough():
    jobs = [
        {"positions": tuple(position(name, start) for name in names)}
        for start, names in (
            ("2012-03", ("Tarn Media", "Umbra Media", "Halden Works")),
            ("2015-06", ("Veltrix Labs", "Northvale Steel", "Orrin Foods")),
        )
    ]
    rows = [record(**SAME_LINKEDIN, **job) for job in jobs]
    assert not evidence(*rows, **weighed(ada=8, testwell=8)).accepted
    assert evidence(rows[0], record(**SAME_LINKEDIN), **weighed(ada=3, testwell=3)).accepted


def test_a_frequent_name_weighs_less_than_a_rare_one():
    job = record(positions=(position("Tarn Media", "2019-03"),), location="Pune, India")
    rare, frequent = (evidence(job, job, **weighed(ada=n, testwell=n)) for n in (2, 10))
    assert rare.score > frequent.score
    assert "name_rarity" in dict(rare.signals)


def test_a_frequent_employer_weighs_less_than_a_rare_one():
    job = record(positions=(position("Tarn", None),))
    rare, frequent = (dict(evidence(job, job, **weighed(_tarn=n)).signals) for n in (3, 12))
    assert rare["employer"] > frequent["employer"]


def test_a_typing_error_makes_a_rare_word_and_two_frequent_words_are_two_names():
    rows = [record(full_name=name) for name in ("Anita Rao", "Amita Rao")]
    assert "name_typo" in dict(evidence(*rows, **weighed(anita=6)).signals)
    assert "name_family" in dict(evidence(*rows, **weighed(anita=6, amita=6)).signals)


@pytest.mark.parametrize("other", ["Tarn Media Pune", "TMG", "Tarn Meida Group"])
def test_an_employer_with_a_town_its_initials_or_an_error_is_one_employer(other):
    one = record(positions=(position("Tarn Media Group", "2019-03"),))
    is_town = other == "Tarn Media Pune"
    signals = dict(evidence(one, record(positions=(position(other, "2020-08"),))).signals)
    assert ("employer" in signals) is not is_town
    # Names that begin alike are one where a job has the same title and month.
    assert "employer" in dict(
        evidence(one, record(positions=(position(other, "2019-03"),))).signals
    )
    assert "employer" in dict(evidence(one, record(positions=(position("Tarn Media"),))).signals)


def test_towns_that_share_a_word_are_two_towns():
    signals = dict(evidence(record(location="New York"), record(location="New Delhi")).signals)
    assert "other_place" in signals
    near = evidence(record(location="Greater New York City Area"), record(location="New York"))
    assert "place" in dict(near.signals)


def test_the_domain_of_an_address_at_work_tells_of_an_employer():
    at_work = record(emails=("ada@northvalesteel.co.uk",))
    other = record(positions=(position("Northvale Steel India"),))
    assert "employer" in dict(evidence(at_work, other).signals)
    private = record(emails=("ada@gmail.com",))
    assert "other_employer" not in dict(evidence(private, other).signals)


def test_namesakes_in_other_lines_of_work_have_less_in_common():
    titles = ("Sales Manager", "Regional Sales Head", "Staff Nurse")
    one, same, other = (
        record(
            positions=(
                position("Tarn Media", None, title=title),
                position("Umbra", None, title=title),
            )
        )
        for title in titles
    )
    assert evidence(one, same).score > evidence(one, other).score


def test_the_same_evidence_weighs_less_beside_a_strong_key():
    jobs = {"positions": (position("Tarn Media", "2019-03"),)}
    weights = [
        dict(evidence(record(**jobs, **keys), record(**jobs, **keys)).signals)["employer"]
        for keys in ({}, SAME_LINKEDIN, STRONG_KEYS["email"])
    ]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 3


def test_short_forms_of_employers_are_one():
    assert related("st bride teaching hosp", "st bride teaching hospital")
    assert not related("st bride teaching hospital", "st bride teaching college")


def test_what_is_written_in_another_script_contradicts_nothing():
    one = record(
        full_name="Reem Alkhatib",
        linkedin_id="reem",
        positions=(position("Jordan Valley Hospital", "2018-09"),),
        location="Amman, Jordan",
    )
    other = record(
        full_name="ريم الخطيب",
        linkedin_id="reem",
        positions=(position("مستشفى وادي الأردن", "2018-09"),),
        location="عمّان",
    )
    found = evidence(one, other)
    assert found.accepted
    assert all(weight > 0 for _, weight in found.signals)


def test_a_reserved_domain_is_no_employer():
    assert describe(record(emails=("ada@post.example.com",))).features.spells == ()


@pytest.mark.parametrize(
    ("employer", "other"),
    [
        ("kervadec et fauvel avocats", "kervadec fauvel avocats"),
        ("cong ty cp may sao mai", "may sao mai"),
        ("blue mesquite cu", "blue mesquite credit union"),
        ("подільська соя груп", "podilska soya group"),
        ("institute of glaciology univ of tromvik", "university of tromvik"),
        ("hotel murmelblick arlen", "murmelblick"),
        ("ferncastle town pharmacists", "ferncastle pharmacists"),
    ],
)
def test_an_employer_is_known_by_its_last_words_its_initials_and_in_other_letters(employer, other):
    assert related(employer, other) and related(other, employer)
    assert not related(other, "agder marine")


def test_the_last_word_of_an_employer_tells_even_where_it_is_short():
    assert not related("studio 54", "studio 21")
    assert not related("group ab", "group xy")


def test_a_title_without_spaces_is_compared_by_its_characters():
    rows = [
        record(positions=(position("三河電装", "2021-04", title=title),))
        for title in ("品質保証部 課長", "品質保証課長")
    ]
    assert dict(evidence(*rows).signals)["title"] > 0


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Finance Controller", "Financial Controller"),
        ("Proj Mgr", "Project Manager"),
        ("Küchenchef", "Kuechenchef"),
    ],
)
def test_titles_agree_in_other_forms_of_their_words(title, other):
    jobs = [position("Tarn Media", "2019-03", title=each) for each in (title, other)]
    one, two = (record(positions=(job,)) for job in jobs)
    assert dict(evidence(one, two).signals)["title"] > 0


def test_a_place_may_have_its_state_behind():
    for place, signal in (("Tarnby Vic.", "place"), ("Tarn", "other_place")):
        one, other = record(location="Tarnby, Victoria"), record(location=place)
        assert signal in dict(evidence(one, other).signals)


def test_titles_in_two_scripts_say_nothing():
    rows = [
        record(positions=(position("BAS ERP", "2021-03", title=title),))
        for title in ("Фінансова директорка", "CFO")
    ]
    assert "title_words" not in dict(evidence(*rows).signals)


def test_a_name_in_parentheses_is_a_name_of_the_person():
    married = record(full_name="Dora Fauvel", name_beside="Twourls")
    for name in ("Dora Twourls", "Dora Fauvel"):
        match = compare_names(describe(married).features.name, name)
        assert match.verdict is NameVerdict.LOOSE


def test_a_chinese_name_stands_beside_a_word_that_is_none():
    assert compare_names("欧阳嘉禾", "欧阳嘉禾 简历").verdict is NameVerdict.FULL


def test_jobs_begun_in_the_same_years_are_evidence_where_employers_are_in_another_script():
    mine = record(
        full_name="Динара Орлова", linkedin_id=None,
        positions=(position("Министерство финансов", "2019-02"), position("Дума", "2012")),
    )  # fmt: skip
    treasury = ("Halden Treasury", "2019")
    same, other = (
        record(full_name="Dinara Orlova", positions=tuple(itertools.starmap(position, jobs)))
        for jobs in ((treasury, ("Orrin Town", "2012-09")), (treasury, ("Orrin Town", "2014-09")))
    )
    assert ("same_year", 3.2) in evidence(mine, same).signals
    assert evidence(mine, same).score == evidence(same, mine).score
    assert "same_year" not in dict(evidence(mine, other).signals)


def test_a_url_that_passed_to_a_namesake_in_one_town_is_not_enough():
    mine, other = (
        record(
            full_name="Ada Testwell", linkedin_id="ada-testwell", location="Pune, India",
            positions=(position(employer, start),), education=(education(school),),
        )
        for employer, start, school in (
            ("Tarn Media", "2016-10", "Sarayu Institute"),
            ("Umbra Media", "2023-07", "Ellowick College"),
        )
    )  # fmt: skip
    assert not evidence(mine, other).accepted

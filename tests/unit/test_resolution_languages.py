"""One person whose rows are in two languages, or name schools and employers in two ways."""

import pytest
from tests.factories import position, record

from profiles.resolution.comparison import compare
from profiles.resolution.employers import employers_of, other_school, related
from profiles.resolution.features import describe


@pytest.mark.parametrize(
    ("school", "other"),
    [
        ("huron tech univ", "huron technological university"),
        ("universitat de l albufera", "universidad de la albufera"),
        ("愛知機械大学", "愛知機械大学大学院"),
        ("punjab university lahore", "university of the punjab"),
        ("ain shams 2009", "ain shams university"),
        ("cusat", "cochin university of science and technology"),
        ("semmelweis egyetem", "semmelweis university"),
        ("uniwersytet warszawski", "warsaw school of economics"),
    ],
)
def test_schools_that_may_be_one_contradict_nothing(school, other):
    assert not other_school(school, other)
    assert not other_school(other, school)


@pytest.mark.parametrize(
    ("school", "other"),
    [
        ("university of leeds", "university of hull"),
        ("valverde institute of technology", "jiangbei institute of technology"),
        ("uniwersytet warszawski", "uniwersytet jagiellonski"),
        ("東京大学", "京都大学"),
    ],
)
def test_schools_of_one_language_without_a_telling_word_in_common_are_two(school, other):
    assert other_school(school, other)


def test_an_employer_is_one_with_its_words_in_another_order_and_with_a_legal_form():
    assert related("gedeon richter", "richter gedeon")
    assert employers_of("Tarn Bank A/S") == employers_of("Tarn Bank a.s.") == ("tarn bank",)
    assert related("tarn bank", *employers_of("Tarn Bank A/S Lietuvos filialas"))


def test_two_jobs_that_began_in_the_same_months_are_one_career_in_two_languages():
    months = ("2019-03", "2012-08")
    english, other, later = (
        describe(record(full_name="Van Nguyen", positions=jobs)).features
        for jobs in (
            [
                position(name, month)
                for name, month in zip(("Green Mill", "East Mill"), months, strict=True)
            ],
            [
                position(name, month)
                for name, month in zip(("Xanh Dệt", "Phương Đông"), months, strict=True)
            ],
            [position("Xanh Dệt", "2019-03"), position("Phương Đông", "2014-02")],
        )
    )
    assert dict(compare(english, other).signals)["same_start"] > 0
    assert "other_employers" in dict(compare(english, later).signals)


def test_the_domain_of_a_mail_is_no_job_that_the_other_row_lacks():
    arabic = position("مستشفى النيل", "2017"), position("صيدليات الرحاب", "2012")
    latin = position("White Nile Hospital", "2017"), position("Rehab Pharmacies", "2012")
    rows = (
        record(full_name="منى الشواربي", emails=("mona@barid-house.com",), positions=arabic),
        record(full_name="Mona El-Shawarby", emails=("m@tarnpost.com",), positions=latin),
    )
    one, other = (describe(row).features for row in rows)
    signals = dict(compare(one, other).signals)
    assert "same_year" in signals
    assert not {"other_employers", "employers_missing"} & signals.keys()

"""Numbers in any notation, and words in any script."""

from __future__ import annotations

import pytest

from profiles.rendering.markdown import THIN_WORDS
from profiles.rendering.markdown import count_words as rendered_words
from profiles.standardization.amounts import amounts_of, plain
from profiles.standardization.words import count_words


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("35%", 35, "percent"),
        ("12.5 percent", 12.5, "percent"),
        ("1,8 %", 1.8, "percent"),
        ("$5M", 5e6, ""),
        ("₹12 Cr", 12e7, ""),
        ("R$ 145 milhões", 145e6, ""),
        ("12 lakh", 12e5, ""),
        ("rund 1,5 Mio. Anfragen", 1.5e6, ""),
        ("1,200 users", 1200, ""),
        ("18 000 users", 18000, ""),
        ("45,00,000 users", 4.5e6, ""),
        ("約300万件", 3e6, ""),
        ("٣٥٪", 35, "percent"),
        ("twenty-five engineers", 25, ""),
        ("two hundred stores", 200, ""),
        ("siete enfermeras", 7, ""),
        ("on bir kişi", 11, ""),
        ("on sekiz kişi", 18, ""),
        ("dua orang", 2, ""),
        ("dua belas orang", 12, ""),
        ("一億二千万円", 120e6, ""),
        ("three and a half years", 3.5, "year"),
        ("two decades", 20, "year"),
        ("10-year career", 10, "year"),
        ("5 yrs", 5, "year"),
        ("nine months", 9, "month"),
    ],
)
def test_numbers_are_read_with_scale_and_unit(text, value, unit):
    amounts = amounts_of(plain(text), is_foreign=True)
    assert [(amount.value, amount.unit) for amount in amounts] == [(value, unit)]


@pytest.mark.parametrize("text", ["from 3.2 to 7.8 million", "3,2 a 7,8 milioni", "3.2-7.8M"])
def test_the_first_number_of_a_range_may_mean_the_scale_of_the_second(text):
    low, high = amounts_of(text, is_foreign=True)
    assert (low.values, high.values) == ((3.2, 3.2e6), (7.8e6,))


def test_a_range_that_ends_at_zero_is_read():
    assert [amount.values for amount in amounts_of("from 5 to 0k")] == [(5.0, 5000.0), (0.0,)]


def test_a_separator_that_may_mean_two_things_gives_both_readings():
    assert set(amounts_of("18.000 clientes")[0].values) == {18.0, 18000.0}


@pytest.mark.parametrize("text", ["EC2 and B2B", "24/7 support", "IPv6, H264", "the 3rd", "none"])
def test_digits_inside_words_are_no_numbers(text):
    assert amounts_of(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Leads 3 teams .", 3),
        ("経理部長として三年勤務。", 6),
        ("负责供应链管理", 4),
        ("ผู้จัดการฝ่ายขาย", 4),
        ("회계 팀장", 2),
    ],
)
def test_words_are_counted_by_script(text, words):
    assert count_words(text) == words


def test_a_document_in_japanese_is_not_too_thin():
    told = "大手商社にて経理部長として十五年間勤務し、決算と税務申告を担当、部下の指導。" * 4
    assert rendered_words(f"# 候補者\n\n## Summary\n{told}\n".encode()) >= THIN_WORDS


@pytest.mark.parametrize(
    ("text", "rounded"),
    [
        ("nearly 40 people", "below"),
        ("over 40 people", "above"),
        ("40+ people", "above"),
        ("about 40 people", "about"),
        ("40 people", None),
    ],
)
def test_the_words_before_a_number_round_it(text, rounded):
    assert amounts_of(text)[0].rounded == rounded

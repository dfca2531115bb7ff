"""Dates keep the precision that the source states; nothing is filled in from today."""

from __future__ import annotations

import datetime

import pytest

from profiles.models import PartialDate
from profiles.standardization.date_ranges import DateRange, is_present, parse_range, parse_span
from profiles.standardization.dates import parse_date


def day(text: str | None) -> PartialDate | None:
    if text is None:
        return None
    year, _, month = text.partition("-")
    return PartialDate(int(year), int(month) if month else None)


def span(start: str | None, end: str | None, current: bool = False) -> DateRange:
    return DateRange(day(start), day(end), current)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2017-04", "2017-04"),
        ("2017-4", "2017-04"),
        ("2017/04", "2017-04"),
        ("2017.04", "2017-04"),
        ("02/2013", "2013-02"),
        ("2-2013", "2013-02"),
        ("02.2013", "2013-02"),
        ("03/21", "2021-03"),
        ("2015", "2015"),
        (" 2015 ", "2015"),
        ("2019-03-15", "2019-03"),
        ("2018-12-01T00:00:00.000Z", "2018-12"),
        ("2009-01-01T00:00:00+01:00", "2009-01"),
        ("2020-05-01 10:00:00", "2020-05"),
        ("March 2021", "2021-03"),
        ("Mar, 2021", "2021-03"),
        ("Mar-2021", "2021-03"),
        ("Mar-21", "2021-03"),
        ("Mar '21", "2021-03"),
        ("Mar ’99", "1999-03"),
        ("Sept 2016", "2016-09"),
        ("15 Mar 2019", "2019-03"),
        ("March 15th, 2019", "2019-03"),
        ("15.03.2019", "2019-03"),
        ("15/03/2019", "2019-03"),
        ("03/15/2019", "2019-03"),
        ("03/04/2019", "2019"),
        ("2019 March", "2019-03"),
        ("FY2019", "2019"),
        ("平成23年5月", "2011-05"),
        ("令和元年", "2019"),
        ("昭和 60年4月1日", "1985-04"),
        ("٢٠١٦", "2016"),
        ("مارس ٢٠١٦", "2016-03"),
        ("१९९८", "1998"),
        ("Q1 2019", "2019"),
        ("Summer 2012", "2012"),
        ("20190315", "2019-03"),
        ("201903", "2019-03"),
        (2019, "2019"),
        (2019.0, "2019"),
        (201903, "2019-03"),
        (1554076800000, "2019-04"),
        ("1554076800000", "2019-04"),
        (1609459199, "2020-12"),
        ("1609459199", "2020-12"),
        (datetime.date(2019, 3, 1), "2019-03"),
        (PartialDate(2019, 3), "2019-03"),
        ("1899", None),
        ("2019-13", "2019"),
        ("", None),
        ("null", None),
        ("Present", None),
        ("someday", None),
        (None, None),
        (True, None),
        (0, None),
        (12, None),
        (float("nan"), None),
        (1e300, None),
        ([], None),
    ],
)
def test_a_date_is_read_with_its_precision(value, expected):
    assert parse_date(value) == day(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("févr. 2015", "2015-02"),
        ("août 2016", "2016-08"),
        ("1er décembre 2016", "2016-12"),
        ("März 2019", "2019-03"),
        ("Dez. 2019", "2019-12"),
        ("ene. 2019", "2019-01"),
        ("marzo de 2019", "2019-03"),
        ("set 2019", "2019-09"),
        ("out. 2019", "2019-10"),
        ("paź 2019", "2019-10"),
        ("stycznia 2019", "2019-01"),
        ("Şub 2019", "2019-02"),
        ("Ağu 2019", "2019-08"),
        ("янв. 2019", "2019-01"),
        ("сентября 2019 г.", "2019-09"),
        ("2013年4月", "2013-04"),
        ("2013年", "2013"),
        ("2013년 4월", "2013-04"),
        ("gennaio 2019", "2019-01"),
        ("mei 2019", "2019-05"),
        ("يناير 2019", "2019-01"),
    ],
)
def test_months_of_many_languages_are_known(text, expected):
    assert parse_date(text) == day(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"year": 2019, "month": 3, "day": 1}, "2019-03"),
        ({"year": 2019, "month": None}, "2019"),
        ({"year": "2019", "month": "03"}, "2019-03"),
        ({"month": "Jan", "year": 2019, "text": "Jan 2019"}, "2019-01"),
        ({"year": 2019, "text": "2019"}, "2019"),
        ({"text": "Jan 2019"}, "2019-01"),
        ({"text": "Present"}, None),
        ({"day": None, "month": None, "year": None}, None),
        ({"day": "", "month": "", "year": ""}, None),
        ({}, None),
    ],
)
def test_date_objects_of_vendors_are_read(value, expected):
    assert parse_date(value) == day(expected)


def test_flags_of_a_parser_win_over_its_filled_in_digits():
    year_only = {"Date": "2018-01-01", "FoundYear": True, "FoundMonth": False, "FoundDay": False}
    current = {"Date": "2026-11-01", "IsCurrentDate": True, "FoundYear": False}

    assert parse_date(year_only) == day("2018")
    assert parse_date(year_only | {"FoundMonth": True}) == day("2018-01")
    assert parse_date(current) is None
    assert is_present(current)


def test_midnight_abroad_is_the_next_month():
    assert parse_date("2019-12-31T18:30:00.000Z") == day("2020-01")
    assert parse_date("2019-12-31T12:30:00.000Z") == day("2019-12")


@pytest.mark.parametrize(
    "text",
    [
        "Present",
        "PRESENT",
        "present",
        "Current",
        "Now",
        "till date",
        "to date",
        "Till Date",
        "today",
        "aujourd’hui",
        "aujourd'hui",
        "Heute",
        "actualidad",
        "o momento",
        "obecnie",
        "halen",
        "настоящее время",
        "至今",
        "現在",
        "현재",
        "oggi",
        "ongoing",
        "bis jetzt",
        "jusqu'à présent",
        "hasta hoy",
    ],
)
def test_words_for_until_now_are_known(text):
    assert is_present(text)
    assert is_present({"text": text})


@pytest.mark.parametrize("value", ["2019", "", None, "presentation", 5, True, {}, "x" * 500])
def test_other_values_do_not_say_until_now(value):
    assert not is_present(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("03/2019 – 11/2020", span("2019-03", "2020-11")),
        ("Jan '21 - till date", span("2021-01", None, True)),
        ("Sept 2016 to Feb 2019", span("2016-09", "2019-02")),
        ("févr. 2015 - août 2016 · 1 an 7 mois", span("2015-02", "2016-08")),
        ("2013年4月 – 2014年12月", span("2013-04", "2014-12")),
        ("Summer 2012", span("2012", "2012")),
        ("2019-present", span("2019", None, True)),
        ("01.2011-12.2011", span("2011-01", "2011-12")),
        ("Feb 2021 to date", span("2021-02", None, True)),
        ("Feb 2021 - Present", span("2021-02", None, True)),
        ("Mar '19 - Feb '21", span("2019-03", "2021-02")),
        ("Sep 2021 - Present 3 years 4 months", span("2021-09", None, True)),
        ("2022 - Present 4 years", span("2022", None, True)),
        ("Mar 2020 – Present", span("2020-03", None, True)),
        ("Apr 2018 – Mar 2020", span("2018-04", "2020-03")),
        ("янв. 2019 - настоящее время", span("2019-01", None, True)),
        ("janv. 2019 - aujourd’hui", span("2019-01", None, True)),
        ("2010년 3월 - 현재", span("2010-03", None, True)),
        ("2019/03 to PRESENT", span("2019-03", None, True)),
        ("Sept, 2016 - Jan, 2017", span("2016-09", "2017-01")),
        ("March 2016—Current", span("2016-03", None, True)),
        ("12/2015–01/2016", span("2015-12", "2016-01")),
        ("2015-06 - 2016-02", span("2015-06", "2016-02")),
        ("2012-05-2014-06", span("2012-05", "2014-06")),
        ("2019-2020", span("2019", "2020")),
        ("2019-20", span("2019", "2020")),
        ("Jan - Mar 2019", span("2019-01", "2019-03")),
        ("1 Jan 2019 to 15 March 2020", span("2019-01", "2020-03")),
        ("Since 2019", span("2019", None, True)),
        ("until 2018", span(None, "2018")),
        ("? - Mar 2020", span(None, "2020-03")),
        ("None - Present", span(None, None, True)),
        ("Present", span(None, None, True)),
        ("Mar 2020", span("2020-03", None)),
        ("Jun 2021 - Mar 2020", span("2020-03", "2021-06")),
        ("3 years 4 months", None),
        ("Quarry Labs", None),
        ("", None),
        (None, None),
    ],
)
def test_a_range_is_read(text, expected):
    assert parse_range(text) == expected


def test_reversed_ends_are_swapped():
    start, end = {"day": 1, "month": 6, "year": 2019}, {"day": 30, "month": 2, "year": 2017}

    assert parse_span(start, end) == span("2017-02", "2019-06")
    assert parse_span("2019-06", "2019") == span("2019-06", "2019")


def test_a_future_end_is_a_plan_of_a_current_job():
    found = parse_span("2025-02", "2028-02", as_of=PartialDate(2026, 11))

    assert found == DateRange(day("2025-02"), None, True)
    assert parse_span("2025-02", "2026", as_of=PartialDate(2026, 11)) == span("2025-02", "2026")


def test_year_only_dates_of_first_and_last_day_invent_no_month():
    first = {"day": 1, "month": 1, "year": 2014}

    assert parse_span(first, {"day": 31, "month": 12, "year": 2016}) == span("2014", "2016")
    assert parse_span(first, {"day": 30, "month": 6, "year": 2016}) == span("2014-01", "2016-06")
    assert parse_span(first, None) == span("2014-01", None)


def test_a_missing_end_is_current_only_when_flagged():
    unknown = {"day": None, "month": None, "year": None}

    assert parse_span(unknown, None) == span(None, None)
    assert parse_span("2020", "") == span("2020", None)
    assert parse_span("2020", None, current_flag=False) == span("2020", None)
    assert parse_span("2020", None, current_flag=True) == span("2020", None, True)
    assert parse_span("2020", "Present") == span("2020", None, True)


def test_the_parse_date_of_a_current_job_is_no_end():
    assert parse_span("2020-04-01", "2026-03-01", current_flag=True) == span("2020-04", None, True)


def test_a_school_year_has_two_years():
    assert (parse_date("2019-20"), parse_date("2019-20", is_end=True)) == (day("2019"), day("2020"))


@pytest.mark.parametrize(
    ("text", "start", "is_current"),
    [
        ("2021 -", "2021", False), ("2021 – ?", "2021", False), ("Mar 2021 -", "2021-03", False),
        ("2019 to", "2019", False), ("2019年~", "2019", False), ("2019+", "2019", True),
        ("seit 2019", "2019", True), ("depuis mars 2019", "2019-03", True),
        ("desde 2019", "2019", True), ("a partire dal 2019", "2019", True),
        ("sinds 2019", "2019", True),
        ("od marca 2019", "2019-03", True), ("sedan 2019", "2019", True),
        ("siden 2019", "2019", True),
        ("с 2019 г.", "2019", True), ("2019'dan beri", "2019", True),
        ("2019年4月から", "2019-04", True),
        ("2019 - nykyinen", "2019", True), ("2019 – do chwili obecnej", "2019", True),
        ("Sep 2020 - 至今（9个月）", "2020-09", True), ("2019 - Presente · 5 anni", "2019", True),
    ],
)  # fmt: skip
def test_open_ranges_of_many_languages(text, start, is_current):
    found = parse_range(text)
    assert (str(found.start), found.end, found.is_current) == (start, None, is_current)


@pytest.mark.parametrize("text", ["至今（9个月）", "Present (9 months)", "heute · 3 Jahre"])
def test_a_length_behind_the_word_for_now_changes_nothing(text):
    assert is_present(text)
    assert parse_span("2019", text).is_current

"""pyresparser's flat lines of experience become jobs, in whichever form the resume wrote them."""

from __future__ import annotations

import re

import pytest

from profiles.extraction.resume_lines import experience_lines

TWO = [("Engineer", "Northvale", "2019 - Present"), ("Clerk", "Halden Bank", "01/2016 – 12/2018")]


def read(lines, titles=None, employers=None):
    jobs = experience_lines(
        {"experience": lines, "designation": titles, "company_names": employers}
    )
    return [(job.get("title"), job.get("company"), job.get("dates")) for job in jobs]


def _words(texts):
    return set(re.findall(r"[A-Za-z]+", " ".join(texts)))


@pytest.mark.parametrize(
    "lines",
    [
        ["Northvale", "2019 - Present", "Engineer", "Pune", "• Built it.",
         "Halden Bank", "01/2016 – 12/2018", "Clerk"],
        ["Engineer, Northvale", "2019 - Present", "Built it", "Clerk, Halden Bank",
         "01/2016 – 12/2018", "Ran it"],
        ["Engineer", "Northvale", "2019 - Present", "Built it", "Clerk", "Halden Bank",
         "01/2016 – 12/2018"],
        ["Engineer", "Northvale, 2019 - Present", "Built it", "Ran it for 2 of 3 towns", "Clerk",
         "Halden Bank, 01/2016 – 12/2018"],
        ["Engineer", "2019 - Present  Northvale", "Built it", "Clerk",
         "01/2016 – 12/2018  Halden Bank"],
        ["Engineer - Northvale - 2019 - Present - built it",
         "Clerk at Halden Bank 01/2016 – 12/2018"],
        ["2019 - Present  Engineer, Northvale", "Built", "01/2016 – 12/2018  Clerk, Halden Bank"],
        ["Engineer, Northvale (2019 - Present): built it", "Ran it",
         "Clerk, Halden Bank (01/2016 – 12/2018)"],
        ["Northvale, Engineer", "2019 - Present", "Halden Bank, Clerk", "01/2016 – 12/2018"],
        ["2019 - Present", "Engineer, Northvale", "Built it", "01/2016 – 12/2018",
         "Clerk, Halden Bank"],
        ["2019 - Present", "Northvale", "Engineer", "Built it", "01/2016 – 12/2018", "Halden Bank",
         "Clerk"],
        ["Northvale", "Engineer", "2019 - Present", "Built it", "Halden Bank", "Clerk",
         "01/2016 – 12/2018"],
        ["Engineer", "Northvale", "Pune", "2019 - Present", "Built it", "Clerk", "Halden Bank",
         "Kiel", "01/2016 – 12/2018"],
        ["Northvale  2019 - Present", "Engineer", "• Built it", "Halden Bank  01/2016 – 12/2018",
         "Clerk"],
    ],
)  # fmt: skip
def test_a_known_title_tells_the_form_for_all_jobs_of_the_list(lines):
    assert read(lines, ["Engineer"]) == TWO
    kept = [str(value) for job in experience_lines({"experience": lines}) for value in job.values()]
    assert _words(kept) >= _words(lines) - {"at"}


def test_known_employers_tell_it_where_no_title_is_known():
    lines = ["Engineer, Northvale", "2019 - Present", "Clerk, Halden Bank", "01/2016 – 12/2018"]
    assert read(lines, None, ["Northvale"]) == TWO


def test_titles_behind_employers_and_words_without_spaces():
    lines = ["2025.06-至今 北谷科技 验证总监", "负责验证", "2022.03-2025.05 湖畔微电子 验证经理"]
    assert read(lines, ["验证总监"], ["北谷科技"]) == [
        ("验证总监", "北谷科技", "2025.06-至今"),
        ("验证经理", "湖畔微电子", "2022.03-2025.05"),
    ]


def test_a_job_without_an_employer_takes_none_from_the_lines_around():
    lines = ["Cook", "Umbra, 02.2015 - 10.2019", "Pasta", "Military service", ", 11.2019 - "]
    assert read(lines, ["Cook", "Military service"]) == [
        ("Cook", "Umbra", "02.2015 - 10.2019"),
        ("Military service", "", "11.2019 -"),
    ]


def test_a_word_for_now_that_nobody_listed_ends_a_range():
    lines = ["Cook, Umbra", "06/2018 – zzz", "Pasta", "Clerk, Halden", "2015 – 2018"]
    assert [job[:2] for job in read(lines, ["Cook"])] == [("Cook", "Umbra"), ("Clerk", "Halden")]


@pytest.mark.parametrize(
    "line", ["Best Smith award 2022", "laid 60 miles 2019-2021", "Rules, 1900"]
)
def test_a_sentence_about_a_year_is_no_job(line):
    lines = ["Welder, Ozark", "Fit pipes", line]
    (job,) = experience_lines({"experience": lines, "designation": ["Welder"]})
    assert job == {"description": "\n".join(lines)}


@pytest.mark.parametrize(
    "lines", [None, "None", [], [None, 3, {}], [""], ["2019"], ["", "2019", ""]]
)
def test_any_value_is_read(lines):
    assert len(experience_lines({"experience": lines})) <= 1

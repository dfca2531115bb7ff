"""The form of a summary: length, dates, lists, contact data, thinking aloud."""

from __future__ import annotations

import pytest

from profiles.models import LengthBand
from profiles.standardization.words import count_words
from profiles.validation.form import (
    SENTENCE_CHECKS,
    date_fault,
    length_fault,
    list_fault,
    reworded,
)


@pytest.mark.parametrize("words", [360, 380, 400, 500, 600, 640])
def test_lengths_in_or_just_beside_the_band_pass(words):
    assert length_fault(words, LengthBand(400, 600)) is None


@pytest.mark.parametrize(
    ("words", "fault"),
    [(0, "short"), (1, "short"), (200, "short"), (350, "short"), (700, "long"), (5000, "long")],
)
def test_lengths_far_from_the_band_fail(words, fault):
    assert length_fault(words, LengthBand(400, 600)) == fault


@pytest.mark.parametrize(("words", "fault"), [(161, None), (174, None), (180, "long")])
def test_a_short_summary_may_be_a_third_longer_than_wanted(words, fault):
    assert length_fault(words, LengthBand(64, 129)) == fault


def test_punctuation_alone_is_no_word():
    assert length_fault(count_words("a - b – c"), LengthBand(4, 9)) == "short"


@pytest.mark.parametrize(
    "text",
    [
        "Has eight years of experience in payments.",
        "Led a team of twelve for over 5 years.",
        "Looks after SQL Server 2019 and Windows Server 2016 estates.",
        "Certified for ISO 9001:2015 and ISO 27001 audits.",
        "Runs more than 2000 stores and 1999 servers across regions.",
        "She may march ahead in august company and decide.",
        "Wrote ES2015 modules and a 24/7 support rota.",
        "Saved $2000 a month and handled 2,015 tickets.",
        "Grew revenue by 35% within three quarters.",
        "Managed 1950 employees in a plant.",
        "April Underhill is not named, but May be.",
        "Works on the Vision 2030 programme.",
    ],
)
def test_durations_products_and_counts_are_no_dates(text):
    assert date_fault(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Joined in March 2019 as analyst.",
        "Worked there Mar '19 to Feb '21.",
        "Since 2015 the candidate has led teams.",
        "From 2012 to 2016 she ran operations.",
        "Led the plant (2018-2021).",
        "Promoted 06/2020 to manager.",
        "Left on 3rd May and joined another firm.",
        "Employed 2019-03 onwards.",
        "In Q3 2021 the team shipped.",
        "Started 12.05.2014 in Berlin.",
        "The year 2008 changed the bank.",
        "Graduated 2011, then moved.",
        "Working 2016 – present as lead.",
        "Joined on January 2nd as an intern.",
    ],
)
def test_calendar_dates_are_found(text):
    assert date_fault(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Leads a team. Owns payments.",
        "First paragraph of prose.\n\nSecond paragraph of prose.",
        "Works with C++, C# and .NET - mostly on servers.",
        "Owns search, ranking and billing; mentors others.",
        "A well-known, self-taught engineer.",
        "Covers three areas: payments, search and billing.",
        "Improved latency by 3.5 percent and 2. nothing else.",
        "Line one of a sentence that the model wrapped\nat eighty columns without any meaning.",
    ],
)
def test_prose_is_no_list(text):
    assert list_fault(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "- Leads a team\n- Owns payments",
        "Skills include:\n* Go\n* Kafka",
        "1. Leads a team\n2. Owns payments",
        "Owns: • payments • search • billing",
        "# Summary\nLeads a team.",
        "**Experience**\nLeads a team.",
        "Experience:\nLeads a team.",
        "1) Leads a team 2) Owns payments",
        "Leads **payments** with care.",
        "Leads a team\nOwns payments\nBuilds search\nWrites code",
        "| role | years |\n| lead | 3 |",
        "Skills: Go, Kafka. Education: none. Languages: English.",
        "See [the page](https://quarry-example.com/x).",
        *(f"{mark} Leads a team\n{mark} Owns payments" for mark in "•‣⁃∙·–—▪◆★➤✔►❖"),
        "① Leads a team ② owns payments",
        "一、 Leads a team\n二、 Owns payments",
        "a) Leads a team\nb) Owns payments",
        "The candidate (a) leads a team and (b) owns payments.",
        "<ul><li>Leads a team</li></ul>",
        "Payments\n========\nLeads a team.",
    ],
)
def test_lists_headings_and_markdown_are_found(text):
    assert list_fault(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Handled 1,200,000 requests a day and 99.95% uptime.",
        "Uses Node.js, Vue.js, ASP.NET and Salesforce.com daily.",
        "Served 45000 customers in 14 countries.",
        "Reached out to partners and called 300 accounts.",
        "Worked on CI/CD, TCP/IP and A/B testing.",
        "Saved 12,500 hours and 3.5 million euros.",
        "Contact centres and phone support were in scope.",
    ],
)
def test_numbers_and_product_names_are_no_contact_data(text):
    assert SENTENCE_CHECKS["contacts"](text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Write to thea.quarles@gmail.com for more.",
        "Reachable at +44 7469 927230 on weekdays.",
        "See https://www.linkedin.com/in/thea-quarles for details.",
        "Portfolio at www.thea-quarles.dev shows work.",
        "Call (415) 555-0199 or 415-555-0199.",
        "Her page is github.com/thea/code today.",
        "Mobile: 98450 12345 in India.",
        "Mail thea [at] quarry [dot] com please.",
    ],
)
def test_contact_data_is_found(text):
    assert SENTENCE_CHECKS["contacts"](text) is not None


@pytest.mark.parametrize(
    "sentence",
    [
        "The candidate joined in 2016.",
        "The team runs 2,000 stores in 2000 towns.",
        "The candidate works with SQL Server 2019.",
    ],
)
def test_a_sentence_that_needs_its_year_keeps_it(sentence):
    assert reworded(sentence, None) == sentence

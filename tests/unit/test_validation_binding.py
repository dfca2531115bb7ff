"""Claims are bound to a job, a study or a language of the record: the smallest input of each."""

from __future__ import annotations

import pytest

from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.claims import Sentence
from profiles.validation.document import Document
from profiles.validation.gate import CLAIM_CHECKS

ENGLISH = """# Candidate
## Experience
### Route Planner — Quarry Haulage
Mar 2018 – Feb 2025 (7 yrs) · Hull
- Plans 120 lorry runs a day, empty kilometres from 18% to 11%
- Member of the standards working group

### Transport Clerk — Tarn Removals
Jun 2015 – Feb 2018 (2 yrs 9 mos) · Leeds
- Invoiced 400 removals a year

### Apprentice — Umbra Council
Sep 2013 – May 2015 (1 yr 9 mos)
- Post room and minutes of meetings

## Education
- BSc, Geography — Kaveri University (2010–2013)

## Certifications
- Lean Green Belt
- WSET Level 2

## Languages
English (native), Polish (conversational), German (B2)
"""
GERMAN = """# Kandidat
## Berufserfahrung
### Projektleiterin — Quarry Technik GmbH
2019-04 – heute · Kassel
- Leitung von sieben Monteuren und Einführung von Revit für 260 Räume

### Elektroplanerin — Ingenieurbüro Tarn
2014-01 – 2019-03 · Göttingen
- Schaltpläne für 14 Schulen

## Ausbildung
- Bachelor, Elektrotechnik — Hochschule Kaveri (2010–2014)

## Sprachen
Deutsch (Muttersprache), Englisch (A2)
"""
HOUSE = """# Candidate
12 years of experience

## Experience
### Chief Pump Officer — Quarry Pumps
Apr 2019 – Present
- Three sites with 140 pumps

### Sales Manager — Quarry Pumps
Feb 2016 – Mar 2019
- Sold 310 seals to mills

### 实习生 — Tarn Valves
2014 – 2015
- Tested 75 valves in oil

## Education
- Bachelor, Physics — Kaveri University (2011–2014)
- Perito — Kaveri School (2006–2011)
"""
TWICE = """# Candidate
### Księgowa — Quarry Ledgers
2013 – 2019
- Books of 25 firms

### Accountant — Quarry Ledgers
Sep 2013 – Apr 2019
"""
FORMS = """# Candidate
### Experience
2019-11 – present · **Site Manager**, Quarry Works, Leeds
- Four sites

**Surveyor**, Tarn Studio, Hull, 2014-02 – 2019-10
- Land surveys

#### Clerk — Umbra Office
**2012-01 – 2014-01 · Hull**

#### Clerk of works — Corvid Ltd — 2010-01 – 2011-12 · York
### Education
- BSc, Surveying — Kaveri University (2006–2009)
"""
RECORDS = {
    name: Document(text, load_vocabulary())
    for name, text in (("en", ENGLISH), ("de", GERMAN), ("house", HOUSE), ("twice", TWICE))
}


def faults(text: str, record: str = "en") -> set[str]:
    sentence = Sentence.of(text, RECORDS[record])
    return {
        name
        for name, check in CLAIM_CHECKS.items()
        for claim in check(sentence)
        if claim.is_supported is False
    }


def test_jobs_are_read_from_headings_bold_lines_and_lists():
    document = Document(FORMS, load_vocabulary())
    assert [(job.title, job.employer, job.is_current) for job in document.jobs] == [
        ("Site Manager", "Quarry Works", True),
        ("Surveyor", "Tarn Studio", False),
        ("Clerk", "Umbra Office", False),
        ("Clerk of works", "Corvid Ltd", False),
    ]
    assert [line.section for line in document.education] == ["Education"]


@pytest.mark.parametrize(
    ("text", "record", "check"),
    [
        ("After years at Quarry Haulage they joined Tarn Removals.", "en", "order"),
        ("They invoiced 400 removals, having planned lorry runs before.", "en", "order"),
        ("They invoiced 400 removals a year for seven years.", "en", "stays"),
        ("More than four years of invoicing removals came first.", "en", "stays"),
        ("They drew plans for 14 schools for two years.", "de", "stays"),
        ("They worked as an assistant in the post room of Umbra Council.", "en", "ranks"),
        ("They are route planner at Quarry Haulage.", "en", "ranks"),
        ("They personally planned the lorry runs.", "en", "parts"),
        ("They were sales manager for about seven years.", "house", "stays"),
        ("They spent about a year as sales manager.", "house", "stays"),
        ("They have fifteen years of experience.", "house", "stays"),
        ("They sold 140 seals to mills.", "house", "entries"),
        ("As an engineer they tested valves in oil.", "house", "ranks"),
        ("They hold a master's degree in physics.", "house", "degrees"),
        ("After having been CPO, they were sales manager.", "house", "order"),
        (
            "They rose from valves in oil, through 140 pumps on three sites, to seals for mills.",
            "house",
            "order",
        ),
        ("They hold the Kaveri Regional Pump Award.", "house", "names"),
        (
            "At Tarn Removals they invoiced removals and planned 120 lorry runs.",
            "en",
            "entries",
        ),
        ("They are now invoicing 400 removals a year.", "en", "entries"),
        (
            "They worked as an assistant in the post room of Umbra Council; junior staff followed.",
            "en",
            "ranks",
        ),
        ("For two years they worked as an engineer for oil.", "house", "ranks"),
        ("Sixty years have gone into this.", "house", "stays"),
        ("Empty kilometres were halved.", "en", "figures"),
        ("They worked in a team of six.", "en", "figures"),
        ("They led the standards working group.", "en", "parts"),
        ("They lead nine people.", "en", "figures"),
        ("The degree comes from the University of Nordvik Sund.", "de", "names"),
        ("They hold a master's degree.", "de", "degrees"),
        ("They are fluent in English and Polish.", "en", "languages"),
        ("English is spoken fluently.", "de", "languages"),
        ("They speak native German.", "en", "languages"),
        ("They speak fluent Dutch.", "en", "languages"),
        ("In Hull, I plan lorry runs.", "en", "phrases"),
        ("They invoiced 400 removals for almost two years.", "en", "stays"),
        ("They invoiced 400 removals for two years and eleven months.", "en", "stays"),
        ("They kept books of 25 firms at Quarry Ledgers for nearly eight years.", "twice", "stays"),
        ("They held the position of three years with 75 valves in oil.", "house", "stays"),
        (
            "Two years and nine months of paperwork, then one year and nine months.",
            "en",
            "order",
        ),
        ("They currently work for a haulier.", "en", "entries"),
        ("They are planner at a haulier.", "en", "entries"),
        ("The next step was route planner at Tarn Removals.", "en", "entries"),
        ("Currently sales manager, they look after pumps.", "house", "entries"),
        ("They saw to 120 runs, 400 removals and 11% of empty kilometres.", "en", "entries"),
    ],
)
def test_what_the_bound_entry_does_not_say_is_found(text, record, check):
    assert check in faults(text, record)


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("After nearly three years at Tarn Removals they joined Quarry Haulage.", "en"),
        ("They went from Tarn Removals to Quarry Haulage.", "en"),
        ("They invoiced 400 removals before planning lorry runs.", "en"),
        ("They invoiced 400 removals a year for two years and nine months.", "en"),
        ("They drew plans for 14 schools for over five years.", "de"),
        ("In Leeds they invoiced 400 removals.", "en"),
        ("They were an apprentice in the post room of Umbra Council.", "en"),
        ("Empty kilometres fell by seven points, by more than a third.", "en"),
        ("They hold a Lean Green Belt and WSET Level 2.", "en"),
        ("The degree comes from the Kaveri University.", "de"),
        ("They are fluent in German and speak conversational Polish.", "en"),
        ("English is basic, and German their mother tongue.", "de"),
        ("A Leeds practice employed them.", "en"),
        ("Polish is conversational, and English is native.", "en"),
        ("English native, they speak German.", "en"),
        ("Mills in Norway bought seals.", "house"),
        ("At Tarn Valves they tested valves; 310 seals were sold to mills.", "house"),
        ("As sales manager they sold 310 seals in a single year.", "house"),
        ("The Quarry sales of three years, looking after mills, came first.", "house"),
        ("They were sales manager for about three years.", "house"),
        ("They hold a bachelor's degree in physics.", "house"),
        ("To date, 310 seals were sold to mills.", "house"),
        ("Their invoicing of 400 removals is now the rule.", "en"),
        ("While still with Tarn Removals, they invoiced 400 removals.", "en"),
        ("Sixteen years have gone into this.", "house"),
        ("They invoiced 400 removals for almost three years.", "en"),
        ("They invoiced 400 removals for over two years.", "en"),
        ("They kept books of 25 firms at Quarry Ledgers for over six years.", "twice"),
        ("One year and nine months of minutes, then two years and nine months.", "en"),
        ("They currently look for work.", "de"),
        ("The next step was transport clerk at Tarn Removals.", "en"),
        ("They saw to 120 runs, 11% of empty kilometres and 400 removals.", "en"),
    ],
)
def test_what_the_bound_entry_says_stays(text, record):
    assert faults(text, record) == set()


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("Before that they sold 310 seals.", True), ("After that, 310 seals.", False)],
)
def test_the_order_of_two_sentences_is_that_of_the_jobs(text, is_so):
    before = Sentence.of("They run three sites with 140 pumps.", RECORDS["house"])
    sentence = Sentence.of(text, RECORDS["house"], before)
    assert [claim.is_supported for claim in CLAIM_CHECKS["order"](sentence)] == [is_so]

"""Claims of a clause stand in the job that it is about, in English and other records."""

from __future__ import annotations

import pytest

from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.claims import Sentence
from profiles.validation.document import Document
from profiles.validation.gate import CLAIM_CHECKS

ENGLISH = """# Thea Quarles
Head of Logistics at Quarry Freight

## Experience
### Head of Logistics — Quarry Freight
Apr 2020 – Present (5+ yrs)
- Runs the parcel depot with 46 people and a fleet of 32 lorries.

### Warehouse Planner — Tarn Media
Feb 2016 – Mar 2020
- Rebuilt the pallet racking and cut picking errors by 31%.

### Book Reviewer — Umbra Weekly
2012 – 2016
- Reviewed travel books.

### Planning Intern — Corvid Rail
2011 – 2012
- Timetable studies.

## Education
- PhD, Operations Research — Kaveri University (2022–present)
- MSc, Naval Engineering — Kaveri University (2008–2011)
- Diploma, Harbour Management — Kaveri College (2006–2008)
"""
GERMAN = """# Thea Quarles
Leiterin Logistik bei Quarry Spedition

## Berufserfahrung
### Leiterin Logistik — Quarry Spedition GmbH
Apr. 2020 – heute
- Leitung von 46 Mitarbeitern und Verantwortung für ein Budget von 2,6 Mio. € im Jahr.

### Lagerplanerin — Tarn Medien AG
Feb. 2016 – März 2020
- Inbetriebnahme von 19 Verteilzentren in Skandinavien, 4 Monate vor dem Termin.
"""
RECORDS = {
    "en": Document(ENGLISH, load_vocabulary()),
    "de": Document(GERMAN, load_vocabulary()),
}


def faults(text: str, record: str) -> set[str]:
    """The checks that find an unsupported claim in a sentence."""
    sentence = Sentence.of(text, RECORDS[record])
    return {
        name
        for name, check in CLAIM_CHECKS.items()
        for claim in check(sentence)
        if claim.is_supported is False
    }


@pytest.mark.parametrize(
    ("text", "record", "check"),
    [
        ("At Quarry Freight the candidate rebuilt the pallet racking.", "en", "entries"),
        ("The candidate also reviews travel books.", "en", "entries"),
        ("Nine years as warehouse planner came first.", "en", "stays"),
        ("Still serving there, the candidate cuts picking errors by 31%.", "en", "entries"),
        ("At Tarn Medien the candidate opened 46 distribution centres.", "de", "entries"),
        ("The candidate leads a team of seventeen.", "de", "figures"),
        ("The candidate was a guest of the Yarrowmouth festival.", "de", "names"),
        ("The candidate is executive planner at Tarn Media.", "en", "ranks"),
        ("As chief planner of a media house, the candidate plans lorries.", "en", "ranks"),
        ("A vice president, the candidate plans lorries.", "en", "ranks"),
        ("The candidate has a master's in electrical engineering.", "en", "degrees"),
        ("The candidate has a bachelor's degree in harbour management.", "en", "degrees"),
        ("The candidate is a Finnish logistics manager.", "en", "origin"),
        ("The candidate is in the late forties.", "en", "origin"),
        ("The candidate is one of the finest planners.", "en", "phrases"),
    ],
)
def test_what_belongs_to_another_entry_is_found(text, record, check):
    assert check in faults(text, record)


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("At Tarn Media the candidate rebuilt the pallet racking and cut errors by 31%.", "en"),
        ("At the media company the candidate rebuilt the pallet racking.", "en"),
        ("Four years as warehouse planner came first.", "en"),
        ("The candidate reviewed travel books for Umbra Weekly.", "en"),
        ("The candidate currently runs a depot with 46 people.", "en"),
        ("The candidate is pursuing a PhD in operations research.", "en"),
        ("The candidate was a planning intern at Corvid Rail.", "en"),
        (
            "Before that, at Tarn Medien, the candidate opened 19 centres in Scandinavia, four "
            "months ahead of schedule.",
            "de",
        ),
        ("The candidate reports to managers in Austria.", "de"),
    ],
)
def test_what_belongs_to_its_entry_stays(text, record):
    assert faults(text, record) == set()

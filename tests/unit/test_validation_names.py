"""Places, ages and languages: what the record names in any language, and what it lacks."""

import pytest

from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.claims import Sentence
from profiles.validation.document import Document
from profiles.validation.gate import CLAIM_CHECKS

ENGLISH = """# Una Tarn
Account Manager
Vienna, Austria · 6 years of experience

## Experience
### Account Manager — Tarn Media
Feb 2020 – Present (4+ yrs) · Vienna
- Looks after clients in Germany.

### Trainee — Umbra Foods
Sep 2019 – Jan 2020 (5 mos) · Graz

## Languages
German (Native), English (Fluent)
"""
ARABIC = """# رنا ترن
مهندسة مدنية
أبوظبي

## Experience
### مهندسة — شركة الواحة
Feb 2020 – Present (4+ yrs) · الدوحة
- الإشراف على موقع البناء
"""
JAPANESE = """# 樽野 花
料理長
京都、日本

## Experience
### 料理長 — 旅館みずべ
Feb 2020 – Present (4+ yrs)
- 東京と大阪で支店の立ち上げを担当
"""
RECORDS = {
    name: Document(text, load_vocabulary())
    for name, text in (("en", ENGLISH), ("ar", ARABIC), ("ja", JAPANESE))
}


def faults(record: str, sentence: str) -> set[str]:
    read = Sentence.of(sentence, RECORDS[record])
    return {
        name
        for name, check in CLAIM_CHECKS.items()
        for claim in check(read)
        if claim.is_supported is False
    }


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ("en", "The candidate looks after clients in Austria and Germany."),
        ("ar", "The candidate worked as an engineer in Doha and lives in Abu Dhabi."),
        ("ja", "The candidate opened branches in Tokyo and Osaka in Japan."),
        ("en", "The candidate looks after clients, a post now more than four years old."),
    ],
)
def test_what_the_record_names_in_any_language_stays(record, sentence):
    assert faults(record, sentence) == set()


@pytest.mark.parametrize(
    ("record", "sentence", "check"),
    [
        ("en", "The candidate looks after clients in Norway.", "names"),
        ("ja", "The candidate opened a branch in Australia.", "names"),
        ("en", "The candidate is 40 years old.", "origin"),
        ("en", "Their languages are German, English and Korean.", "languages"),
    ],
)
def test_what_the_record_lacks_is_a_fault(record, sentence, check):
    assert check in faults(record, sentence)


def test_a_duration_is_not_that_of_a_post_behind_another_one():
    sentence = (
        "The six years of work began with five months as a trainee at Umbra Foods and went on at "
        "Tarn Media."
    )
    assert "stays" not in faults("en", sentence)

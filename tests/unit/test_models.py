"""The shared records keep their promises."""

from profiles.models import LengthBand, LengthRule, PartialDate

RULE = LengthRule(full=LengthBand(400, 600), full_from=600, share_minimum=0.4, share_maximum=0.8)


def test_a_year_spans_its_twelve_months():
    assert PartialDate(2020).last_month - PartialDate(2020).first_month == 11


def test_a_long_document_gets_the_full_band():
    assert RULE.band(1200) == LengthBand(400, 600)


def test_a_short_document_never_asks_for_more_words_than_it_has():
    for words in range(60, 600):
        band = RULE.band(words)
        assert 0 < band.minimum < band.maximum <= max(words, 40)

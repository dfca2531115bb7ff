"""The shared records keep their promises."""

import subprocess
import sys

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


def test_the_engine_process_needs_none_of_our_libraries():
    blocked = "import sys; sys.modules.update(dict.fromkeys(('msgspec', 'orjson', 'pydantic')))"
    wanted = "import profiles.synthesis.process.engine_process, profiles.synthesis.engines"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    subprocess.run([sys.executable, "-c", f"{blocked}; {wanted}"], check=True, env=environment)


def test_dates_are_ordered_a_bare_year_first():
    dates = [PartialDate(2020), PartialDate(2020, 1), PartialDate(2021)]
    assert sorted(reversed(dates)) == dates
    assert dates[0] <= dates[0] < dates[1] and dates[2] >= dates[1]

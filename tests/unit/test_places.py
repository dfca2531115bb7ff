"""Countries and cities by their names in many languages."""

import pytest

from profiles.standardization.places import city_of, country_of, places_in


@pytest.mark.parametrize(
    ("location", "city"),
    [
        ("Wien, Österreich", "vienna"),
        ("Wien", "vienna"),
        ("Greater Munich Metropolitan Area", "munich"),
        ("München", "munich"),
        ("أبوظبي", "abu dhabi"),
        ("Երևան", "yerevan"),
        ("ภูเก็ต", "phuket"),
        ("大阪市", "osaka"),
        ("Dubai UAE", "dubai"),
        ("12 Tarn Street, Bengaluru", "bengaluru"),
        ("Tarnby, Victoria", "tarnby"),
        ("New Delhi, India", "delhi"),
        ("SF Bay Area", "san francisco"),
    ],
)
def test_a_city_has_one_name_in_all_languages(location, city):
    assert city_of(location) == city


@pytest.mark.parametrize(
    ("location", "country"),
    [
        ("Pune, Maharashtra", "IN"),
        ("Sousse, Tunisie", "TN"),
        ("Warszawa", "PL"),
        ("Yerevan", "AM"),
        ("Portland, Oregon", "US"),
        ("上海", "CN"),
        ("Tbilisi, Georgia", "GE"),
        ("Atlanta, Georgia", "US"),
        ("Cambridge", None),
        ("Newark, New Jersey", "US"),
        ("Albuquerque, New Mexico", "US"),
        ("Paris, Texas", "US"),
        ("Richmond, Virginia", "US"),
        ("Miami, Florida", "US"),
        ("Jersey", "JE"),
        ("London, Ontario Canada", "CA"),
        ("Dubai UAE", "AE"),
        ("Remote", None),
        (" ", None),
    ],
)
def test_a_location_tells_its_country_unless_two_may_be_meant(location, country):
    assert country_of(location) == country


def test_a_text_names_places_in_scripts_with_and_without_spaces_and_capitals():
    assert places_in("निवास: दिल्ली") == ({"IN"}, {"delhi"})
    assert "IN" in places_in("Xuất khẩu sang Ấn Độ")[0]
    assert places_in("ทำงานที่ภูเก็ต")[1] >= {"phuket"}
    assert places_in("東京と大阪で勤務")[1] == {"tokyo", "osaka"}
    assert places_in("a nice split of vienna sausages") == (set(), set())

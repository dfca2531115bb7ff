"""Countries and cities by their names in many languages."""

import pytest

from profiles.standardization.places import city_of, country_of


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
        ("Remote", None),
        (" ", None),
    ],
)
def test_a_location_tells_its_country_unless_two_may_be_meant(location, country):
    assert country_of(location) == country

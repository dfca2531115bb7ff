"""Invented names, cities and phone shapes per locale, in native script and in Latin letters.

The combinations are made up; e-mail domains, phone exchanges and companies of the sample cannot
belong to anybody. Weights say how often a locale occurs.
"""

from __future__ import annotations

from itertools import accumulate

from sample_data.locales import english, european, other_scripts
from sample_data.locales.locale import City, Locale, NamePart, words

__all__ = [
    "ALTERNATIVE_CITIES",
    "CUMULATIVE_WEIGHTS",
    "LOCALES",
    "LOCALE_KEYS",
    "LOCAL_MONTHS",
    "LONG_MONTHS",
    "MONTHS",
    "City",
    "Locale",
    "NamePart",
]

LOCALES: dict[str, Locale] = {**english.LOCALES, **european.LOCALES, **other_scripts.LOCALES}
LOCALE_KEYS = tuple(LOCALES)

CUMULATIVE_WEIGHTS = tuple(accumulate(locale.weight for locale in LOCALES.values()))

MONTHS = words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

LONG_MONTHS = words(
    """
    January February March April May June July August September October November December
    """
)

LOCAL_MONTHS: dict[str, tuple[tuple[str, ...], str]] = {
    "fr": (words("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."), "aujourd’hui"),
    "de": (words("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."), "Heute"),
    "es": (words("ene. feb. mar. abr. may. jun. jul. ago. sept. oct. nov. dic."), "actualidad"),
    "pt": (words("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."), "o momento"),
    "pl": (words("sty lut mar kwi maj cze lip sie wrz paź lis gru"), "obecnie"),
    "tr": (words("Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara"), "halen"),
    "ru": (
        words("янв. февр. март апр. май июнь июль авг. сент. окт. нояб. дек."),
        "настоящее время",
    ),
    "zh": (words("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"), "至今"),
    "ja": (words("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"), "現在"),
    "ko": (words("1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월"), "현재"),
}
"""Months as LinkedIn's localised pages write them, and their word for present."""

ALTERNATIVE_CITIES: dict[str, list[str]] = {
    "Bengaluru": ["Bangalore", "Bangalore Urban", "Greater Bengaluru Area", "BLR"],
    "Gurugram": ["Gurgaon", "Gurgaon / NCR"],
    "Mumbai": ["Bombay", "Mumbai Metropolitan Region", "Navi Mumbai"],
    "New York": ["NYC", "New York City Metropolitan Area", "Greater New York City Area"],
    "San Francisco": ["San Francisco Bay Area", "SF Bay Area"],
    "München": ["Munich", "Munich Metropolitan Area"],
    "Wien": ["Vienna"],
    "Zürich": ["Zurich"],
    "上海": ["Shanghai"],
    "深圳": ["Shenzhen"],
    "東京都": ["Tokyo"],
    "서울": ["Seoul"],
    "الرياض": ["Riyadh"],
    "Москва": ["Moscow"],
    "Warszawa": ["Warsaw", "Warsaw Metropolitan Area"],
    "İstanbul": ["Istanbul", "Istanbul, Turkey"],
}
"""Other names under which a city is found."""

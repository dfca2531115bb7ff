"""Invented employers, schools and the rows of `company_industry`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from sample_data.industries import INDUSTRIES
from sample_data.snapshot import TODAY, Chance, Row, timestamp

_FIRST_WORDS = """
    Northvale Kestrel Bluefern Quarry Halden Meridia Ostrava Pinecrest Quillon Redmarsh Solvane Tarn
    Umbra Veltrix Wexmoor Xandor Yewtree Zephyra Amberline Brightloom Cobalto Dunwich Evergild
    Foxglove Granitely Hearthly Indigora Juniperly Krystal Lumenor Mosswood Novarra Orchidia
    Palisade Quasarly Rivulet Stonebay Trellis Ultramare Vantor Willowby Zenithra Aranya Bharatsoft
    Chakrasys Devgiri Ekavira Gangotri Himadri Indravati Jalsa Kaveri Lohit Mahananda Narmada Palash
    Ratnakar Sahyadri Tungabhadra Udaan Vindhya
"""
_SECOND_WORDS: tuple[tuple[str, int], ...] = (
    ("Systems", 0),
    ("Labs", 1),
    ("Technologies", 0),
    ("Software", 1),
    ("Analytics", 2),
    ("Media", 3),
    ("Health", 4),
    ("Pharma", 12),
    ("Capital", 23),
    ("Bank", 22),
    ("Insurance", 21),
    ("Logistics", 10),
    ("Retail", 20),
    ("Motors", 11),
    ("Foods", 18),
    ("Learning", 15),
    ("University", 16),
    ("Consulting", 5),
    ("Talent", 6),
    ("Networks", 9),
    ("Energy", 17),
    ("Engineering", 28),
    ("Constructions", 26),
    ("Aerospace", 31),
    ("Semiconductors", 30),
    ("Design Studio", 34),
    ("Digital", 2),
    ("Security", 8),
    ("Infotech", 0),
    ("Ventures", 40),
    ("Hospitals", 4),
    ("Electronics", 29),
    ("Realty", 33),
    ("Hotels", 32),
    ("Biotech", 13),
)
"""Second word of a company name and the industry it suggests."""
_REGIONS = ["us"] * 4 + ["in"] * 5 + ["uk", "de", "fr", "es", "pt"]
_LEGAL_FORMS: dict[str, list[str]] = {
    "us": ["Inc.", "Inc", ", Inc.", "LLC"],
    "uk": ["Ltd", "Limited", "PLC"],
    "in": ["Pvt Ltd", "Pvt. Ltd.", "Private Limited", "Ltd"],
    "de": ["GmbH", "AG", "GmbH & Co. KG"],
    "fr": ["SAS", "SA"],
    "es": ["S.L.", "S.A."],
    "pt": ["Ltda", "S.A."],
}
_SIZES = ["2-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "10001+"]
_VENDORS = ["proxycurl", "apify", "pdl", "manual", "lemlist"]

_SCHOOL_PLACES = """
    Northvale Meridia Ostrava Halden Kaveri Sahyadri Narmada Trelawne Quillon Palisade Vindhya Umbra
    Fenwick Aldersea Montclair Lakeshore
"""
_SCHOOL_KINDS = (
    " University",
    " Institute of Technology",
    " College of Engineering",
    " Business School",
)
SCHOOLS: tuple[str, ...] = (
    *(place + kind for place in _SCHOOL_PLACES.split() for kind in _SCHOOL_KINDS),
    "Université de Valmorin",
    "Technische Hochschule Lindau-Ost",
    "Politechnika Zamojska",
    "华林大学",
    "Universidad del Páramo",
)


@dataclass(frozen=True, slots=True)
class Company:
    """An invented employer. `industry` is a position in `INDUSTRIES`, `number` the LinkedIn id."""

    name: str
    industry: int
    slug: str
    number: str
    domain: str
    size: str
    legal_form: str

    @property
    def linkedin_url(self) -> str:
        """Its page under the readable name, without a trailing slash."""
        return f"https://www.linkedin.com/company/{self.slug}"


def slug(text: str) -> str:
    """Lower-case ASCII letters and digits, everything else a single hyphen."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def make_companies(seed: int) -> list[Company]:
    """All employers of a seed; the first ones employ the most people."""
    stream = Random(seed * 31 + 5)
    companies: list[Company] = []
    seen: set[str] = set()
    for first in _FIRST_WORDS.split():
        for second, industry in _SECOND_WORDS:
            if stream.random() < 0.18:
                continue
            region = stream.choice(_REGIONS)
            key = slug(f"{first} {second}")
            if key in seen:
                continue
            seen.add(key)
            companies.append(
                Company(
                    name=f"{first} {second}",
                    industry=industry,
                    slug=key,
                    number=str(100000 + len(companies) * 37 + stream.randrange(30)),
                    domain=key.replace("-", "") + "-example.com",
                    size=stream.choice(_SIZES),
                    legal_form=stream.choice(_LEGAL_FORMS[region]),
                )
            )
    stream.shuffle(companies)
    return companies


def company_variant(company: Company, chance: Chance) -> str:
    """The employer's name as one vendor might spell it."""
    x = chance()
    if x < 0.55:
        return company.name
    if x < 0.80:
        return f"{company.name} {company.legal_form}".strip()
    if x < 0.86:
        return company.name.upper()
    if x < 0.92:
        return company.name.replace(" ", "")
    if x < 0.96:
        return f"{company.name} (acquired by Halden Group)"
    return company.name.lower()


def industry_rows(companies: list[Company], seed: int) -> Iterator[tuple[Company, Row]]:
    """One to five rows of `company_industry` per employer: vendors disagree, some are wrong."""
    stream = Random(seed + 99)
    number = 0
    for company in companies:
        for position in range(1 + int(stream.random() * 5)):
            number += 1
            yield company, _industry_row(company, number, is_primary=position == 0, stream=stream)


def _industry_row(company: Company, number: int, *, is_primary: bool, stream: Random) -> Row:
    chance = stream.random
    is_v2 = chance() < 0.5
    labels = INDUSTRIES[company.industry]
    spoil = chance()
    is_wrong = chance() < 0.06
    if is_wrong:
        labels = INDUSTRIES[int(chance() * len(INDUSTRIES))]
    label = labels[1] if is_v2 else labels[0]
    return (
        str(number),
        company_variant(company, chance),
        _domain_variant(company, chance),
        company.number if chance() < 0.7 else None,
        _page_variant(company, chance),
        _spoilt_label(label, spoil),
        INDUSTRIES[company.industry][2] if not is_wrong and chance() < 0.5 else None,
        "v2" if is_v2 else ("v1" if chance() < 0.8 else None),
        stream.choice(_VENDORS),
        "t" if is_primary else "f",
        timestamp(TODAY[0] * 12 + int(chance() * 10) - 6, chance),
    )


def _domain_variant(company: Company, chance: Chance) -> str | None:
    if chance() < 0.7:
        return company.domain
    return f"https://www.{company.domain}/" if chance() < 0.5 else None


def _page_variant(company: Company, chance: Chance) -> str | None:
    if chance() < 0.7:
        key = company.slug if chance() < 0.7 else company.number
        return f"https://www.linkedin.com/company/{key}"
    return None


def _spoilt_label(label: str, x: float) -> str | None:
    if x < 0.1:
        return label.lower()
    if x < 0.14:
        return label.replace("&", "&amp;")
    if x < 0.18:
        return label.replace("&", "and")
    if x < 0.20:
        return ""
    return None if x < 0.215 else label

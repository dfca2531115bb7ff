"""E-mails, phones, LinkedIn ids and employers give one key however they are written."""

from __future__ import annotations

import pytest

from profiles.standardization.companies import domain_key, employer_key, employers_agree
from profiles.standardization.contacts.phones import region_of, to_e164
from profiles.standardization.identifiers import (
    canonical_email,
    company_reference,
    is_personal_domain,
    is_role_mailbox,
    member_id,
    public_identifier,
)


@pytest.mark.parametrize(
    "text",
    [
        "Mo.E.Sample@gmail.com",
        "moesample+jobs@googlemail.com",
        "moesample@gmail.com",
        " MOESAMPLE@GMAIL.COM ",
        "mailto:moesample@gmail.com",
        "Mo <moesample@gmail.com>",
        "moesample@gmail.com\u200b",
        "moesample@gmail.com;other@gmail.com",
        "moesample [at] gmail [dot] com",
    ],
)
def test_one_mailbox_has_one_address(text):
    assert canonical_email(text) == "moesample@gmail.com"


def test_dots_count_outside_gmail():
    assert canonical_email("mo.e@workmail-example.com") == "mo.e@workmail-example.com"
    assert canonical_email("moe+x@workmail-example.com") == "moe@workmail-example.com"


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "null",
        "N/A",
        "null@null.com",
        "noreply@x-example.com",
        "@x.com",
        "a@b",
        5,
        "x" * 999,
    ],
)
def test_values_without_a_mailbox_give_none(value):
    assert canonical_email(value) is None


def test_role_mailboxes_are_nobody():
    roles = ("info@x.com", "careers@x.com", "hr-team@x.com", "recruiter01@x.com", "jobs.in@x.com")

    assert all(map(is_role_mailbox, roles))
    assert not any(map(is_role_mailbox, ("marina.info@x.com", "hradek@x.com", "salesh@x.com")))


def test_private_providers_are_told_from_employers():
    assert all(
        map(is_personal_domain, ("a@gmail.com", "a@yahoo.co.in", "a@gmx.de", "a@outlook.fr"))
    )
    assert not is_personal_domain("a@veltrix-example.com")


@pytest.mark.parametrize(
    ("number", "location", "expected"),
    [
        ("+91 98450 12345", "Pune, India", "+919845012345"),
        ("098450 12345", "Bengaluru", "+919845012345"),
        ("98450-12345", "Greater Bengaluru Area", "+919845012345"),
        ("919845012345", "India", "+919845012345"),
        ("9845012345.0", "Mumbai Metropolitan Region, India", "+919845012345"),
        (9845012345.0, "India", "+919845012345"),
        (9845012345, "India", "+919845012345"),
        ("(+91) 9845012345", None, "+919845012345"),
        ("(0121) 496 0123", "Birmingham, United Kingdom", "+441214960123"),
        ("+44 (0)121 496 0123", None, "+441214960123"),
        ("(202) 555-0101", "Austin, Texas, United States", "+12025550101"),
        ("202-555-0101 ext. 42", "New York", "+12025550101"),
        ("0033612345678", None, "+33612345678"),
        ("33612345678", None, "+33612345678"),
        ("4915151410192", "Berlin", "+4915151410192"),
        ("015151410192", "Berlin", "+4915151410192"),
        ("98450 12345 / 98450 54321", "India", "+919845012345"),
    ],
)
def test_a_phone_is_read_with_the_rows_own_country(number, location, expected):
    assert to_e164(number, region=region_of(location, None)) == expected


@pytest.mark.parametrize(
    "number",
    ["098450 12345", "(202) 555-0101", "0000000000", "1234567890", "N/A", "", None, "12", "9" * 50],
)
def test_a_number_without_country_or_meaning_gives_none(number):
    assert to_e164(number, region=None) is None


def test_placeholder_digits_are_refused_in_any_country():
    assert to_e164("0000000000", region="IN") is None
    assert to_e164("9999999999", region="IN") is None


@pytest.mark.parametrize(
    ("location", "country", "region"),
    [
        ("Pune, India", None, "IN"),
        ("Bengaluru", None, "IN"),
        (None, "IN", "IN"),
        (None, "in", "IN"),
        (None, "United States", "US"),
        (None, "Deutschland", "DE"),
        ("Madrid, Comunidad de Madrid, España", None, "ES"),
        ("Tallinn, Harjumaa Estonia", None, "EE"),
        ("San Francisco Bay Area", None, "US"),
        ("Munich Metropolitan Area", None, "DE"),
        ("Москва", None, "RU"),
        ("上海, 上海市, 中国", None, "CN"),
        ("Berlin · Remote", None, "DE"),
        ("Contact Info", None, None),
        (None, "Nowhere", None),
        (None, None, None),
    ],
)
def test_the_region_comes_from_country_or_location(location, country, region):
    assert region_of(location, country) == region


@pytest.mark.parametrize(
    "url",
    [
        "https://it.linkedin.com/in/mara-testel-zz1/",
        "linkedin.com/in/Mara-Testel-zz1",
        "http://www.linkedin.com/in/mara-testel-zz1?trk=public_profile",
        "mara-testel-zz1",
        "https://www.linkedin.com/in/mara-testel-zz1#about",
        "https://m.linkedin.com/in/mara-testel-zz1",
        "https://www.linkedin.com/in/mara-testel-zz1/en",
        "www.linkedin.com/in/mara-testel-zz1,",
        "https://www.linkedin.com/in/mara-testel-zz1/details/experience/",
        "/in/mara-testel-zz1",
        "https://www.linkedin.com/authwall?sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fmara-testel-zz1",
    ],
)
def test_one_profile_has_one_identifier(url):
    assert public_identifier(url) == "mara-testel-zz1"


def test_unicode_identifiers_meet_in_every_encoding():
    composed = "https://www.linkedin.com/in/çağatay-başerdem-zz36"
    encoded = "HTTPS://TR.LinkedIn.com/in/%C3%87a%C4%9Fatay-ba%C5%9Ferdem-zz36/?originalSubdomain=tr#about"
    decomposed = "linkedin.com/in/c\u0327ag\u0306atay-bas\u0327erdem-zz36/details/experience,"

    assert {public_identifier(url) for url in (composed, encoded, decomposed)} == {
        "çağatay-başerdem-zz36"
    }


@pytest.mark.parametrize(
    "url",
    [
        "https://www.linkedin.com/in/",
        "https://www.linkedin.com/company/tarn",
        "null",
        "",
        None,
        "-",
        "https://www.linkedin.com/sales/lead/ACwAAAx1y2z3a4b5c6,NAME_SEARCH,a1B2",
        "123456",
        "https://www.linkedin.com/pub/jane-doe/1/2/3",
        "https://www.linkedin.com/in/ACoAAx1y2z3a4b5c6d",
        "https://www.linkedin.com/search/results/all/?keywords=tarn",
        "https://x.example/in/jane",
    ],
)
def test_other_addresses_hold_no_public_identifier(url):
    assert public_identifier(url) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("12345678", "12345678"),
        (12345678, "12345678"),
        ("931", "931"),
        ("12345678.0", "12345678"),
        ("urn:li:member:123", "123"),
        ("ACoAABcDeFgHiJkLmNoP", "ACoAABcDeFgHiJkLmNoP"),
        ("urn:li:fsd_profile:ACoAABcDeFgHiJkLmNoP", "ACoAABcDeFgHiJkLmNoP"),
        ("https://www.linkedin.com/in/ACoAABcDeFgHiJkLmNoP", "ACoAABcDeFgHiJkLmNoP"),
        ("https://www.linkedin.com/sales/lead/ACwAABcDeFgHiJk,NAME_SEARCH,a1", "ACwAABcDeFgHiJk"),
        ("mara-testel-zz1", None),
        ("0", None),
        ("null", None),
        (None, None),
    ],
)
def test_a_member_id_is_a_number_or_an_urn(value, expected):
    assert member_id(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://in.linkedin.com/company/Veltrix-Software?trk=x", "veltrix-software"),
        ("linkedin.com/company/100037/", "100037"),
        ("veltrix-software", "veltrix-software"),
        ("urn:li:fsd_company:100037", "100037"),
        (100037, "100037"),
        ("https://www.linkedin.com/search/results/all/?keywords=x", None),
        (None, None),
        ("null", None),
    ],
)
def test_a_company_is_referred_to_by_number_or_slug(value, expected):
    assert company_reference(value) == expected


@pytest.mark.parametrize(
    "name",
    [
        "Northvale Systems",
        "NORTHVALE SYSTEMS",
        "NorthvaleSystems",
        "northvale systems",
        " Northvale  Systems ",
        "Northvale Systems Pvt. Ltd.",
        "Northvale Systems Private Limited",
        "Northvale Systems, Inc.",
        "Northvale Systems GmbH & Co. KG",
        "Northvale Systems S.A.",
        "Northvale Systems S.L.",
        "Northvale Systems (acquired by Halden Group)",
        "Northvale Systems LLC",
        "The Northvale Systems Ltda",
    ],
)
def test_one_employer_has_one_key(name):
    assert employer_key(name) == "northvalesystems"


def test_employers_that_differ_keep_different_keys():
    names = (
        "Halden Group",
        "Halden",
        "Halden Bank",
        "Halden Foods",
        "A Kestrel",
        "B Kestrel",
        "王氏有限公司",
    )

    assert len({employer_key(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", ["Self-employed", "Freelance", "Confidential", "N/A", "", None])
def test_no_employer_has_no_key(name):
    assert employer_key(name) is None


def test_a_short_name_may_be_the_longer_one():
    assert employers_agree("veltrix", "veltrixsoftware")
    assert not employers_agree("halde", "tarn")
    assert not employers_agree(None, None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://www.Veltrix-Example.com/about?x=1", "veltrix-example.com"),
        ("veltrix-example.com", "veltrix-example.com"),
        ("www.veltrix-example.com", "veltrix-example.com"),
        ("jane@veltrix-example.com", "veltrix-example.com"),
        ("n/a", None),
        ("https://www.linkedin.com/company/x", None),
        (None, None),
    ],
)
def test_a_web_domain_is_bare(value, expected):
    assert domain_key(value) == expected


def test_companies_with_an_ampersand_have_ids_of_their_own():
    page = "https://www.linkedin.com/company/smith-&-{}?trk=x"

    assert company_reference(page.format("nephew")) == "smith-&-nephew"
    assert company_reference("smith-&-wesson") == "smith-&-wesson"
    assert company_reference("https://linkedin.com/company/veltrix&trk=x") == "veltrix"


@pytest.mark.parametrize("host", ["github.com", "tinyurl.com/x", "https://play.google.com/store"])
def test_a_shared_host_is_nobodys_employer(host):
    assert domain_key(host) is None

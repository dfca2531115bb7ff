"""The patterns of numbering plans answer as the parser of `phonenumbers` does, or not at all."""

from __future__ import annotations

import random

import phonenumbers
import pytest
from phonenumbers import PhoneNumberFormat, PhoneNumberType

from profiles.standardization.phone_plans import is_valid_international, is_valid_national

NUMBERS_A_REGION = 40
KINDS = [kind for kind in PhoneNumberType.values() if kind != PhoneNumberType.UNKNOWN]


def by_parser(text: str, region: str | None) -> str | None:
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    return phonenumbers.format_number(number, PhoneNumberFormat.E164)


def national_numbers(region: str, chance: random.Random) -> list[str]:
    """Numbers of every kind that the region has, most of them with wrong or missing digits."""
    examples = [phonenumbers.example_number_for_type(region, kind) for kind in KINDS]
    known = [phonenumbers.national_significant_number(each) for each in examples if each]
    numbers = []
    for _ in range(NUMBERS_A_REGION):
        digits = list(chance.choice(known))
        for _ in range(chance.choice((0, 0, 1, 2, 4))):
            digits[chance.randrange(len(digits))] = chance.choice("0123456789")
        end = chance.choice((len(digits), len(digits), len(digits) - 1))
        numbers.append("".join(digits[:end]) + chance.choice(("", "", "", "7")))
    return numbers


@pytest.mark.parametrize("region", sorted(phonenumbers.SUPPORTED_REGIONS))
def test_plain_digits_are_valid_where_the_parser_finds_them_valid(region: str) -> None:
    code = phonenumbers.country_code_for_region(region)
    for digits in national_numbers(region, random.Random(region)):
        whole = f"+{code}{digits}"
        abroad = is_valid_international(whole[1:])
        if abroad is not None:
            assert by_parser(whole, None) == (whole if abroad else None)
        at_home = is_valid_national(digits, region)
        if at_home is not None:
            assert by_parser(digits, region) == (whole if at_home else None)


@pytest.mark.parametrize(
    ("digits", "region"), [("9845012345", "IN"), ("2025550142", "US"), ("15112345678", "DE")]
)
def test_usual_numbers_need_no_parser(digits: str, region: str) -> None:
    code = phonenumbers.country_code_for_region(region)
    assert is_valid_national(digits, region) is True
    assert is_valid_international(f"{code}{digits}") is True
    assert is_valid_international(f"{code}{digits}0000000") is False


@pytest.mark.parametrize(("digits", "region"), [("09845012345", "IN"), ("919845012345", "IN")])
def test_what_may_be_taken_off_is_left_to_the_parser(digits: str, region: str) -> None:
    assert is_valid_national(digits, region) is None


@pytest.mark.parametrize("digits", ["0919845012345", "99999", "٩١٩٨٤٥٠١٢٣٤٥"])
def test_digits_without_a_known_country_code_are_left_to_the_parser(digits: str) -> None:
    assert is_valid_international(digits) is None

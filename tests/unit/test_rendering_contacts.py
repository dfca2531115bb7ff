"""The quick look for contact data never misses what the thorough one would take out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profiles.rendering import contact_signs
from profiles.rendering.contact_signs import may_hold_contact
from profiles.rendering.sentences import lines_by_text
from profiles.standardization.text import redact_contacts

PIECES = [
    "Built the press", "ada@mail-example.com", "+91 98450 12345", "(212) 555-0101",
    "https://x.example/a", "www.ada-example.com", "ada-example.com", "linkedin.com/in/ada",
    "CTC: 18.5 LPA", "salary of $120k", "pay 12000", "12 lakhs per annum",
    "ada at mail dot com", "mailto:ada", "data:text", "2019-2020", "99.9%", "v1.2.3",
    "Node.js", "compensation bands for 7", "98450 12345", "Call 020 7946 0958", "skype: ada",
    "tel:12345678", "$28 Cr", ".", ",", "\n", " ", "in", "Package (fixed) 30",
    "₹4,50,000 p.a.",
]  # fmt: skip


@settings(max_examples=2_000, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=5), st.sampled_from([" ", "", "\n", ": "]))
def test_text_that_would_be_redacted_is_always_looked_at(pieces, joint):
    text = joint.join(pieces)
    if not may_hold_contact(text):
        assert redact_contacts(text) == text


ORDINARY = (
    "Cut invoice errors by 40% and set compensation bands for 7: 3 pay runs, 2 payment services."
)


def test_ordinary_text_is_not_looked_at_twice():
    assert not may_hold_contact(ORDINARY)
    assert not contact_signs.has_contact_sign(ORDINARY)


def test_contact_data_in_one_text_leaves_the_others_of_the_person_alone():
    ours = "Reach me on 98450 12345. Call us. Ran 12 sites.", ORDINARY, ""
    both = lines_by_text(ours)

    assert [line.text for line in both[ours[0]]] == ["Call us.", "Ran 12 sites."]
    assert both == {text: lines_by_text([text])[text] for text in ours}
    assert both[""] == ()


@pytest.mark.parametrize(
    "text",
    [
        "Paid 12 LPA.",
        "PAC\u212aAGE of 30",
        "Reach www.example-site.net",
        "ada@mail-example.com",
        "\u0661\u0662\u0663\u0664\u0665\u0666\u0667",
        "١٢٣–٤٥٦ since 2019",
        "98450\u3000 12345",
        "£5m and 98450 – 12345",
        "see veltrix-example.io",
        "CTC: 12",
        "skype:ada",
        "ada at mail dot com",
        "p.a. 40",
    ],
)
def test_the_quick_search_for_contacts_misses_none_that_the_exact_one_finds(text):
    assert contact_signs._may_hold_contact(text.lower())
    assert contact_signs.has_contact_sign(text)


@given(st.text(alphabet="aKk@.:/w dotlpcyin1٣९9–-()£é\u212a\u0130\n", max_size=60))
def test_the_quick_search_for_contacts_is_never_stricter_than_the_exact_one(text):
    assert contact_signs.has_contact_sign(text) or not contact_signs._may_hold_contact(text.lower())

"""The quick look for contact data never misses what the thorough one would take out."""

from hypothesis import given, settings
from hypothesis import strategies as st

from profiles.rendering.sentences import may_hold_contact
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


def test_ordinary_text_is_not_looked_at_twice():
    assert not may_hold_contact("Cut invoice errors by 40% and set compensation bands for 7.")

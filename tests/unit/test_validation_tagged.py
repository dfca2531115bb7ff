"""Two tagged parts, as models write them that are asked without a grammar."""

from __future__ import annotations

import pytest

from profiles.models import RejectionReason
from profiles.validation.parsing import Answer, Repair, parse_tagged

WHOLE = "<skills>\nSQL\nC, C++\n</skills>\n<summary>\nLeads a team.\n</summary>"


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        (WHOLE, None),
        (WHOLE.replace("</summary>", ""), None),
        (WHOLE.replace("</skills>\n", ""), None),
        (WHOLE.replace("SQL", "- SQL").replace("C, C", "2. C, C"), None),
        (f"```xml\n{WHOLE}\n```", None),
        (f"Here it is:\n{WHOLE}", Repair.PREAMBLE),
        (f"{WHOLE}\nAnything else?", Repair.PREAMBLE),
    ],
)
def test_both_parts_are_read(text, repair):
    found = parse_tagged(text, was_cut=False)
    assert isinstance(found, Answer)
    assert (found.skills, found.summary) == (("SQL", "C, C++"), "Leads a team.")
    assert found.repair is repair
    assert found.value == {"skills": ["SQL", "C, C++"], "summary": "Leads a team."}


def test_a_cut_summary_ends_at_its_last_full_sentence():
    found = parse_tagged("<skills>\nSQL\n<summary>Leads a team. Built the", was_cut=True)
    assert found == Answer("Leads a team.", ("SQL",), Repair.TRUNCATED)


@pytest.mark.parametrize(
    ("text", "was_cut", "fault"),
    [
        ("Leads a team.", False, RejectionReason.UNPARSABLE),
        ("<skills>\nSQL\nPyth", True, RejectionReason.TRUNCATED),
        ("<skills>\nSQL\n<summary>Leads a", True, RejectionReason.TRUNCATED),
    ],
)
def test_what_has_no_summary_is_a_fault(text, was_cut, fault):
    assert parse_tagged(text, was_cut=was_cut) is fault

"""Named traps in a person's rows, and detection of those that a person shows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sample_data.noise import View
from sample_data.pen import SourceRow
from sample_data.people import Person
from sample_data.snapshot import NOW

TRAPS: dict[str, str] = {
    "two_linkedin_urls": "the same human under an old and a new LinkedIn address",
    "shares_email_with_prev": "two humans share one mailbox",
    "twin_of_prev": "another human with the same name at the same employer",
    "took_over_prev_vanity": "a LinkedIn address given up by one human and taken by another",
    "recruiter_contact": "a resume that prints the recruiter's mail and phone",
    "recruiter_phone": "the recruiter's phone in the candidate's field",
    "role_mailbox": "a mailbox such as careers@ that belongs to nobody",
    "company_switchboard": "the employer's switchboard as phone",
    "urn_url": "a LinkedIn address that holds an ACoAA… id instead of a name",
    "double_encoded": "a JSON string that holds JSON",
    "nul_escape": "the escape \\u0000 inside JSON text",
    "lone_surrogate": "half a surrogate pair inside JSON text",
    "mojibake": "UTF-8 read as Windows-1252",
    "cjk_name": "a name in Chinese, Japanese or Korean script, family name first",
    "rtl_name": "a name in Arabic or Hebrew script",
    "cyrillic_name": "a name in Cyrillic script",
    "accented_name": "a name with accents in one source and without in another",
    "initial_surname": "a surname cut to its initial",
    "year_only_dates": "jobs dated by year alone",
    "unknown_start": "a job without a start",
    "reversed_dates": "a job that ends before it starts",
    "future_end": "a job that ends in the future",
    "localised_dates": "months in the page's language",
    "epoch_dates": "dates in milliseconds since 1970",
    "html": "markup in free text",
    "escaped_html": "markup written as entities",
    "cut_text": "text cut at “see more”",
    "glued_sentences": "lost line breaks: sentences run together",
    "emoji_bullets": "emoji and dingbats as bullets",
    "markdown": "headings and fences in free text",
    "grouped_roles": "several roles under one employer",
    "no_public_identifier": "a LinkedIn export without a public identifier",
    "placeholder": "null, None, N/A or - instead of a missing value",
}
"""Name and what it means, in the order of the README."""

_TEXT_TRAPS: dict[str, re.Pattern[str]] = {
    "epoch_dates": re.compile(r'"start":1\d{11,12}\b'),
    "html": re.compile(r"<p>|<br>"),
    "escaped_html": re.compile(r"&lt;p&gt;"),
    "cut_text": re.compile(r"see more|show more"),
    "glued_sentences": re.compile(r"[a-z]\.(?:[•✔➤●–]|Built|Led|Owned|Designed)"),
    "emoji_bullets": re.compile(r"[✔➤🔹🏆]"),
    "markdown": re.compile(r"# Highlights"),
    "grouped_roles": re.compile(r'"positions":\['),
    "localised_dates": re.compile(
        r'"(?:start_date|linkedinJobDateRange)":'
        r'"(?:[^"A-Z0-9]|\d+[年년]|(?:Mai|Juni|Juli|Okt|Dez) )'
    ),
}


def traps_of(person: Person, rows: Sequence[SourceRow]) -> frozenset[str]:
    """The names in `TRAPS` that these rows show."""
    found = {tag for row in rows for tag in row.tags}
    for row in rows:
        found |= _date_traps(row.view)
        text = "\t".join(value or "" for value in row.values)
        found |= {name for name, pattern in _TEXT_TRAPS.items() if pattern.search(text)}
        if any(value in ("null", "None", "N/A", "-") for value in row.values):
            found.add("placeholder")
        if row.table == "linkedin_profiles" and row.values[2] is None:
            found.add("no_public_identifier")
        if row.table == "lemlist_leads" and str(row.values[4]).endswith("."):
            found.add("initial_surname")
    return frozenset(found | _name_traps(person)) & TRAPS.keys()


def _date_traps(view: View) -> set[str]:
    found: set[str] = set()
    for spell in view:
        if spell.precision == "y":
            found.add("year_only_dates")
        if spell.start is None:
            found.add("unknown_start")
        elif spell.end is not None and spell.end < spell.start:
            found.add("reversed_dates")
        if spell.end is not None and spell.end > NOW:
            found.add("future_end")
    return found


def _name_traps(person: Person) -> set[str]:
    letter = person.given[0][0]
    script = unicodedata.name(letter, "").split(" ")[0]
    if script in ("CJK", "HANGUL", "HIRAGANA", "KATAKANA"):
        return {"cjk_name"}
    if script in ("ARABIC", "HEBREW"):
        return {"rtl_name"}
    if script == "CYRILLIC":
        return {"cyrillic_name"}
    return {"accented_name"} if person.family[0] != person.family[1] else set()

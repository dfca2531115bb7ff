"""From two tagged parts, `<skills>` and `<summary>`, to skills and a summary. Never raises on text.

The form of models that are asked without a grammar: a missing end tag, bullets and words around the
parts are read over. The value is that of the JSON form, so that the same schema checks its limits.
"""

from __future__ import annotations

import re

from profiles.validation.parsing import Answer, ParseFault, Repair, clean, last_full_sentence

__all__ = ["parse_tagged"]

_PARTS = re.compile(
    r"\A(?P<before>.*?)<skills>(?P<skills>.*?)(?:</skills>\s*)?<summary>(?P<summary>.*?)"
    r"(?P<end></summary>\s*(?P<after>.*))?\Z",
    re.DOTALL | re.IGNORECASE,
)
_BULLET = re.compile(r"\A\s*(?:[-*•]|\d{1,2}[.)])\s+")
_FENCE = re.compile(r"\A\s*```\w*\s*|\s*```\s*\Z")


def parse_tagged(text: str, *, was_cut: bool) -> Answer | ParseFault:
    """Skills and summary; `was_cut` says that the token cap ended the answer.

    >>> parse_tagged("<skills>\\nSQL\\n</skills>\\n<summary>Leads.</summary>", was_cut=False).skills
    ('SQL',)
    """
    parts = _PARTS.match(_FENCE.sub("", text))
    if parts is None:
        return ParseFault.TRUNCATED if was_cut else ParseFault.UNPARSABLE
    lines = (_BULLET.sub("", line) for line in parts["skills"].splitlines())
    skills = tuple(line for line in map(clean, lines) if line)
    summary = clean(parts["summary"])
    if was_cut and parts["end"] is None:
        summary = last_full_sentence(summary)
        return Answer(summary, skills, Repair.TRUNCATED) if summary else ParseFault.TRUNCATED
    around = clean(parts["before"]) or clean(parts["after"] or "")
    repair = Repair.PREAMBLE if around else None
    return Answer(summary, skills, repair, {"skills": list(skills), "summary": summary})

"""From the model's raw text to skills and a summary. Never raises on text.

Three cases are distinguished, because they have different consequences: an answer that parses, an
answer that was repaired (only where nothing was cut off), and an answer that was cut off by the
token cap. Reasoning that leaked into the answer is stripped; where nothing else is left, that is
said.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import json_repair

from profiles.models import RejectionReason
from profiles.standardization.characters import repair_characters
from profiles.standardization.sentences import is_ended, split_sentences
from profiles.validation.words import regex


class Repair(StrEnum):
    """The repair that an answer needed before it could be parsed."""

    TRUNCATED = "truncated"
    JSON = "json"
    REASONING = "leaked_reasoning"
    PREAMBLE = "preamble"


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed answer. `value` is the parsed JSON, None for prose; a cut answer has no `value`
    either, because its object never ended."""

    summary: str
    skills: tuple[str, ...]
    repair: Repair | None = None
    value: object = None


_FENCE = re.compile(r"\A\s*```\w*[ \t]*\n?(.*?)(?:\n?```\s*)?\Z", re.DOTALL | re.I)
_SUMMARY_KEY = re.compile(r'"summary"\s*:\s*"')
_OPEN_QUOTE = re.compile(r'(?<!\\)"')
_NEXT_PART = re.compile(r'"\s{0,9}(?:,\s{0,9}"\w+"\s{0,9}:|\}\s{0,9}\{)')
_LAST_QUOTE = re.compile(r'"\s{0,9}\}\s{0,9}\Z')
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_PARTS = re.compile(
    r"\A(?P<before>.*?)<skills>(?P<skills>.*?)(?:</skills>\s*)?<summary>(?P<summary>.*?)"
    r"(?P<end></summary>\s*(?P<after>.*))?\Z",
    re.DOTALL | re.IGNORECASE,
)
_BULLET = re.compile(r"\A\s*(?:[-*•]|\d{1,2}[.)])\s+")
_WHOLE_SHARE = 0.97
_FEW_LETTERS = 12
_MOST_BRACKETS = 200
_TAIL = 12
_QUOTED = re.compile(r"""["“'«]([^"“”«»]*)["”'»]""")


# A model that loops on white space fills its whole budget with it.
_SPACE_RUN = re.compile(r"\s{3,}")


class Stripped(NamedTuple):
    """The text that was meant as the answer. `leaked` says that reasoning stood around it."""

    text: str
    leaked: bool


def strip_reasoning(text: str) -> Stripped | RejectionReason:
    """The final answer without channels, thoughts and end markers.

    LEAKED_REASONING when the text is reasoning that never came to an answer.
    """
    text = _SPACE_RUN.sub(lambda run: "\n\n" if "\n" in run[0] else " ", text)
    before = text
    finals = [found for found in regex("final").finditer(text) if text[found.end() :].strip()]
    if finals:
        text = text[finals[-1].end() :]
    elif text.lstrip().startswith("{"):
        # An answer, and then another channel: what was opened after the object is no part of it.
        channel = regex("channel").search(text)
        text = text if channel is None else text[: channel.start()]
    elif "<|channel|>" in text or regex("analysis").match(text) or regex("final").search(text):
        return RejectionReason.LEAKED_REASONING
    text = _without_tail(text)
    ends = list(regex("thought end").finditer(text))
    if ends:
        # Also where the thought stands between parts of an answer: the last word counts.
        rest = text[ends[-1].end() :]
        text = rest if rest.strip() else text[: text.lower().find("<think")]
    elif regex("thought").search(text):
        return RejectionReason.LEAKED_REASONING
    leaked = text.strip() != before.strip()
    end = regex("end marker").search(text)
    if end is not None:
        text = text[: end.start()]
    if regex("any marker").search(text):
        return RejectionReason.LEAKED_REASONING
    return Stripped(text.strip(), leaked)


def _without_tail(text: str) -> str:
    """The object alone, where the name of a channel is glued to its end."""
    text = text.lstrip()
    if not text.startswith("{"):
        return text
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return text
    return text[:end] if regex("glued tail").match(text, end) else text


def parse_json(text: str, *, was_cut: bool) -> Answer | RejectionReason:
    """Skills and summary of a JSON answer; `was_cut` says that the token cap ended it.

    json-repair closes the brackets of a cut answer, so its summary is used up to the last full
    sentence. One that ends inside its summary was cut, whatever reason the engine gives.
    """
    body = _body(text)
    if not body:
        return RejectionReason.EMPTY
    value = _strict(body)
    if isinstance(value, dict):
        return _answer(value, None)
    value = (None if was_cut else _with_quotes_escaped(body)) or _repaired(body)
    if not isinstance(value, dict) or "summary" not in value:
        return RejectionReason.TRUNCATED if was_cut else RejectionReason.UNPARSABLE
    answer = _answer(value, Repair.JSON)
    if was_cut or _ends_inside(body, answer.summary):
        return _cut(answer.summary, answer.skills)
    return answer if _is_whole(body, value) else RejectionReason.UNPARSABLE


def parse_prose(text: str, *, was_cut: bool) -> Answer | RejectionReason:
    """The answer as summary: without fence, label, quotes and "Here is …:"; a cut one ends at its
    last full sentence."""
    summary = _unfenced(text)
    repair: Repair | None = None
    for group in ("preamble", "label"):
        shorter = regex(group).sub("", summary, count=1).strip()
        if shorter != summary:
            summary, repair = shorter, Repair.PREAMBLE
    quoted = _QUOTED.fullmatch(summary)
    summary = quoted[1].strip() if quoted else summary
    if not summary:
        return RejectionReason.EMPTY
    return _cut(summary, ()) if was_cut else Answer(clean(summary), (), repair)


def parse_tagged(text: str, *, was_cut: bool) -> Answer | RejectionReason:
    """Skills and summary of two tagged parts, the form of models that are asked without a grammar.

    A missing end tag, bullets and words around the parts are read over. The value is that of the
    JSON form, so that the same schema checks its limits.

    >>> parse_tagged("<skills>\\nSQL\\n</skills>\\n<summary>Leads.</summary>", was_cut=False).skills
    ('SQL',)
    """
    parts = _PARTS.match(_unfenced(text))
    if parts is None:
        return RejectionReason.TRUNCATED if was_cut else RejectionReason.UNPARSABLE
    lines = (_BULLET.sub("", line) for line in parts["skills"].splitlines())
    skills = tuple(line for line in map(clean, lines) if line)
    if was_cut and parts["end"] is None:
        return _cut(parts["summary"], skills)
    summary = clean(parts["summary"])
    around = clean(parts["before"]) or clean(parts["after"] or "")
    repair = Repair.PREAMBLE if around else None
    return Answer(summary, skills, repair, {"skills": list(skills), "summary": summary})


def clean(text: str) -> str:
    """The text without control characters, lone surrogates and damage; line breaks stay."""
    return repair_characters(text).strip()


def _unfenced(text: str) -> str:
    fenced = _FENCE.match(text) if "```" in text else None
    return (fenced[1] if fenced else text).strip()


def _body(text: str) -> str:
    """The outermost object, without a fence or words around it."""
    text = _unfenced(text)
    start = text.find("{")
    if start < 0:
        return text
    end = text.rfind("}")
    return (
        text[start : end + 1] if end > start and not text[end + 1 :].strip("` \n") else text[start:]
    )


def _strict(body: str) -> object:
    try:
        return json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None


def _ends_inside(body: str, summary: str) -> bool:
    """Return whether the summary runs to the end of the text, without even a closing quote."""
    return bool(summary) and body.rstrip().endswith(summary[-_TAIL:])


def _repaired(body: str) -> object:
    # json-repair slows down badly on nested brackets; an answer needs two.
    if body.count("{") + body.count("[") > _MOST_BRACKETS:
        return None
    try:
        return json_repair.loads(body)
    except (ValueError, RecursionError, TypeError, IndexError):
        return None


def _with_quotes_escaped(body: str) -> object:
    """The object whose summary, its last member, has quotes in it that were not escaped."""
    opening = _SUMMARY_KEY.search(body)
    closing = _LAST_QUOTE.search(body)
    if opening is None or closing is None or closing.start() < opening.end():
        return None
    written = body[opening.end() : closing.start()]
    if _NEXT_PART.search(written):
        return None
    summary = _OPEN_QUOTE.sub(r"\"", written)
    return _strict(f"{body[: opening.end()]}{summary}{body[closing.start() :]}")


def _is_whole(body: str, value: dict[str, object]) -> bool:
    """Return whether a repair lost none of the answer's letters, except a few of its marks, and
    made no member of the end of the summary."""
    members = list(value)
    if {*members[members.index("summary") + 1 :]} - {"skills"}:
        return False
    written = sum(map(str.isalnum, _ESCAPE.sub("", body)))
    kept = sum(map(str.isalnum, _ESCAPE.sub("", json.dumps(value, ensure_ascii=False))))
    return kept >= _WHOLE_SHARE * written - _FEW_LETTERS


def _answer(value: dict[str, object], repair: Repair | None) -> Answer:
    summary, skills = value.get("summary"), value.get("skills")
    items = skills if isinstance(skills, list) else ()
    return Answer(
        summary=clean(summary) if isinstance(summary, str) else "",
        skills=tuple(clean(item) for item in items if isinstance(item, str)),
        repair=repair,
        value=value,
    )


def _cut(summary: str, skills: tuple[str, ...]) -> Answer | RejectionReason:
    """Content of a cut answer up to its last full sentence."""
    text = clean(summary)
    *_, last = split_sentences(text) or ("",)
    whole = text if is_ended(last) else text[: text.rfind(last)].rstrip()
    return Answer(whole, skills, Repair.TRUNCATED) if whole else RejectionReason.TRUNCATED

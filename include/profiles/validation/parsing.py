"""From the model's raw text to skills and a summary. Never raises on text.

Three things are told apart, because they have different consequences: an answer that parses, an
answer that was repaired (only where nothing was cut off), and an answer that was cut off by the
token cap. Reasoning that leaked into the answer is stripped; where nothing else is left, that is
said.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

import json_repair

from profiles.standardization.characters import repair_characters
from profiles.standardization.sentences import is_ended, split_sentences

__all__ = [
    "Answer",
    "ParseFault",
    "Repair",
    "Stripped",
    "parse_json",
    "parse_prose",
    "strip_reasoning",
]


class Repair(StrEnum):
    """What had to be done to an answer before it could be read."""

    TRUNCATED = "truncated"
    JSON = "json"
    REASONING = "leaked_reasoning"
    PREAMBLE = "preamble"


class ParseFault(StrEnum):
    """Why an answer could not be read."""

    EMPTY = "empty"
    UNPARSABLE = "unparsable"
    TRUNCATED = "truncated"
    LEAKED_REASONING = "leaked_reasoning"


@dataclass(frozen=True, slots=True)
class Stripped:
    """The text that was meant as the answer. `leaked` says that reasoning stood around it."""

    text: str
    leaked: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read. `value` is the parsed JSON, None for prose; a cut answer has no `value`
    either, because its object never ended."""

    summary: str
    skills: tuple[str, ...]
    repair: Repair | None = None
    value: object = None


# A model that loops on white space fills its whole budget with it.
_SPACE_RUN = re.compile(r"\s{3,}")
_FINAL = re.compile(
    r"<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?(?:<\|message\|>)?"
    r"|assistant(?:\s*\n\s*)?final\s*",
    re.IGNORECASE,
)
# What a model goes on with after its object, for want of a reader of its markers.
_GLUED_TAIL = re.compile(
    r"\s*(?:assistant(?=\b|analysis|commentary|final)|(?:analysis|commentary)(?=\b|[A-Z]))"
)
_CHANNEL = re.compile(r"<\|(?:start|channel|end)\|>")
_MARKER = re.compile(r"<\|[a-z_]+\|>", re.IGNORECASE)
_END_MARKER = re.compile(
    r"<\|(?:return|end|call|im_end|endoftext|end_of_text|eot_id)\|>|</s>|<end_of_turn>",
    re.IGNORECASE,
)
_OPEN_THOUGHT = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
# "analysisWe need to …": the channel's name glued to a thought. `Analysis of …` is a summary.
_ANALYSIS = re.compile(
    r"\s*(?:assistant)?(?:analysis|commentary)"
    r"(?=[A-Z\"']|\s+(?:We|The user|I need|Need|Let)\b|\s+to=)"
)
_FENCE = re.compile(
    r"\A\s*```(?:json|markdown|text)?[ \t]*\n?(.*?)(?:\n?```\s*)?\Z", re.DOTALL | re.I
)
_SKILLS_KEY = re.compile(r'"skills"\s*:\s*(?=\[)')
_SUMMARY_KEY = re.compile(r'"summary"\s*:\s*"')
_OPEN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)\Z")
_PREAMBLE = re.compile(
    r"\A\s*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[,!.]?\s*)?"
    r"(?:(?:here(?:'s|’s| is| are)|below is|the following is|this is)\b[^.:\n]{0,140}:\s*)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\A\s*(?:#{1,6}\s*)?[*_]{0,2}(?:(?:professional|career|executive|candidate|profile)\s+)?"
    r"(?:summary|profile|paragraph)[*_]{0,2}\s*(?::[*_]{0,2}\s*|\n+)",
    re.IGNORECASE,
)
_OPEN_QUOTE = re.compile(r'(?<!\\)"')
_NEXT_MEMBER = re.compile(r'"\s{0,9},\s{0,9}"\w+"\s{0,9}:')
_LAST_QUOTE = re.compile(r'"\s{0,9}\}\s{0,9}\Z')
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_WHOLE_SHARE = 0.97
_FEW_LETTERS = 12
_MOST_BRACKETS = 200
_TAIL = 12
_QUOTES = {'"': '"', "“": "”", "'": "'", "«": "»"}


def strip_reasoning(text: str) -> Stripped | ParseFault:
    """The final answer without channels, thoughts and end markers.

    LEAKED_REASONING when the text is reasoning that never came to an answer.
    """
    before = text = _SPACE_RUN.sub(_shorter_run, text)
    finals = [found for found in _FINAL.finditer(text) if text[found.end() :].strip()]
    if finals:
        text = text[finals[-1].end() :]
    elif text.lstrip().startswith("{"):
        # An answer, and then another channel: what was opened after the object is no part of it.
        channel = _CHANNEL.search(text)
        text = text if channel is None else text[: channel.start()]
    elif "<|channel|>" in text or _ANALYSIS.match(text) or _FINAL.search(text):
        return ParseFault.LEAKED_REASONING
    text = _without_tail(text)
    ends = list(_THOUGHT_END.finditer(text))
    if ends:
        # Also where the thought stands between parts of an answer: the last word counts.
        rest = text[ends[-1].end() :]
        text = rest if rest.strip() else text[: text.lower().find("<think")]
    elif _OPEN_THOUGHT.search(text):
        return ParseFault.LEAKED_REASONING
    leaked = text.strip() != before.strip()
    end = _END_MARKER.search(text)
    if end is not None:
        text = text[: end.start()]
    if _MARKER.search(text):
        return ParseFault.LEAKED_REASONING
    return Stripped(text.strip(), leaked)


def _without_tail(text: str) -> str:
    """The object alone, where the name of a channel is glued to its end."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text, len(text) - len(text.lstrip()))
    except (ValueError, RecursionError):
        return text
    return text[:end] if _GLUED_TAIL.match(text, end) else text


def _shorter_run(match: re.Match[str]) -> str:
    return "\n\n" if "\n" in match[0] else " "


def parse_json(text: str, *, was_cut: bool) -> Answer | ParseFault:
    """Skills and summary of a JSON answer; `was_cut` says that the token cap ended it.

    json-repair is used only on answers that were not cut: on a cut one it would close the
    brackets and pass a half sentence off as the summary. An answer that ends inside its summary
    was cut, whatever reason the engine gives: not every server tells.
    """
    body = _body(text)
    if not body:
        return ParseFault.EMPTY
    value = _strict(body)
    if isinstance(value, dict):
        return _answer(value, None)
    if was_cut:
        return _cut_answer(body)
    repaired = _with_quotes_escaped(body) or _repaired(body)
    if not isinstance(repaired, dict) or "summary" not in repaired or not _is_whole(body, repaired):
        return ParseFault.UNPARSABLE
    if _ends_inside(body, repaired["summary"]):
        return _cut_answer(body)
    return _answer(repaired, Repair.JSON)


def parse_prose(text: str, *, was_cut: bool) -> Answer | ParseFault:
    """The answer as summary: without fence, label, quotes and "Here is …:"; a cut one ends at its
    last full sentence."""
    fenced = _FENCE.match(text) if "```" in text else None
    summary = (fenced[1] if fenced else text).strip()
    repair: Repair | None = None
    for pattern in (_PREAMBLE, _LABEL):
        shorter = pattern.sub("", summary, count=1).strip()
        if shorter != summary:
            summary, repair = shorter, Repair.PREAMBLE
    summary = _unquoted(summary)
    if not summary:
        return ParseFault.EMPTY
    if not was_cut:
        return Answer(clean(summary), (), repair)
    summary = last_full_sentence(clean(summary))
    return Answer(summary, (), Repair.TRUNCATED) if summary else ParseFault.TRUNCATED


def clean(text: str) -> str:
    """The text without control characters, lone surrogates and damage; line breaks stay."""
    return repair_characters(text).strip()


def last_full_sentence(text: str) -> str:
    """The text up to the end of its last full sentence; empty when it has none.

    >>> last_full_sentence("Leads a team. Built the")
    'Leads a team.'
    """
    text = text.rstrip()
    sentences = split_sentences(text)
    if not sentences or is_ended(sentences[-1]):
        return text if sentences else ""
    start = text.rfind(sentences[-1])
    return text[:start].rstrip() if start > 0 and len(sentences) > 1 else ""


def _body(text: str) -> str:
    """The outermost object, without a fence or words around it."""
    fenced = _FENCE.match(text) if "```" in text else None
    text = (fenced[1] if fenced else text).strip()
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


def _ends_inside(body: str, summary: object) -> bool:
    """Whether the summary runs to the end of the text, without so much as a closing quote."""
    end = summary.rstrip()[-_TAIL:] if isinstance(summary, str) else ""
    return bool(end) and body.rstrip().endswith(end)


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
    if _NEXT_MEMBER.search(written):
        return None
    summary = _OPEN_QUOTE.sub(r"\"", written)
    return _strict(f"{body[: opening.end()]}{summary}{body[closing.start() :]}")


def _is_whole(body: str, value: object) -> bool:
    """Whether a repair lost none of the answer's letters, but for a few of its marks."""
    written = sum(map(str.isalnum, _ESCAPE.sub("", body)))
    kept = sum(map(str.isalnum, _ESCAPE.sub("", json.dumps(value, ensure_ascii=False))))
    return kept >= _WHOLE_SHARE * written - _FEW_LETTERS


def _answer(value: dict[str, object], repair: Repair | None) -> Answer:
    summary, skills = value.get("summary"), value.get("skills")
    return Answer(
        summary=clean(summary) if isinstance(summary, str) else "",
        skills=_texts(skills),
        repair=repair,
        value=value,
    )


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(clean(item) for item in value if isinstance(item, str))


def _cut_answer(body: str) -> Answer | ParseFault:
    """Skills come first in the schema, so a cut summary still has all of them."""
    key = _SKILLS_KEY.search(body)
    if key is None:
        return ParseFault.TRUNCATED
    try:
        skills, end = json.JSONDecoder(strict=False).raw_decode(body, key.end())
    except (ValueError, RecursionError):
        return ParseFault.TRUNCATED
    opening = _SUMMARY_KEY.search(body, end)
    if opening is None:
        return ParseFault.TRUNCATED
    summary = last_full_sentence(clean(_partial_string(body[opening.end() :])))
    if not summary:
        return ParseFault.TRUNCATED
    return Answer(summary, _texts(skills), Repair.TRUNCATED)


def _partial_string(text: str) -> str:
    """The readable part of a JSON string that never ended, its quote left off."""
    text = _OPEN_ESCAPE.sub(lambda match: match[0][: -len(match[1])], text)
    decoder = json.JSONDecoder(strict=False)
    try:
        value, _ = decoder.raw_decode(f'"{text}"')
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def _unquoted(text: str) -> str:
    closing = _QUOTES.get(text[:1])
    if closing is None or not text.endswith(closing) or text.count(text[0]) > 2:
        return text
    return text[1:-1].strip()

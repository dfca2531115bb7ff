"""A rendered document as running text, for models that are too small for markdown.

A 135M model that has read headings and bullets goes on writing them, copies date lines and turns
the first name it sees into somebody else's story. So the plain form has none of these: one line
of sentences, no name, no dates. Everything else is kept, in the document's order.
"""

from __future__ import annotations

import re

__all__ = ["PLAIN_FORM_VERSION", "plain_document"]

PLAIN_FORM_VERSION = "1"
"""Raise it when the same document gives another text: it is part of the fingerprint."""

_YEARS_IN_BRACKETS = re.compile(r"\s*\((?:[A-Z][a-z]{2} )?\d{4}[^()]*\)")
_DATE_LINE = re.compile(r"^(?:from |until )?(?:[A-Z][a-z]{2} )?(?:\d{4}\b|Present\b)")
_SILENT_HEADINGS = frozenset({"Summary", "Experience"})


def plain_document(markdown: str) -> str:
    """One paragraph with the facts of a rendered document.

    >>> plain_document("# A\\nEngineer\\n\\n## Skills\\nGo, Kafka\\n")
    'Engineer. Skills: Go, Kafka.'
    """
    sentences = [_sentence(line.strip()) for line in markdown.splitlines()]
    return " ".join(sentence for sentence in sentences if sentence)


def _sentence(line: str) -> str:
    """What one line says, closed with a full stop or, for a heading, with a colon."""
    if not line or line.startswith("# ") or _DATE_LINE.match(line):
        return ""
    if line.startswith("### "):
        return line[4:].replace(" — ", " at ") + ":"
    if line.startswith("## "):
        return "" if line[3:] in _SILENT_HEADINGS else line[3:] + ":"
    text = _YEARS_IN_BRACKETS.sub("", line.removeprefix("- ")).replace(" — ", ", ")
    return text if text.endswith((".", "!", "?", ":")) else text + "."

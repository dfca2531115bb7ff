"""Turns HTML and markdown into plain text with lines and "- " bullets.

Pure. Text that only looks like markup stays: `5 < 6`, `Map<String>`, `AT&T`. Tags are known by
name, never guessed by angle brackets.
"""

from __future__ import annotations

import html
import re
from typing import Final

from profiles.standardization.characters import EMOJI, has_emoji, signs_of, strip_emoji

_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MAX_ESCAPES: Final = 3

_HIDDEN: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template|noscript|iframe|svg|object)\b[^<>]*>.*?"
    r"(?:</\1\s*>|\Z)|<!doctype[^<>]*>|<\?xml[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_ITEM: Final = re.compile(r"<li(?:\s[^<>]*)?>[ \t]*", re.IGNORECASE)
_BREAK: Final = re.compile(
    r"</?(?:br|p|div|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|blockquote|pre|hr"
    r"|dl|dt|dd|tbody|thead)(?:\s[^<>]*|/)?>[ \t]*",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(
    r"</?(?:span|strong|em|font|small|big|code|kbd|sub|sup|img|html|body|head|meta|link|title|input"
    r"|button|form|label|center|strike|del|ins|mark|abbr|cite|video|audio|source|td|th|col|nav|main"
    r"|figure|figcaption|picture|script|style|template|noscript|iframe|svg|object|path|wbr|tt|time"
    r"|o:p|u1:p)(?:\s[^<>]*|/)?>",
    re.IGNORECASE,
)
# One-letter tags double as type parameters (`List<A>`), so only their usual lower-case form counts.
_LETTER: Final = re.compile(r"</?[abiuqs](?:\s[^<>]*|/)?>")
_CUT_TAG: Final = re.compile(
    r"<(?:/?(?:p|br|div|span|li|ul|ol|strong|em|a|b|i)|!--)(?:\s[^<>]*)?\Z", re.IGNORECASE
)

_IMAGE_OR_LINK: Final = re.compile(
    r"!?\[([^\[\]\n]{0,300})\]\((?:[^()\s]|\([^()]*\))*(?:\s[^()\n]*)?\)"
)
_EMPHASIS: Final = re.compile(r"(\*\*|__|~~)(?=\S)([^\n]{1,200}?)(?<=\S)\1")

_BULLET: Final = (
    r"(?:[-–—*+•‣▪▫■□●○◦◆◇►▶▸➤➢➔➜→⇒»✓✔✗✘☑★☆·∙⁃]++(?=\s)|[•‣▪▫■□●○◦◆◇►▶▸➤➢➔➜→⇒»✓✔✗✘☑★☆∙⁃]++"
    r"|o(?=\s+[A-Z])|\(?\d{1,2}[.)](?=\s*[^\W\d_])|\(?[a-h]\)(?=\s)|" + EMOJI + r"++)"
)
_PREFIX: Final = re.compile(rf"\A\s*(?:{_BULLET}\s*)+")
_QUOTE_OR_HEADING: Final = re.compile(r"\s*(?:>+\s*|#{1,6}(?:\s+|(?=[A-Z])|\Z))+")
_RULE: Final = re.compile(r"\A[\s\-=_*~|:+#>]*\Z")
_FENCE: Final = re.compile(r"\s*(?:`{3,}|~{3,})[\w+#.-]*\s*\Z")
# A search for a set of characters is far faster than one for what is behind them.
_INLINE_BULLET: Final = re.compile(r"([.!?;:)%])\s*(?:[•‣▪●◦►➤✔✓🔹🔸]|[-–*](?=\s))\s*(?=[^\W\d_])")
_SIGNS: Final = bytes(
    46 if chr(code) in ".!?;:)%" else 42 if code >= 0x80 or chr(code) in "*-" else 120
    for code in range(256)
)
"""An end mark becomes ".", what may be a bullet "*": bytes are searched ten times as fast."""
_INLINE_NUMBER: Final = re.compile(r"([.!?;)%])\s*\d{1,2}[.)]\s*(?=[A-Z])")
_NUMBERED: Final = re.compile(r"\s*\(?1[.)]\s*[A-Z]")
_SPACES: Final = re.compile(r" {2,}")
# Two letters begin no mark: what most lines are like takes half the time of others. An emoji before
# a lone line may be decoration.
_MARKS: Final = "-•*–●▪►➤✔✓🔹🔸"
_NUMBER: Final = r"(?!1[.)] [A-Z].*[.!?;)%] ?\d{1,2}[.)] ?[A-Z])\d{1,2}[.)]"
_USUAL_LINE: Final = re.compile(rf"((?:[{_MARKS}]|{_NUMBER}) |)[^\W\d_][^\W_]")
_USUAL_LONE_LINE: Final = re.compile(rf"((?:[-•*–]|{_NUMBER}) |)[^\W\d_][^\W_]")
_UNUSUAL_LINE: Final = re.compile(rf"\n(?:(?<= \n)|(?!{_USUAL_LINE.pattern}))")
_USUAL_MARK: Final = re.compile(rf"\n(?:[{_MARKS[1:]}]|\d{{1,2}}[.)]) ")
_RUN_ON: Final = re.compile(rb"[.!?;:)%][*\x80-\xff-]")
_GAPS: Final = re.compile(r"\n{2,}")


def strip_html(text: str, *, block: bool) -> str:
    """`text` without tags, comments and entities.

    With `block`, line-breaking tags become "\\n" and list items "- "; otherwise a space.
    """
    for _ in range(_MAX_ESCAPES):
        if "&" not in text:
            break
        unescaped = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
        if unescaped == text:
            break
        text = unescaped
    if "<" not in text:
        return text
    text = _HIDDEN.sub(" ", text)
    text = _broken(_ITEM, "\n- " if block else " ", text)
    text = _broken(_BREAK, "\n" if block else " ", text)
    text = _INLINE.sub("", text)
    text = _LETTER.sub("", text)
    return _CUT_TAG.sub("", text)


def _broken(tag: re.Pattern[str], mark: str, text: str) -> str:
    """`text` with a mark for each tag and the spaces around it.

    A pattern that began with optional spaces would be tried at every character.
    """
    parts = tag.split(text)
    last = parts.pop()
    return "".join([part.rstrip(" \t") + mark for part in parts]) + last if parts else text


def strip_inline_markdown(text: str) -> str:
    """`text` with links and images replaced by their words, without emphasis."""
    if "[" in text and "](" in text:
        text = _IMAGE_OR_LINK.sub(r"\1", text)
    if "**" in text or "__" in text or "~~" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return text


def plain_lines(text: str, signs: bytes) -> str:
    """The non-empty lines of `text`; bullets and numbering of any kind become "- ".

    `signs` are those of the text. Headings, quotes, rules, fences and table borders lose their
    marks, so that a description cannot add structure to the document it is put into.
    """
    # In an item a mark that may be a bullet follows the end of a sentence.
    runs_on = (
        ("\n" in text or not text[:2].isalpha())
        and _RUN_ON.search(signs) is not None
        and b".*" in text.encode("utf-8", "surrogatepass").translate(_SIGNS, b" ")
    )
    if not runs_on and b"`" not in signs and "  " not in text:
        usual = _usual_lines(_GAPS.sub("\n", text) if b"\n\n" in signs else text)
        if usual and (not has_emoji(signs) or usual.isascii() or not has_emoji(signs_of(usual))):
            return usual
    raw = text.split("\n")
    usual_line = _USUAL_LINE if len(raw) > 1 else _USUAL_LONE_LINE
    lines = []
    for part in filter(None, raw):
        for piece in _split_run_on(part, runs_on=runs_on):
            if start := usual_line.match(piece):
                body = _single_spaced(strip_emoji(piece[start.end(1) :].replace("`", "")))
                lines.append(f"- {body}" if start[1] else body)
            elif line := _plain_line(piece, alone=len(raw) == 1):
                lines.append(line)
    return "\n".join(lines)


def _usual_lines(text: str) -> str | None:
    """The lines of a text without double spaces if each begins like `_USUAL_LINE`, else None."""
    if "\n" not in text:
        start = _USUAL_LONE_LINE.match(text)
        return start and (f"- {text[start.end(1) :]}" if start[1] else text)
    text = text if text[0] == "\n" else f"\n{text}"
    return None if _UNUSUAL_LINE.search(text) else _USUAL_MARK.sub("\n- ", text)[1:]


def _split_run_on(line: str, *, runs_on: bool) -> list[str]:
    """Items that a lost line break put on one line, for example `• A. • B.` or `1. A.2. B.`."""
    if _NUMBERED.match(line):
        return _INLINE_NUMBER.sub(r"\1\n- ", line).split("\n")
    if runs_on and _PREFIX.match(line) is not None:
        return _INLINE_BULLET.sub(r"\1\n- ", line).split("\n")
    return [line]


def _plain_line(line: str, *, alone: bool) -> str:
    if _RULE.match(line) or _FENCE.match(line):
        return ""
    line = line.replace("`", "")
    line = _QUOTE_OR_HEADING.sub("", line, count=1) if line.lstrip()[:1] in "#>" else line
    if line.lstrip().startswith("|"):
        line = ", ".join(cell.strip() for cell in line.strip().strip("|").split("|"))
    prefix = _PREFIX.match(line)
    is_item = False
    if prefix is not None:
        # A single paragraph behind one emoji is decoration, not a list.
        is_item = not alone or strip_emoji(prefix[0]).strip() != ""
        line = line[prefix.end() :]
        line = _QUOTE_OR_HEADING.sub("", line, count=1) if line[:1] in "#>" else line
    line = _single_spaced(strip_emoji(line))
    if not line or _RULE.match(line):
        return ""
    return f"- {line}" if is_item else line


def _single_spaced(line: str) -> str:
    return (_SPACES.sub(" ", line) if "  " in line else line).strip()

"""The form of a summary: length, and nothing that search text must not hold. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from profiles.models import LengthBand
from profiles.standardization.contacts import redact_contacts
from profiles.standardization.words import count_words

__all__ = [
    "LENGTH_TOLERANCE",
    "contact_fault",
    "count_words",
    "date_fault",
    "length_fault",
    "list_fault",
    "reasoning_fault",
]

LENGTH_TOLERANCE = 0.1
"""Share of either end of the band by which a summary may miss it: a model counts words badly, and
a summary of 392 words is no worse than one of 400."""

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_MONTH_DATE = re.compile(
    rf"\b{_MONTH}\b\.?,?\s+(?:of\s+)?(?:['’]?\d{{2}}\b(?!\s*%)|(?:19|20)\d\d\b|\d{{1,2}}(?:st|nd|rd|th)\b)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b(?!\s+(?:be|have|not|also)\b)"
)
_NUMERIC_DATE = re.compile(
    r"(?<![\w./-])(?:(?:0?[1-9]|1[0-2])[/.-](?:19|20)\d\d|(?:19|20)\d\d[/.-](?:0[1-9]|1[0-2])"
    r"|\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)?\d\d)(?![\w/-])"
)
_YEAR = re.compile(r"(?<![\w.,:$€₹£#/+-])(?:19[5-9]\d|20[0-4]\d)(?![\w%+]|[.,:/]\d)")
_YEAR_SPAN = re.compile(
    r"\b(?:19[5-9]\d|20[0-4]\d)\s*[-–—/]\s*(?:(?:19|20)?\d\d\b|present|now)", re.I
)
_QUARTER = re.compile(r"\b[QH][1-4]\s+(?:FY\s*)?(?:19|20)?\d\d\b|\bFY\s?'?(?:20)?\d\d\b")
# Products and standards carry years in their names.
_PRODUCT_BEFORE = re.compile(
    r"(?:server|office|excel|windows|studio|autocad|exchange|sharepoint|dynamics|access|word"
    r"|outlook|project|visio|nav|gp|ax|revit|solidworks|sql|iso|iec|ansi|ieee|ecmascript|es|c\+\+"
    r"|fortran|java|primavera|catia|swift|incoterms|vision|agenda|horizon|dod|directive|act|rfc"
    r"|over|about|around|nearly|approximately|roughly|some|than|least|almost|form)\W{0,2}\Z",
    re.IGNORECASE,
)
_DATE_BEFORE = re.compile(
    r"\b(?:class of|prior to|back to|dat(?:es|ing) (?:back )?to|starting|ending|started|ended"
    r"|joined)"
    r"\s+\Z",
    re.IGNORECASE,
)
_SEASON = re.compile(
    r"\b(?:spring|summer|autumn|fall|winter|end|start|beginning|middle)\s+of\s+['’]?\d\d\b"
    r"|\b(?:19[5-9]|20[0-4])0['’]?s\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_WORD_AFTER = re.compile(r"\s+([A-Za-z]+)")
_WORD_BEFORE = re.compile(r"([A-Za-z]+)\W*\Z")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TIME_WORDS = _words(
    "in since from until till by during of early late mid before after between through the year"
    " spring summer autumn fall winter"
)
_GRADUATES = _words("graduate onwards onward through until")
_NOT_COUNTED = _words("was is has as its this his was does us across")

_BULLET_LINE = re.compile(
    r"[ \t]*(?:[-*·–—]\s+|[•‣⁃・∙]|\(?\d{1,2}[.)]\s+|[a-z]\)\s+|[一二三四五六七八九十]{1,2}、)"
)
_HEADING_LINE = re.compile(
    r"^[ \t]*(?:#{1,6}\s|\*\*[^*\n]{1,60}\*\*:?\s*$|[A-Z][\w &/]{1,40}:\s*$|\|.*\|\s*$"
    r"|```|---+\s*$)",
    re.MULTILINE,
)
_INLINE_BULLET = re.compile(r"[•▪●‣➤✔◦→]|(?:\s[*]\s.*){2}")
_HTML = re.compile(r"</?(?:ul|ol|li|br|p|h[1-6]|b|strong|em|div)\b[^>]*>", re.IGNORECASE)
_UNDERLINE = re.compile(r"^[=~-]{3,}\s*$", re.MULTILINE)
_INLINE_LETTERS = re.compile(r"\(a\)\s.*?\s\(b\)\s", re.DOTALL)
_INLINE_NUMBERS = re.compile(r"(?:^|\s)\(?1[.)]\s+\D.*?\s\(?2[.)]\s+\D", re.DOTALL)
_INLINE_LABELS = re.compile(
    r"\b(?:Skills|Experience|Education|Certifications|Languages|Summary|Responsibilities"
    r"|Achievements|Technologies|Key skills|Strengths)\s*:\s"
)
_MARKDOWN = re.compile(
    r"\*\*[^*\n]+\*\*|(?<!\w)__[^_\n]+__|`[^`\n]+`|\[[^\]\n]{1,300}\]\([^)\n]{1,300}\)"
)

_MARKER = re.compile(
    r"assistantfinal|assistantanalysis|<\|?/?[a-z_]+\|>|<\|[a-z_]+|</?think|candidate_record|‹/?[a-z_]+›"
    r"|(?:^|[.!?]\s+)(?:(?:okay|ok|sure|certainly|alright)[,!]|note: )"
)
_TALK = re.compile(
    r"\b(?:as an? (?:ai|artificial intelligence)(?: language)? (?:model|assistant)\b|\bas an ai,"
    r"|\bas a (?:large )?language model\b"
    r"|\b(?:we|i) need to "
    r"(?:write|produce|output|answer|generate|create|summari[sz]e|extract|make)\b"
    r"|\b(?:let me|let's|let us|i will now|i'll now|now i) "
    r"(?:write|count|craft|draft|produce|start|summari[sz]e)\b"
    r"|\bthe user (?:wants|asks|asked|provided|requests|needs)\b"
    r"|\b(?:word count|count words|output json|json object|the prompt|the instructions?"
    r"|system prompt)\b"
    r"|\bignore (?:all |any )?(?:the |your )?(?:previous|prior|above|earlier) "
    r"|\byour (?:system )?(?:prompt|instructions)\b"
    r"|\b(?:the|this|a|provided|given) (?:provided |given )?(?:record|document|json|summary|profile"
    r"|text) (?:says?|does not|doesn't|states?|mentions?|is about|is a summary|should|must|follows"
    r"|has two|provided)\b|\bbased on the (?:provided|given|above|json)\b"
    r"|\bi (?:should|would|could|have|will) (?:\w+ )?(?:mention|describe|stress|omit|avoid|left"
    r"|leave|write|include)\b|\bso i (?:leave|left|omit)\b|\bi hope this helps\b|\blet me know if\b"
    r"|\byou (?:asked|requested|provided)\b|\bas (?:requested|instructed)\b"
    r"|\blet me (?:check|see|think|verify)\b|\bthe list (?:is based|includes the skills)\b"
    r"|\bi(?:'m| am) (?:sorry|unable)\b|\bi cannot (?:help|provide|assist|fulfil)\b)"
)
_TALK_WORD = re.compile(
    r"\b(?:as?|we|i|i'm|let|let's|now|the|this|word|count|output|json|system|ignore|your|provided|given"
    r"|based|so|you)\b"
)
"""The words with which such talk begins: the whole pattern is tried there alone."""


def length_fault(text: str, band: LengthBand, *, tolerance: float = LENGTH_TOLERANCE) -> str | None:
    """`short` or `long` when the words miss the band by more than the tolerance."""
    words = count_words(text)
    if words < band.minimum * (1 - tolerance):
        return "short"
    return "long" if words > band.maximum * (1 + tolerance) else None


def date_fault(text: str) -> str | None:
    """Which kind of calendar date the text names. Durations, and years inside names of products,
    standards and counts ("over 2000 stores"), are none."""
    if not _DIGIT.search(text):
        return None
    if _MONTH_DATE.search(text):
        return "month"
    if any(pattern.search(text) for pattern in (_NUMERIC_DATE, _YEAR_SPAN, _QUARTER, _SEASON)):
        return "period"
    if any(_is_year(match, text) for match in _YEAR.finditer(text)):
        return "year"
    return None


def _is_year(match: re.Match[str], text: str) -> bool:
    before = text[max(0, match.start() - 24) : match.start()]
    word = _WORD_BEFORE.search(before)
    if word is not None and word[1].lower() in _TIME_WORDS:
        return True
    if _DATE_BEFORE.search(before):
        return True
    if _PRODUCT_BEFORE.search(before):
        return False
    after = _WORD_AFTER.match(text, match.end())
    if after is None:
        return True
    counted = after[1].lower()
    if counted in _GRADUATES:
        return True
    return not (counted.endswith("s") and counted not in _NOT_COUNTED)


def list_fault(text: str) -> str | None:
    """Which mark of a list or of markdown the text has. Expects line breaks as the model wrote
    them; paragraphs are fine."""
    if "\n" in text:
        if any(map(_is_bulleted, text.split("\n"))):
            return "bullets"
        if _HEADING_LINE.search(text) or _UNDERLINE.search(text):
            return "headings"
        if _has_short_lines(text) or _has_title_line(text):
            return "lines"
    elif _is_bulleted(text) or re.match(r"\s*#{1,6}\s", text):
        return "bullets"
    if any(p.search(text) for p in (_INLINE_BULLET, _INLINE_NUMBERS, _INLINE_LETTERS)):
        return "inline bullets"
    if _MARKDOWN.search(text) or _HTML.search(text):
        return "markdown"
    return "labels" if len(_INLINE_LABELS.findall(text)) > 1 else None


def _is_bulleted(line: str) -> bool:
    """Whether a line begins with the mark of a list: any symbol, circled number or usual bullet."""
    first = line.lstrip()[:1]
    return bool(first) and (
        unicodedata.category(first) in ("So", "No") or _BULLET_LINE.match(line) is not None
    )


def _has_title_line(text: str) -> bool:
    """A short line that is no sentence, with text below it."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return any(len(line.split()) <= 6 and line[-1] not in '.!?”"' for line in lines[:-1])


def _has_short_lines(text: str) -> bool:
    """Three or more lines that are no sentences."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    loose = [line for line in lines if len(line.split()) < 12 and line[-1] not in '.!?”"']
    return len(loose) >= 3


_HANDLE = re.compile(r"(?<![\w@/.])@(?=[\w.]*[a-z])[\w.]{3,}\b(?<=[\w])")
_HANDLE_BEFORE = re.compile(
    r"\b(?:handle|twitter|instagram|telegram|skype|networks?|follow\w*)\W+(?:\w+\W+){0,2}\Z",
    re.IGNORECASE,
)
_STREET = re.compile(
    r"\b\d{1,4}\s+(?:[A-Z][a-z]+\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Court|Close"
    r"|Boulevard|Blvd|Terrace)\b(?!\s+(?:project|scheme|branch|office|site))"
)


def contact_fault(text: str) -> str | None:
    """Which contact data the text holds: e-mail, address of a page, phone number, handle of a
    social network or street."""
    if any(
        _HANDLE_BEFORE.search(text[max(0, match.start() - 24) : match.start()])
        for match in _HANDLE.finditer(text)
    ):
        return "handle"
    if _STREET.search(text):
        return "street"
    if "@" in text and re.search(r"[\w.+-]@[\w-]+\.\w", text):
        return "e-mail"
    redacted = redact_contacts(text)
    if redacted == text:
        return None
    gone = Counter(text.split()) - Counter(redacted.split())
    words = list(gone)
    if any(
        "://" in word or "www." in word or ("/" in word.strip("/") and "." in word)
        for word in words
    ):
        return "page"
    digits = sum(map(str.isdigit, "".join(words)))
    if digits >= 7:
        return "phone"
    if any(re.search(r"[a-z]\.[a-z]{2,}", word, re.IGNORECASE) for word in words):
        return "page"
    return "e-mail" if re.search(r"\bdot\b", text) and len(words) >= 3 and digits == 0 else None


def reasoning_fault(text: str) -> str | None:
    """Whether the text talks about its own making instead of the person."""
    lowered = text.lower()
    is_talk = _MARKER.search(lowered) or any(
        _TALK.match(lowered, word.start()) for word in _TALK_WORD.finditer(lowered)
    )
    return "thinking aloud" if is_talk else None

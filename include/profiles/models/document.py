"""The normalised document of one candidate."""

from __future__ import annotations

from dataclasses import dataclass

from profiles.models.candidate import Experience, FieldChoice


@dataclass(frozen=True, slots=True)
class ReaderText:
    """Where a source row addresses a reader: its field, and how many sentences or whole values
    were cut out of it."""

    source: str
    source_key: str
    field: str
    cuts: int


@dataclass(frozen=True, slots=True)
class SearchFacts:
    """Columns of the serving table: the newest job, the place, and whole years of experience.

    `country` is an ISO 3166 code.
    """

    title: str | None = None
    employer: str | None = None
    place: str | None = None
    country: str | None = None
    years_of_experience: int | None = None


@dataclass(frozen=True, slots=True)
class ProfileDocument:
    """Markdown about one person, byte-for-byte the same for the same records.

    `content_hash` covers the markdown alone. `word_count` counts whitespace-separated words of
    the body. `token_estimate` is derived from bytes; the lane counts exactly where it decides
    trimming. `trimmed` names the sections that the size rules shortened. `is_thin` documents get
    no model call. `full_name` is what publish shows beside the summary. `reader_text` says what was
    cut out of the records. `facts` become columns of the serving table.
    """

    candidate_id: int
    markdown: str
    content_hash: str
    word_count: int
    token_estimate: int
    renderer_version: str
    as_of: str | None
    experience: tuple[Experience, ...]
    choices: tuple[FieldChoice, ...] = ()
    trimmed: tuple[str, ...] = ()
    full_name: str | None = None
    is_thin: bool = False
    reader_text: tuple[ReaderText, ...] = ()
    facts: SearchFacts = SearchFacts()

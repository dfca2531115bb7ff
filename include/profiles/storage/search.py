"""Search resources beside the serving table: names of a query, from the taxonomy's files, and
extensions of Postgres that make it better and that it works without."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import NamedTuple

import psycopg
from pydantic import BaseModel

from profiles.settings import INCLUDE_DIR, load_settings
from profiles.standardization.contacts.phones import COUNTRY_REGIONS
from profiles.storage.sql_files import Connection, execute
from profiles.storage.taxonomy import load_domains, load_vocabulary, read_taxonomy

log = logging.getLogger(__name__)


class SearchName(NamedTuple):
    """A way to write something, its kind as in `search_name`, and what is meant."""

    name: str
    kind: str
    meaning: str


def search_names() -> list[SearchName]:
    """Every name of the deployment's taxonomy; a served skill needs no row here."""
    return list(dict.fromkeys((*_skills(), *_domains(), *_countries(), *_query_words())))


def _skills() -> Iterator[SearchName]:
    vocabulary = load_vocabulary()
    for canonical, names in vocabulary.aliases.items():
        for name in (*names, *vocabulary.translations(canonical)):
            yield SearchName(name, "s", canonical)


def _domains() -> Iterator[SearchName]:
    taxonomy = load_domains()
    for domain in taxonomy.domains:
        yield SearchName(domain.replace("-", " "), "d", domain)
    for label, code in taxonomy.code_by_label.items():
        if code in taxonomy.domain_by_code:
            yield SearchName(label, "d", taxonomy.domain_by_code[code])


def _countries() -> Iterator[SearchName]:
    for name, code in COUNTRY_REGIONS.items():
        if len(name) > 1:
            yield SearchName(name, "c", code)


class _QueryWords(BaseModel):
    """Words by what they do in a query, with commas between them."""

    ignored: str
    excluding: str
    either: str
    years: str
    levels: dict[str, str]


def _query_words() -> Iterator[SearchName]:
    path = load_settings().taxonomy_dir / "query_words.yaml"
    if not path.is_file():
        path = INCLUDE_DIR / "taxonomy" / "query_words.yaml"
    words = read_taxonomy(_QueryWords, path)
    kinds = {"i": words.ignored, "x": words.excluding, "o": words.either, "y": words.years}
    lists = [(text, kind, "") for kind, text in kinds.items()]
    lists += [(text, "l", level) for level, text in words.levels.items()]
    for text, kind, meaning in lists:
        for name in filter(None, map(str.strip, text.split(","))):
            yield SearchName(name, kind, meaning)


def extension_standing(connection: Connection, name: str) -> tuple[str | None, bool]:
    """The schema of an extension that this database has, and whether the server offers it."""
    row = execute(connection, "search_index/select_extension", name=name).fetchone()
    return (row[0], row[1]) if row else (None, False)


def ensure_extension(connection: Connection, name: str) -> str | None:
    """Creates an extension where server and role allow it; returns its schema."""
    schema, is_available = extension_standing(connection, name)
    if schema is not None:
        return schema
    if not is_available:
        log.info("this server does not offer %s; search works without, with less", name)
        return None
    statement = psycopg.sql.SQL("CREATE EXTENSION {} WITH SCHEMA public")
    try:
        with connection.transaction():
            connection.execute(statement.format(psycopg.sql.Identifier(name)))
    except psycopg.errors.InsufficientPrivilege:
        log.info("this role may not create %s; an administrator runs CREATE EXTENSION once", name)
        return None
    return "public"

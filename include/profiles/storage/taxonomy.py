"""Reads include/taxonomy: skills, industries and domains, words that address a reader, and names
that a query may have.

The files are data that a team edits; every fault in them is a `SettingsError` that names the file
and the entry.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, RootModel

from profiles.errors import SettingsError
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.settings import INCLUDE_DIR, load_settings, read_yaml
from profiles.standardization.places import countries
from profiles.standardization.skills import Vocabulary
from profiles.tagging import IndustryTaxonomy

Content = TypeVar("Content", bound=BaseModel)
Taxonomy = TypeVar("Taxonomy")


class _File(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)


class _Skills(_File):
    skills: dict[str, dict[str, list[str] | None]]
    in_prose: dict[str, list[str]]


_Words = Annotated[
    frozenset[str], BeforeValidator(lambda words: words.split() if type(words) is str else words)
]
"""A list of words; a string is split at spaces."""


class _Industries(_File):
    industries: dict[int, tuple[str, ...]]
    narrower: dict[int, tuple[int, ...]]


class _Domains(_File):
    domains: dict[str, tuple[int, ...]]


def read_taxonomy(model: type[Content], path: Path) -> Content:
    return read_yaml(model, path, advice="PROFILES_TAXONOMY_DIR must name a folder that has it")


def _else_ours(path: Path) -> Path:
    return path if path.exists() else INCLUDE_DIR / "taxonomy" / path.name


def _once_a_folder(read: Callable[[Path], Taxonomy]) -> Callable[..., Taxonomy]:
    """Read a folder once; without one, that of the deployment."""
    cached = lru_cache(maxsize=4)(read)
    return lambda folder=None: cached(folder or load_settings().taxonomy_dir)


@_once_a_folder
def load_vocabulary(folder: Path) -> Vocabulary:
    path = folder / "skills.yaml"
    content = read_taxonomy(_Skills, path)
    skills: dict[str, list[str]] = {}
    for entries in content.skills.values():
        for name, aliases in entries.items():
            if name in skills:
                raise SettingsError(f"{path}: skill {name!r} appears twice; merge the entries")
            skills[name] = aliases or []
    prose = content.in_prose
    try:
        return Vocabulary.from_aliases(
            skills,
            list_only=prose.get("never", ()),
            exact=prose.get("exact", ()),
            ambiguous=prose.get("ambiguous", ()),
            english=prose.get("english", ()),
            labels=_labels(folder / "skill_labels.csv"),
            small_words=read_taxonomy(
                RootModel[dict[str, _Words]], folder / "small_words.yaml"
            ).root,
            not_skills=read_taxonomy(RootModel[dict[str, _Words]], folder / "not_skills.yaml").root,
        )
    except ValueError as error:
        raise SettingsError(f"{path}: {error}; keep it in one place") from error


def _labels(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Names of skills by language: one row a skill, one column a language, `|` between names."""
    labels: dict[str, list[tuple[str, str]]] = {}
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be read; PROFILES_TAXONOMY_DIR must name a folder that has it"
        ) from error
    for row in rows:
        skill = row.pop("skill")
        for language, names in row.items():
            labels.setdefault(language, []).extend((n, skill) for n in names.split("|") if n)
    return labels


@_once_a_folder
def load_reader_text(folder: Path) -> ReaderTextDetector:
    found = _else_ours(folder / "reader_text")
    try:
        return ReaderTextDetector(
            {
                path.stem: read_taxonomy(RootModel[dict[str, Any]], path).root
                for path in sorted(found.glob("*.yaml"))
            }
        )
    except ValueError as error:
        raise SettingsError(f"{found}: {error}, as the header of en.yaml describes") from error


@_once_a_folder
def load_domains(folder: Path) -> IndustryTaxonomy:
    path, domains_path = folder / "industries.yaml", folder / "domains.yaml"
    industries = read_taxonomy(_Industries, path)
    try:
        return IndustryTaxonomy.build(
            labels=industries.industries,
            codes_by_domain=read_taxonomy(_Domains, domains_path).domains,
            narrower=industries.narrower,
        )
    except ValueError as error:
        raise SettingsError(f"{path} and {domains_path.name}: {error}") from error


SearchName = tuple[str, str, str]
"""A way to write something, its kind as in `search_name`, and what is meant."""


def search_names() -> list[SearchName]:
    """Every name of the deployment's taxonomy; a served skill needs no row here."""
    vocabulary, industries = load_vocabulary(), load_domains()
    found: list[SearchName] = [
        (name, "s", canonical)
        for canonical, names in vocabulary.aliases.items()
        for name in (*names, *vocabulary.translations(canonical))
    ]
    found += [(domain.replace("-", " "), "d", domain) for domain in industries.domains]
    domains = industries.domain_by_code
    found += [(label, "d", domains[code]) for label, code in industries.code_by_label.items()]
    found += [(name, "c", code) for name, code in countries().items() if len(name) > 1]
    return list(dict.fromkeys([*found, *_query_words()]))


class _QueryWords(BaseModel):
    """Words by what they do in a query, with commas between them."""

    ignored: str
    excluding: str
    either: str
    years: str
    levels: dict[str, str]


def _query_words() -> Iterator[SearchName]:
    path = load_settings().taxonomy_dir / "query_words.yaml"
    words = read_taxonomy(_QueryWords, _else_ours(path))
    kinds = {"i": words.ignored, "x": words.excluding, "o": words.either, "y": words.years}
    lists = [(text, kind, "") for kind, text in kinds.items()]
    lists += [(text, "l", level) for level, text in words.levels.items()]
    for text, kind, meaning in lists:
        for name in filter(None, map(str.strip, text.split(","))):
            yield name, kind, meaning

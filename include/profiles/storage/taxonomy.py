"""Reads include/taxonomy: skills, industries and domains, and words that address a reader.

The files are data that a team edits; every fault in them is a `SettingsError` that names the file
and the entry.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from profiles.errors import SettingsError
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.settings import INCLUDE_DIR, load_settings
from profiles.standardization.skills import Vocabulary
from profiles.tagging import IndustryTaxonomy


def load_vocabulary(folder: Path | None = None) -> Vocabulary:
    """The vocabulary of `skills.yaml` and its companions in `folder`, default the deployment's."""
    return _vocabulary(folder or load_settings().taxonomy_dir)


@lru_cache(maxsize=4)
def _vocabulary(folder: Path) -> Vocabulary:
    path = folder / "skills.yaml"
    content = read_taxonomy(path)
    skills: dict[str, list[str]] = {}
    for group, entries in _section(path, content, "skills").items():
        for name, aliases in _mapping(path, f"skills.{group}", entries).items():
            if name in skills:
                raise SettingsError(f"{path}: skill {name!r} appears twice; merge the entries")
            skills[str(name)] = [str(alias) for alias in aliases or ()]
    prose = _section(path, content, "in_prose")
    try:
        return Vocabulary.from_aliases(
            skills,
            list_only=map(str, prose.get("never", ())),
            exact=map(str, prose.get("exact", ())),
            ambiguous=map(str, prose.get("ambiguous", ())),
            english=map(str, prose.get("english", ())),
            labels=_labels(folder / "skill_labels.csv"),
            small_words=_word_sets(folder / "small_words.yaml"),
            not_skills=_word_sets(folder / "not_skills.yaml"),
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


def _word_sets(path: Path) -> dict[str, frozenset[str]]:
    """Lists of words by name; a string is split at spaces."""
    return {
        str(name): frozenset(words.split() if isinstance(words, str) else map(str, words))
        for name, words in read_taxonomy(path).items()
    }


def load_reader_text(folder: Path | None = None) -> ReaderTextDetector:
    """The detector of text that addresses a reader: `reader_text/*.yaml` of `folder`, default the
    deployment's taxonomy folder; ours where that folder has none.
    """
    found = (folder or load_settings().taxonomy_dir) / "reader_text"
    return _reader_text(found if found.is_dir() else INCLUDE_DIR / "taxonomy" / "reader_text")


@lru_cache(maxsize=4)
def _reader_text(folder: Path) -> ReaderTextDetector:
    try:
        return ReaderTextDetector(
            {path.stem: read_taxonomy(path) for path in sorted(folder.glob("*.yaml"))}
        )
    except ValueError as error:
        raise SettingsError(f"{folder}: {error}, as the header of en.yaml describes") from error


def load_domains(folder: Path | None = None) -> IndustryTaxonomy:
    """Labels and domain of each industry code: industries.yaml and domains.yaml in `folder`."""
    return _domains(folder or load_settings().taxonomy_dir)


@lru_cache(maxsize=4)
def _domains(folder: Path) -> IndustryTaxonomy:
    path = folder / "industries.yaml"
    content = read_taxonomy(path)
    labels = {
        int(code): tuple(str(label) for label in names)
        for code, names in _section(path, content, "industries").items()
    }
    narrower = {
        int(code): tuple(int(covered) for covered in codes)
        for code, codes in _section(path, content, "narrower").items()
    }
    domains_path = folder / "domains.yaml"
    codes_by_domain = {
        str(domain): tuple(int(code) for code in codes)
        for domain, codes in _section(domains_path, read_taxonomy(domains_path), "domains").items()
    }
    try:
        return IndustryTaxonomy.build(
            labels=labels, codes_by_domain=codes_by_domain, narrower=narrower
        )
    except ValueError as error:
        raise SettingsError(f"{path} and {domains_path.name}: {error}") from error


def read_taxonomy(path: Path) -> dict[str, Any]:
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be read; PROFILES_TAXONOMY_DIR must name a folder that has it"
        ) from error
    except yaml.YAMLError as error:
        raise SettingsError(f"{path} is not valid YAML: {error}") from error
    return _mapping(path, "the file", content)


def _section(path: Path, content: dict[str, Any], name: str) -> dict[Any, Any]:
    return _mapping(path, name, content.get(name))


def _mapping(path: Path, name: str, value: object) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise SettingsError(f"{path}: {name} must be a mapping, as the file's header describes")
    return value

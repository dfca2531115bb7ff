"""Column mappings of the team's tables, with the line of each fault."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from psycopg import sql
from pydantic import ValidationError

from profiles.errors import MappingError
from profiles.extraction.mapping import SourceMapping, nearest
from profiles.settings import Settings, load_settings
from profiles.storage.sql_files import compose, identifier, qualified

_PACKAGE = Path(__file__).resolve().parents[1]
_RULES = (
    "extraction/*.py", "standardization/*.py", "models/source.py", "models/record_json.py",
    "../words/*.csv",
)  # fmt: skip


def load_mappings(folder: Path | None = None) -> dict[str, SourceMapping]:
    """The mapping of each source by name, in the order of the files of `folder`."""
    folder = load_settings().sources_dir if folder is None else folder
    problems: list[str] = []
    mappings: dict[str, SourceMapping] = {}
    for path in sorted(folder.glob("*.yaml")):
        file = read_mapping_file(path)
        problems += file.faults
        if not file.content:
            continue
        known = {"rules": rules_digest(), "file": path.name, "lines": file.texts}
        try:
            mapping = SourceMapping.model_validate({**file.content, **known})
        except ValidationError as error:
            problems += plain_faults(error, file)
            continue
        if mapping.source in mappings:
            problems.append(f"{path.name}: source '{mapping.source}' has a file already")
        mappings[mapping.source] = mapping
    problems += [
        f"{path.name}: is not read; name it .yaml" for path in sorted(folder.glob("*.yml"))
    ]
    if not mappings and not problems:
        problems.append(f"{folder} holds no *.yaml; put one mapping per source table there")
    if problems:
        raise MappingError(problems)
    return mappings


@cache
def rules_digest() -> str:
    """Digest of every module that turns a row into a record: a change of the rules re-reads all
    rows, and an unchanged record costs no synthesis."""
    digest = hashlib.blake2b(digest_size=8)
    for pattern in _RULES:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


INDUSTRY_COLUMNS: Final = (
    "company_name", "company_domain", "company_linkedin_id", "company_linkedin_url", "industry",
    "industry_code", "is_primary",
)  # fmt: skip
"""Columns that `tag_domains` reads of a company."""


def industry_columns(settings: Settings) -> dict[str, str]:
    """The own name of each column of the industry table, "" for one that it does not have."""
    return {name: settings.industry_columns.get(name, name) for name in INDUSTRY_COLUMNS}


def industry_rows(settings: Settings) -> sql.Composed:
    columns = {
        name: identifier(own) if own else sql.SQL("NULL::text")
        for name, own in industry_columns(settings).items()
    }
    return compose("tag/select_industries", table=qualified(settings.industry_table), **columns)


Place = tuple[str | int, ...]

_KINDS = {
    "string_type": "a text",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "lines of `key: value`",
    "model_type": "lines of `key: value`",
    "tuple_type": "a list",
    "too_short": "at least one value",
}
"""Expected value by pydantic's error code; its own messages are for those who know Python."""

_NO_ADVICE = (
    "a text that has `: `, ` #` or a leading [ { * & % @ needs quotes, and tabs do not indent"
)


@dataclass(slots=True)
class MappingFile:
    """`lines` has the line of each place, `texts` the first line of each text in it."""

    name: str
    content: dict[str, Any] = field(default_factory=dict)
    lines: dict[Place, int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    _seen: set[int] = field(default_factory=set)

    def at(self, place: Place) -> str:
        """File and line of a place, or of the nearest one above it."""
        known = (place[:end] for end in range(len(place), -1, -1))
        return f"{self.name}, line {next(self.lines[each] for each in known if each in self.lines)}"

    def add(self, node: yaml.Node, place: Place = ()) -> None:
        """Notes the lines of a node and of all below it, and keys that are given twice."""
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        if id(node) in self._seen:
            # An alias; ten of ten of ten would take for ever.
            return
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                below = (*place, str(key.value))
                if below in self.lines:
                    self.faults.append(
                        f"{self.name}, line {key.start_mark.line + 1}: '{key.value}' was given in "
                        f"line {self.lines[below]} already; remove one of them"
                    )
                self.lines[below] = key.start_mark.line + 1
                self.add(value, below)
        elif isinstance(node, yaml.SequenceNode):
            for number, value in enumerate(node.value):
                self.add(value, (*place, number))
        else:
            self.texts.setdefault(str(node.value), line)


def read_mapping_file(path: Path) -> MappingFile:
    """The file; what keeps it from being read is among its faults."""
    found = MappingFile(path.name)
    try:
        loader = yaml.CSafeLoader(path.read_bytes())
        node = loader.get_single_node()
        content = None if node is None else loader.construct_document(node)
    except OSError as error:
        found.faults.append(f"{path.name}: cannot be read ({error.strerror})")
        return found
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        found.faults.append(f"{path.name}, line {line}: is no YAML ({error.problem}); {_NO_ADVICE}")
        return found
    except yaml.YAMLError:
        found.faults.append(f"{path.name}: is no text in UTF-8; save it as that")
        return found
    if node is None or not isinstance(content, dict):
        found.faults.append(f"{path.name}: holds no lines of `key: value`; see docs/sources.md")
        return found
    found.content = content
    found.add(node)
    return found


def plain_faults(error: ValidationError, file: MappingFile) -> Iterator[str]:
    """One sentence per fault: file, line, place, what is wrong, the nearest known key."""
    keys = sorted(set(_keys(SourceMapping.model_json_schema())))
    for fault in error.errors(include_url=False, include_input=False):
        place: Place = tuple(part for part in fault["loc"] if part != "[key]")
        if fault["type"] == "value_error":
            for sentence in fault["ctx"]["error"].args:
                place = tuple(sentence.partition(":")[0].split("."))
                yield f"{file.at(place)}: {sentence}"
        else:
            yield f"{file.at(place)}: {_sentence(fault, place, keys)}"


def _sentence(fault: Mapping[str, Any], place: Place, keys: list[str]) -> str:
    where = ".".join(map(str, place))
    kind = fault["type"]
    if kind == "extra_forbidden" or (kind == "literal_error" and fault["loc"][-1] == "[key]"):
        return f"unknown key '{where}'; {nearest(str(place[-1]), keys)}"
    if kind == "missing":
        return f"'{where}' is missing"
    if kind == "string_pattern_mismatch":
        is_name = fault["ctx"]["pattern"].startswith("^[a-z]")
        expected = "lower-case letters, digits and _" if is_name else "TABLE or SCHEMA.TABLE"
        return f"'{where}' should be {expected}"
    return f"'{where}' should be {_KINDS[kind]}" if kind in _KINDS else f"{where}: {fault['msg']}"


def _keys(schema: Any) -> Iterator[str]:
    """Every key that the schema has at any place; the nearest one is on the right level."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        yield from schema.get("propertyNames", {}).get("enum", ())
        schema = list(schema.values())
    for node in schema if isinstance(schema, list) else ():
        yield from _keys(node)

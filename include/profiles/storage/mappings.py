"""Reads `include/sources/*.yaml` into checked mappings, with the digest of the reading code."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from pydantic import ValidationError

from profiles.errors import MappingError
from profiles.extraction.mapping import SourceMapping
from profiles.settings import load_settings
from profiles.storage.mapping_files import plain_faults, read_mapping_file

_PACKAGE = Path(__file__).resolve().parents[1]
_RULES = ("extraction/*.py", "standardization/*.py", "models/source.py", "../words/*.csv")


def load_mappings(folder: Path | None = None) -> dict[str, SourceMapping]:
    """The mapping of each source, by its name, in the order of the file names.

    Args:
        folder: where the files are; default: the setting PROFILES_SOURCES_DIR.

    Raises:
        MappingError: the folder has no mapping, or files do not hold what a mapping needs; all
            faults of all files are listed.
    """
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
            problems += plain_faults(SourceMapping, error, file)
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
    """Digest of every module that turns a row into a record.

    A change of the rules has to re-read all rows, and a version number in the code would be
    forgotten: the records of the old rules would stay in silence. Re-reading an unchanged row
    leaves its record hash alone and so costs no synthesis.
    """
    digest = hashlib.blake2b(digest_size=8)
    for pattern in _RULES:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()

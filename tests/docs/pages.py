"""The pages of the documentation and what stands between their fences.

A fence may carry a marker in a comment of its own line before it: `<!-- needs: gpu -->` says why a
block cannot be run by the tests. One without is run, by `tests/docs` or by `tests/reader`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.paths import REPOSITORY

NEEDS = frozenset({"docker", "gpu", "index", "data", "ci"})
"""Needs of a command that CI does not have: containers, a GPU or its host, a package index, ids of
the reader's own; or that it is what CI runs itself, this test within."""

LANGUAGES = frozenset({"sh", "sql", "python", "yaml", "ini", "text", "json"})

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w-]*) *(?P<rest>.*)$")
_MARK = re.compile(r"^ *<!-- needs: (?P<needs>[\w-]+) -->$")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: str
    line: int
    language: str
    needs: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """README, CONTRIBUTING and every page under docs/."""
    return [
        REPOSITORY / "README.md",
        REPOSITORY / "CONTRIBUTING.md",
        *sorted((REPOSITORY / "docs").rglob("*.md")),
    ]


def name_of(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def blocks(language: str | None = None) -> list[Block]:
    """The fenced blocks of all pages."""
    found = [block for path in pages() for block in blocks_of(path)]
    return [block for block in found if language in (None, block.language)]


def blocks_of(path: Path) -> Iterator[Block]:
    lines = path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if not fence:
            number += 1
            continue
        start, indent = number, fence["indent"]
        number += 1
        body = []
        while lines[number].strip() != "```":
            body.append(lines[number].removeprefix(indent))
            number += 1
        number += 1
        before = _MARK.match(lines[start - 1]) if start else None
        yield Block(
            page=name_of(path),
            line=start + 1,
            language=fence["language"],
            needs=before["needs"] if before else "",
            text="\n".join(body) + "\n",
        )


def inline_code(path: Path) -> list[str]:
    """Text between single backticks, outside fences."""
    outside, inside = [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip().startswith("```"):
            inside = not inside
        elif not inside:
            outside.append(line)
    return _CODE.findall("\n".join(outside))

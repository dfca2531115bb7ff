"""Steps of `make docs` beside MkDocs: two files of the root become pages, links out of docs/ text.

A link to a source file works where the repository is looked at, and leads nowhere from the site. So
it keeps its words and names the file. Links that lead to no file at all fail the build.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

# Not from another module of ours: MkDocs loads this file by its path.
REPOSITORY = Path(__file__).resolve().parents[2]
ROOT_PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Files of the repository's root that are pages of the site."""

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|`[^`]*`)*)\]\(([^()\s]+)\)")
_ELSEWHERE = re.compile(r"^(?:[a-z]+:|#)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of the root."""
    from mkdocs.structure.files import File

    for source, target in ROOT_PAGES.items():
        text = (REPOSITORY / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The page with every link that leaves the site made text."""
    return site_links(markdown, page.file.src_uri)


def site_links(markdown: str, page: str) -> str:
    """`markdown` with the links of the site alone; `page` is its path within docs/.

    >>> site_links("[laws](../include/x.sql), [b](b.md#c)", "how-to/a.md")
    'laws (`include/x.sql`), [b](b.md#c)'

    Raises:
        FileNotFoundError: a link leads to no file of the repository.
    """
    source = {target: name for name, target in ROOT_PAGES.items()}.get(page, f"docs/{page}")

    def replaced(match: re.Match[str]) -> str:
        text, link = match.groups()
        if _ELSEWHERE.match(link):
            return match.group(0)
        path, mark, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if not (REPOSITORY / target).exists():
            raise FileNotFoundError(f"{source}: link to {link}: there is no {target}")
        inside = ROOT_PAGES.get(target) or (
            target.removeprefix("docs/") if target.startswith("docs/") else None
        )
        if inside is None or (REPOSITORY / target).is_dir():
            return text if target in text else f"{text} (`{target}`)"
        start = posixpath.dirname(page) or "."
        return f"[{text}]({posixpath.relpath(inside, start)}{mark}{anchor})"

    return "".join(
        part if part.startswith("```") else _LINK.sub(replaced, part)
        for part in re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    )

"""Commands in the shell blocks of the documentation, and whether they exist."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from profiles.cli import build_parser
from tests.docs.pages import Block
from tests.paths import REPOSITORY

HARMLESS = frozenset({"profiles", "python", "cp", "mkdir"})
STORIES = frozenset({"README.md", "CONTRIBUTING.md", "docs/index.md", "docs/tutorial.md"})
"""Pages whose commands build on each other: `tests/reader` follows them from end to end."""

_HEREDOC = re.compile(r"<<-?'?(\w+)'?(.*)\n(?:.*\n)*?\s*\1\n")
_ENDS = frozenset({";", "&&", "||", "|", "&", "(", ")"})
_ASSIGNMENT = re.compile(r"^\w+=")
_TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
_COPIED = re.compile(r"\d?>&\d")
_REDIRECT = re.compile(r"^\d?(?:>>?|<)")


def commands(text: str) -> Iterator[list[str]]:
    """The words of each simple command, without assignments before it and redirections."""
    text = _HEREDOC.sub(r"\2\n", text).replace("\\\n", " ")
    text = _COPIED.sub("", text)
    for line in text.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()")
        lexer.whitespace_split = True
        lexer.commenters = "#"
        words: list[str] = []
        for word in [*lexer, ";"]:
            if word in _ENDS:
                if named := list(_own_words(words)):
                    yield named
                words = []
            else:
                words.append(word)


def _own_words(words: list[str]) -> Iterator[str]:
    is_file, is_first = False, True
    for word in words:
        if is_file:
            is_file = False
        elif redirect := _REDIRECT.match(word):
            is_file = redirect.end() == len(word)
        elif not (is_first and _ASSIGNMENT.match(word)):
            is_first = False
            yield word


def runs_at_once(block: Block) -> bool:
    """Return whether `tests/docs` runs it: of no story, and a database is all that it needs."""
    programs = {Path(words[0]).name for words in commands(block.text)}
    return not block.needs and block.page not in STORIES and programs <= HARMLESS


def fault(words: list[str]) -> str | None:
    """Error in a command of ours or of a tool that this repository configures."""
    program = Path(words[0]).name
    if program == "make":
        return _make_fault(words[1:])
    if program == "profiles":
        return _parser_fault(build_parser(), words[1:])
    if program.startswith("python") and "-m" in words:
        return _module_fault(words[words.index("-m") + 1])
    if program == "airflow":
        return _parser_fault(_airflow_parser(), words[1:])
    if program == "docker":
        return _compose_fault(words[1:])
    return None


@cache
def make_targets() -> frozenset[str]:
    return frozenset(_TARGET.findall((REPOSITORY / "Makefile").read_text(encoding="utf-8")))


def _make_fault(arguments: list[str]) -> str | None:
    unknown = [
        name
        for name in arguments
        if "=" not in name and not name.startswith("-") and name not in make_targets()
    ]
    return f"no target {', '.join(unknown)} in the Makefile" if unknown else None


def _module_fault(name: str) -> str | None:
    path = name.replace(".", "/")
    files = (f"{root}{path}{end}" for root in ("", "include/") for end in (".py", "/__main__.py"))
    if any((REPOSITORY / file).exists() for file in files):
        return None
    with contextlib.suppress(ModuleNotFoundError):
        if importlib.util.find_spec(name) is not None:
            return None
    return f"no module {name}"


def _parser_fault(parser: argparse.ArgumentParser, arguments: list[str]) -> str | None:
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            parser.parse_args(arguments)
    except SystemExit as stop:
        return None if stop.code == 0 else said.getvalue().strip().splitlines()[-1]
    return None


@cache
def _airflow_parser() -> argparse.ArgumentParser:
    from airflow.cli.cli_parser import get_parser

    parser: argparse.ArgumentParser = get_parser()
    return parser


def _compose_fault(arguments: list[str]) -> str | None:
    if arguments[:1] != ["compose"]:
        return None
    options = {"--file": "docker-compose.yaml", "--profile": ""}
    rest = arguments[1:]
    while rest and rest[0] in options:
        options[rest[0]] = rest[1]
        rest = rest[2:]
    path = REPOSITORY / options["--file"]
    if not path.exists():
        return f"no file {options['--file']}"
    services = yaml.safe_load(path.read_text(encoding="utf-8"))["services"]
    profiles = {name for service in services.values() for name in service.get("profiles", ())}
    if options["--profile"] and options["--profile"] not in profiles:
        return f"no Compose profile {options['--profile']}"
    named = [word for word in rest[1:] if not word.startswith("-")]
    if rest[0] in ("exec", "run"):
        named = named[:1]
    unknown = [name for name in named if name not in services]
    return f"no Compose service {', '.join(unknown)}" if unknown else None

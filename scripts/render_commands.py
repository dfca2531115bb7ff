"""The part of docs/reference.md about `profiles …`, from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

__all__ = ["command_names", "commands"]


def commands() -> list[str]:
    """The lines of the section: one heading per command, its usage and its arguments."""
    lines = [
        "`profiles COMMAND`; in a clone `.venv/bin/profiles`. All take `-v` (log what it does) and",
        "`--json` (machine-readable output). Exit codes: 0 done, 1 failed (the message says why),",
        "2 bad usage, `erase` needs confirmation, or the last publish is older than `--max-age`.",
        "",
    ]
    for name, parser in _subparsers().items():
        lines += [f"### profiles {name}", "", str(parser.description), "", *_usage(parser), ""]
        rows = list(_rows(parser))
        if rows:
            lines += [*rows, ""]
    return lines[:-1]


def command_names() -> list[str]:
    """The commands, in the order of `profiles --help`."""
    return list(_subparsers())


def _subparsers() -> dict[str, argparse.ArgumentParser]:
    from profiles.cli import build_parser

    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise LookupError("`profiles` has no commands any more; correct scripts/render_commands.py")


def _usage(parser: argparse.ArgumentParser) -> list[str]:
    # Not format_usage(): it breaks lines by the width of the terminal.
    words = [f"profiles {parser.prog.split()[-1]}"]
    for action in _shown(parser):
        name = _name(action)
        words.append(name if action.required or _is_needed(action) else f"[{name}]")
    return ["```text", " ".join(words), "```"]


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in _shown(parser):
        text = str(action.help or "").replace("%(default)s", str(action.default))
        yield f"- `{_name(action)}`: {text or '-'}"


def _shown(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    hidden = {"help", "verbose"}
    return [
        action
        for action in parser._actions
        if action.dest not in hidden and not (action.dest == "json" and action.nargs == 0)
    ]


def _name(action: argparse.Action) -> str:
    values = "|".join(map(str, action.choices)) if action.choices else action.metavar
    value = values if isinstance(values, str) else action.dest.upper()
    if len(value) > 60:
        value = str(action.metavar or action.dest.upper())
    if not action.option_strings:
        return f"{value}…" if action.nargs == "+" else value
    option = action.option_strings[-1]
    if action.nargs == 0:
        return option
    return f"{option} [{value}]" if action.nargs == "?" else f"{option} {value}"


def _is_needed(action: argparse.Action) -> bool:
    return not action.option_strings and action.nargs not in ("?", "*")

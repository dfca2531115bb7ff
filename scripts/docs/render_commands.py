"""The part of docs/reference.md about `profiles …`, from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator


def commands() -> list[str]:
    """The lines of the section: one heading per command, and its arguments."""
    lines = [
        "`profiles COMMAND`; in a clone `.venv/bin/profiles`. All take `-v` (log what it does) and",
        "`--json` (machine-readable output). Exit codes: 0 done, 1 failed (with a message),",
        "2 bad usage, `erase` needs confirmation, or the last publish is older than `--max-age`.",
        "",
    ]
    for name, parser in _subparsers().items():
        places = [_name(action) for action in _shown(parser) if not action.option_strings]
        lines += [f"### {' '.join(['profiles', name, *places])}", "", str(parser.description), ""]
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
    raise LookupError("`profiles` has no commands any more; correct this module")


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
        value = f"{value}…" if action.nargs == "+" else value
        return f"[{value}]" if action.nargs in ("?", "*") else value
    option = action.option_strings[-1]
    if action.nargs == 0:
        return option
    return f"{option} [{value}]" if action.nargs == "?" else f"{option} {value}"

"""`profiles report`: the figures of a run as one HTML file and one JSON file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from profiles.cli.output import open_migrated, print_values

_STANDARD_OUTPUT = "-"


def register(add: Callable[..., Any]) -> None:
    report = add(
        "report",
        _report,
        "Write a run's figures as an HTML page with plots and as JSON. No personal data in them.",
        has_json=False,
    )
    report.add_argument("run", metavar="RUN", help="run id, or `latest`")
    report.add_argument("--html", type=Path, metavar="FILE", help="write the page to FILE")
    report.add_argument(
        "--json",
        nargs="?",
        const=_STANDARD_OUTPUT,
        metavar="FILE",
        dest="json_file",
        help="write the JSON to FILE; without FILE print it. Neither option: both files, named "
        "after the run, in the folder of PROFILES_REPORTS",
    )


def _report(options: argparse.Namespace) -> int:
    from profiles.settings import load_settings
    from profiles.steps.reports import run_report
    from profiles.steps.reports.report import file_name

    is_printed = options.json_file == _STANDARD_OUTPUT
    options.json = is_printed
    report = run_report.collect(open_migrated(options), run_id=options.run)
    html = options.html
    json_file = Path(options.json_file) if options.json_file and not is_printed else None
    if html is None and options.json_file is None:
        folder = run_report.report_folder(load_settings())
        name = file_name(report["run"]["run_id"])
        html, json_file = folder / f"{name}.html", folder / f"{name}.json"
    run_report.write(report, html=html, json_file=json_file)
    if is_printed:
        print(json.dumps(report, indent=2))
        return 0
    written = {"run_id": report["run"]["run_id"], "html": html, "json": json_file}
    print_values(options, written, next_step=None)
    return 0

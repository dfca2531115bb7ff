"""A team's own function for PROFILES_ON_FAILURE: one line of JSON for each alert."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict
from pathlib import Path

from profiles.alerts import Alert

FILE = "alerts.log"


def note(alert: Alert) -> None:
    """Adds it to the file in the installation's folder, with the time."""
    with (Path(os.environ["CANDIDATE_PROFILES_HOME"]) / FILE).open("a") as file:
        file.write(json.dumps({**asdict(alert), "at": time.time()}) + "\n")

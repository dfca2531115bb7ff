"""Where the repository and its test data are."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED_DATA = Path(os.environ.get("PROFILES_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))

"""What `profiles doctor` says of one part."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from profiles.errors import ProfilesError
from profiles.steps.stage import message_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: `ok` is None when it does not apply here or could not be looked at."""

    name: str
    ok: bool | None
    detail: str
    remedy: str = ""


def guarded(name: str, check: Callable[[], Finding]) -> Finding:
    """The finding of `check`; whatever it raises is one too: the other checks must still run."""
    try:
        return check()
    except ProfilesError as error:
        return Finding(name, False, str(error), "the message says what to do")
    except Exception as error:
        log.debug("check %s failed", name, exc_info=True)
        detail = f"could not be looked at: {message_of(error)}"
        return Finding(name, False, detail, "run `profiles doctor -v` and read the trace")

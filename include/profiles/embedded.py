"""Name that reproduction scripts import; the server itself is a tool of the clone's `scripts`."""

from scripts.embedded import ensure_database, remove, running, start, stop

__all__ = ["ensure_database", "remove", "running", "start", "stop"]

"""Name that reproduction scripts import; the module lies with the engine's process."""

from profiles.synthesis.process.engine_environment import child_environment

__all__ = ["child_environment"]

class EngineGenerateError(Exception):
    """One request failed."""


class EngineDeadError(Exception):
    """The core has ended."""

"""Stands in for vLLM where it is not installed: the calls that our engine makes, and its manners.

Names and signatures are checked against those of the real package (tests/unit/test_engine_surface).
Like the real one it starts a process for its core, raises EngineDeadError once that has ended,
aborts the request of a cancelled `generate`, and gives the scheduler's figures to its stat loggers.
"""

__version__ = "0.32.0"

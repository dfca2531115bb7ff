"""The scripted engine under another name."""

from __future__ import annotations

from tests.scripted_engine import ScriptedEngine


class OtherScriptedEngine(ScriptedEngine):
    pass

"""Pages followed as a reader does: each block is typed in its order, and nothing else is assumed.

The shell keeps its variables from block to block, until the page has the reader open a new one. A
`text` block after a command is what the page says that the reader sees.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.docs.pages import Block, blocks_of
from tests.docs.shell import runs_at_once
from tests.paths import REPOSITORY
from tests.reader.clone import environment, port

_SECONDS = 900
"""More than any command takes on a busy machine."""

_LOAD = 'set -a; [ -f "$STATE" ] && . "$STATE"; trap \'export -p >"$STATE"\' EXIT\n'
_MOVING = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.]+(?:\+00:00|Z)"  # a moment
    r"|\d+(?:\.\d+)? (?=s\b)"  # seconds
    r"|…"
)


@dataclass
class Reader:
    """Somebody with a clone and a shell in it."""

    copy: Path

    @property
    def _state(self) -> Path:
        return self.copy.parent / "shell"

    @property
    def port(self) -> str:
        """Folder in which `make up` puts Airflow."""
        return port(self.copy)

    def opens_a_new_shell(self) -> None:
        self._state.unlink(missing_ok=True)

    def types(self, text: str, *, fails: bool = False, answer: str = "") -> str:
        """Runs lines in the shell and returns what they print.

        Args:
            text: the lines; the first that fails ends them.
            fails: the page says that they do.
            answer: what is typed when they ask a person at a terminal.
        """
        printed = self.copy.parent / "printed"
        keyboard, stdin = os.openpty()
        os.write(keyboard, answer.encode())
        try:
            with printed.open("w") as out:
                process = subprocess.Popen(
                    ["bash", "-euo", "pipefail", "-c", _LOAD + text],
                    cwd=self.copy,
                    env=environment(self.copy) | {"STATE": str(self._state)},
                    stdin=stdin,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        finally:
            os.close(keyboard)
            os.close(stdin)
        said = printed.read_text(encoding="utf-8", errors="replace")
        assert (process.returncode != 0) == fails, (
            f"{text}ended with {process.returncode}:\n{said[-6000:]}\n{self._logs()}"
        )
        return said

    def _logs(self) -> str:
        """The ends of the logs that a failed command names; the copy does not outlive the test."""
        state = self.copy / ".profiles"
        paths = [*state.glob("logs/*.log"), *state.glob("airflow/demo.log")]
        return "\n".join(
            f"{path}:\n{path.read_text(encoding='utf-8', errors='replace')[-2000:]}"
            for path in sorted(paths)
        )

    def follows(self, name: str) -> Page:
        """The page, at its first block."""
        return Page(self, list(blocks_of(REPOSITORY / name)))


@dataclass
class Page:
    """A page and how far it was followed."""

    reader: Reader
    blocks: list[Block]
    _passed: list[Block] = field(default_factory=list)

    def runs(self, expected: str, *, fails: bool = False, answer: str = "") -> str:
        """Types the next shell block, which has to contain `expected`; returns what it prints.

        Where the page shows an output, each of its lines has to be among those.
        """
        block = self._next("sh")
        assert expected in block.text, f"{block} is not the block with {expected}"
        said = self.reader.types(block.text, fails=fails, answer=answer)
        if self.blocks and self.blocks[0].language == "text":
            shown = self.blocks.pop(0)
            missing = [line for line in shown.text.splitlines() if not is_shown(line, said)]
            assert not missing, f"{shown}: {missing} is not in\n{said[-6000:]}"
        return said

    def text_of(self, language: str) -> str:
        """The next block of another language, for the reader to save."""
        return self._next(language).text

    def ends(self) -> None:
        """Every command of the page was typed, but for those that `tests/docs` runs."""
        left = [block for block in self.blocks if block.language == "sh" and not block.needs]
        assert [str(block) for block in left if not runs_at_once(block)] == []

    def _next(self, language: str) -> Block:
        while self.blocks:
            block = self.blocks.pop(0)
            if block.language == language and not block.needs:
                return block
        raise AssertionError(f"the page has no further {language} block")


def is_shown(line: str, said: str) -> bool:
    """Return whether the output has the line, whatever its times and durations; `…` is anything."""
    pattern = "".join(
        re.escape(part) + (".*?" if number < len(_MOVING.findall(line)) else "")
        for number, part in enumerate(_MOVING.split(line))
    )
    return re.search(pattern, said) is not None

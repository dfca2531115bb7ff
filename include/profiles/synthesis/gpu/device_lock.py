"""One lock file per GPU, so that two lanes never load a model on the same card.

The lock is an flock, freed when the last process that holds the open file ends; the engine process
holds it too. All users of the host share the folder and its files.
"""

from __future__ import annotations

import fcntl
import math
import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from profiles.errors import EngineJobError, SettingsError
from profiles.synthesis.engines.engine_terms import TERMS
from profiles.synthesis.engines.sglang_kernels import plan_kernels
from profiles.synthesis.gpu.parallelism import plan_arguments

_DEVICE_NODE = re.compile(r"nvidia(\d+)")
_FOLDER_MODE = 0o1777
_FILE_MODE = 0o666
_OPEN_FLAGS = os.O_RDWR | os.O_NOFOLLOW


@dataclass
class DeviceClaim:
    """Cards that this process holds until `close` or its end. No cards for a CPU engine."""

    cards: tuple[str, ...]
    descriptors: tuple[int, ...] = ()
    """The locks, for the engine process to hold as well."""
    _held: ExitStack = field(default_factory=ExitStack, repr=False)

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables of the engine process: they show it its own cards alone."""
        return {"CUDA_VISIBLE_DEVICES": ",".join(self.cards)} if self.cards else {}

    def close(self) -> None:
        self._held.close()


def cards_needed(engine: str, options: Mapping[str, Any], model: str = "") -> int:
    """Count of cards that one engine of this kind takes: 0 for engines that run without a GPU.
    Where the options do not say how many, the plan of the `model` for the visible cards does."""
    if engine not in TERMS or (engine == "vllm" and options.get("device") == "cpu"):
        return 0
    terms = TERMS[engine]
    tensor = options.get(terms.split)
    if model and not tensor:
        planned = plan_arguments(options, terms=terms, kernels=plan_kernels, folder=Path(model))
        tensor = planned.get(terms.split)
    sizes = (tensor or 1, options.get(terms.stages) or 1)
    # A wrong type is refused by the engine, with the name and what was expected.
    return math.prod(size for size in sizes if isinstance(size, int) and size > 0)


def visible_cards(device_dir: Path = Path("/dev")) -> tuple[str, ...]:
    """Cards this process may use: those in CUDA_VISIBLE_DEVICES, else every NVIDIA device node."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return tuple(card.strip() for card in named.split(",") if card.strip())
    found = [_DEVICE_NODE.fullmatch(path.name) for path in device_dir.glob("nvidia*")]
    return tuple(str(number) for number in sorted(int(match[1]) for match in found if match))


def claim_devices(
    needed: int,
    *,
    cards: tuple[str, ...],
    lock_dir: Path,
    has_room: Callable[[str], bool] = lambda card: True,
) -> DeviceClaim | None:
    """`needed` free cards with room, None while there are too few. Never waits or keeps a part."""
    if needed > len(cards):
        raise EngineJobError(
            f"the engine needs {needed} GPUs and this host has {len(cards)}; run the lane on a "
            "GPU worker, or correct CUDA_VISIBLE_DEVICES or the tensor parallel size"
        )
    taken: dict[str, int] = {}
    with ExitStack() as stack:
        for card in cards:
            if len(taken) == needed:
                break
            with ExitStack() as one:
                if (descriptor := _lock(card, lock_dir, one)) is not None and has_room(card):
                    taken[card] = descriptor
                    stack.push(one.pop_all())
        if len(taken) < needed:
            return None
        return DeviceClaim(tuple(taken), tuple(taken.values()), stack.pop_all())


def _lock(card: str, lock_dir: Path, stack: ExitStack) -> int | None:
    """The descriptor of the lock, None when somebody else has it; `stack` closes it."""
    path = lock_dir / f"gpu-{re.sub(r'[^A-Za-z0-9-]', '_', card)}.lock"
    try:
        with suppress(FileExistsError):  # it keeps its mode: whoever made it may have chosen it
            lock_dir.mkdir(parents=True)
            lock_dir.chmod(_FOLDER_MODE)
        descriptor = _open_shared(path)
        stack.callback(os.close, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
    except OSError as error:
        raise SettingsError(
            f"the GPU lock {path} cannot be used ({error.strerror}); let every user of lanes "
            f"on this host write there (chmod {_FOLDER_MODE:o} the folder, {_FILE_MODE:o} its "
            "files), or set PROFILES_DEVICE_LOCK_DIR to another folder that all of them share"
        ) from error
    return descriptor


def _open_shared(path: Path) -> int:
    """Open the file whoever made it. Never O_CREAT on one that exists: with fs.protected_regular
    Linux refuses that in a sticky folder when another user owns it."""
    try:
        descriptor = os.open(path, _OPEN_FLAGS)
    except FileNotFoundError:
        try:
            descriptor = os.open(path, _OPEN_FLAGS | os.O_CREAT | os.O_EXCL, _FILE_MODE)
        except FileExistsError:
            descriptor = os.open(path, _OPEN_FLAGS)
    with suppress(PermissionError):  # another user's file; its mode let this user in already
        os.fchmod(descriptor, _FILE_MODE)
    return descriptor

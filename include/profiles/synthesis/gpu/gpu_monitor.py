"""GPU metrics of a running lane: temperature, power, utilization, memory, throttle reasons.

A thread of the lane's task samples them through NVML and stores them. It never holds the lane up:
without NVML there is one line in the log, and samples wait for a database that is unavailable.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Self

import pynvml

from profiles.errors import ProfilesError

log = logging.getLogger(__name__)

Sample = dict[str, Any]
"""One card at one time; None for what its driver does not tell."""

_THROTTLES = {
    0x04: "sw_power_cap",
    0x08: "hw_slowdown",
    0x20: "sw_thermal",
    0x40: "hw_thermal",
    0x80: "power_brake",
}
_NO_THROTTLES = 0x01 | 0x02 | 0x10 | 0x100
"""Idle, or clocks that somebody asked for: nothing holds the card back."""
_COOLED_BY = 3
"""Degrees below the limit after which the next rise is worth another warning."""
_JOIN_SECONDS = 10.0


def throttle_reasons(bits: int) -> tuple[str, ...]:
    """NVML's bit mask in words; a bit of a newer driver keeps its number.

    >>> throttle_reasons(0x44), throttle_reasons(0x01), throttle_reasons(0x2000)
    (('sw_power_cap', 'hw_thermal'), (), ('reason_0x2000',))
    """
    bits &= ~_NO_THROTTLES
    single = [1 << place for place in range(bits.bit_length()) if bits >> place & 1]
    return tuple(_THROTTLES.get(bit, f"reason_{bit:#x}") for bit in single)


@dataclass(eq=False)
class GpuMonitor:
    """Samples `cards`, indexes or UUIDs as in CUDA_VISIBLE_DEVICES, while its block runs.

    `store` may raise a ProfilesError, after which the same samples are stored with the next.
    """

    cards: Sequence[str]
    store: Callable[[Sequence[Sample]], None]
    _: KW_ONLY
    warn_celsius: int
    sample_seconds: float = 5.0

    def __post_init__(self) -> None:
        self._handles: list[tuple[Any, Sample]] = []
        self._hot: set[str] = set()
        self._pending: list[Sample] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.stored = 0

    def __enter__(self) -> Self:
        if self.cards and self._open():
            self._thread = threading.Thread(target=self._watch, name="gpu-monitor", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is None:
            return
        self._stop.set()
        self._thread.join(_JOIN_SECONDS)
        lost = len(self._pending)
        level = logging.WARNING if lost else logging.INFO
        log.log(level, "%s GPU samples stored, %s lost", self.stored, lost)

    def _open(self) -> bool:
        try:
            pynvml.nvmlInit()
        except pynvml.NVMLError as error:
            log.info("GPUs are not monitored: NVML: %s", error)
            return False
        for card in self.cards:
            try:
                if card.isdigit():
                    handle = pynvml.nvmlDeviceGetHandleByIndex(int(card))
                else:
                    handle = pynvml.nvmlDeviceGetHandleByUUID(card)
                identity = {
                    "index": pynvml.nvmlDeviceGetIndex(handle),
                    "uuid": pynvml.nvmlDeviceGetUUID(handle),
                    "name": pynvml.nvmlDeviceGetName(handle),
                }
            except pynvml.NVMLError as error:
                log.info("GPU %s is not monitored: NVML: %s", card, error)
            else:
                self._handles.append((handle, identity))
        return bool(self._handles)

    def _watch(self) -> None:
        is_last = False
        while not is_last:
            for handle in self._handles:
                sample = self._sample(*handle)
                self._pending.append(sample)
                self._warn(sample)
            self._flush()
            is_last = self._stop.wait(self.sample_seconds)
        pynvml.nvmlShutdown()

    def _flush(self) -> None:
        try:
            self.store(self._pending)
        except ProfilesError as error:
            log.warning("%s GPU samples wait for the database: %s", len(self._pending), error)
        else:
            self.stored += len(self._pending)
            self._pending.clear()

    def _warn(self, sample: Sample) -> None:
        celsius, uuid = sample["celsius"], sample["uuid"]
        if celsius is None:
            return
        if celsius < self.warn_celsius - _COOLED_BY:
            self._hot.discard(uuid)
        if celsius < self.warn_celsius or uuid in self._hot:
            return
        self._hot.add(uuid)
        log.warning(
            "GPU %s (%s, %s) of %s is at %s °C; the limit of PROFILES_GPU_WARN_CELSIUS is %s. "
            "Throttled by: %s. Look at its fans, air flow and power limit",
            sample["index"],
            sample["name"],
            uuid,
            socket.gethostname(),
            celsius,
            self.warn_celsius,
            ", ".join(sample["throttle"]) or "nothing",
        )

    def _sample(self, handle: Any, identity: Sample) -> Sample:
        ask = partial(self._ask, handle)
        memory, use, milliwatts = ask("MemoryInfo"), ask("UtilizationRates"), ask("PowerUsage")
        return {
            "sampled_at": datetime.now(UTC).isoformat(),
            **identity,
            "celsius": ask("Temperature", pynvml.NVML_TEMPERATURE_GPU),
            "watts": None if milliwatts is None else milliwatts / 1000,
            "utilisation": None if use is None else use.gpu,
            "memory_used_mb": None if memory is None else memory.used >> 20,
            "memory_total_mb": None if memory is None else memory.total >> 20,
            "throttle": throttle_reasons(ask("CurrentClocksThrottleReasons") or 0),
        }

    def _ask(self, handle: Any, figure: str, *arguments: Any) -> Any:
        """A figure of a card; None where card or driver cannot tell, or it fell off its bus."""
        try:
            return getattr(pynvml, f"nvmlDeviceGet{figure}")(handle, *arguments)
        except pynvml.NVMLError:
            return None

"""Stands in for the module pynvml where no GPU is."""

from __future__ import annotations

from types import SimpleNamespace


class NvmlError(Exception):
    pass


class Nvml:
    """Two cards; `heat` are the temperatures of one sample after the other."""

    NVMLError = NvmlError
    NVML_TEMPERATURE_GPU = 0

    def __init__(self, heat=(60,), *, missing=False, deaf=()) -> None:
        self._heat = list(heat)
        self._missing = missing
        self._deaf = set(deaf)
        self.is_shut = False

    def __getattribute__(self, name: str):
        if name.startswith("nvml") and name in object.__getattribute__(self, "_deaf"):
            return self._refuse
        return object.__getattribute__(self, name)

    def _refuse(self, *_):
        raise NvmlError("Not Supported")

    def nvmlInit(self):
        if self._missing:
            raise NvmlError("Driver Not Loaded")

    def nvmlShutdown(self):
        self.is_shut = True

    def nvmlDeviceGetHandleByIndex(self, index):
        if index > 1:
            raise NvmlError("Not Found")
        return index

    def nvmlDeviceGetHandleByUUID(self, uuid):
        return {"GPU-a": 0, "GPU-b": 1}[uuid]

    def nvmlDeviceGetName(self, handle):
        return "RTX 4090"

    def nvmlDeviceGetUUID(self, handle):
        return ["GPU-a", "GPU-b"][handle]

    def nvmlDeviceGetIndex(self, handle):
        return handle

    def nvmlDeviceGetTemperature(self, handle, sensor):
        return self._heat.pop(0) if len(self._heat) > 1 else self._heat[0]

    def nvmlDeviceGetPowerUsage(self, handle):
        return 351_500

    def nvmlDeviceGetUtilizationRates(self, handle):
        return SimpleNamespace(gpu=97)

    def nvmlDeviceGetMemoryInfo(self, handle):
        return SimpleNamespace(used=20 << 30, total=24 << 30)

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, handle):
        return 0x45

"""Takes a card's free memory and keeps it until its input ends: a neighbour that grew.

    python -m benchmarks.ballast --leave-mib 256

Prints `ready` once it may be told to begin, takes the memory after the first line of its input, and
prints how much that was in MiB. Uses the driver alone, so it starts in a second. The card is the
first one that CUDA_VISIBLE_DEVICES shows.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import sys

BLOCK_MIB = 64


def main() -> int:
    """Waits to be told, takes the memory, waits for the end of its input."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leave-mib", type=int, default=256, help="stays free on the card")
    options = parser.parse_args()
    cuda = ctypes.CDLL("libcuda.so.1")
    context = ctypes.c_void_p()
    _check(cuda.cuInit(0), "cuInit")
    _check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), "cuDevicePrimaryCtxRetain")
    _check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    print("ready", flush=True)
    if not sys.stdin.readline():
        return 0
    taken = 0
    while _free_mib(cuda) >= options.leave_mib + BLOCK_MIB:
        address = ctypes.c_uint64()
        _check(
            cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(BLOCK_MIB << 20)),
            "cuMemAlloc",
        )
        taken += BLOCK_MIB
    print(taken, flush=True)
    sys.stdin.read()
    return 0


class Ballast:
    """The process, from its start until `release`."""

    def __init__(self, leave_mib: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.ballast", "--leave-mib", str(leave_mib)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._line()

    def take(self) -> int:
        """Takes the memory now; how many MiB it was."""
        assert self._process.stdin is not None
        self._process.stdin.write("now\n")
        self._process.stdin.flush()
        return int(self._line())

    def release(self) -> None:
        """Gives the memory back."""
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the ballast ended with {self._process.wait()}")
        return line.strip()


def _free_mib(cuda: ctypes.CDLL) -> int:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    _check(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)), "cuMemGetInfo")
    return free.value >> 20


def _check(code: int, what: str) -> None:
    if code:
        raise SystemExit(f"{what} failed with CUDA error {code}")


if __name__ == "__main__":
    sys.exit(main())

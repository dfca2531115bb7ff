"""Takes the network away from this process and everything it will start, loopback excepted.

A network namespace of its own holds nothing but `lo`: whatever an engine or its libraries try, no
byte leaves. Root needs no more; others get the namespace together with a user namespace in which
they stay who they are, where the kernel allows that. Nothing is forked or executed, so process id,
group and parent stay. Standard library only.
"""

from __future__ import annotations

import ctypes
import fcntl
import logging
import os
import socket
import struct
import sys
from pathlib import Path

__all__ = ["HOST", "NONE", "isolate_network", "warn_of_network"]

log = logging.getLogger(__name__)

NONE = "none"
HOST = "host"

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_SIOCGIFFLAGS = 0x8913
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1
_INTERFACE_REQUEST = "16sh14x"


def isolate_network() -> str:
    """ "none" once this process has no network; else "host" and why the kernel would not.

    Call it before the process has a second thread: a namespace belongs to the thread that asks.
    """
    if sys.platform != "linux":
        return f"{HOST}: no network namespaces on {sys.platform}"
    uid, gid = os.geteuid(), os.getegid()
    try:
        try:
            _unshare(_CLONE_NEWNET)
        except PermissionError:
            _unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
            _stay(uid, gid)
        _raise_loopback()
    except OSError as error:
        return f"{HOST}: the kernel refuses ({error.strerror})"
    # Both look for a card of their own accord, and pass over lo where they think of another.
    os.environ.setdefault("NCCL_SOCKET_IFNAME", "lo")
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    return NONE


def warn_of_network(*, wanted: str, has: str) -> None:
    """Says in the lane's log that an engine kept the network although it should not."""
    if has != wanted:
        log.warning(
            "the engine keeps the network (%s); allow network namespaces on this host, or set "
            "PROFILES_ENGINE_NETWORK=host where that is meant",
            has,
        )


def _unshare(flags: int) -> None:
    # os.unshare came with Python 3.12.
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _stay(uid: int, gid: int) -> None:
    """Maps this user and group to themselves, so that files look as before."""
    folder = Path("/proc/self")
    (folder / "setgroups").write_text("deny")
    (folder / "uid_map").write_text(f"{uid} {uid} 1")
    (folder / "gid_map").write_text(f"{gid} {gid} 1")


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = fcntl.ioctl(control, _SIOCGIFFLAGS, struct.pack(_INTERFACE_REQUEST, b"lo", 0))
        _, flags = struct.unpack(_INTERFACE_REQUEST, request)
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack(_INTERFACE_REQUEST, b"lo", flags | _IFF_UP))

"""Self-confinement of an engine process: it ends with its task, and gives up the network.

A thread looks for the parent and, once it is gone, kills the process group, because a grandchild
would survive its parent. SIGTERM kills the group too, until SGLang replaces the handler.

A network namespace of its own holds nothing but `lo`. Root needs no more; others get it together
with a user namespace in which they keep their ids. Process id, group and parent stay. Standard
library only.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
import threading
import time
from pathlib import Path

_WATCH_SECONDS = 0.5

NONE = "none"
HOST = "host"

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_SIOCGIFFLAGS = 0x8913
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1
_INTERFACE_REQUEST = "16sh14x"


def follow_parent(parent_pid: int) -> None:
    """Ties the group that this process leads to the life of `parent_pid`; in the main thread."""
    signal.signal(signal.SIGTERM, lambda *_: kill_group())
    threading.Thread(target=_watch, args=(parent_pid,), name="parent-watch", daemon=True).start()


def _watch(parent_pid: int) -> None:
    while os.getppid() == parent_pid:
        time.sleep(_WATCH_SECONDS)
    kill_group()


def kill_group() -> None:
    """Kills every process of this group, this one last; does not return."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def isolate_network() -> str:
    """ "none" once this process has no network; else "host" and why the kernel would not. Call it
    before there is a second thread: a namespace belongs to the thread that asks."""
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

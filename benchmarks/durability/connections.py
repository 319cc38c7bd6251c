"""A network namespace that holds only loopback, and every connection tried in it.

Used by benchmarks/durability/offline.py. `unshare` makes the namespace without any
right on the machine, where the kernel allows that; `strace` sees the system calls
themselves, so a connection tried by a library written in C or Rust is seen as well as
one by Python.
"""

from __future__ import annotations

import fcntl
import ipaddress
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

INSIDE = "CLAIMSCOPE_OFFLINE_INSIDE"
"""Set in the namespace."""
CALLS = "connect,sendto,sendmsg,sendmmsg"
_ADDRESS = re.compile(
    r"sin6?_port=htons\((\d+)\).*?(?:inet_addr\(\"|inet_pton\(AF_INET6, \")([^\"]+)\""
)
_GET, _SET, _UP = 0x8913, 0x8914, 0x1
"""SIOCGIFFLAGS, SIOCSIFFLAGS and IFF_UP of Linux."""


def enter_namespace(arguments: Sequence[str]) -> int | None:
    """Runs this program again in a namespace of its own; its exit code. None when this
    is the one inside, or `unshare` is refused (`is_denied` then says so)."""
    if os.environ.get(INSIDE):
        if is_denied():
            raise_loopback()
        return None
    if (
        shutil.which("unshare") is None
        or subprocess.run(
            ["unshare", "-rn", "true"], capture_output=True, check=False
        ).returncode
    ):
        return None
    inside = os.environ | {INSIDE: "1"}
    command = ["unshare", "-rn", sys.executable, *arguments]
    return subprocess.run(command, env=inside, check=False).returncode


def is_denied() -> bool:
    """Whether this process has no network interface but loopback."""
    return {name for _, name in socket.if_nameindex()} == {"lo"}


def raise_loopback() -> None:
    """Brings loopback up; in a new namespace it is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        found = fcntl.ioctl(any_socket, _GET, request)
        flags = struct.unpack("16sh14x", found)[1] | _UP
        fcntl.ioctl(any_socket, _SET, struct.pack("16sh14x", b"lo", flags))


def traced(log: Path, words: Sequence[str]) -> list[str]:
    """The command with all its processes watched, where strace is installed."""
    if shutil.which("strace") is None:
        return list(words)
    strace = ["strace", "--seccomp-bpf", "-f", "-qqq", "-e", f"trace={CALLS}"]
    return [*strace, "-e", "signal=none", "-o", str(log), *words]


def tried(log: Path) -> Counter[tuple[str, int]]:
    """How often each (address, port) was to be reached over the internet protocol."""
    found: Counter[tuple[str, int]] = Counter()
    if log.exists():
        for line in log.read_text("utf-8", "replace").splitlines():
            found.update((name, int(port)) for port, name in _ADDRESS.findall(line))
    return found


def foreign(
    found: Counter[tuple[str, int]], allowed: Sequence[int]
) -> Iterator[tuple[str, int]]:
    """Those that are neither on loopback nor at a port that is allowed there. Port 0
    is none: a library asks the kernel which address it has."""
    for address, port in found:
        is_here = ipaddress.ip_address(address).is_loopback
        if not is_here or port not in (0, *allowed):
            yield address, port

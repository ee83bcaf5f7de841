"""Where a process listens, from the system's own tables: /proc, so on Linux alone."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LISTENING = "0A"


def places(pid: int) -> set[tuple[str, int]]:
    """Address and port of each listening socket of this process."""
    own = set(_sockets(pid))
    return {place for inode, place in _of_all() if inode in own}


def _sockets(pid: int) -> Iterator[str]:
    """Each socket's number; what the process closes while it is looked at is none of them."""
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            link = str(one.readlink())
            if link.startswith("socket:["):
                yield link.removeprefix("socket:[").removesuffix("]")


def _of_all() -> Iterator[tuple[str, tuple[str, int]]]:
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
            words = line.split()
            if words[3] == LISTENING:
                address, port = words[1].split(":")
                yield words[9], (_written(bytes.fromhex(address)), int(port, 16))


def _written(packed: bytes) -> str:
    """The kernel writes each four bytes as this machine orders them."""
    ordered = b"".join(packed[place : place + 4][::-1] for place in range(0, len(packed), 4))
    return socket.inet_ntop(socket.AF_INET if len(ordered) == 4 else socket.AF_INET6, ordered)

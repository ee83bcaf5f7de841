"""Where a process listens, from the system's own tables: /proc, so on Linux alone."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

LISTENING = "0A"


def places(pid: int) -> set[tuple[str, int]]:
    """Address and port of each listening socket of this process."""
    return {place for inode, place in _of_all() if inode in _sockets(pid)}


def _sockets(pid: int) -> set[str]:
    links = (str(one.readlink()) for one in Path(f"/proc/{pid}/fd").iterdir())
    return {link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:[")}


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

"""Who listens at a port of this machine, where the system tells it (Linux): any account may, as long as nobody does."""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The system's sockets, each with the account that opened it."""
ACCOUNTS = Path("/proc/self/uid_map")
_ALL_ACCOUNTS = ["0", "0", "4294967295"]
"""Else the numbers of accounts are a container's own, and most accounts of the machine have one number."""
FIRST_OF_PEOPLE = 1000
"""Accounts below belong to the system and its services. Source: UID_MIN of login.defs(5)."""
USUAL_FOLDER = "/var/run/postgresql"
_LOCAL, _REMOTE, _STATE, _ACCOUNT, _NUMBER = 1, 2, 3, 7, 9
_LISTENING, _EVERYWHERE = "0A", ("0.0.0.0", "::")  # noqa: S104  what others listen at
_CONNECTED, _NOBODYS = "01", "0"
"""Whoever has closed their end, or not taken it yet, is not told: the system writes that it is the administrator's."""
_LOOPBACKS = ("127.0.0.1", "::1")
_SOCK_DIAG, _BY_FAMILY, _REQUEST, _ANY_STATE, _ANY_COOKIE = 4, 20, 1, 0xFFFFFFFF, (0xFFFFFFFF, 0xFFFFFFFF)
_HEAD, _TO_ACCOUNT, _KERNEL_SECONDS = 16, 64, 1.0
"""Bytes before what is asked or told; of these, before whose it is. Then seconds."""
STRANGER_LISTENS = (
    "At this port of this machine a program of another person's account listens, and nothing says that it is yours. "
    "Run PostgreSQL under an account of the system, or have it show a certificate (?sslmode=verify-full)."
)


@dataclass(frozen=True, slots=True)
class Socket:
    """One of this machine's: its ends and state as the system writes them, and whose it is."""

    local: str
    remote: str
    state: str
    account: int
    number: str


def _waiting() -> Iterator[Socket]:
    """All at which somebody listens; none where the system has no such tables."""
    for table in _tables():
        yield from (_read(line) for line in table.splitlines()[1:] if f" {_LISTENING} " in line)


def _tables() -> Iterator[str]:
    yield from (table.read_text(encoding="ascii") for table in TABLES if table.exists())


def _read(line: str) -> Socket:
    words = line.split()
    return Socket(words[_LOCAL], words[_REMOTE], words[_STATE], int(words[_ACCOUNT]), words[_NUMBER])


def written(host: str, port: int) -> Iterator[str]:
    """An end of a connection as the system writes it, each four bytes the other way round; none for a name."""
    try:
        address = ip_address(host)
    except ValueError:
        return
    mapped = IPv6Address(f"::ffff:{address}") if isinstance(address, IPv4Address) else address
    for packed in (address.packed, mapped.packed):
        words = (packed[at : at + 4][::-1].hex() for at in range(0, len(packed), 4))
        yield f"{''.join(words)}:{port:04x}".upper()


def account_of(host: str, port: int, to_host: str, to_port: int) -> int | None:
    """The account whose program is connected from here to there; None where none is, or no longer.

    The system is asked for that one connection, and its whole list is read only where it answers no such question:
    another account may make that long, with connections to itself that do nothing.
    """
    if _kernel_tells():
        with suppress(OSError):
            return _account_by_kernel(host, port, to_host, to_port)
    return _account_by_tables(host, port, to_host, to_port)


@cache
def _kernel_tells() -> bool:
    """Whether it knows of a connection of our own: without its module it says of each that there is none."""
    with (
        suppress(OSError, AttributeError),
        socket.create_server((_LOOPBACKS[0], 0)) as door,
        socket.create_connection(door.getsockname(), _KERNEL_SECONDS) as way,
    ):
        return _account_by_kernel(*way.getsockname(), *way.getpeername()) is not None
    return False


def _account_by_kernel(host: str, port: int, to_host: str, to_port: int) -> int | None:
    """Source: sock_diag(7), inet_diag_req_v2 and inet_diag_msg. OSError where it does not answer."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    numbers = (socket.inet_pton(family, one) for one in (host, to_host))
    ends = struct.pack(">HH16s16s", port, to_port, *numbers) + struct.pack("=III", 0, *_ANY_COOKIE)
    asked = struct.pack("=BBBxI", family, socket.IPPROTO_TCP, 0, _ANY_STATE) + ends
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
        kernel.settimeout(_KERNEL_SECONDS)
        kernel.send(struct.pack("=IHHII", _HEAD + len(asked), _BY_FAMILY, _REQUEST, 1, 0) + asked)
        told = kernel.recv(4096)
    if int.from_bytes(told[4:6], sys.byteorder) != _BY_FAMILY:
        error = -struct.unpack_from("=i", told, _HEAD)[0]
        if error == errno.ENOENT:
            return None
        raise OSError(error, "no answer about sockets")
    account, number = struct.unpack_from("=II", told, _HEAD + _TO_ACCOUNT)
    return int(account) if told[_HEAD + 1] == int(_CONNECTED, 16) and number else None


def _account_by_tables(host: str, port: int, to_host: str, to_port: int) -> int | None:
    ways = [f" {near} {far} " for near, far in zip(written(host, port), written(to_host, to_port), strict=True)]
    for table in _tables():
        for at in filter(lambda at: at >= 0, map(table.find, ways)):
            held = _read(table[table.rfind("\n", 0, at) + 1 : table.find("\n", at)])
            return held.account if held.state == _CONNECTED and held.number != _NOBODYS else None
    return None


def account_in_folder(way: socket.socket) -> int | None:
    """The account whose program listens at the other end of a socket in a folder; None where no system tells it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    process_account_group = way.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", process_account_group)[1])


def is_a_strangers(account: int) -> bool:
    """Whether an account is another person's: neither the system's nor our own, where the system tells them apart."""
    return is_told() and account >= FIRST_OF_PEOPLE and account != os.getuid()


def no_certificate_tells(host: str, sslmode: object) -> bool:
    """Whether on this way to PostgreSQL only the system can tell who listens; a socket in a folder takes none."""
    return sslmode != "verify-full" or not host or host.startswith("/")


def ways_to_prove(password: str | None) -> str:
    """How PostgreSQL's driver may show who it is: SCRAM tells no password, and proves that the server knows it, too.

    By itself it tells one to any server that asks in the clear, such as whoever listens there while PostgreSQL is down.
    """
    return "scram-sha-256" if password or os.environ.get("PGPASSWORD") else "!password,!md5"


def strangers_listen(host: str, port: int) -> bool:
    """Whether what is reached here may be another person's program: neither the system's, nor our own account's.

    `host` is a name or a number in any way of writing it, of which only those that lead to this machine count, or the
    folder of a socket in PostgreSQL's way, or empty: its own.
    """
    return any(is_a_strangers(account) for account in _listening(host, port))


def leads_here(host: str) -> bool:
    """Whether a name or a number leads to this machine, as the folder of a socket does."""
    return not host or host.startswith("/") or any(True for _ in _numbers_here(host))


def is_told() -> bool:
    """Whether the system says whose a program is: not in a container with numbers of its own, nor beyond Linux."""
    with suppress(OSError):
        return ACCOUNTS.read_text(encoding="ascii").split() == _ALL_ACCOUNTS
    return False


def _listening(host: str, port: int) -> Iterator[int]:
    if not host or host.startswith("/"):
        with suppress(OSError):
            yield Path(host or USUAL_FOLDER, f".s.PGSQL.{port}").stat().st_uid
        return
    here = {*_numbers_here(host)}
    ends = {end for number in here for end in written(number, port)}
    yield from (held.account for held in _waiting() if held.local in ends)


def _numbers_here(host: str) -> Iterator[str]:
    """The numbers of this machine to which a host leads, and those that stand for all; none for another machine."""
    with suppress(OSError):  # a name that leads nowhere
        for family, kind, _, _, place in socket.getaddrinfo(host.strip("[]"), 0, type=socket.SOCK_STREAM):
            with suppress(OSError), socket.socket(family, kind) as door:
                door.bind(place)
                yield from _meant_by(str(place[0]))


def _meant_by(number: str) -> Iterator[str]:
    """Where whoever connects to a number of this machine is led: one that stands for all leads to its own loopback."""
    address = ip_address(number)
    plain = getattr(address, "ipv4_mapped", None) or address
    yield from (str(plain), *_EVERYWHERE, *(_LOOPBACKS if plain.is_unspecified else ()))

"""This machine's addresses in its networks, found without asking anybody, and those at which it is shared now."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator

NEVER_ASKED = "10.255.255.255"
"""A socket that is pointed there learns its own address; nothing is sent."""
_ASK_FOR_ADDRESS = {"linux": 0x8915, "darwin": 0xC0206921}
"""SIOCGIFADDR: the address of an interface, from the system's own table."""
_shared: list[str] = []


def for_participants() -> tuple[str, ...]:
    """Where participants reach this server, the one to show first; empty while it is not shared."""
    return tuple(_shared)


def announce(addresses: tuple[str, ...]) -> None:
    """From now on participants come through these."""
    _shared[:] = addresses


def of_this_machine() -> tuple[str, ...]:
    """Its private IPv4 addresses, that of the way out first; loopback is none of them."""
    found = dict.fromkeys((*_towards_others(), *_by_interface(), *_by_name()))
    return tuple(address for address in found if _is_private(address))


def _is_private(address: str) -> bool:
    place = ipaddress.ip_address(address)
    return place.is_private and not (place.is_loopback or place.is_link_local or place.is_unspecified)


def _towards_others() -> Iterator[str]:
    """The address that packets to other networks would carry."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((NEVER_ASKED, 1))
        except OSError:
            return
        yield str(probe.getsockname()[0])


def _by_interface() -> Iterator[str]:
    """The address of each interface, where the system is one that can be asked so."""
    question = _ASK_FOR_ADDRESS.get(sys.platform)
    if question is None:
        return
    from fcntl import ioctl  # noqa: PLC0415  (Windows has none)

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                answer = ioctl(probe.fileno(), question, struct.pack("256s", name.encode()))
            except OSError:
                continue
            yield socket.inet_ntoa(answer[20:24])


def _by_name() -> Iterator[str]:
    """On Windows all of its addresses; elsewhere the name might be asked for in the network."""
    if sys.platform != "win32":
        return
    try:
        found = socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return
    yield from found

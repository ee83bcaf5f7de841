"""What may stand after `streamlit run app.py --`: nothing, --share, or --share=ADDRESS."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass

SHARE = "--share"
USAGE = f"Write {SHARE} to share with your network, or {SHARE}=ADDRESS to share at one of this machine's addresses."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """Whether to share, and the one address that somebody named; empty where it is every private one."""

    share: bool = False
    address: str = ""


def wanted(words: Sequence[str]) -> Sharing:
    """Read the words; SystemExit with a sentence for one that means nothing here."""
    found = Sharing()
    for word in words:
        name, named, address = word.partition("=")
        if name != SHARE:
            raise SystemExit(f"Epsilon Explorer does not know the word {word!r}. {USAGE}")
        found = Sharing(share=True, address=_of_this_machine(address) if named else found.address)
    return found


def _of_this_machine(address: str) -> str:
    """The address as it was named, if this machine has it."""
    try:
        place = ipaddress.ip_address(address)
    except ValueError:
        raise SystemExit(f"{address!r} is not an address such as 192.168.1.7. {USAGE}") from None
    if place.is_unspecified:
        raise SystemExit(
            f"{address} means every address at once, including this machine's own. Write {SHARE} alone instead."
        )
    try:
        socket.create_server((address, 0), family=family(address)).close()
    except OSError:
        raise SystemExit(f"This machine does not have the address {address}. {USAGE}") from None
    return address


def family(address: str) -> socket.AddressFamily:
    """IPv6 addresses have colons."""
    return socket.AF_INET6 if ":" in address else socket.AF_INET

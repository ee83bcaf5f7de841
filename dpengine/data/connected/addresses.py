"""Where a connected table is: a URL from the server's configuration, in its parts; no password ever shows."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import parse_qsl, unquote, urlsplit

from dpengine.errors import IntakeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """scheme://user:password@host:port/path?name=value, percent-decoded; "" and None where a part is not given."""

    scheme: str
    host: str = ""
    port: int | None = None
    path: str = ""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    options: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, url: str) -> Address:
        """The parts of a URL; raises IntakeError, which quotes none of it."""
        try:
            parts = urlsplit(url)
            given = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
            port = parts.port
        except ValueError:
            pass
        else:
            if len(dict(given)) == len(given) and not parts.fragment:
                return cls(
                    scheme=parts.scheme,
                    host=unquote(parts.hostname or ""),
                    port=port,
                    path=unquote(parts.path),
                    user=unquote(parts.username or ""),
                    password=unquote(parts.password or ""),
                    options=dict(given),
                )
        raise IntakeError(
            "The address of a table must read scheme://user:password@host:port/database?table=name; signs such as "
            "@ : / ? # % & in its parts are written as %40 %3A %2F %3F %23 %25 %26."
        )

    def require_options(self, known: Collection[str]) -> None:
        """Refuse an option that would otherwise do nothing; it is not quoted, lest it is a piece of a password."""
        if not set(self.options) <= set(known):
            listed = ", ".join(map(repr, known)) or "none"
            raise IntakeError(f"The address has an option that is not known here; known are {listed}.")

    @property
    def is_here(self) -> bool:
        """Whether its host is this machine."""
        return _settled(self.host) == "localhost"

    @property
    def leads_here(self) -> bool:
        """Whether this machine is where its host leads, by whatever name or number of its own: it may listen there."""
        if self.is_here:
            return True
        with suppress(OSError):
            for family, kind, _, _, place in socket.getaddrinfo(self.host.strip("[]"), 0, type=socket.SOCK_STREAM):
                with suppress(OSError), socket.socket(family, kind) as door:
                    door.bind(place)
                    return True
        return False

    def identity(self, *names: str, usual_port: int | None = None) -> bytes:
        """A digest of where the table is, whoever asks for it and whatever is in it; `names` say which one it is.

        A live table changes, and a fresh budget for each change would be no budget; so the place has the budget, in
        whatever way its address is written: with or without the `usual_port`, a stroke too many, or another of this
        machine's names.
        """
        port = None if self.port == usual_port else self.port
        path = f"/{inner}" if (inner := self.path.strip("/")) else ""
        parts = (self.scheme, _settled(self.host), str(port), path, *names)
        return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).digest()


def _settled(host: str) -> str:
    """A host in one of the ways in which it may be written; nobody is asked, so that two names stay two hosts."""
    name = host.casefold().removesuffix(".")
    for read in (ip_address, lambda short: ip_address(socket.inet_aton(short))):  # 127.1 is short for 127.0.0.1
        with suppress(ValueError, OSError):
            number = read(name)
            number = getattr(number, "ipv4_mapped", None) or number
            return "localhost" if number.is_loopback or number.is_unspecified else str(number)
    return name


def address_of(url: str, schemes: Collection[str]) -> Address:
    """The parts of a URL of one of these schemes; raises IntakeError, which quotes nothing but another scheme."""
    address = Address.of(url)
    if address.scheme not in schemes:
        raise IntakeError(
            f"Tables at {address.scheme!r} addresses cannot be opened; known are {', '.join(map(repr, schemes))}."
        )
    return address

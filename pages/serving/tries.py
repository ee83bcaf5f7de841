"""Wrong tries, counted for each address they come from: one waits for its own, and never for anybody else's."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

Clock = Callable[[], float]
LONGEST_WAIT = 60.0
FORGOTTEN = 600.0
"""Seconds after which an address that has tried nothing wrong begins anew."""


@dataclass(slots=True, kw_only=True)
class Tries:
    """After `free` wrong tries each further one from an address doubles the wait there, up to LONGEST_WAIT.

    At most `addresses` are remembered; beyond that the one that was wrong longest ago is forgotten, so that many
    addresses can shorten a wait and never lengthen one.
    """

    free: int
    addresses: int = 10_000
    clock: Clock = time.monotonic
    _wrong: OrderedDict[str, tuple[int, float]] = field(default_factory=OrderedDict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def wait(self, address: str) -> float:
        """Seconds until the next try from this address counts; 0 where it counts now."""
        with self._lock:
            return self._wait(address)

    def wrong(self, address: str) -> float:
        """A wrong try: counted where nothing was to wait for, else the seconds that are left."""
        with self._lock:
            wait = self._wait(address)
            if not wait:
                self._wrong[address] = self._counted(address) + 1, self.clock()
                self._wrong.move_to_end(address)
                if len(self._wrong) > self.addresses:
                    self._wrong.popitem(last=False)
            return wait

    def _counted(self, address: str) -> int:
        times, last = self._wrong.get(address, (0, 0.0))
        return times if self.clock() - last < FORGOTTEN else 0

    def _wait(self, address: str) -> float:
        beyond = self._counted(address) - self.free
        if beyond < 0:
            return 0.0
        doubled = min(LONGEST_WAIT, 2.0 ** min(beyond, 10))
        return max(0.0, self._wrong[address][1] + doubled - self.clock())


def counted_as(address: str | None) -> str:
    """An address as it is counted: of IPv6 the /64, which is one connection's; empty where it is unknown.

    >>> counted_as("2001:db8:1:2:aaaa::1"), counted_as("::ffff:192.0.2.7"), counted_as(None)
    ('2001:db8:1:2::/64', '192.0.2.7', '')
    """
    try:
        place = ipaddress.ip_address(address or "")
    except ValueError:
        return ""
    if isinstance(place, ipaddress.IPv6Address):
        mapped = place.ipv4_mapped
        return str(mapped or ipaddress.IPv6Network((int(place) >> 64 << 64, 64)))
    return str(place)

"""Who leads the room, and what happens next in it?"""

from __future__ import annotations

from pages.plan import entry
from pages.room import host

entry.require_curator()
host.show()

"""What is the shortest way through all of this?"""

from __future__ import annotations

from pages.plan import entry
from pages.tour import overview

entry.require_curator()
overview.show()

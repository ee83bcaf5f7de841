"""What is the shortest way through all of this?"""

from __future__ import annotations

from pages.ui import entry
from pages.ui.tour import overview

entry.require_curator()
overview.show()

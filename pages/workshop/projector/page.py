"""What does the whole room look at?"""

from __future__ import annotations

from pages.room import projector

projector.show()

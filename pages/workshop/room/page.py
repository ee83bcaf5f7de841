"""What do I do now, with everybody else in this room?"""

from __future__ import annotations

from pages.room import phone

phone.show()

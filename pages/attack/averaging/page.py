"""Can noise be averaged away?"""

from __future__ import annotations

from pages.attack.averaging import averaging
from pages.lesson import lesson

lesson.show(averaging.LESSON)

"""Can noise be averaged away?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.attacks import averaging

lesson.show(averaging.LESSON)

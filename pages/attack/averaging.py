"""Can noise be averaged away?"""

from __future__ import annotations

from pages.ui.attacks import averaging
from pages.ui.lessons import lesson

lesson.show(averaging.LESSON)

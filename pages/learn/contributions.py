"""How many rows may one person have?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.lessons import contributions

lesson.show(contributions.LESSON)

"""May I cut off the noise?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.lessons import truncation

lesson.show(truncation.LESSON)

"""May I cut off the noise?"""

from __future__ import annotations

from pages.ui.lessons import lesson, truncation

lesson.show(truncation.LESSON)

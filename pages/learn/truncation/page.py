"""May I cut off the noise?"""

from __future__ import annotations

from pages.learn.truncation import truncation
from pages.lesson import lesson

lesson.show(truncation.LESSON)

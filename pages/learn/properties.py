"""What follows from the promise, and what does not?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.lessons import properties

lesson.show(properties.LESSON)

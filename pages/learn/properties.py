"""What follows from the promise, and what does not?"""

from __future__ import annotations

from pages.ui.lessons import lesson, properties

lesson.show(properties.LESSON)

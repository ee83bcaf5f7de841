"""What exactly is promised to me?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.lessons import definition

lesson.show(definition.LESSON)

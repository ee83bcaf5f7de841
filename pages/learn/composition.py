"""What do many answers cost together?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.lessons import composition

lesson.show(composition.LESSON)

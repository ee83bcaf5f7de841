"""Can two harmless counts tell about one person?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.attacks import differencing

lesson.show(differencing.LESSON)

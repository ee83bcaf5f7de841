"""May we publish the rows if we take the names off?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.attacks import linkage

lesson.show(linkage.LESSON)

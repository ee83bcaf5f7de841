"""Which noise, and why does it work?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.lessons import mechanisms

lesson.show(mechanisms.LESSON)

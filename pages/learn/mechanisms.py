"""Which noise, and why does it work?"""

from __future__ import annotations

from pages.ui.lessons import lesson, mechanisms

lesson.show(mechanisms.LESSON)

"""How many rows may one person have?"""

from __future__ import annotations

from pages.ui.lessons import contributions, lesson

lesson.show(contributions.LESSON)

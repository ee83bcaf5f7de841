"""What exactly is promised to me?"""

from __future__ import annotations

from pages.ui.lessons import definition, lesson

lesson.show(definition.LESSON)

"""What do many answers cost together?"""

from __future__ import annotations

from pages.ui.lessons import composition, lesson

lesson.show(composition.LESSON)

"""The guessing game: is this person in the table?"""

from __future__ import annotations

from pages.ui.attacks import guessing
from pages.ui.lessons import lesson

lesson.show(guessing.LESSON)

"""The guessing game: is this person in the table?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.attacks import guessing

lesson.show(guessing.LESSON)

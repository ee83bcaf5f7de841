"""The guessing game: is this person in the table?"""

from __future__ import annotations

from pages.attack.guessing import guessing
from pages.lesson import lesson

lesson.show(guessing.LESSON)

"""How can a question be answered honestly without giving oneself away?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.lessons import randomized_response

lesson.show(randomized_response.LESSON)

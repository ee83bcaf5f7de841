"""How can a question be answered honestly without giving oneself away?"""

from __future__ import annotations

from pages.ui.lessons import lesson, randomized_response

lesson.show(randomized_response.LESSON)

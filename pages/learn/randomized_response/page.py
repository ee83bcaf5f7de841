"""How can a question be answered honestly without giving oneself away?"""

from __future__ import annotations

from pages.learn.randomized_response import randomized_response
from pages.lesson import lesson

lesson.show(randomized_response.LESSON)

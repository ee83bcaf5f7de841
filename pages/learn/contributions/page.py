"""How many rows may one person have?"""

from __future__ import annotations

from pages.learn.contributions import contributions
from pages.lesson import lesson

lesson.show(contributions.LESSON)

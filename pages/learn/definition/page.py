"""What exactly is promised to me?"""

from __future__ import annotations

from pages.learn.definition import definition
from pages.lesson import lesson

lesson.show(definition.LESSON)

"""What follows from the promise, and what does not?"""

from __future__ import annotations

from pages.learn.properties import properties
from pages.lesson import lesson

lesson.show(properties.LESSON)

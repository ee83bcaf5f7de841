"""What do many answers cost together?"""

from __future__ import annotations

from pages.learn.composition import composition
from pages.lesson import lesson

lesson.show(composition.LESSON)

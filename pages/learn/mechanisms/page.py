"""Which noise, and why does it work?"""

from __future__ import annotations

from pages.learn.mechanisms import mechanisms
from pages.lesson import lesson

lesson.show(mechanisms.LESSON)

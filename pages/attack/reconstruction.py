"""Can innocent counts be put together again?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.attacks import reconstruction

lesson.show(reconstruction.LESSON)

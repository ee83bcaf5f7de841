"""Can innocent counts be put together again?"""

from __future__ import annotations

from pages.attack.reconstruction import reconstruction
from pages.lesson import lesson

lesson.show(reconstruction.LESSON)

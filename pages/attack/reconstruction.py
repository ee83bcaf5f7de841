"""Can innocent counts be put together again?"""

from __future__ import annotations

from pages.ui.attacks import reconstruction
from pages.ui.lessons import lesson

lesson.show(reconstruction.LESSON)

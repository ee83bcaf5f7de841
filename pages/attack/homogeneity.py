"""Is it enough if everybody looks like k others?"""

from __future__ import annotations

from pages.lesson import lesson
from pages.ui.attacks import homogeneity

lesson.show(homogeneity.LESSON)

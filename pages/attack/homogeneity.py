"""Is it enough if everybody looks like k others?"""

from __future__ import annotations

from pages.ui.attacks import homogeneity
from pages.ui.lessons import lesson

lesson.show(homogeneity.LESSON)

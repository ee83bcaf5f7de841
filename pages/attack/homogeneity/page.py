"""Is it enough if everybody looks like k others?"""

from __future__ import annotations

from pages.attack.homogeneity import homogeneity
from pages.lesson import lesson

lesson.show(homogeneity.LESSON)

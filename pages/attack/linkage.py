"""May we publish the rows if we take the names off?"""

from __future__ import annotations

from pages.ui.attacks import linkage
from pages.ui.lessons import lesson

lesson.show(linkage.LESSON)

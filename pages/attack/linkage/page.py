"""May we publish the rows if we take the names off?"""

from __future__ import annotations

from pages.attack.linkage import linkage
from pages.lesson import lesson

lesson.show(linkage.LESSON)

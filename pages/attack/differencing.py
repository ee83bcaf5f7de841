"""Can two harmless counts tell about one person?"""

from __future__ import annotations

from pages.ui.attacks import differencing
from pages.ui.lessons import lesson

lesson.show(differencing.LESSON)

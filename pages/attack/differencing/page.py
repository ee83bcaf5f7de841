"""Can two harmless counts tell about one person?"""

from __future__ import annotations

from pages.attack.differencing import differencing
from pages.lesson import lesson

lesson.show(differencing.LESSON)

"""Which of two promises is stronger for one person?"""

from __future__ import annotations

from pages.judge.two_promises import side_by_side

side_by_side.show()

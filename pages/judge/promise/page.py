"""What is somebody else's epsilon worth?"""

from __future__ import annotations

from pages.judge.promise import judging

judging.show()

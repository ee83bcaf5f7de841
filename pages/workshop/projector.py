"""What does the whole room look at?"""

from __future__ import annotations

from pages.ui.workshop import projector

projector.show()

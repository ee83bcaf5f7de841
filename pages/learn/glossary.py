"""What does this word mean?"""

from __future__ import annotations

from pages.ui.lessons import glossary

glossary.show()

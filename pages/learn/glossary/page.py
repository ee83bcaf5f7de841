"""What does this word mean?"""

from __future__ import annotations

from pages.learn.glossary import glossary

glossary.show()

"""Names that people choose for a room, as they are stored."""

from __future__ import annotations

import unicodedata

from dpengine.errors import RoomError
from dpengine.seen_text import BLANKS, cannot_be_shown, is_ignorable, look

LONGEST_NAME, MOST_READ = 24, 240


def pseudonym(text: str) -> str:
    """A name as it is stored: what is seen of it, single spaces, at most LONGEST_NAME signs; again, it stays the same.

    Raises RoomError where a sign steers text or cannot be shown, and where nothing would be seen.

    >>> pseudonym("  Blue" + chr(0xFE0F) + "   Heron ")
    'Blue Heron'
    """
    text = text[:MOST_READ].translate(BLANKS)
    if any(cannot_be_shown(letter) for letter in text):
        raise RoomError("A sign in this name cannot be shown here. Take letters, numbers and spaces.")
    seen = "".join(letter for letter in unicodedata.normalize("NFKC", text) if not is_ignorable(letter))
    name = " ".join(unicodedata.normalize("NFKC", seen).split())[:LONGEST_NAME].strip()
    if not look(name) or not any(unicodedata.category(letter)[0] in "LNS" for letter in name):
        raise RoomError("Type a name of at least one letter or number. It need not be your real name.")
    return name

"""How well a person is hidden, in words: what the best guess about them may become, on an old scale of such words."""

from __future__ import annotations

from dpengine.errors import require_between

_WORDS: tuple[tuple[float, str], ...] = (
    (0.60, "Hides a person well: a guess stays close to a coin toss"),
    (0.87, "Hides a person in part: a guess may become probable"),
    (0.99, "Hides little: an attacker may become almost certain"),
)
"""Up to which chance of being right each may be said.

Source: Kent 1964, "Words of estimative probability": chances about even are 40 to 60 out of 100, probable ends at 87,
almost certain at 99.
"""
_NOTHING = "Hides hardly anything: an attacker may become certain"


def hiding_in_words(limit: float) -> str:
    """What it means that no attacker who starts at 50:50 is right more often than this chance, from 0.5 to 1.

    >>> hiding_in_words(0.525)
    'Hides a person well: a guess stays close to a coin toss'
    >>> hiding_in_words(0.999)
    'Hides hardly anything: an attacker may become certain'
    """
    require_between("limit", limit, 0.5, 1.0)
    return next((words for most, words in _WORDS if limit <= most), _NOTHING)

"""Names that somebody else chose, on the axis of a picture: drawn as they are written, never as markup."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

from dpengine.seen_text import drawn

LONGEST = 26


def on_axis(names: Sequence[str]) -> list[str]:
    """Labels without control characters and markup, cut, and still different where the names are.

    >>> on_axis(["poor", "<a href='x'>y</a>"])
    ['poor', "&lt;a href='x'&gt;y&lt;/a&gt;"]
    """
    short = [_cut(drawn(name)) for name in names]
    often = Counter(short)
    numbered = [f"{text} ({place})" if often[text] > 1 else text for place, text in enumerate(short, start=1)]
    return [html.escape(text, quote=False) for text in numbered]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

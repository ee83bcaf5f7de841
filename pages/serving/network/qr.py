"""An address as a QR code: for pages as an image, for the terminal as blocks."""

from __future__ import annotations

from itertools import zip_longest

import segno

QUIET = 4
"""Light modules around the code, as the standard wants."""
_BLACK_ON_WHITE, _PLAIN = "\x1b[30;107m", "\x1b[0m"
_BLOCKS = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}


def source(text: str) -> str:
    """The `src` of an image, black on white in every theme, as large as its place; st.html lets no drawing through."""
    return segno.make(text, micro=False).svg_data_uri(border=QUIET, dark="#000", light="#fff", omitsize=True)


def blocks(text: str, *, colored: bool) -> str:
    """Lines for a terminal; colors make it black on white whatever the terminal's own are."""
    rows = [tuple(row) for row in segno.make(text, micro=False).matrix_iter(border=QUIET)]
    light = (0,) * len(rows[0])
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=light)
    if not colored:
        return "\n".join("".join(_BLOCKS[1 - a, 1 - b] for a, b in zip(*pair, strict=True)) for pair in pairs)
    lines = ("".join(_BLOCKS[a, b] for a, b in zip(*pair, strict=True)) for pair in pairs)
    return "\n".join(f"{_BLACK_ON_WHITE}{line}{_PLAIN}" for line in lines)

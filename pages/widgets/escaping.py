"""Names and values that somebody else chose, made harmless for markdown and for spreadsheets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dpengine.seen_text import drawn

LONGEST, MOST_LISTED = 40, 4
_BEFORE_A_SHORTCODE = re.compile(r"\\:(?=\S)")
_ESCAPED = re.compile(r"\\([^\w\s])")
_CODE_SPAN = re.compile(r"(?<!\\)(`[^`]*`)")
_UNSEEN = str.maketrans("", "", "`\u200b")
_ALIVE_IN_CODE = re.compile(r"[\[\]]|:material/")
_BECOMES_ANOTHER_SIGN = re.compile(r"(?<!\S)(<|-|>|~)(->|>|-|=)(?!\S)")
"""Arrows, dashes and comparisons between blanks, for which Streamlit draws one sign."""
_MARKS = "\\`*_{}[]()<>#+-!|$~:&"
_BECOMES_A_LINK = re.compile(r"(?i)(?<=www)(?=\.)|(?=@)")
"""Where markdown makes a link of what stands there without any sign: www.example.org, me@example.org."""


def code(name: str) -> str:
    r"""A column name or cell value as a code span: control characters gone, backticks replaced, at most 40 characters.

    Both ends of a longer one stay: the items of a survey often begin alike.

    >>> code("age`$x$"), code("a] [x](y)")
    ("`age'$x$`", '“a\\] \\[x\\]\\(y\\)”')
    >>> code("Have you ever been told by a doctor that you have asthma")
    '`Have you ever been t…hat you have asthma`'
    """
    return _span(short(name))


def short(name: object) -> str:
    """The same letters for menus, which show no code spans."""
    printable = _printable(name)
    return printable if len(printable) <= LONGEST else f"{printable[: LONGEST // 2]}…{printable[1 - LONGEST // 2 :]}"


def whole(name: object) -> str:
    """A name as a code span with all its letters: where somebody declares it, or pays for what is asked of it."""
    return _span(_printable(name))


def _span(text: str) -> str:
    """Inside code spans, too, a bracket ends what has a color around it, and the names of icons are written anew.

    Such a text stands between quotation marks, and one within it twice.
    """
    if _ALIVE_IN_CODE.search(text):
        return f"“{unmarked(text.replace('“', '““').replace('”', '””'))}”"
    return f"`{text or ' '}`"


def _printable(name: object) -> str:
    return drawn(str(name)).replace("`", "'")


def listed(names: Iterable[str]) -> str:
    """The first few of these names, each as a code span.

    >>> listed("abcdef")
    '`a`, `b`, `c`, `d` and 2 more'
    """
    known = [code(name) for name in names]
    more = len(known) - MOST_LISTED
    return ", ".join(known[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def unmarked(text: str) -> str:
    r"""A sentence that may quote names, with every markdown sign escaped and no shortcode or address left whole.

    >>> unmarked("no column '[x](y)'")
    "no column '\\[x\\]\\(y\\)'"
    """
    as_typed = _BECOMES_ANOTHER_SIGN.sub("\\g<1>\u200b\\g<2>", drawn(text))
    escaped = "".join("\\" + character if character in _MARKS else character for character in as_typed)
    return _BECOMES_A_LINK.sub("\u200b", _BEFORE_A_SHORTCODE.sub("\\:\u200b", escaped))


def plain(text: str) -> str:
    r"""A sentence without code spans and escapes, for places that show no markdown.

    >>> plain(r"`age` of self\-rated")
    'age of self-rated'
    """
    pieces = _CODE_SPAN.split(text)
    read = (piece if place % 2 else _ESCAPED.sub(r"\1", piece) for place, piece in enumerate(pieces))
    return "".join(read).translate(_UNSEEN)


def spoken(name: str) -> str:
    """A name for labels that nobody sees but a screen reader reads out: markdown signs become spaces.

    >>> spoken("hospital_stays"), spoken("[x](y)")
    ('hospital stays', 'x y')
    """
    words = "".join(" " if sign in _MARKS else sign for sign in drawn(str(name))).split()
    return " ".join(words)[:LONGEST] or "a column without letters"

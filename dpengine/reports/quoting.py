"""Names and values that somebody else chose, marked within a sentence and made harmless where it is written."""

from __future__ import annotations

from markupsafe import Markup, escape

from dpengine.data.declared.columns import NAME_LIMIT
from dpengine.seen_text import drawn

LONGEST_NAME, LONGEST_SENTENCE, LONGEST_UNIT = 60, 320, 24
_OPENED, _CLOSED = "\x02", "\x03"


def quoted(name: str) -> str:
    """A name, marked as one: control signs gone (those that turn the reading direction too), cut at 60 characters."""
    return f"{_OPENED}{one_line(name) or ' '}{_CLOSED}"


def whole(name: str) -> str:
    """The same with all that a name may have: in what was asked, where two may differ in the middle."""
    return f"{_OPENED}{one_line(name, NAME_LIMIT) or ' '}{_CLOSED}"


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """Somebody else's text on one line of at most so many signs, not yet escaped."""
    return cut(printable(text), longest)


def printable(text: str) -> str:
    r"""One line of what can be drawn.

    >>> printable("a\nb\u200bc")
    'a bc'
    """
    return drawn(" ".join(str(text).split()))


def cut(text: str, longest: int) -> str:
    """At most so many signs, the last of them … where some are missing; a name that is cut stays marked."""
    if len(text) <= longest:
        return text
    kept = text[: longest - 1] + "…"
    return kept + _CLOSED if kept.count(_OPENED) > kept.count(_CLOSED) else kept


def as_html(text: str) -> Markup:
    """The sentence in HTML, with marked names as code.

    >>> print(as_html("how many have " + quoted("<b>") + "?"))
    how many have <code>&lt;b&gt;</code>?
    """
    return escape(text).replace(_OPENED, Markup("<code>")).replace(_CLOSED, Markup("</code>"))


def as_text(text: str) -> str:
    """The sentence without marks.

    >>> as_text("how many have " + quoted("age"))
    'how many have age'
    """
    return text.replace(_OPENED, "").replace(_CLOSED, "")

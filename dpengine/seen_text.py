"""What a reader sees of a text that somebody else typed: which signs show nothing, and which texts look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from disarm import skeleton_key

_STEER = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the text around them. Source: Unicode 15, Bidi_Control."""
_IGNORABLE = (
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200D),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x16FE4, 0x16FE4),
    (0x1BCA0, 0x1BCA3),
    (0x1D159, 0x1D159),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Signs that are drawn as nothing, first and last.

Source: Unicode 15, Default_Ignorable_Code_Point, less the above, and two more without a picture.
"""
BLANKS = str.maketrans({"\u2800": " ", "\ufffc": " "})
"""Signs of a width that show nothing, or a box that stands for nothing."""

_LAST_OF_EUROPE = 0x17F
"""The end of the block Latin Extended-A."""


def look(text: str) -> str:
    """What a text looks like: the same for two that people take for one another; empty where nothing is seen.

    Accents are compared apart from their letters, as a letter of another writing may come with its accent in one sign.
    Source: Unicode Technical Standard 39, section 4, on names whose capitals count as small letters.

    >>> look("Anna") == look(chr(0x410) + "nna"), look("Bill") == look("BiII"), look("Zoë") == look("Zo" + chr(0x451))
    (True, True, True)
    """
    signs = unicodedata.normalize("NFD", text)
    letters = "".join(sign for sign in signs if not unicodedata.combining(sign))
    accents = (f"{place}{sign}" for place, sign in enumerate(signs) if unicodedata.combining(sign))
    return skeleton_key(letters, digit_policy="tr39") + "".join(accents)


def read_alike(texts: Sequence[str], *, capitals_count: bool = False) -> tuple[str, str] | None:
    """The first two of these that a reader takes for one another; upper and lower case differ where `capitals_count`.

    Signs that show nothing count for nothing, and many blanks as one. Latin letters and digits are told apart, as far
    as all are such: `x1` is no `xl`.

    >>> read_alike(["age", "ill", chr(0x430) + "ge"]), read_alike(["told  ill", "told ill"]), read_alike(["x1", "xl"])
    (('age', 'аge'), ('told  ill', 'told ill'), None)
    """
    shown = [_as_shown(text, capitals_count=capitals_count) for text in texts]
    if all(map(str.isascii, texts)) and len(set(shown)) == len(texts):
        return None
    known: dict[str, dict[str, str]] = {}
    for text, as_shown in zip(texts, shown, strict=True):
        group = known.setdefault(look(as_shown), {})
        if as_shown in group:
            return group[as_shown], text
        for other in group.values():
            if not ((other.isascii() and text.isascii()) or (capitals_count and other.casefold() == text.casefold())):
                return other, text
        group[as_shown] = text
    return None


def drawn(text: str) -> str:
    r"""A text as it can be drawn: every blank as a plain one, and a box for each sign that has no picture.

    >>> drawn("told\u00a0ill\u200b"), drawn("a\x00b")
    ('told ill', 'a\ufffdb')
    """
    return "".join(map(_drawn, text))


def _drawn(sign: str) -> str:
    if sign.isprintable():
        return sign
    return " " if sign.isspace() else "" if is_ignorable(sign) else "\ufffd"


def spelled(text: str) -> str:
    """A text in which what a reader would miss is said, so that no two texts read alike.

    Signs that show nothing, odd or repeated blanks, and accents apart from their letters stand as their code points;
    so do letters of another writing where the whole passes for plain ones, or that writing's name where all are its.

    >>> spelled("Anna"), spelled("Zoë"), spelled("Anna" + chr(0x200B)), spelled(chr(0x410) + "nna"), spelled("a  b")
    ('Anna', 'Zoë', 'Anna⟨U+200B⟩', 'А⟨U+0410⟩nna', 'a ⟨U+0020⟩b')
    >>> spelled("".join(map(chr, (0x420, 0x43E, 0x440))))
    'Рор⟨cyrillic⟩'
    """
    if text.isascii() and "  " not in text:
        return text
    letters = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    passes = skeleton_key(letters, digit_policy="tr39").isascii()
    foreign = {_writing(sign) for sign in text if sign.isalpha()} if passes else set()
    of_one = foreign.pop() if len(foreign) == 1 else ""
    before = ("", *text)
    named = (_spelled(sign, last, passes=passes and not of_one) for last, sign in zip(before, text, strict=False))
    return "".join(named) + (f"⟨{of_one}⟩" if of_one else "")


def _spelled(sign: str, before: str, *, passes: bool) -> str:
    named = f"⟨U+{ord(sign):04X}⟩"
    if sign == " ":
        return named if before.isspace() else sign
    if is_ignorable(sign) or cannot_be_shown(sign) or sign.isspace() or sign.translate(BLANKS) == " ":
        return named
    if unicodedata.combining(sign):
        return sign + named
    return sign + named if passes and not sign.isascii() and _writing(sign) else sign


def _writing(letter: str) -> str:
    """The writing of a letter or a sign, in small letters; empty for those that nobody mistakes.

    Those are the Latin letters of European languages, and quotation marks, which a sentence doubles.
    """
    if ord(letter) <= _LAST_OF_EUROPE or letter in "“”":
        return ""
    return unicodedata.name(letter, "unnamed").split()[0].casefold()


def _as_shown(text: str, *, capitals_count: bool) -> str:
    seen = "".join(sign for sign in drawn(text) if not is_ignorable(sign)).translate(BLANKS).replace("`", "'")
    shown = unicodedata.normalize("NFC", " ".join(seen.split()))
    return shown if capitals_count else shown.casefold()


def is_ignorable(letter: str) -> bool:
    """Whether a sign is drawn as nothing."""
    return any(first <= ord(letter) <= last for first, last in _IGNORABLE)


def cannot_be_shown(letter: str) -> bool:
    """Controls and whatever steers text, is no letter of any writing, or not known to be one."""
    if letter in _STEER:
        return True
    unseen = unicodedata.category(letter).startswith("C")
    return unseen and not letter.isspace() and not is_ignorable(letter)

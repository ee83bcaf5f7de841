"""What a reader sees of a text that somebody else typed: which signs show nothing, and which texts look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

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

_MARKS = str.maketrans("\u0327\u030c\u0305\u0331\u0332", "\u0326\u0306\u0304\u0320\u0320")
"""Below and above letters, those that are drawn alike: cedilla and comma, caron and breve, lines."""
_PAIRS = {"rn": "m", "vv": "w", "cl": "d"}
"""Of letters that stand beside one another, those that a reader takes for one."""
_LAST_OF_EUROPE = 0x17F
"""The end of the block Latin Extended-A."""
_LAST_OF_LATIN = 0x250
"""Behind the end of the block Latin Extended-B."""
_QUOTES = "“”"
_BRACKETS = "\u27e8\u2329\u3008\u276c"
"""What opens a name here, and what looks like it."""


def look(text: str) -> str:
    """What a text looks like: the same for two that people take for one another; empty where nothing is seen.

    Accents are compared apart from their letters, as a letter of another writing may come with its accent in one sign.
    Source: Unicode Technical Standard 39, section 4, on names whose capitals count as small letters.

    >>> look("Anna") == look(chr(0x410) + "nna"), look("Bill") == look("BiII"), look("Zoë") == look("Zo" + chr(0x451))
    (True, True, True)
    """
    signs = unicodedata.normalize("NFD", text).translate(_MARKS)
    letters = "".join(sign for sign in signs if not unicodedata.combining(sign))
    accents = (f"{place}{sign}" for place, sign in enumerate(signs) if unicodedata.combining(sign))
    key = skeleton_key(letters, digit_policy="tr39").casefold()
    for pair, one in _PAIRS.items():
        key = key.replace(pair, one)
    return key + "".join(accents)


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
    so does each sign that passes for a plainer one. Where all letters are of one writing, and some pass, it is named.

    >>> spelled("Anna"), spelled("Zoë"), spelled("Anna" + chr(0x200B)), spelled(chr(0x410) + "nna"), spelled("a  b")
    ('Anna', 'Zoë', 'Anna⟨U+200B⟩', 'А⟨U+0410⟩nna', 'a ⟨U+0020⟩b')
    >>> spelled(chr(9).join(("Ann", "Lee"))), spelled("Ann" + chr(0x7F))
    ('Ann⟨U+0009⟩Lee', 'Ann⟨U+007F⟩')
    >>> spelled("".join(map(chr, (0x420, 0x43E, 0x440)))), spelled("⟨U+200B⟩")
    ('Рор⟨cyrillic⟩', '⟨⟨U+27E8⟩U+200B⟩')
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    letters = [sign for sign in text if sign.isalpha()]
    writings = set(map(_writing, letters))
    mixed = len(writings) > 1
    before = ("", *text)
    named = "".join(_spelled(sign, last, mixed=mixed) for last, sign in zip(before, text, strict=False))
    return named if mixed or not any(map(_passes, letters)) else named + "".join(f"⟨{one}⟩" for one in writings)


def _spelled(sign: str, before: str, *, mixed: bool) -> str:
    named = f"⟨U+{ord(sign):04X}⟩"
    if sign == " ":
        return named if before.isspace() else sign
    if is_ignorable(sign) or cannot_be_shown(sign) or sign.isspace() or sign.translate(BLANKS) == " ":
        return named
    passes = _passes(sign) and (mixed or not sign.isalpha())
    is_another_form = unicodedata.normalize("NFC", sign) != sign or sign in _second_of_two()
    misread = passes or is_another_form or sign in _BRACKETS or unicodedata.combining(sign)
    return sign + named if misread else sign


@cache
def _second_of_two() -> frozenset[str]:
    """Latin letters with a mark that is drawn like another one's, where that letter is the more usual or older one."""
    first = {_drawn_with_its_mark(sign): sign for sign in "ěĚ"}
    marks = {chr(mark) for pair in _MARKS.items() for mark in pair}
    marked = [sign for sign in map(chr, range(0xC0, _LAST_OF_LATIN)) if marks & {*unicodedata.normalize("NFD", sign)}]
    for sign in marked:
        first.setdefault(_drawn_with_its_mark(sign), sign)
    return frozenset(marked) - {*first.values()}


def _drawn_with_its_mark(sign: str) -> str:
    return unicodedata.normalize("NFD", sign).translate(_MARKS)


@lru_cache(maxsize=1 << 15)
def _passes(sign: str) -> bool:
    """Whether a sign is taken for a plainer one."""
    if sign.isascii() or (sign.isalpha() and not _writing(sign)) or sign in _QUOTES:
        return False
    alone = "".join(part for part in unicodedata.normalize("NFD", sign) if not unicodedata.combining(part))
    return skeleton_key(alone, digit_policy="tr39") != alone.lower()


@lru_cache(maxsize=1 << 15)
def _writing(letter: str) -> str:
    """The writing of a letter or a sign, in small letters; empty for those that nobody mistakes.

    Those are the Latin letters of European languages, and quotation marks, which a sentence doubles.
    """
    writing = unicodedata.name(letter, "unnamed").split()[0].casefold()
    return "" if ord(letter) <= _LAST_OF_EUROPE and writing == "latin" else writing


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

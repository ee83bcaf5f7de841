"""What opens a room: the code that people type or scan, and the keys that nobody types."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without 0, 1, I and O, which people take for one another: five bits a letter."""
LENGTH = 8
"""Forty bits: at 100 tries a second, more than a server answers, one of ten rooms is found in 35 years on average."""
LONGEST_NAME = 24


def new_code() -> str:
    """A join code at random."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def new_key() -> str:
    """A secret of 128 random bits, for an address."""
    return secrets.token_urlsafe(16)


def spaced(code: str) -> str:
    """A code as people read it aloud.

    >>> spaced("ABCD2345")
    'ABCD-2345'
    """
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def typed(text: str) -> str:
    """What somebody typed as a code, however it is spaced; empty where it cannot be one.

    >>> typed(" abcd-2345 ")
    'ABCD2345'
    """
    plain = "".join(letter for letter in text.upper() if letter.isalnum())
    return plain if len(plain) == LENGTH and set(plain) <= set(LETTERS) else ""


def trace(key: str) -> str:
    """What is stored of a key: enough to know it again, too little to use it."""
    return hashlib.sha256(key.encode()).hexdigest()


def pseudonym(text: str) -> str:
    """A name as it is stored: visible letters, single spaces, at most LONGEST_NAME of them; empty where none is left.

    >>> pseudonym("  Blue" + chr(0x202E) + "   Heron ")
    'Blue Heron'
    """
    shown = unicodedata.normalize("NFKC", text)
    visible = (" " if letter.isspace() else letter for letter in shown if _is_visible(letter))
    return " ".join("".join(visible).split())[:LONGEST_NAME].strip()


def _is_visible(letter: str) -> bool:
    """Letters, marks, numbers, signs and spaces: nothing that steers the text around it."""
    return letter.isspace() or not unicodedata.category(letter).startswith("C")

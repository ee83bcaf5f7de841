"""What opens a room: the code that people type or scan, and the keys that nobody types."""

from __future__ import annotations

import hashlib
import secrets

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without 0, 1, I and O, which people take for one another: five bits a letter."""
LENGTH = 8
"""Forty bits: at 100 tries a second, more than a server answers, one of ten rooms is found in 35 years on average."""


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

"""The secret that makes a visitor curator: said once in the terminal, compared in constant time, guessed by nobody."""

from __future__ import annotations

import hashlib
import hmac
import math
import os
import secrets
import threading
import time
from dataclasses import dataclass, field
from functools import cache

from pages.serving.tries import Tries

VARIABLE = "EPSILON_EXPLORER_CURATOR_TOKEN"
SHORTEST = 20
BYTES = 24
STRONG_LETTERS, STRONG_KINDS = len(secrets.token_urlsafe(BYTES)), 10
"""A token as long as a generated one, of at least so many different letters, is guessed by nobody."""
ONCE_SECONDS = 120.0
"""In which a browser that was started asks for its page, on a slow machine, too."""
TRIES = 5
"""Wrong tokens from one address, after which the next has to wait."""


@dataclass(slots=True, kw_only=True)
class CuratorToken:
    """The token of this server process; empty where the one that was set is too short, and then nobody enters."""

    secret: str = field(repr=False)
    chosen: bool
    tries: Tries = field(default_factory=lambda: Tries(free=TRIES), repr=False)
    _once: tuple[str, float] = field(default=("", 0.0), init=False, repr=False)
    _drawn: bytes = field(default_factory=lambda: secrets.token_bytes(BYTES), init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    @classmethod
    def of(cls, wanted: str | None) -> CuratorToken:
        """The token that the environment asks for, else a new one of 192 random bits."""
        wanted = (wanted or "").strip()
        if not wanted:
            return cls(secret=secrets.token_urlsafe(BYTES), chosen=False)
        return cls(secret=wanted if len(wanted) >= SHORTEST else "", chosen=True)

    @property
    def strong(self) -> bool:
        """Whether nobody guesses it, however often they may try."""
        return len(self.secret) >= STRONG_LETTERS and len(set(self.secret)) >= STRONG_KINDS

    def once(self) -> str:
        """Another token, for the address with which this machine's browser is started: every program here can read it.

        It opens a single time, within `ONCE_SECONDS`, and where nothing is typed.
        """
        drawn = secrets.token_urlsafe(BYTES)
        with self._lock:
            self._once = drawn, time.monotonic() + ONCE_SECONDS
        return drawn

    def opens_once(self, typed: str) -> bool:
        """Whether it is that one, which then is used up."""
        with self._lock:
            drawn, until = self._once
            right = bool(drawn) and hmac.compare_digest(typed.encode(), drawn.encode()) and time.monotonic() < until
            if right:
                self._once = "", 0.0
        return right

    def signature(self, text: str) -> str:
        """Proof that who has this token wrote a text; a token that somebody might guess signs with one of our own."""
        key = self.secret.encode() if self.strong else self._drawn
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()

    def said(self) -> str:
        """How the curator enters; a token that somebody chose is not repeated."""
        if not self.secret:
            return self.refusal()
        if self.chosen:
            always = "" if self.strong else f" With {STRONG_LETTERS} characters or more, nobody's tries delay it."
            return f"The curator enters with the token of {VARIABLE}.{always}"
        return f"The curator enters with this token: {self.secret}"

    def refusal(self) -> str:
        """Why nobody can enter with a token; empty where one can."""
        if self.secret:
            return ""
        return f"Nobody can enter as curator: {VARIABLE} is shorter than {SHORTEST} characters."

    def opens(self, typed: str, address: str) -> str:
        """Try a token; empty where it is right, else the sentence that says why not. `address`: where it comes from.

        A strong token opens however many others try, wherever they are: nobody guesses it, and nobody may lock it out.
        """
        with self._lock:
            right = hmac.compare_digest(typed.strip().encode(), self.secret.encode())
            if not self.secret:
                return self.refusal()
            if right and (self.strong or not self.tries.wait(address)):
                return ""
            wait = self.tries.wait(address) if right else self.tries.wrong(address)
        if wait:
            return f"Too many wrong tokens from your network. Try again in {math.ceil(wait)} seconds."
        return "This is not the token. You find the token in the terminal in which this server was started."


@cache
def of_this_server() -> CuratorToken:
    """One for the life of the process: Streamlit's own caches can be emptied by any visitor."""
    return CuratorToken.of(os.environ.get(VARIABLE))

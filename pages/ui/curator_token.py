"""The secret that makes a visitor curator: said once in the terminal, compared in constant time, tried a few times."""

from __future__ import annotations

import hmac
import os
import secrets
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TextIO

VARIABLE = "EPSILON_EXPLORER_CURATOR_TOKEN"
SHORTEST = 20
BYTES = 24
Clock = Callable[[], float]


@dataclass(slots=True, kw_only=True)
class Tries:
    """Wrong tries of the last minute; after `most` of them the next has to wait."""

    most: int
    seconds: float = 60.0
    clock: Clock = time.monotonic
    _times: deque[float] = field(default_factory=deque, init=False)

    def wait(self) -> float:
        """Seconds until the next try counts; 0 where it counts now."""
        now = self.clock()
        while self._times and self._times[0] <= now - self.seconds:
            self._times.popleft()
        return 0.0 if len(self._times) < self.most else self._times[0] + self.seconds - now

    def failed(self) -> None:
        """Remember a wrong try."""
        self._times.append(self.clock())


@dataclass(slots=True, kw_only=True)
class CuratorToken:
    """The token of this server process; empty where the one that was set is too short, and then nobody enters."""

    secret: str = field(repr=False)
    chosen: bool
    tries: Tries = field(default_factory=lambda: Tries(most=60), repr=False)
    _said: bool = field(default=False, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    @classmethod
    def of(cls, wanted: str | None) -> CuratorToken:
        """The token that the environment asks for, else a new one of 192 random bits."""
        wanted = (wanted or "").strip()
        if not wanted:
            return cls(secret=secrets.token_urlsafe(BYTES), chosen=False)
        return cls(secret=wanted if len(wanted) >= SHORTEST else "", chosen=True)

    def announce(self, to: TextIO | None = None) -> None:
        """Say in the terminal, once, how the curator enters; a token that somebody chose is not repeated."""
        with self._lock:
            said, self._said = self._said, True
        if not said:
            (to or sys.stderr).write(f"Epsilon Explorer is served to others. {self._entry()}\n")
            (to or sys.stderr).flush()

    def said(self) -> str:
        """How the curator enters, for whoever says it in other words; from here on it counts as said."""
        with self._lock:
            self._said = True
        return self._entry()

    def _entry(self) -> str:
        if not self.secret:
            return self.refusal()
        if self.chosen:
            return f"The curator enters with the token of {VARIABLE}."
        return f"The curator enters with this token: {self.secret}"

    def refusal(self) -> str:
        """Why nobody can enter with a token; empty where one can."""
        if self.secret:
            return ""
        return f"Nobody can enter as curator: {VARIABLE} is shorter than {SHORTEST} characters."

    def opens(self, typed: str, own: Tries) -> str:
        """Try a token; empty where it is right, else the sentence that says why not. `own`: this session's tries.

        A token of 192 random bits opens however many others try: nobody guesses it, and nobody may lock it out.
        """
        with self._lock:
            right = hmac.compare_digest(typed.strip().encode(), self.secret.encode())
            wait = 0.0 if right and not self.chosen else max(own.wait(), self.tries.wait())
            if not self.secret or wait:
                return self.refusal() or f"Too many wrong tokens. Try again in {wait:.0f} seconds."
            if right:
                return ""
            own.failed()
            self.tries.failed()
        return "This is not the token. It stands in the terminal in which this server was started."


@cache
def of_this_server() -> CuratorToken:
    """One for the life of the process: Streamlit's own caches can be emptied by any visitor."""
    return CuratorToken.of(os.environ.get(VARIABLE))

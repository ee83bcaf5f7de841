"""The promise that is being judged: every page that speaks of it finds it here."""

from __future__ import annotations

from dpengine.promises import Promise
from pages.session.kept import remember, remembered


def promise_in_hand() -> Promise | None:
    """The last promise on *Judge a promise* that makes sense; None before there is one."""
    held = remembered("promise_in_hand", None)
    return held if isinstance(held, Promise) else None


def keep_promise(promise: Promise) -> None:
    """Let other pages speak of this one."""
    remember("promise_in_hand", promise)

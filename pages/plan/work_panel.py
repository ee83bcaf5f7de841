"""What a person sees while something is computed: how far it is, and a Stop button; afterwards the result."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeVar

import streamlit as st

from dpengine.attacks import Watch
from dpengine.errors import StoppedError
from pages import session
from pages.access import roles, visit
from pages.plan.work import Places, Work

Result = TypeVar("Result")
PATIENCE = 1.5
"""Seconds within which a result appears without any progress shown; a fifth of it where others are computing first."""
EVERY = 0.4
LONELY_SECONDS = 30.0
_PLACES = Places(2)


def result_of(settings: Hashable, compute: Callable[[Watch], Result], *, key: str, words: str) -> Result | None:
    """What `compute` makes of these settings, once it is there; None while it is on its way, or was stopped.

    The last result of each `key` is kept while the session lasts. Other settings stop what was on its way. Raises
    what the computation raised.
    """
    known = session.remembered(key, None)
    if not isinstance(known, tuple) or known[0] != settings:
        _stop(key)
        known = _begun(settings, compute, key)
    work: Work[Result] = known[1]
    if not work.done(PATIENCE if work.begins(PATIENCE / 5) else 0.0):
        _progress(key, words)
        return None
    try:
        return work.result()
    except StoppedError:
        if not work.is_stopped:
            _begun(settings, compute, key)
            _progress(key, words)
            return None
        st.info("The computation was stopped.")
        st.button("Compute it after all", key=f"{key}_again", on_click=session.remember, args=(key, None))
        return None


def computing(compute: Callable[[Watch], Result], who: str) -> Work[Result]:
    """A computation that is begun, counted for an address."""
    return Work(
        lambda work: compute(Watch(progress=work.tell, cancelled=work.has_to_end)),
        _PLACES,
        who=who,
        lonely=LONELY_SECONDS,
    )


def _begun(settings: Hashable, compute: Callable[[Watch], Result], key: str) -> tuple[Hashable, Work[Result]]:
    known = settings, computing(compute, visit.address())
    session.remember(key, known)
    return known


@partial(roles.part, every=EVERY)
def _progress(key: str, words: str) -> None:
    work = _of(key)
    if work is None or work.done():
        st.rerun()
        return
    with st.container(border=True, key=f"card_{key}_working"):
        bar, button = st.columns([6, 1], vertical_alignment="center")
        bar.progress(work.share, text=f"{words}, {work.share:.0%}")
        button.button("Stop", key=f"{key}_stop", on_click=_stop, args=(key,))


def _of(key: str) -> Work[object] | None:
    known = session.remembered(key, None)
    return known[1] if isinstance(known, tuple) else None


def _stop(key: str) -> None:
    work = _of(key)
    if work is not None:
        work.stop()

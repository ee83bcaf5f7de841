"""How far somebody is on the tour: kept in the session and in the address, so that a reload goes on from there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Self

import streamlit as st

from dpengine.errors import InvalidParameterError
from pages import session
from pages.tour.steps import STEPS, TourStop

PARAMETER = "tour"
_ADDRESS = re.compile(r"([1-9][0-9]?)(-left)?", re.ASCII)
_KEPT, _READ, _TRIED, _BEFORE = "tour", "tour_read", "tour_tried", "tour_before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The number of the step, from 1 on, and whether the tour was left there."""

    number: int = 1
    left: bool = False

    @classmethod
    def from_address(cls, text: str) -> Self:
        """What `tour=4` or `tour=4-left` says; anything else raises InvalidParameterError."""
        found = _ADDRESS.fullmatch(text)
        if found is None or int(found[1]) > len(STEPS):
            raise InvalidParameterError(PARAMETER, text[:20], f"a step of the tour, from 1 to {len(STEPS)}")
        return cls(number=int(found[1]), left=bool(found[2]))

    def to_address(self) -> str:
        """What stands in the address."""
        return f"{self.number}-left" if self.left else f"{self.number}"

    @property
    def step(self) -> TourStop:
        return STEPS[self.number - 1]


def current() -> Progress | None:
    """Where this session is on the tour, or where it left it; it begins where its address says.

    Later the address is not read: a click that follows fast upon another still carries the address before both.
    """
    if session.remembered(_READ, None) is None:
        session.remember(_READ, PARAMETER)
        _keep(_of_address())
    kept = session.remembered(_KEPT, None)
    return kept if isinstance(kept, Progress) else None


def _of_address() -> Progress | None:
    text = st.query_params.get(PARAMETER)
    try:
        return None if text is None else Progress.from_address(text)
    except InvalidParameterError as error:
        session.notice(f"{error} The address was read without it.")
        return None


def on_tour() -> Progress | None:
    """Where this session is, unless it has left the tour."""
    now = current()
    return None if now is None or now.left else now


def title() -> str:
    """What the menu calls the tour while it waits to be resumed, else nothing."""
    now = current()
    return f"Resume the tour ({now.number} of {len(STEPS)})" if now is not None and now.left else ""


def go(number: int) -> None:
    """Go on with a step."""
    _keep(Progress(number=number))
    session.remember(_BEFORE, None)


def leave() -> None:
    """Put the tour away until it is resumed."""
    now = current()
    _keep(None if now is None else replace(now, left=True))


def finish() -> None:
    """Put the tour away for good."""
    _keep(None)


def write_address() -> None:
    """Put the step into the address, or take it out."""
    now = current()
    text = None if now is None else now.to_address()
    if text is None:
        st.query_params.pop(PARAMETER, None)
    elif st.query_params.get(PARAMETER) != text:
        st.query_params[PARAMETER] = text


def look() -> None:
    """Compare what the page of the present step shows with what it showed when the step began."""
    now = on_tour()
    seen = None if now is None else now.step.watch()
    if now is None or seen is None:
        return
    before = session.remembered(_BEFORE, None)
    if not isinstance(before, tuple) or before[0] != now.number:
        session.remember(_BEFORE, (now.number, seen))
    elif before[1] != seen:
        session.remember(_TRIED, tried() | {now.number})


def tried() -> frozenset[int]:
    """The steps that were tried, as far as the pages can tell."""
    kept = session.remembered(_TRIED, frozenset())
    return kept if isinstance(kept, frozenset) else frozenset()


def _keep(progress: Progress | None) -> None:
    session.remember(_KEPT, progress)

"""How far somebody is on the tour or the presenter's path: kept in the session and in the address, for reloads."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Self

import streamlit as st

from dpengine.errors import InvalidParameterError
from pages import session
from pages.tour.paths import PATHS, TOUR, GuidedPath, Stop

_ADDRESS = re.compile(r"([1-9][0-9]?)(-left)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The number of the stop, from 1 on, and whether the path was left there."""

    path: GuidedPath = TOUR
    number: int = 1
    left: bool = False

    @classmethod
    def from_address(cls, text: str, path: GuidedPath = TOUR) -> Self:
        """What `tour=4` or `tour=4-left` says; anything else raises InvalidParameterError."""
        found = _ADDRESS.fullmatch(text)
        if found is None or int(found[1]) > len(path.stops) or (found[2] and not path.resumable):
            raise InvalidParameterError(path.parameter, text[:20], f"{path.stop_name}, from 1 to {len(path.stops)}")
        return cls(path=path, number=int(found[1]), left=bool(found[2]))

    def to_address(self) -> str:
        """What stands in the address."""
        return f"{self.number}-left" if self.left else f"{self.number}"

    @property
    def step(self) -> Stop:
        return self.path.stops[self.number - 1]

    @property
    def is_last(self) -> bool:
        return self.number == len(self.path.stops)


def current(path: GuidedPath = TOUR) -> Progress | None:
    """Where this session is on a path, or where it left it; it begins where its address says.

    Later the address is not read: a click that follows fast upon another still carries the address before both.
    """
    if session.remembered(f"{path.parameter}_read", None) is None:
        session.remember(f"{path.parameter}_read", path.parameter)
        _keep(path, _of_address(path))
    kept = session.remembered(path.parameter, None)
    return kept if isinstance(kept, Progress) else None


def _of_address(path: GuidedPath) -> Progress | None:
    text = st.query_params.get(path.parameter)
    try:
        return None if text is None else Progress.from_address(text, path)
    except InvalidParameterError as error:
        session.notice(f"{error} The address was read without it.")
        return None


def on_tour() -> Progress | None:
    """Where this session is on the tour, unless it has left it."""
    now = current()
    return None if now is None or now.left else now


def under_way() -> Progress | None:
    """Where this session is on the path whose bar is shown."""
    return next((now for path in PATHS if (now := current(path)) is not None and not now.left), None)


def title() -> str:
    """What the menu calls the tour while it waits to be resumed, else nothing."""
    now = current()
    return f"Resume the tour ({now.number} of {len(TOUR.stops)})" if now is not None and now.left else ""


def go(number: int, path: GuidedPath = TOUR) -> None:
    """Go on with a stop."""
    _keep(path, Progress(path=path, number=number))
    session.remember("tour_before", None)


def open_stop(number: int, path: GuidedPath = TOUR) -> None:
    """Open the page of a stop and go on with it there."""
    go(number, path)
    st.switch_page(path.stops[number - 1].page)


def leave() -> None:
    """Put the tour away until it is resumed."""
    now = current()
    _keep(TOUR, None if now is None else replace(now, left=True))


def finish(path: GuidedPath = TOUR) -> None:
    """Put a path away for good."""
    _keep(path, None)


def write_address() -> None:
    """Put the stop of each path into the address, or take it out."""
    for path in PATHS:
        now = current(path)
        text = None if now is None else now.to_address()
        if text is None:
            st.query_params.pop(path.parameter, None)
        elif st.query_params.get(path.parameter) != text:
            st.query_params[path.parameter] = text


def look() -> None:
    """Compare what the page of the present step shows with what it showed when the step began."""
    now = under_way()
    seen = None if now is None else now.step.watch()
    if now is None or seen is None:
        return
    before = session.remembered("tour_before", None)
    if not isinstance(before, tuple) or before[0] != now.number:
        session.remember("tour_before", (now.number, seen))
    elif before[1] != seen:
        session.remember("tour_tried", tried() | {now.number})


def tried(path: GuidedPath = TOUR) -> frozenset[int]:
    """The steps of the tour that were tried, as far as the pages can tell; on the presenter's path none."""
    kept = session.remembered("tour_tried", frozenset())
    return kept if isinstance(kept, frozenset) and path is TOUR else frozenset()


def _keep(path: GuidedPath, progress: Progress | None) -> None:
    session.remember(path.parameter, progress)

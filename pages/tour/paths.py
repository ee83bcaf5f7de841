"""The two ways through the pages: the tour, which a person takes alone, and the presenter's path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pages.tour.presenting import STOPS
from pages.tour.steps import STEPS


class Stop(Protocol):
    """What a stop says of itself, on whichever way it lies."""

    @property
    def name(self) -> str: ...

    @property
    def page(self) -> str: ...

    @property
    def live(self) -> bool: ...

    @property
    def watch(self) -> Callable[[], object]: ...

    def lines(self, *, built_in: bool) -> tuple[str, str, str]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidedPath:
    """Stops in their order, how the address calls the path, and what its bar says to whoever is beside it or done.

    `resumable` if somebody may leave it and go on later.
    """

    parameter: str
    stop_name: str
    stops: tuple[Stop, ...]
    beside: str
    leave: str
    finish: str
    resumable: bool = False


TOUR = GuidedPath(
    parameter="tour",
    stop_name="a step of the tour",
    stops=STEPS,
    beside="This page is not on the tour. Look around as long as you like; your place is kept.",
    leave="Leave",
    finish="Finish",
    resumable=True,
)
SHOW = GuidedPath(
    parameter="show",
    stop_name="a stop of the presenter’s path",
    stops=STOPS,
    beside="This page is not on the presenter’s path. It shows your own plan and table; your place is kept.",
    leave="End",
    finish="End",
)
PATHS = (SHOW, TOUR)
"""In the order in which their bars are drawn: who presents sees no tour."""


def is_on(stop: Stop, page: str) -> bool:
    """Whether a stop lies on the page of this address; the tour begins on the first page, which lies at the root."""
    return page in ("", "start", "welcome") if stop is STEPS[0] else stop.page.endswith(f"/{page}/page.py")

"""What every mechanism of the local model can say about itself: each person adds the noise, nobody is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpengine.losses.arrays import Array, Numbers
from dpengine.privacy import Event


class LocalMechanism(Protocol):
    """Changes each person's own answer before anybody sees it; neighbors are any two answers of one person."""

    @property
    def event(self) -> Event:
        """What one report of one person tells the accountants."""

    def simulate(self, answers: npt.ArrayLike, rng: np.random.Generator) -> npt.NDArray[np.generic]:
        """One report a person for pictures only: a real report is drawn on that person's own device."""

    def tally(self, reports: npt.ArrayLike) -> float | Array:
        """The average of all reports, which is all that an estimate needs."""

    def estimate(self, tally: Numbers) -> Numbers:
        """The truth without bias from what was reported; unlike the truth it may lie outside its range."""


class ShareMechanism(LocalMechanism, Protocol):
    """A local mechanism for one of several answers, of which the shares are estimated one by one."""

    @property
    def categories(self) -> int:
        """How many answers there are."""

    def tally(self, reports: npt.ArrayLike) -> Array:
        """How often each category was reported, as a share; shape (categories,)."""

    @property
    def losses(self) -> Mapping[float, float]:
        """The probability of each privacy loss, for the person's own answer against any one other: exact."""

    def variance(self, share: Numbers, people: int) -> Numbers:
        """Of an estimated share over the coins alone: the price of privacy beside a sampling error."""

    def variance_with_sampling(self, share: Numbers, people: int) -> Numbers:
        """Of an estimated share over the choice of people and the coins."""

    def interval(self, reports: int, people: int, confidence: float) -> tuple[float, float]:
        """Where the share lies with at least this confidence, from so many reports of it."""

    def people_needed(self, standard_error: float, share: float = 0.5) -> int:
        """The least number of people whose estimate has at most this standard error."""

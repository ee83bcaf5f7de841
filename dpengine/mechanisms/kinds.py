"""What the engine knows of each law that answers questions about real rows: one record a law, and no facet by default.

A record stands beside its mechanism; `released` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Generic, Literal, Protocol, TypeVar

from dpengine.losses.arrays import Array
from dpengine.privacy import Event, Sensitivity


class Released(Protocol):
    """What all of them have: what one run tells the accountants."""

    @property
    def event(self) -> Event: ...


M = TypeVar("M", bound=Released)


class ScoresMoved(Protocol):
    """How far one person moves the scores that a choice is made by."""

    @property
    def score_sensitivity(self) -> float: ...

    @property
    def monotone(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersMoved:
    """How far one person moves numbers, in whole grid steps; `one_coordinate` where only a single one of them moves."""

    sensitivity: Sensitivity
    one_coordinate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseKind(Generic[M]):
    """One kind of noise on numbers.

    `name` stands in plans, links and ledgers, `label` in lists that people choose from; `size_is` says what `size` is.
    `scale` and `moved` are what its sampler is given, in grid steps; `farthest` is how many scales from 0 it is once in
    e^45 draws at most. `prepare` works out at once what `calibrated` is going to be asked for, where that is faster: no
    answer depends on it. `rho` is what one run at a share of epsilon costs under concentrated privacy; `covers` says by
    exact arithmetic whether it costs at most its shares of epsilon and delta; opendp's own map of the sampler
    measures it in epsilon or in rho, and `drawn` is which of its samplers draws it. `log_moment` is ln E e^(rate noise)
    or a bound above it, for rates below `highest_rate`.
    """

    chooses: ClassVar[bool] = False

    name: str
    label: str
    in_words: Callable[[M], str]
    mechanism: type[M]
    needs_delta: bool
    measured_in: Literal["epsilon", "rho"]
    size_is: str
    size: Callable[[M], float]
    scale: Callable[[M], float]
    moved: Callable[[M], float]
    farthest: int
    calibrated: Callable[[NumbersMoved, Fraction, Fraction], M]
    prepare: Callable[[Iterable[tuple[NumbersMoved, Fraction, Fraction]]], None]
    rho: Callable[[M, Fraction], Fraction]
    covers: Callable[[M, NumbersMoved, Fraction, Fraction], bool]
    drawn: Literal["laplace", "gaussian"]
    highest_rate: Callable[[M], float]
    log_moment: Callable[[M, Array], Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionKind(Generic[M]):
    """One way to choose among candidates by their scores; facets as those of `NoiseKind`, in steps of the score."""

    chooses: ClassVar[bool] = True
    size_is: ClassVar[str] = "scale"

    name: str
    in_words: Callable[[M], str]
    mechanism: type[M]
    measured_in: Literal["epsilon", "rho"]
    scale: Callable[[M], float]
    moved: Callable[[M], float]
    calibrated: Callable[[ScoresMoved, float], M]
    rho: Callable[[M, Fraction], Fraction]
    covers: Callable[[M, ScoresMoved, Fraction], bool]


def pure_rho(_: object, share: Fraction) -> Fraction:
    """Of whatever costs an epsilon alone. Source: Bun and Steinke 2016, Proposition 1.4."""
    return share * share / 2

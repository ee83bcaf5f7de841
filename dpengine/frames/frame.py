"""One frame: how likely answers lie with one person and without, and what an attacker may believe after them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpengine.accuracy import ErrorLaw
from dpengine.errors import require_between, require_positive, require_whole
from dpengine.losses.arrays import Array

POINTS, COLUMNS, DOTS = 121, 41, 100
PRIORS = np.linspace(0.0, 1.0, 41)
_REACHES = (1.0, 2.0, 5.0)
Belief = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What may be reported where an answer is chosen: the chance of each, in any order.

    `away` is how far each lies from the exact answer, None where candidates are names without a distance.
    """

    chances: Array
    away: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameView:
    """A question at one epsilon. Lengths are in the unit of its error, `confidence` and `prior` shares of 1.

    `half_width` is the law's own at the confidence, for any single number of the answer. `shift` is how far one person
    moves the answer. `one_sided` says that the law is the worst case of a choice, which only falls short; `candidates`
    are those of a choice where their chances may be drawn.
    """

    epsilon: float
    law: ErrorLaw
    half_width: float
    shift: float
    belief: Belief
    confidence: float
    prior: float
    one_sided: bool = False
    candidates: Candidates | None = None

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_between("confidence", self.confidence, 0.0, 1.0, open_at="both")
        require_between("prior", self.prior, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bell:
    """Answers on an axis from -`reach` to `reach` around the exact one, or from 0 where errors have no sign.

    `heights` are POINTS values evenly spread over the axis: the density with the person, in dots a column, or of a
    worst case how many of 100 answers fall short by more. `dots` says how many of 100 equally likely answers lie in
    each column, an odd number of them, at most COLUMNS, the middle one around the exact answer and each `width` wide;
    of named candidates a column is one name. Dots beyond the axis are in none. `band` is the interval that holds the
    share asked for.
    """

    reach: float
    width: float
    heights: Array
    dots: tuple[int, ...]
    band: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Everything drawn at one epsilon; beliefs are shares of 1, at PRIORS and at the prior of the view."""

    epsilon: float
    bell: Bell
    shift: float
    least: Array
    most: Array
    after: tuple[float, float]


def frame(view: FrameView) -> Frame:
    """The numbers of one frame."""
    least, most = view.belief(PRIORS)
    low, high = view.belief(np.array([view.prior]))
    return Frame(
        epsilon=view.epsilon,
        bell=_answers(view),
        shift=0.0 if view.one_sided or view.candidates else view.shift,
        least=least,
        most=most,
        after=(float(low[0]), float(high[0])),
    )


def possible_answers(law: ErrorLaw, *, count: int, rng: np.random.Generator) -> Array:
    """So many independent errors in the unit of the answer, in the order in which they are drawn; never a release."""
    require_whole("count", count)
    levels = np.clip(rng.random(count), 1e-12, 1.0 - 1e-12)
    return np.asarray(law.quantile_function(levels))


def round_reach(length: float) -> float:
    """The next 1, 2 or 5 times a power of ten: axes that hold still while the dial moves a little.

    >>> round_reach(0.9), round_reach(30.0), round_reach(51.0)
    (1.0, 50.0, 100.0)
    """
    power = 10.0 ** math.floor(math.log10(max(length, 1e-300)))
    return float(next(step * power for step in (*_REACHES, 10.0) if step * power >= length * (1 - 1e-9)))


def _answers(view: FrameView) -> Bell:
    if view.candidates is not None:
        chosen = view.candidates
        return _named(chosen.chances) if chosen.away is None else _spread(chosen.chances, chosen.away, view.confidence)
    return _worst_case(view) if view.one_sided else _bell(view)


def _bell(view: FrameView) -> Bell:
    law, half_width = view.law, view.half_width
    reach = round_reach(max(1.25 * half_width, 2.5 * view.shift, 3.0 * (law.grid_step or 0.0)) or 1.0)
    edges = column_edges(reach, least=law.grid_step or 0.0)
    above, below = np.asarray(law.above(np.maximum(edges, 0.0))), np.asarray(law.below(np.maximum(-edges, 0.0)))
    width = float(edges[1] - edges[0])
    return Bell(
        reach=reach,
        width=width,
        heights=np.asarray(law.density(np.linspace(-reach, reach, POINTS))) * DOTS * width,
        dots=dots_between(np.where(edges < 0.0, below, 1.0 - above)),
        band=(-half_width, half_width),
    )


def column_edges(reach: float, *, least: float = 0.0) -> Array:
    """The edges of columns around 0, none narrower than `least`, all but a half of the outer ones within the reach.

    >>> column_edges(2.0, least=1.0)
    array([-2.5, -1.5, -0.5,  0.5,  1.5,  2.5])
    """
    width = 2.0 * reach / (COLUMNS - 1)
    width = least * math.ceil(width / least * (1 - 1e-9)) if least else width
    aside = math.floor(reach / width * (1 + 1e-9))
    return np.asarray(width * (np.arange(2 * aside + 2, dtype=np.float64) - aside - 0.5))


def _worst_case(view: FrameView) -> Bell:
    half_width = view.half_width
    reach = round_reach(1.25 * half_width or 1.0)
    worse = DOTS * np.asarray(view.law.tail(np.linspace(0.0, reach, POINTS)))
    return Bell(reach=reach, width=reach, heights=worse, dots=(), band=(0.0, half_width))


def _named(chances: Array) -> Bell:
    """Whole dots for every name, the largest remainders rounded up."""
    wanted = DOTS * chances
    whole = np.floor(wanted)
    missing = max(round(float(wanted.sum() - whole.sum())), 0)
    whole[np.argsort(whole - wanted, kind="stable")[:missing]] += 1.0
    return Bell(
        reach=1.0,
        width=2.0 / len(chances),
        heights=np.zeros(0),
        dots=tuple(int(count) for count in whole),
        band=(0.0, 0.0),
    )


def _spread(chances: Array, away: Array, confidence: float) -> Bell:
    """Chances of candidates, gathered in columns around the exact answer."""
    order = np.argsort(away, kind="stable")
    at, total = away[order], np.cumsum(chances[order])
    ends = (1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0
    low, high = (float(at[min(int(np.searchsorted(total, level)), len(at) - 1)]) for level in ends)
    reach = round_reach(1.25 * max(abs(low), abs(high)) or _smallest_step(at))
    edges = column_edges(reach)
    until = np.concatenate([[0.0], np.minimum(total, 1.0)])
    dots = dots_between(until[np.searchsorted(at, edges, side="right")])
    return Bell(reach=reach, width=float(edges[1] - edges[0]), heights=np.zeros(0), dots=dots, band=(low, high))


def dots_between(distribution: Array) -> tuple[int, ...]:
    """How many of the levels (i + 1/2) / 100 lie between each two values of a distribution function.

    >>> dots_between(np.array([0.0, 0.25, 0.5, 1.0]))
    (25, 25, 50)
    """
    below = np.floor(DOTS * np.clip(distribution, 0.0, 1.0) + 0.5 - 1e-9)
    return tuple(int(count) for count in np.diff(np.maximum.accumulate(below)))


def _smallest_step(away: Array) -> float:
    steps = np.diff(away)
    return float(3.0 * steps[steps > 0.0].min()) if np.any(steps > 0.0) else 1.0

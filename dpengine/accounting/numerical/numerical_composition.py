"""Any mix of runs by their loss distributions: numerical composition that is never below the truth.

The losses of all runs are put on one grid and added by a Fourier transform of the tilted law, so that its round-off is
small beside delta, however small delta is. Everything that the numbers may have lost is added: the grid (see
losses.lattices), what lies outside the window, and the round-off of the transform.
Source: Koskela, Jälkö, Honkela 2020 (the Fourier accountant); Doroshenko et al. 2022 (the grid).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy
from scipy import fft

from dpengine.accounting.numerical.exponential_tilting import Tilt, tilts
from dpengine.losses import loss_distribution
from dpengine.losses.arrays import Array
from dpengine.losses.lattices import SNAP, Grid, Lattice, atoms_only, length, on_lattice, spacing
from dpengine.privacy import ApproximateEvent, Event, TruncatedLaplaceEvent

_FINEST, _COARSEST, _OF_A_MIX = 2e-5, 8e-5, 2e-6
"""Relative error of epsilon that the grid may cause, for few and for many runs, and where atoms lie off the grid."""
_MOST_PLACES, _MOST_OF_ONE = 2**19, 2**17
_DIGIT = float(np.finfo(np.float64).eps)
_TRANSFORM_ERROR = 4.0 * _DIGIT
"""Relative error of a transform for each halving. Source: Higham 2002, Theorem 24.2, rounded up."""
_MASS_ERROR = 1e-12
_LARGEST_EXPONENT = 600.0

Runs = Mapping[Event, float]


def numerical_epsilon(columns: Sequence[Runs], delta: float) -> Array:
    """Epsilon at delta, inside (0, 1), of each collection of runs; infinite where certain exposure alone exceeds it."""
    found = np.full(len(columns), np.inf)
    left = np.array([delta * (1.0 - 4.0 * _DIGIT) - _exposed(column) for column in columns])
    places = [j for j, amount in enumerate(left) if amount > 0.0]
    if places:
        for j, tilt in zip(places, tilts([columns[j] for j in places], left[places]), strict=True):
            found[j] = _epsilon(columns[j], tilt, delta)
    return found


def _exposed(column: Runs) -> float:
    """The probability that any run reveals everything; what the grids leave out is counted later."""
    kept = 0.0
    for event, runs in column.items():
        if isinstance(event, ApproximateEvent | TruncatedLaplaceEvent):
            infinite = loss_distribution(event).infinite
            kept += runs * math.log1p(-infinite) if infinite < 1.0 else -math.inf
    return -math.expm1(kept)


def _epsilon(column: Runs, tilt: Tilt, delta: float) -> float:
    grid = Grid(step=_step(column, tilt), reach=tilt.reach)
    laws = [(on_lattice(event, grid), runs) for event, runs in column.items()]
    exposed = -math.expm1(sum(runs * math.log1p(-law.infinite) for law, runs in laws))
    share = (delta * (1.0 - 4.0 * _DIGIT) - exposed) / tilt.delta
    found = _smallest_epsilon(_window(laws, tilt), share) if share > 0.0 else math.inf
    return (found + SNAP * grid.step * sum(column.values())) * (1.0 + _MASS_ERROR)


def _step(column: Runs, tilt: Tilt) -> float:
    """Mass split over a step of h adds k order (1 + order) h^2 / 12 to ln of delta, and so moves epsilon by little.

    A step that divides the largest distance of atoms keeps those where they are. Few different steps are asked for,
    so that a law that is costly to put on a grid is put there once for many columns.
    """
    runs = sum(column.values())
    tolerance = min(max(5e-7 * runs, _FINEST), _COARSEST) if len(column) == 1 else _OF_A_MIX
    size = max(tilt.mean, 0.1 * tilt.spread)
    wanted = math.sqrt(12.0 * tolerance * size / runs / (1.0 + tilt.order))
    if len(column) > 1:
        wanted = min(wanted, tilt.spread / 30.0)
    longest = max(length(event, tilt.reach) for event in column)
    least = max((tilt.highest - tilt.lowest) / _MOST_PLACES, longest / _MOST_OF_ONE)
    wanted = max(min(wanted, 1.0 / (1.0 + tilt.order)), least)
    distance = max((spacing(event) for event in column if math.isfinite(spacing(event))), default=math.inf)
    if math.isinf(distance) or distance < least:
        return _power_of_two(wanted)
    if len(column) == 1 and atoms_only(next(iter(column))):
        return distance * _power_of_two(max(wanted / distance, 1.0))
    return distance / math.ceil(distance / wanted)


def _power_of_two(wanted: float) -> float:
    """The largest one that is not above."""
    return math.ldexp(1.0, math.floor(math.log2(wanted)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Window:
    """weights[i] is P(sum of losses = top - i step) over delta, never below the truth; `beyond` the same above top."""

    top: float
    step: float
    weights: Array
    beyond: float


def _window(laws: Sequence[tuple[Lattice, float]], tilt: Tilt) -> _Window:
    """The tilted sum of all runs around the epsilon that is looked for; masses from elsewhere fold into it as well."""
    step, order = laws[0][0].step, tilt.order
    top = sum(runs * law.top for law, runs in laws)
    first = max(math.floor((top - tilt.highest) / step), 0)
    size = fft.next_fast_len(max(math.ceil((min(tilt.highest, top) - tilt.lowest) / step), 4) + 2, real=True)
    tilted, height, lost = _tilted_sum(laws, order, size)
    places = first + np.arange(size)
    with np.errstate(divide="ignore"):
        log_weights = np.log(np.maximum(tilted[places % size], 0.0) + lost)
    log_weights += height - order * (top - step * places) - math.log(tilt.delta)
    return _Window(
        top=top - step * first,
        step=step,
        weights=np.exp(np.minimum(log_weights, _LARGEST_EXPONENT)),
        beyond=_beyond(laws, tilt, top - step * first) if first else 0.0,
    )


def _beyond(laws: Sequence[tuple[Lattice, float]], tilt: Tilt, top: float) -> float:
    """The share of delta that lies above the window. Source: Chernoff's bound."""
    height = sum(runs * _tilted(law, tilt.tail_order)[1] for law, runs in laws)
    return math.exp(min(height - tilt.tail_order * top - math.log(tilt.delta), 0.0))


def _tilted_sum(laws: Sequence[tuple[Lattice, float]], order: float, size: int) -> tuple[Array, float, float]:
    """Masses of the sum of all tilted runs, folded into `size` places, ln of its scale, and any mass's largest error.

    An error of each transform grows with the number of runs, but only where the spectrum is not small:
    |z|^(k - 1) <= 2 |z|^k + 2^(1 - k).
    """
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    halvings, noises, height = _TRANSFORM_ERROR * math.log2(size), [], 0.0
    for law, runs in laws:
        masses, log_moment = _tilted(law, order)
        masses, height = _folded(masses, size), height + runs * log_moment
        spectrum *= _power(fft.rfft(masses, size), int(runs))
        noises.append(runs * (halvings * math.sqrt(size * float(np.sum(masses * masses))) + 4.0 * _DIGIT))
    large = 2.0 * float(np.mean(np.abs(spectrum)))
    lost = sum(noise * (large + 2.0 ** (1.0 - runs)) for noise, (_, runs) in zip(noises, laws, strict=True))
    lost += halvings * math.sqrt(2.0 * float(np.mean(np.abs(spectrum) ** 2)))
    return np.asarray(fft.irfft(spectrum, size)), height, lost


def _tilted(law: Lattice, order: float) -> tuple[Array, float]:
    """Masses times e^(order loss), scaled to the sum 1, and ln of the mean of e^(order loss) over finite losses.

    The second is a little more than that, for what the masses may lack.
    """
    with np.errstate(divide="ignore"):
        exponents = np.log(law.masses) - order * law.step * np.arange(law.masses.size)
    largest = float(np.max(exponents))
    masses = np.exp(exponents - largest)
    total = float(np.sum(masses))
    return masses / total, math.log(total) + largest + order * law.top + _MASS_ERROR


def _folded(masses: Array, size: int) -> Array:
    """Masses beyond the size laid over those before it."""
    if masses.size <= size:
        return masses
    return np.asarray(np.bincount(np.arange(masses.size) % size, masses, minlength=size), dtype=np.float64)


def _power(values: npt.NDArray[np.complex128], exponent: int) -> npt.NDArray[np.complex128]:
    """By squaring: a thousandth power in ten steps, and every rounding is relative."""
    if exponent == 1:
        return values
    result = np.ones_like(values)
    while exponent:
        if exponent & 1:
            result *= values
        exponent >>= 1
        if exponent:
            values = values * values
    return result


def _smallest_epsilon(window: _Window, share: float) -> float:
    """The root of the profile, a straight line in e^epsilon between two places; share is of delta.

    From the top down, A is the sum of all weights so far and D the same with each weight discounted to the present
    place: the profile one step below is A - e^-step D.
    """
    reached = np.cumsum(window.weights)
    discounted = np.asarray(scipy.signal.lfilter([1.0], [1.0, -math.exp(-window.step)], window.weights))
    wanted = share - window.beyond
    passed = reached - math.exp(-window.step) * discounted >= wanted - _DIGIT * window.weights.size * reached
    if wanted <= 0.0:
        return math.inf
    if not np.any(passed):
        return window.top - window.step * window.weights.size
    place = int(np.argmax(passed))
    here = window.top - window.step * place
    ratio = (reached[place] * (1.0 + _DIGIT * window.weights.size) - wanted) / discounted[place]
    return here + (math.log(ratio) if ratio > 0.0 else -window.step)

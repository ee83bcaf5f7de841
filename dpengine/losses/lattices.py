"""Losses on an even grid, never revealing less than the law itself: what numerical composition adds up.

Mass between two places goes to both of them so that its weight under either table stays the same ("connecting the
dots" of the privacy profile); what lies above the grid counts as infinite, what lies below it is moved up.
Source: Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, section 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, singledispatch

import numpy as np

from dpengine.losses.arrays import Array
from dpengine.losses.curves import delta_of
from dpengine.losses.distributions import ExponentialPart, LossDistribution, NormalPart, loss_distribution
from dpengine.privacy import (
    ApproximateEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
)

_MOST_ATOMS = 20_000
_DEEP = 8.5
"""Standard deviations under the mean from which on a normal loss is moved up."""
_DEEPEST, _LONGEST = 160.0, 600.0
"""Losses under the highest place of a law from which on all others are moved up; they weigh less than e^-80."""
_NODES, _WEIGHTS = (part / 2.0 for part in np.polynomial.legendre.leggauss(8))
SNAP = 1e-10
"""A loss within this share of a step above a place counts as there; whoever adds up runs adds as much for each."""


_ATOMS_ONLY = (RandomizedResponseEvent, PureEvent, ApproximateEvent, DiscreteLaplaceEvent, DiscreteGaussianEvent)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice:
    """masses[i] is the probability of the loss top - i step; `infinite` that of an infinite one.

    Masses may add up to a little more than 1: they are upper bounds, right to about 12 digits.
    """

    top: float
    step: float
    masses: Array
    infinite: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The distance of the places, and how many standard deviations of an unbounded loss lie under its highest place."""

    step: float
    reach: float

    def ends(self, rho: float) -> tuple[float, float]:
        """The lowest and the highest place for a loss whose law is normal, or not wider: mean rho, variance 2 rho."""
        deviation = math.sqrt(2.0 * rho)
        return rho - _DEEP * deviation, rho + self.reach * deviation


@singledispatch
def on_lattice(event: Event, grid: Grid) -> Lattice:
    """One run of the event on a grid. Raises UnsupportedEventError for a law that is not known."""
    return _of_distribution(loss_distribution(event), grid)


@singledispatch
def spacing(event: Event) -> float:
    """The distance of the atoms, or of both ends, that a grid should hit exactly; infinite where it does not matter."""
    law = loss_distribution(event)
    ends = [float(law.losses[-1])] if law.losses.size else []
    ends += [law.continuous.upper] if law.continuous else []
    return 2.0 * max(ends) if ends and max(ends) > 0.0 else math.inf


def length(event: Event, reach: float) -> float:
    """From the lowest to the highest place of one run."""
    if isinstance(event, DiscreteLaplaceEvent):
        return 2.0 / event.noise_multiplier
    if isinstance(event, GaussianEvent | DiscreteGaussianEvent):
        return (_DEEP + reach) / event.noise_multiplier
    if isinstance(event, ConcentratedEvent):
        return (_DEEP + reach) * math.sqrt(2.0 * event.rho)
    return spacing(event) if math.isfinite(spacing(event)) else 0.0


def atoms_only(event: Event) -> bool:
    """Whether all losses of the event lie one spacing apart, so that such a grid loses nothing."""
    return isinstance(event, _ATOMS_ONLY)


@on_lattice.register
def _gaussian(event: GaussianEvent, grid: Grid) -> Lattice:
    return _of_normal(NormalPart(shift=1.0 / event.noise_multiplier), grid)


@spacing.register
def _gaussian_spacing(event: GaussianEvent | ConcentratedEvent) -> float:
    return math.inf


@on_lattice.register
def _discrete_laplace(event: DiscreteLaplaceEvent, grid: Grid) -> Lattice:
    """On a grid of whole spacings it is continuous Laplace noise, whose dots the discrete law connects itself."""
    spacings = grid.step / spacing(event)
    if round(spacings) >= 1 and abs(spacings - round(spacings)) <= SNAP:
        return on_lattice(LaplaceEvent(noise_multiplier=event.noise_multiplier), grid)
    if event.sensitivity <= _MOST_ATOMS:
        return _of_distribution(loss_distribution(event), grid)
    return _of_profile(event, grid, top=1.0 / event.noise_multiplier, bottom=-1.0 / event.noise_multiplier)


@spacing.register
def _discrete_laplace_spacing(event: DiscreteLaplaceEvent) -> float:
    return 2.0 / event.noise_multiplier / event.sensitivity


@on_lattice.register
def _discrete_gaussian(event: DiscreteGaussianEvent, grid: Grid) -> Lattice:
    if 80.0 * event.noise_multiplier * event.sensitivity > _MOST_ATOMS:
        bottom, top = grid.ends(0.5 / event.noise_multiplier**2)
        return _of_profile(event, grid, top=top, bottom=bottom)
    return _of_distribution(_listed(event), grid)


@spacing.register
def _discrete_gaussian_spacing(event: DiscreteGaussianEvent) -> float:
    return 1.0 / event.noise_multiplier / event.noise_multiplier / event.sensitivity


@on_lattice.register
def _concentrated(event: ConcentratedEvent, grid: Grid) -> Lattice:
    bottom, top = grid.ends(event.rho)
    return _of_profile(event, grid, top=top, bottom=bottom)


@lru_cache(maxsize=16)
def _listed(event: Event) -> LossDistribution:
    return loss_distribution(event)


def _of_distribution(law: LossDistribution, grid: Grid) -> Lattice:
    """Atoms are split between their two neighbors on the grid, whose highest place is the largest loss."""
    part = law.continuous
    if isinstance(part, NormalPart):
        return _of_normal(part, grid)
    if part is None and not law.losses.size:
        return Lattice(top=0.0, step=grid.step, masses=np.zeros(1), infinite=law.infinite)
    top = max([*law.losses[-1:], *([part.upper] if part else [])])
    bottom = min([*law.losses[:1], *([part.lower] if part else [])])
    bottom = max(bottom, top - _DEEPEST) if part else bottom
    masses = np.zeros(_place(top - bottom, grid.step) + 1)
    _add_atoms(masses, np.minimum(top - law.losses, top - bottom), law.probabilities, grid.step)
    if isinstance(part, ExponentialPart):
        _add_exponential(masses, part, grid.step)
    return Lattice(top=float(top), step=grid.step, masses=masses, infinite=law.infinite)


def _place(depth: float, step: float) -> int:
    """The first place at or below a depth under the top."""
    return math.ceil(depth / step - SNAP)


def _add_atoms(masses: Array, depths: Array, weights: Array, step: float) -> None:
    """The share (1 - e^-u) / (1 - e^-step) of an atom u above a place goes to the place above it."""
    below = np.ceil(depths / step - SNAP)
    height = np.clip(below * step - depths, 0.0, step)
    upward = np.where(height > SNAP * step, np.expm1(-height) / math.expm1(-step), 0.0)
    staying = np.where(height > SNAP * step, np.exp(-height) * np.expm1(height - step) / math.expm1(-step), 1.0)
    index = below.astype(np.int64)
    masses += np.bincount(index, weights * staying, minlength=masses.size)
    masses += np.bincount(np.maximum(index - 1, 0), weights * upward, minlength=masses.size)


def _add_exponential(masses: Array, part: ExponentialPart, step: float) -> None:
    """A whole cell gives 2 tanh(step / 4) times the density to both ends; the last, cut cell is split likewise."""
    whole = min(math.floor(2.0 * part.upper / step + SNAP), masses.size - 1)
    depths = step * np.arange(whole + 1.0)
    weights = 2.0 * math.tanh(step / 4.0) * np.exp(part.log_height - depths / 2.0)
    masses[: whole + 1] += 2.0 * weights
    masses[0] -= weights[0]
    masses[whole] -= weights[whole]
    cut = 2.0 * part.upper - step * whole
    if cut > 2.0 * step:
        masses[whole] += float(part.below(np.asarray(part.upper - depths[whole])))
    elif whole + 1 < masses.size and cut > 0.0:
        at_end = math.exp(part.log_height - depths[whole] / 2.0)
        here = -2.0 * at_end * math.expm1(-cut / 2.0)
        there = 2.0 * at_end * math.exp(-step) * math.expm1(cut / 2.0)
        upward = min((here - there) / -math.expm1(-step) * (1.0 + 1e-12) + 1e-15 * here / step, here)
        masses[whole] += upward
        masses[whole + 1] += here - upward


def _of_normal(part: NormalPart, grid: Grid) -> Lattice:
    """Each cell by eight nodes, where the density is smooth in it: right to 13 digits; else through a finer grid."""
    finer = math.ceil(2.0 * grid.step / part.shift)
    step, (lower, upper) = grid.step / finer, grid.ends(part.mean)
    cells = max(math.ceil((upper - lower) / step), 1)
    bottoms = upper - step * np.arange(1.0, cells + 1.0)
    places = (_NODES + 0.5) * step
    density = part.density(bottoms[:, None] + places)
    upward = density @ (_WEIGHTS * np.expm1(-places)) * (step / math.expm1(-step))
    staying = density @ (_WEIGHTS * np.exp(-places) * np.expm1(places - step)) * (step / math.expm1(-step))
    masses = np.append(upward, 0.0) + np.append(0.0, staying)
    masses[-1] += float(part.below(bottoms[-1]))
    if finer > 1:
        fine, masses = masses, np.zeros(_place(step * cells, grid.step) + 1)
        _add_atoms(masses, step * np.arange(cells + 1.0), fine, grid.step)
    return Lattice(top=upper, step=grid.step, masses=masses, infinite=float(part.above(np.asarray(upper))))


@lru_cache(maxsize=32)
def _of_profile(event: Event, grid: Grid, *, top: float, bottom: float) -> Lattice:
    """The same from the profile alone, or a bound on it: its dots are joined by straight lines in e^epsilon.

    From the top down no line may be less steep than the one before it: what rounding, or a bound that is not convex,
    spoils is raised. What rounding may have lost all the same is added to all masses.
    """
    step, places = grid.step, max(_place(min(top - bottom, _LONGEST), grid.step), 1) + 1
    depths = -step * np.arange(places, dtype=np.float64)
    profile = np.maximum.accumulate(delta_of(event, epsilon=top + depths))
    steepness = np.zeros(places + 1)
    steepness[1:places] = np.maximum.accumulate(np.diff(profile) / (np.exp(depths[:-1]) * -math.expm1(-step)))
    masses = np.exp(depths) * np.diff(steepness)
    masses[-1] = max(1.0 - profile[0] - float(np.sum(masses[:-1])), 0.0)
    rebuilt = profile[0] + np.cumsum(masses) - np.exp(depths) * np.cumsum(masses * np.exp(-depths))
    return Lattice(top=top, step=step, masses=masses * _lost(profile, rebuilt), infinite=float(profile[0]))


def _lost(profile: Array, rebuilt: Array) -> float:
    known = profile[1:-1] > 0.0
    ratio = profile[1:-1][known] / np.maximum(rebuilt[1:-1][known], 1e-300)
    return float(np.max(ratio, initial=1.0)) + 1e-12

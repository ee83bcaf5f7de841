"""Losses on a grid reveal at least as much as the law, and no more than the chords of its profile."""

import math

import numpy as np
import pytest

from dpengine.losses import delta_of
from dpengine.losses.lattices import Grid, Lattice, atoms_only, on_lattice, spacing
from dpengine.privacy import (
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
)
from tests.running.cases import each
from tests.unit.losses.test_distributions import EVENTS

GRIDS = [Grid(step=0.013, reach=9.0), Grid(step=0.3, reach=9.0), Grid(step=2.0, reach=9.0)]
MORE: list[Event] = [
    ConcentratedEvent(rho=0.3),
    DiscreteLaplaceEvent(noise_multiplier=0.8, sensitivity=50_000),
    DiscreteGaussianEvent(noise_multiplier=1.5, sensitivity=3000),
]


def profile(lattice: Lattice, epsilon: float) -> float:
    losses = lattice.top - lattice.step * np.arange(lattice.masses.size)
    return lattice.infinite + float(np.sum(lattice.masses * np.maximum(-np.expm1(epsilon - losses), 0.0)))


@each("event", [*EVENTS, *MORE])
@each("grid", GRIDS)
def test_it_lies_between_the_profile_and_its_chords(event: Event, grid: Grid) -> None:
    lattice = on_lattice(event, grid)
    dots = lattice.top - lattice.step * np.arange(lattice.masses.size)
    for epsilon in np.linspace(-0.5, 3.0, 29):
        found, truth = profile(lattice, epsilon), delta_of(event, epsilon=float(epsilon))
        assert found >= truth * (1.0 - 1e-11) - 1e-15
        if not dots[-1] < epsilon < dots[0]:
            continue
        above, below = dots[dots >= epsilon][-1], dots[dots <= epsilon][0]
        ends = delta_of(event, epsilon=np.array([below, above]))
        share = math.expm1(epsilon - below) / math.expm1(above - below) if above > below else 0.0
        assert found <= (ends[0] * (1.0 - share) + ends[1] * share) * (1.0 + 1e-9) + 1e-9


@each("event", EVENTS)
@each("grid", GRIDS)
def test_masses_are_those_of_a_law(event: Event, grid: Grid) -> None:
    lattice = on_lattice(event, grid)
    assert np.all(lattice.masses >= 0.0)
    assert lattice.infinite + lattice.masses.sum() == pytest.approx(1.0, abs=1e-9)


@each("spacings", [1, 2, 7])
def test_discrete_laplace_noise_connects_the_dots_of_continuous_noise(spacings: int) -> None:
    """On a grid of its own spacings the discrete law is the continuous one's chords, so nothing is lost."""
    event = DiscreteLaplaceEvent(noise_multiplier=0.9, sensitivity=14)
    lattice = on_lattice(event, Grid(step=spacings * spacing(event), reach=9.0))
    for epsilon in (0.05, 0.4, 1.0):
        assert profile(lattice, epsilon) >= delta_of(event, epsilon=epsilon) * (1.0 - 1e-12)
    own = on_lattice(event, Grid(step=spacing(event), reach=9.0))
    assert profile(own, 0.4) == pytest.approx(delta_of(event, epsilon=0.4), rel=1e-12)


def test_spacings() -> None:
    assert spacing(LaplaceEvent(noise_multiplier=2.0)) == 1.0
    assert spacing(PureEvent(epsilon=0.5)) == 1.0
    assert spacing(DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=4)) == 0.25
    assert spacing(GaussianEvent(noise_multiplier=2.0)) == math.inf
    assert atoms_only(PureEvent(epsilon=0.5))
    assert not atoms_only(LaplaceEvent(noise_multiplier=2.0))


def test_a_very_large_loss_takes_few_places() -> None:
    lattice = on_lattice(LaplaceEvent(noise_multiplier=1e-6), Grid(step=0.1, reach=9.0))
    assert lattice.masses.size < 2000
    assert lattice.masses.sum() == pytest.approx(1.0, rel=1e-12)

"""What truncated Laplace noise reveals, against the integral of its two densities."""

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from dpengine.losses import delta_of, equal_error_rate, false_negative_rate
from dpengine.losses.truncated_laplace import truncated_cumulative, truncated_quantile
from dpengine.privacy import LaplaceEvent, TruncatedLaplaceEvent
from tests.running.cases import each

SCALES, CUTS = [0.2, 1.0, 4.0, 30.0], [0.3, 0.5, 0.51, 0.75, 0.99, 1.0, 1.5, 5.0]


def event(scale: float, cut: float) -> TruncatedLaplaceEvent:
    return TruncatedLaplaceEvent(noise_multiplier=scale, truncation=cut)


def integral(scale: float, cut: float, epsilon: float) -> float:
    """The hockey stick by quadrature, on pieces that are smooth and short."""
    whole = -2.0 * scale * math.expm1(-cut / scale)
    kinks = {-cut, cut, 1.0 - cut, 0.0, (1.0 - epsilon * scale) / 2.0, 1.0, *np.linspace(-cut, cut, 30).tolist()}
    ends = np.array(sorted(z for z in kinks if abs(z) <= cut))

    def density(z: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(np.abs(z) <= cut, np.exp(-np.abs(z) / scale) / whole, 0.0)

    nodes, weights = np.polynomial.legendre.leggauss(20)
    half = np.diff(ends)[:, None] / 2.0
    z = ends[:-1, None] + half * (1.0 + nodes)
    return float(np.sum(half * weights * np.maximum(density(z) - math.exp(epsilon) * density(z - 1.0), 0.0)))


@each(("scale", "cut"), list(itertools.product(SCALES, CUTS)))
def test_the_profile_is_the_integral_of_the_densities(scale: float, cut: float) -> None:
    loss, last = 1.0 / scale, abs(2.0 * cut - 1.0) / scale
    points = [0.0, loss / 3.0, last * 0.999, last, loss, 1.5 * loss + 0.1]
    found = delta_of(event(scale, cut), epsilon=np.array(points))
    assert found == pytest.approx([integral(scale, cut, x) for x in points], rel=1e-9)


def test_the_floor_stays_for_every_larger_epsilon() -> None:
    floor = math.expm1(1.0) / (2.0 * math.expm1(5.0))
    found = delta_of(event(1.0, 5.0), epsilon=np.array([1.0, 2.0, 1000.0, 1e300]))
    assert found == pytest.approx([floor] * 4, rel=1e-14)
    assert delta_of(event(1.0, 5.0), epsilon=0.9) > floor


def test_below_a_sensitivity_the_floor_is_the_mass_of_the_end_and_below_half_of_it_everything() -> None:
    assert delta_of(event(1.0, 0.75), epsilon=5.0) == pytest.approx(0.7096, abs=5e-5)
    assert delta_of(event(1.0, 0.5), epsilon=5.0) == pytest.approx(1.0, rel=1e-15)
    assert delta_of(event(1e-3, 0.4), epsilon=0.0) == 1.0
    assert false_negative_rate(event(1.0, 0.4), false_positive_rate=0.0) == 0.0


def test_a_cut_far_out_is_no_cut() -> None:
    points = np.linspace(0.0, 1.4, 15)
    plain = delta_of(LaplaceEvent(noise_multiplier=0.7), epsilon=points)
    assert delta_of(event(0.7, 500.0), epsilon=points) == pytest.approx(plain, rel=1e-13)
    rates = np.array([0.0, 1e-300, 0.2, 0.6, 1.0])
    misses = false_negative_rate(LaplaceEvent(noise_multiplier=0.7), false_positive_rate=rates)
    assert false_negative_rate(event(0.7, 600.0), false_positive_rate=rates) == pytest.approx(misses, rel=1e-13)
    tiny = false_negative_rate(event(0.7, 40.0), false_positive_rate=1e-30)
    assert tiny == pytest.approx(1.0 - delta_of(event(0.7, 40.0), epsilon=10.0), rel=1e-15)


def test_wide_noise_is_a_uniform_law() -> None:
    assert delta_of(event(1e300, 4.0), epsilon=np.array([0.0, 1.0])) == pytest.approx([0.125, 0.125], rel=1e-12)
    rates = np.array([0.0, 0.3, 0.8, 0.9])
    misses = false_negative_rate(event(1e12, 4.0), false_positive_rate=rates)
    assert misses == pytest.approx(np.maximum(0.875 - rates, 0.0), abs=1e-11)
    assert equal_error_rate(event(1e12, 4.0)) == pytest.approx(0.4375, rel=1e-11)


@each("split", [0.5, 0.2, 0.05])
@each(("scale", "cut"), list(itertools.product([0.3, 1.0, 10.0], [0.55, 0.8, 1.5, 4.0])))
def test_a_shift_over_two_coordinates_reveals_no_more(scale: float, cut: float, split: float) -> None:
    z = (np.arange(500) + 0.5) / 250.0 * cut - cut
    chances = np.exp(-abs(z) / scale) / np.exp(-abs(z) / scale).sum()
    losses = [np.where(abs(z - s) <= cut, (abs(z - s) - abs(z)) / scale, np.inf) for s in (split, 1.0 - split)]
    both, chance = losses[0][:, None] + losses[1], chances[:, None] * chances
    for x in (0.0, 0.5 / scale, 0.9 / scale, 1.0 / scale, 2.0 / scale):
        spread = float((chance * -np.expm1(np.minimum(x - both, 0.0))).sum())
        assert spread <= delta_of(event(scale, cut), epsilon=x) + 2e-3


@each("cut", [1e-12, 0.5, 1.0, 1.1, 30.0, 1e6])
def test_quantile_and_cumulative_are_inverse(cut: float) -> None:
    chances = np.array([1e-12, 0.01, 0.3, 0.5])
    assert truncated_cumulative(truncated_quantile(chances, cut), cut) == pytest.approx(chances, rel=1e-9)
    assert truncated_cumulative(-truncated_quantile(chances, cut), cut) == pytest.approx(1.0 - chances, rel=1e-9)

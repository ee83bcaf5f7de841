"""Clamped noise and clamped outputs: three different things, and what each costs."""

import itertools
import math

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import (
    CappedErrors,
    ClampedLaplaceMechanism,
    ClampedOutput,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    RandomizedResponse,
    StaircaseMechanism,
    TruncatedLaplaceMechanism,
)
from dpengine.privacy import ApproximateEvent
from tests.golden.rows import number, rows
from tests.running.cases import each

INSIDE: list[CappedErrors] = [
    LaplaceMechanism(scale=2.0, l1_sensitivity=1.0),
    GaussianMechanism(standard_deviation=3.0, l2_sensitivity=1.0),
    DiscreteLaplaceMechanism(scale=2.0, l1_sensitivity=1),
    TruncatedLaplaceMechanism(scale=2.0, truncation=4.0, l1_sensitivity=1.0),
    ClampedLaplaceMechanism(scale=2.0, truncation=4.0, l1_sensitivity=1.0),
    DiscreteGaussianMechanism(standard_deviation=2.0, l2_sensitivity=1),
    StaircaseMechanism(epsilon=1.5, l1_sensitivity=2.0),
]


@each("row", rows("truncated_laplace"))
def test_clamped_noise_against_the_quadrature(row: dict[str, str]) -> None:
    scale = 1.0 / number(row, "epsilon")
    event = ClampedLaplaceMechanism(scale=scale, truncation=number(row, "truncation"), l1_sensitivity=1.0).event
    assert event.delta == pytest.approx(number(row, "delta_clamped_noise"), rel=1e-13, abs=0.0)
    assert event.epsilon == pytest.approx(number(row, "epsilon"), rel=1e-15)


def clamped_delta(scale: float, cut: float, shift: float, epsilon: float) -> float:
    """Both laws on a fine grid that holds every atom, cell by cell."""
    edges = np.unique(np.concatenate([np.linspace(-cut, cut + shift, 40_001), [cut, shift - cut]]))

    def cells(center: float) -> np.ndarray:
        below = np.where(
            edges < center, np.exp((edges - center) / scale) / 2.0, 1.0 - np.exp((center - edges) / scale) / 2.0
        )
        inside = (edges[:-1] >= center - cut - 1e-12) & (edges[1:] <= center + cut + 1e-12)
        return np.where(inside, np.diff(below), 0.0)

    end = math.exp(-cut / scale) / 2.0
    here, there = cells(0.0), cells(shift)
    return 2.0 * end + float(np.maximum(here - math.exp(epsilon) * there, 0.0).sum())


@each(("scale", "cut"), list(itertools.product([0.5, 1.0, 5.0], [0.55, 0.8, 1.0, 2.0])))
def test_clamped_noise_below_and_above_a_sensitivity(scale: float, cut: float) -> None:
    event = ClampedLaplaceMechanism(scale=scale, truncation=cut, l1_sensitivity=1.0).event
    assert event.delta == pytest.approx(clamped_delta(scale, cut, 1.0, event.epsilon * 1.001), rel=1e-6)
    for x in (0.0, 0.5 * event.epsilon):
        assert delta_of(event, epsilon=x) >= clamped_delta(scale, cut, 1.0, x) - 1e-9
    for nearer in (0.2, 0.9):
        assert event.delta >= clamped_delta(scale, cut, nearer, event.epsilon) - 1e-9


def test_within_half_a_sensitivity_clamped_noise_hides_nothing() -> None:
    for cut in (0.1, 0.5):
        assert ClampedLaplaceMechanism(scale=1.0, truncation=cut, l1_sensitivity=1.0).event.delta == 1.0


@each("cut", [1.0, 2.0, 10.0])
def test_clamped_noise_leaks_more_than_truncated_noise_and_a_clamped_output_nothing(cut: float) -> None:
    clamped = ClampedLaplaceMechanism(scale=1.0, truncation=cut, l1_sensitivity=1.0)
    truncated = TruncatedLaplaceMechanism(scale=1.0, truncation=cut, l1_sensitivity=1.0)
    output = ClampedOutput(mechanism=LaplaceMechanism(scale=1.0, l1_sensitivity=1.0), lower=-cut, upper=cut)
    deltas = [delta_of(one.event, epsilon=1.0) for one in (output, truncated, clamped)]
    assert deltas[0] == 0.0 < deltas[1] < deltas[2]


def test_clamped_noise_at_twice_the_cut_counts_the_shifts_just_below() -> None:
    """Two atoms meet at a shift of exactly 2 T; no smaller shift has that luck, and neighbors may be that near."""
    event = ClampedLaplaceMechanism(scale=1.0, truncation=1.0, l1_sensitivity=2.0).event
    below = ClampedLaplaceMechanism(scale=1.0, truncation=1.0, l1_sensitivity=2.0 - 1e-9).event
    assert event.delta == 1.0
    assert below.delta == pytest.approx(1.0, abs=1e-9)
    assert below.delta > 1.0 - math.exp(-1.0) / 2.0


def test_clamped_noise_is_its_density_and_two_atoms() -> None:
    mechanism = ClampedLaplaceMechanism(scale=2.0, truncation=5.0, l1_sensitivity=1.0)
    x = np.linspace(-5.0 + 2.5e-5, 5.0 - 2.5e-5, 200_000)
    density, atom = mechanism.density(x), mechanism.end_probability
    assert density.sum() / 20_000.0 + 2.0 * atom == pytest.approx(1.0, rel=1e-8)
    assert (density * x**2).sum() / 20_000.0 + 50.0 * atom == pytest.approx(mechanism.standard_deviation**2, rel=1e-8)
    assert (density * abs(x)).sum() / 20_000.0 + 10.0 * atom == pytest.approx(mechanism.expected_absolute_error)
    assert mechanism.tail(np.array([4.999999, 5.0])) == pytest.approx([2.0 * atom, 0.0], rel=1e-6)
    assert mechanism.error_quantile(0.5) == pytest.approx(2.0 * math.log(2.0))
    assert mechanism.error_quantile(0.99) == 5.0
    power_sum = 2.0 * float(np.sum((1.0 - 2.0 * atom) ** np.arange(1, 31) / np.arange(1, 31)))
    assert mechanism.expected_largest_error(30) == pytest.approx(power_sum, rel=1e-12)


@each("mechanism", INSIDE)
@each("cap", [0.0, 0.3, 1.0, 2.5, 3.999, 4.0, 6.0, 1e300])
def test_the_capped_error_is_the_integral_of_the_tail(mechanism: CappedErrors, cap: float) -> None:
    reach = min(cap, 100.0)
    t = np.linspace(0.5, 199_999.5, 200_000) / 200_000.0 * reach
    assert mechanism.expected_capped_error(cap) == pytest.approx(mechanism.tail(t).mean() * reach, rel=1e-4)


@each("mechanism", INSIDE)
@each("answer", [-3.0, 0.0, 1.0, 4.0, 10.0, 12.0])
def test_bias_and_error_of_a_clamped_output(mechanism: CappedErrors, answer: float) -> None:
    output = ClampedOutput(mechanism=mechanism, lower=0.0, upper=10.0)
    assert output.event == mechanism.event
    released = output.simulate(np.full(200_000, answer), np.random.default_rng(2))
    assert (released.min(), released.max()) >= (0.0, 0.0)
    assert released.max() <= 10.0
    assert output.bias(answer) == pytest.approx(released.mean() - answer, abs=0.04)
    assert output.expected_absolute_error(answer) == pytest.approx(np.abs(released - answer).mean(), abs=0.04)


def test_the_bias_is_none_in_the_middle_and_inwards_elsewhere() -> None:
    output = ClampedOutput(mechanism=LaplaceMechanism(scale=2.0, l1_sensitivity=1.0), lower=0.0, upper=10.0)
    biases = output.bias(np.linspace(0.0, 10.0, 11))
    assert biases[5] == 0.0
    assert biases[0] == pytest.approx(1.0 - math.exp(-5.0), rel=1e-14)
    assert np.all(np.diff(biases) < 0.0)
    assert output.bias(-3.0) == pytest.approx(3.0 + math.exp(-1.5) - math.exp(-6.5), rel=1e-13)
    unclamped = LaplaceMechanism(scale=2.0, l1_sensitivity=1.0).expected_absolute_error
    assert np.all(output.expected_absolute_error(np.linspace(0.0, 10.0, 11)) < unclamped)


@each(
    "bad",
    [
        RandomizedResponse.from_epsilon(1.0),
        ExponentialMechanism(epsilon=1.0, score_sensitivity=1.0),
        LaplaceMechanism,
        "laplace",
        None,
    ],
)
def test_what_adds_no_noise_cannot_be_clamped(bad: object) -> None:
    with pytest.raises(InvalidParameterError, match="mechanism must be additive noise"):
        ClampedOutput(mechanism=bad, lower=0.0, upper=1.0)  # type: ignore[arg-type]


@each(("lower", "upper", "named"), [(1.0, 1.0, "upper"), (2.0, 1.0, "upper"), (math.nan, 1.0, "lower")])
def test_limits_that_make_no_sense_are_named(lower: float, upper: float, named: str) -> None:
    with pytest.raises(InvalidParameterError, match=named):
        ClampedOutput(mechanism=INSIDE[0], lower=lower, upper=upper)


def test_noise_too_small_for_a_finite_epsilon_is_named() -> None:
    with pytest.raises(InvalidParameterError, match="l1_sensitivity / scale"):
        ClampedLaplaceMechanism(scale=1e-160, truncation=1.0, l1_sensitivity=1e150)
    assert isinstance(INSIDE[4].event, ApproximateEvent)

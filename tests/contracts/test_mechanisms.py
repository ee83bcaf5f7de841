"""What every additive mechanism owes; a new one adds a line to EXAMPLES."""

import math
from typing import Any

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import (
    AdditiveMechanism,
    ClampedLaplaceMechanism,
    ContinuousMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    DiscreteMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    StaircaseMechanism,
    TruncatedLaplaceMechanism,
    interval,
)
from dpengine.privacy import Event, Guarantee
from tests.running.cases import each

CONTINUOUS: list[ContinuousMechanism] = [
    LaplaceMechanism(scale=2.0, l1_sensitivity=1.0),
    GaussianMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=1e-6), l2_sensitivity=0.5),
    TruncatedLaplaceMechanism(scale=2.0, truncation=22.5, l1_sensitivity=1.0),
    TruncatedLaplaceMechanism(scale=2.0, truncation=1.125, l1_sensitivity=1.0),
]
DISCRETE: list[DiscreteMechanism] = [
    DiscreteLaplaceMechanism(scale=0.4, l1_sensitivity=1),
    DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=3),
    DiscreteGaussianMechanism(standard_deviation=0.4, l2_sensitivity=1),
    DiscreteGaussianMechanism.from_guarantee(Guarantee(epsilon=0.1, delta=1e-6), l2_sensitivity=3),
    DiscreteGaussianMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=1e-6), l2_sensitivity=math.sqrt(2.0)),
]
ON_A_GRID = (DiscreteLaplaceMechanism, DiscreteGaussianMechanism)
CLAMPED = ClampedLaplaceMechanism(scale=2.0, truncation=25.0, l1_sensitivity=1.0)
STAIRCASE = StaircaseMechanism(epsilon=2.0, l1_sensitivity=3.0)
EXAMPLES: list[AdditiveMechanism] = [*CONTINUOUS, *DISCRETE, CLAMPED, STAIRCASE]
EXTREME: list[AdditiveMechanism] = [
    *(LaplaceMechanism(scale=scale, l1_sensitivity=scale) for scale in (5e-324, 1e-3, 1e300)),
    *(GaussianMechanism(standard_deviation=scale, l2_sensitivity=scale) for scale in (5e-324, 1e-3, 1e300)),
    *(DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1) for scale in (5e-324, 1e-3, 1e9, 1e300)),
    *(
        DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1)
        for scale in (5e-324, 1e-3, 15.99, 16.0, 1e9, 1e300)
    ),
    *(
        TruncatedLaplaceMechanism(scale=scale, truncation=cut, l1_sensitivity=scale)
        for scale, cut in ((5e-324, 1e-320), (1e-3, 1e300), (1e300, 1e-3), (1e300, 1e300))
    ),
    *(
        ClampedLaplaceMechanism(scale=scale, truncation=cut, l1_sensitivity=scale)
        for scale, cut in ((5e-324, 1e-320), (1e-3, 1e300), (1e300, 1e-3), (1e300, 1e300))
    ),
]
EXTREME += [StaircaseMechanism(epsilon=epsilon, l1_sensitivity=x) for epsilon in (0.01, 600.0) for x in (1e-150, 1e150)]
LAWS: dict[type[Any], tuple[str, ...]] = {
    LaplaceMechanism: ("scale", "l1_sensitivity"),
    GaussianMechanism: ("standard_deviation", "l2_sensitivity"),
    DiscreteLaplaceMechanism: ("scale", "l1_sensitivity"),
    DiscreteGaussianMechanism: ("standard_deviation", "l2_sensitivity"),
    TruncatedLaplaceMechanism: ("scale", "truncation", "l1_sensitivity"),
    ClampedLaplaceMechanism: ("scale", "truncation", "l1_sensitivity"),
    StaircaseMechanism: ("epsilon", "l1_sensitivity"),
}


def grid(mechanism: ContinuousMechanism) -> tuple[np.ndarray, float]:
    """Middles of equal cells, up to the cut where there is one."""
    ends = mechanism.truncation if isinstance(mechanism, TruncatedLaplaceMechanism) else math.inf
    reach = min(ends, 45.0 * mechanism.standard_deviation)
    return (np.arange(200_000) + 0.5) * reach / 100_000 - reach, reach / 100_000


def steps(mechanism: DiscreteMechanism) -> np.ndarray:
    reach = math.ceil(45.0 * mechanism.standard_deviation) + 5
    return np.arange(-reach, reach + 1.0)


@each("mechanism", CONTINUOUS)
def test_the_density_gives_every_moment_and_the_tail(mechanism: ContinuousMechanism) -> None:
    x, width = grid(mechanism)
    density = mechanism.density(x)
    assert density.sum() * width == pytest.approx(1.0, rel=1e-6)
    assert (density * x**2).sum() * width == pytest.approx(mechanism.standard_deviation**2, rel=1e-6)
    assert (density * abs(x)).sum() * width == pytest.approx(mechanism.expected_absolute_error, rel=1e-6)
    outside = density[abs(x) > mechanism.standard_deviation].sum() * width
    assert outside == pytest.approx(mechanism.tail(mechanism.standard_deviation), abs=1e-3)


@each("mechanism", DISCRETE)
def test_the_probabilities_give_every_moment_and_the_tail(mechanism: DiscreteMechanism) -> None:
    k = steps(mechanism)
    probability = mechanism.probability(k)
    assert probability.sum() == pytest.approx(1.0, rel=1e-12)
    assert (probability * k**2).sum() == pytest.approx(mechanism.standard_deviation**2, rel=1e-10)
    assert (probability * abs(k)).sum() == pytest.approx(mechanism.expected_absolute_error, rel=1e-10)
    for t in (0.0, 1.0, 2.5, 7.0):
        assert probability[abs(k) > t].sum() == pytest.approx(mechanism.tail(t), rel=1e-9)


@each("mechanism", CONTINUOUS)
@each("coordinates", [1, 3, 1000, 10_000_000])
@each("confidence", [1e-9, 0.05, 0.5, 0.95, 1.0 - 1e-12])
def test_tail_and_quantile_are_inverse(mechanism: ContinuousMechanism, coordinates: int, confidence: float) -> None:
    outside = mechanism.tail(mechanism.error_quantile(confidence, coordinates))
    assert coordinates * math.log1p(-outside) == pytest.approx(math.log(confidence), rel=1e-6)


@each("mechanism", EXAMPLES)
def test_the_mean_largest_error_grows_from_the_mean_error(mechanism: AdditiveMechanism) -> None:
    largest = [mechanism.expected_largest_error(d) for d in (1, 2, 10, 1000, 10**7)]
    assert largest[0] == pytest.approx(mechanism.expected_absolute_error, rel=1e-10)
    assert np.all(np.diff(largest) > 0.0)
    assert largest[1] <= 2.0 * largest[0]


@each("mechanism", EXAMPLES)
def test_the_mean_largest_of_two_is_the_sum_of_its_tail(mechanism: AdditiveMechanism) -> None:
    reach = 45.0 * mechanism.standard_deviation
    whole = isinstance(mechanism, ON_A_GRID)
    t, width = (np.arange(reach), 1.0) if whole else ((np.arange(200_000) + 0.5) * reach / 200_000, reach / 200_000)
    tail = mechanism.tail(t)
    assert mechanism.expected_largest_error(2) == pytest.approx((tail * (2.0 - tail)).sum() * width, rel=1e-6)


@each("mechanism", EXAMPLES)
def test_simulation_follows_the_law_and_the_shape(mechanism: AdditiveMechanism) -> None:
    noise = mechanism.simulate(np.full((100, 400), 7.0), np.random.default_rng(1)) - 7.0
    assert noise.shape == (100, 400)
    assert noise.std() == pytest.approx(mechanism.standard_deviation, rel=0.05)
    assert np.abs(noise).mean() == pytest.approx(mechanism.expected_absolute_error, rel=0.05)
    again = mechanism.simulate(np.full((100, 400), 7.0), np.random.default_rng(1)) - 7.0
    assert noise.tolist() == again.tolist()


@each("mechanism", EXAMPLES)
@each(("confidence", "coordinates"), [(0.8, 1), (0.8, 5)])
def test_an_interval_covers_as_often_as_it_says(
    mechanism: AdditiveMechanism, confidence: float, coordinates: int
) -> None:
    noisy = mechanism.simulate(np.full((4000, coordinates), 7.0), np.random.default_rng(3))
    lower, upper = interval(mechanism, noisy, confidence=confidence, coordinates=coordinates)
    covered = ((lower <= 7.0) & (upper >= 7.0)).all(axis=1).mean()
    assert covered >= confidence - 0.03
    if mechanism in CONTINUOUS:
        assert covered <= confidence + 0.03
    assert interval(mechanism, 7.0, confidence=confidence)[0] < 7.0 or mechanism.error_quantile(confidence) == 0.0


@each("mechanism", EXAMPLES)
def test_it_tells_accountants_an_event(mechanism: AdditiveMechanism) -> None:
    assert isinstance(mechanism.event, Event)


@each("mechanism", EXAMPLES)
def test_numbers_stay_numbers_and_arrays_arrays(mechanism: AdditiveMechanism) -> None:
    assert isinstance(mechanism.tail(1.0), float)
    assert mechanism.tail(np.zeros((2, 2))).shape == (2, 2)
    assert mechanism.tail(-1.0) == 1.0


@each("mechanism", [*EXAMPLES, *EXTREME])
def test_nothing_is_beyond_infinity(mechanism: AdditiveMechanism) -> None:
    assert mechanism.tail(math.inf) == 0.0
    assert mechanism.tail(np.array([-math.inf, 0.0, math.inf])).tolist() == [1.0, mechanism.tail(0.0), 0.0]


@each("mechanism", EXAMPLES)
@each("bad", [0.0, 1.0, -0.5, 2.0, math.nan, "high"])
def test_bad_confidence_is_named(mechanism: AdditiveMechanism, bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="confidence"):
        mechanism.error_quantile(bad)


@each("mechanism", EXAMPLES)
@each("bad", [0, -1, 1.5, math.nan, math.inf])
def test_bad_coordinates_are_named(mechanism: AdditiveMechanism, bad: int) -> None:
    with pytest.raises(InvalidParameterError, match="coordinates"):
        mechanism.error_quantile(0.9, bad)
    with pytest.raises(InvalidParameterError, match="coordinates"):
        mechanism.expected_largest_error(bad)


@each("mechanism", EXAMPLES)
def test_bad_points_are_named(mechanism: AdditiveMechanism) -> None:
    with pytest.raises(InvalidParameterError, match="t must be"):
        mechanism.tail(math.nan)
    with pytest.raises(InvalidParameterError, match="answer"):
        mechanism.simulate("many", np.random.default_rng(1))


@each("law", LAWS)
@each("bad", [0.0, -1.0, math.nan, math.inf, "1", None, True])
def test_bad_fields_are_named(law: type[Any], bad: float) -> None:
    for field in LAWS[law]:
        good = dict.fromkeys(LAWS[law], 1)
        with pytest.raises(InvalidParameterError, match=field):
            law(**{**good, field: bad})


@each("mechanism", EXTREME)
def test_nothing_is_too_extreme_for_a_number(mechanism: AdditiveMechanism) -> None:
    values = [mechanism.standard_deviation, mechanism.expected_absolute_error]
    for coordinates in (1, 10**7):
        values.append(mechanism.expected_largest_error(coordinates))
        values += [mechanism.error_quantile(confidence, coordinates) for confidence in (1e-300, 0.5, 1.0 - 1e-16)]
    values += [mechanism.tail(t) for t in (0.0, 1.0, 1e300)]
    shape = mechanism.probability if isinstance(mechanism, ON_A_GRID) else mechanism.density  # type: ignore[attr-defined]
    values += [shape(x) for x in (0.0, 1.0, 1e300)]
    assert all(value >= 0.0 for value in values)
    mechanism.simulate(np.zeros(3), np.random.default_rng(1))

"""Laws of noise and of what one run reveals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine import accounting
from dpengine.losses import delta_of, false_negative_rate
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    TruncatedLaplaceMechanism,
)
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
    TruncatedLaplaceEvent,
    exact_decimal,
)

noise = st.floats(1e-3, 1e3)
epsilons = st.floats(1e-6, 50.0)
confidences = st.floats(1e-6, 1.0 - 1e-9)
coordinates = st.integers(1, 10**7)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(lambda x: LaplaceEvent(noise_multiplier=x), noise),
    st.builds(lambda x: GaussianEvent(noise_multiplier=x), noise),
    st.builds(lambda x, s: DiscreteLaplaceEvent(noise_multiplier=x, sensitivity=s), noise, st.integers(1, 1000)),
    st.builds(lambda x, s: DiscreteGaussianEvent(noise_multiplier=x, sensitivity=s), noise, st.integers(1, 1000)),
    st.builds(lambda x: PureEvent(epsilon=x), epsilons),
    st.builds(lambda x, y: ApproximateEvent(epsilon=x, delta=y), epsilons, st.floats(0.0, 1.0)),
    st.builds(lambda x, y: TruncatedLaplaceEvent(noise_multiplier=x, truncation=y), noise, st.floats(0.1, 1e3)),
    st.builds(lambda x: BoundedRangeEvent(epsilon=x), epsilons),
    st.builds(lambda x: ConcentratedEvent(rho=x), epsilons),
)


@given(events, st.lists(st.floats(-100.0, 1000.0), min_size=2, max_size=30))
def test_the_profile_never_rises(event: Event, points: list[float]) -> None:
    delta = delta_of(event, epsilon=np.sort(points))
    assert np.all(np.diff(delta) <= 1e-14)


@given(events)
def test_the_profile_is_symmetric_in_its_own_sense(event: Event) -> None:
    epsilon = np.linspace(0.0, 5.0, 21)
    there, back = delta_of(event, epsilon=epsilon), delta_of(event, epsilon=-epsilon)
    assert 1.0 - back == pytest.approx(np.exp(-epsilon) * (1.0 - there), rel=1e-9, abs=1e-14)


@given(events, st.floats(0.0, 3.0))
def test_the_profile_is_convex_in_the_ratio_of_chances(event: Event, width: float) -> None:
    ratios = np.linspace(np.exp(-width), np.exp(width), 101)
    delta = delta_of(event, epsilon=np.log(ratios))
    assert np.all(np.diff(delta, 2) >= -1e-12)


@given(events)
def test_the_trade_off_curve_is_convex_and_its_own_inverse(event: Event) -> None:
    rates = np.linspace(0.0, 1.0, 201)
    misses = false_negative_rate(event, false_positive_rate=rates)
    assert np.all(np.diff(misses, 2) >= -1e-12)
    assert np.all(misses <= 1.0 - rates + 1e-12)
    inside = misses[misses > 1e-9]
    again = false_negative_rate(event, false_positive_rate=inside)
    assert np.all(again <= rates[misses > 1e-9] + 1e-9)


@given(epsilons, epsilons, confidences, coordinates)
def test_more_epsilon_never_means_more_error(one: float, other: float, confidence: float, d: int) -> None:
    less, more = sorted((one, other))
    for law in (LaplaceMechanism.from_epsilon, DiscreteLaplaceMechanism.from_epsilon):
        noisy, quiet = law(less, l1_sensitivity=1), law(more, l1_sensitivity=1)
        assert quiet.error_quantile(confidence, d) <= noisy.error_quantile(confidence, d)
        assert quiet.expected_absolute_error <= noisy.expected_absolute_error
    noisy_bell, quiet_bell = (GaussianMechanism.from_guarantee(Guarantee(epsilon=x, delta=1e-6)) for x in (less, more))
    assert quiet_bell.standard_deviation <= noisy_bell.standard_deviation * (1.0 + 1e-14)


@given(noise, confidences, confidences, coordinates)
def test_more_confidence_or_more_coordinates_never_mean_a_smaller_interval(
    scale: float, one: float, other: float, d: int
) -> None:
    low, high = sorted((one, other))
    for mechanism in (
        LaplaceMechanism(scale=scale, l1_sensitivity=1.0),
        DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1),
        DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1),
        GaussianMechanism(standard_deviation=scale, l2_sensitivity=1.0),
        TruncatedLaplaceMechanism(scale=scale, truncation=10.0, l1_sensitivity=1.0),
    ):
        assert mechanism.error_quantile(low, d) <= mechanism.error_quantile(high, d)
        assert mechanism.error_quantile(low) <= mechanism.error_quantile(low, d)


@given(st.floats(1e-6, 50.0), st.floats(1e-9, 0.5), st.floats(1e-3, 1e3))
def test_truncated_noise_keeps_its_promise(epsilon: float, delta: float, sensitivity: float) -> None:
    guarantee = Guarantee(epsilon=epsilon, delta=delta)
    mechanism = TruncatedLaplaceMechanism.from_guarantee(guarantee, l1_sensitivity=sensitivity)
    assert delta_of(mechanism.event, epsilon=epsilon) <= delta
    assert mechanism.error_quantile(1.0 - 1e-9) <= mechanism.truncation
    assert mechanism.expected_absolute_error <= LaplaceMechanism.from_epsilon(
        epsilon, l1_sensitivity=sensitivity
    ).expected_absolute_error * (1.0 + 1e-12)


@given(st.floats(0.0, 1e6), confidences, coordinates)
def test_noise_made_for_an_error_is_within_it(error: float, confidence: float, d: int) -> None:
    discrete = DiscreteLaplaceMechanism.from_error(error, confidence=confidence, coordinates=d)
    assert discrete.error_quantile(confidence, d) <= error
    if error > 1e-9:
        laplace = LaplaceMechanism.from_error(error, confidence=confidence, coordinates=d)
        assert laplace.error_quantile(confidence, d) <= error


@given(st.floats(1e-9, 1e4), st.integers(1, 10**9))
def test_the_exact_epsilon_never_exceeds_the_one_written_down(epsilon: float, sensitivity: int) -> None:
    mechanism = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=sensitivity)
    assert mechanism.exact_epsilon <= exact_decimal(epsilon)
    assert float(mechanism.exact_epsilon) == pytest.approx(epsilon, rel=1e-14)


@given(st.floats(1e-9, 1e4), st.integers(1, 10**9))
def test_what_the_accountants_see_is_never_below_the_exact_epsilon(epsilon: float, sensitivity: int) -> None:
    mechanism = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=sensitivity)
    seen = accounting.epsilon({mechanism.event: 1}, delta=0.0, accountant="basic")
    assert mechanism.exact_epsilon <= exact_decimal(seen) <= exact_decimal(epsilon)
    assert seen == pytest.approx(float(mechanism.exact_epsilon), rel=1e-15)


@given(st.floats(0.0, 50.0), st.floats(-40.0, -0.01).map(lambda x: float(np.exp(x))))
def test_analytic_noise_keeps_its_promise(epsilon: float, delta: float) -> None:
    mechanism = GaussianMechanism.from_guarantee(Guarantee(epsilon=epsilon, delta=delta))
    assert delta_of(mechanism.event, epsilon=epsilon) <= delta
    assert delta_of(mechanism.event, epsilon=epsilon) == pytest.approx(delta, rel=1e-8)

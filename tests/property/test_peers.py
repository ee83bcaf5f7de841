"""Random parameters against dp-accounting, opendp and scipy; each test says how close, and who may be above whom."""

from __future__ import annotations

import math

import numpy as np
import opendp.prelude as dp
import pytest
from dp_accounting import dp_event, gaussian_mechanism
from dp_accounting.pld import privacy_loss_distribution as peer
from dp_accounting.rdp import rdp_privacy_accountant
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from dpengine.accounting import epsilon
from dpengine.losses import delta_of, gaussian_noise_multiplier
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    exact_noise,
)
from dpengine.privacy import ConcentratedEvent, DiscreteLaplaceEvent, Event, GaussianEvent, LaplaceEvent

noises = st.floats(-0.7, 2.0).map(lambda x: 10.0**x)
deltas = st.floats(-9.0, -2.0).map(lambda x: 10.0**x)
confidences = st.floats(0.01, 0.999)
MOST_OF_PEER = 500.0
few = settings(max_examples=10, deadline=None)


@few
@given(noise=noises, delta=deltas, runs=st.integers(1, 200))
def test_laplace_composition(noise: float, delta: float, runs: int) -> None:
    """Between their optimistic and pessimistic bounds, which differ by their grid: 2 parts in 10,000 of slack.

    Their bounds hold while e^epsilon is a number: at 154 runs of noise 0.19988548 and delta 1e-9 the optimistic one is
    718.24, where weighted draws find a delta of 9.9e-10 at our 717.55 already.
    """
    assume(runs <= MOST_OF_PEER * noise)
    found = epsilon({LaplaceEvent(noise_multiplier=noise): runs}, delta=delta, accountant="exact")
    above, below = (
        peer.from_laplace_mechanism(
            noise, pessimistic_estimate=pessimistic, value_discretization_interval=min(1e-3, 0.02 / noise)
        )
        .self_compose(runs)
        .get_epsilon_for_delta(delta)
        for pessimistic in (True, False)
    )
    assert below * (1.0 - 1e-6) - 1e-9 <= found <= above * (1.0 + 2e-4) + 1e-9


@few
@given(noise=noises, delta=deltas, runs=st.integers(1, 1000))
def test_gaussian_composition(noise: float, delta: float, runs: int) -> None:
    """Their closed form for one Gaussian of the joint shift: equal to 6 digits."""
    found = epsilon({GaussianEvent(noise_multiplier=noise): runs}, delta=delta, accountant="exact")
    theirs = gaussian_mechanism.get_epsilon_gaussian(noise / math.sqrt(runs), delta)
    assert found == pytest.approx(theirs, rel=1e-6, abs=1e-9)


@few
@given(wanted=st.floats(0.05, 8.0), delta=deltas)
def test_gaussian_calibration(wanted: float, delta: float) -> None:
    """Their search ends on the private side within its own tolerance; ours never takes more noise than that."""
    found = gaussian_noise_multiplier(epsilon=wanted, delta=delta)
    theirs = gaussian_mechanism.get_sigma_gaussian(wanted, delta, tol=1e-9)
    assert found == pytest.approx(theirs, rel=1e-6)


@few
@given(noise=noises, steps=st.integers(1, 6), delta=deltas, runs=st.integers(1, 60))
def test_discrete_laplace_composition(noise: float, steps: int, delta: float, runs: int) -> None:
    """Their upper bound is never below ours by more than a part in 10,000, and as close as its grid lets it be."""
    event = DiscreteLaplaceEvent(noise_multiplier=noise, sensitivity=steps)
    found = epsilon({event: runs}, delta=delta, accountant="exact")
    law = peer.from_discrete_laplace_mechanism(
        1.0 / noise / steps, sensitivity=steps, value_discretization_interval=min(1e-3, 0.02 / noise)
    )
    theirs = law.self_compose(runs).get_epsilon_for_delta(delta)
    assert found <= theirs * (1.0 + 1e-4) + 1e-9
    assert found == pytest.approx(theirs, rel=0.1, abs=0.02)


@few
@given(noise=noises, delta=deltas, runs=st.integers(1, 500))
def test_renyi_accounting_is_never_above_theirs(noise: float, delta: float, runs: int) -> None:
    """Their orders are few, ours are many: at most theirs."""
    for ours, event in (
        (LaplaceEvent(noise_multiplier=noise), dp_event.LaplaceDpEvent(noise)),
        (GaussianEvent(noise_multiplier=noise), dp_event.GaussianDpEvent(noise)),
    ):
        theirs = rdp_privacy_accountant.RdpAccountant().compose(event, runs).get_epsilon(delta)
        assert epsilon({ours: runs}, delta=delta, accountant="renyi") <= theirs * (1.0 + 1e-9)


@few
@given(rho=st.floats(-4.0, 1.5).map(lambda x: 10.0**x), delta=deltas)
def test_rho_conversion_agrees_with_opendp(rho: float, delta: float) -> None:
    """opendp's own curve of a Gaussian measurement of that rho: equal to 8 digits."""
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="i64")
    measurement = dp.m.make_gaussian(*space, scale=1.0 / math.sqrt(2.0 * rho))
    theirs = dp.c.make_zCDP_to_approxDP(measurement).map(1).epsilon(delta)
    found = epsilon({ConcentratedEvent(rho=rho): 1}, delta=delta, accountant="concentrated")
    assert found == pytest.approx(theirs, rel=1e-8)


@few
@given(scale=st.floats(0.3, 1e6), steps=st.integers(1, 1000))
def test_charges_agree_with_opendp(scale: float, steps: int) -> None:
    """opendp rounds its maps up: never below the exact amount, and above by its last digits only."""
    laplace = DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=steps)
    gaussian = DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=steps)
    exact = {laplace: steps / scale, gaussian: steps**2 / (2.0 * scale**2)}
    for mechanism, amount in exact.items():
        mapped = exact_noise.privacy_map(mechanism)
        assert amount * (1.0 - 1e-14) <= mapped <= amount * (1.0 + 1e-12)


@few
@given(scale=st.floats(1e-3, 1e6), confidence=confidences, size=st.floats(0.01, 30.0))
def test_continuous_laws_agree_with_scipy(scale: float, confidence: float, size: float) -> None:
    """Densities, tails and quantiles: equal to 10 digits."""
    pairs: list[tuple[LaplaceMechanism | GaussianMechanism, object]] = [
        (LaplaceMechanism(scale=scale, l1_sensitivity=1.0), stats.laplace(scale=scale)),
        (GaussianMechanism(standard_deviation=scale, l2_sensitivity=1.0), stats.norm(scale=scale)),
    ]
    for ours, theirs in pairs:
        point = size * scale
        assert ours.density(point) == pytest.approx(theirs.pdf(point), rel=1e-10)  # type: ignore[attr-defined]
        assert ours.tail(point) == pytest.approx(2.0 * theirs.sf(point), rel=1e-10)  # type: ignore[attr-defined]
        quantile = theirs.isf((1.0 - confidence) / 2.0)  # type: ignore[attr-defined]
        assert ours.error_quantile(confidence) == pytest.approx(quantile, rel=1e-10)


@few
@given(scale=st.floats(0.2, 40.0), reach=st.integers(0, 12))
def test_discrete_laws_agree_with_scipy(scale: float, reach: int) -> None:
    """scipy's tail of discrete Laplace noise loses digits below 1e-9, so probabilities are compared: 9 digits."""
    law = stats.dlaplace(1.0 / scale)
    mechanism = DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)
    assert mechanism.probability(float(reach)) == pytest.approx(law.pmf(reach), rel=1e-9)
    assert mechanism.tail(float(reach)) == pytest.approx(2.0 * law.sf(reach), abs=1e-12)


@few
@given(scores=st.lists(st.integers(-50, 50), min_size=1, max_size=30), wanted=st.floats(0.01, 5.0))
def test_the_exponential_mechanism_agrees_with_scipy(scores: list[int], wanted: float) -> None:
    """Its law is the softmax of epsilon score / 2: equal to 12 digits."""
    found = ExponentialMechanism(epsilon=wanted, score_sensitivity=1.0).probabilities(np.array(scores, dtype=float))
    weights = np.exp(wanted * (np.array(scores) - max(scores)) / 2.0)
    assert found == pytest.approx(weights / weights.sum(), rel=1e-12, abs=1e-300)


@settings(max_examples=5, deadline=None)
@given(noise=noises, point=st.floats(0.0, 3.0))
def test_profiles_agree_with_dp_accounting(noise: float, point: float) -> None:
    """Their single-run profiles are upper bounds of their grid: never below ours by more than rounding."""
    pairs: list[tuple[Event, peer.PrivacyLossDistribution]] = [
        (LaplaceEvent(noise_multiplier=noise), peer.from_laplace_mechanism(noise)),
        (GaussianEvent(noise_multiplier=noise), peer.from_gaussian_mechanism(noise)),
    ]
    for event, law in pairs:
        ours, theirs = delta_of(event, epsilon=point), law.get_delta_for_epsilon(point)
        assert ours <= theirs + 1e-9
        assert theirs == pytest.approx(ours, abs=2e-4)

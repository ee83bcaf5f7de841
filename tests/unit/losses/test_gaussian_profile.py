"""The Gaussian profile and its two inverses, far into the tails."""

import math

import mpmath
import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.losses import gaussian_epsilon, gaussian_log_delta, gaussian_noise_multiplier
from dpengine.losses.gaussian import gaussian_log_delta_above
from tests.running.cases import each


def reference(noise_multiplier: float, epsilon: float) -> float:
    """Balle and Wang 2018, Theorem 8, with enough digits to survive its cancellation."""
    with mpmath.workdps(400):
        shift, point = 1 / mpmath.mpf(noise_multiplier), mpmath.mpf(epsilon)
        near = mpmath.ncdf(shift / 2 - point / shift)
        far = mpmath.exp(point) * mpmath.ncdf(-shift / 2 - point / shift)
        return float(mpmath.log(near - far))


@each("noise_multiplier", [0.01, 0.3, 1.0, 3.9, 4.1, 40.0, 1e4, 1e8])
@each("deviations", [-3.0, -0.1, 0.0, 0.3, 2.0, 8.0, 25.0])
def test_log_delta_is_right_in_every_region(noise_multiplier: float, deviations: float) -> None:
    epsilon = max(0.0, deviations / noise_multiplier + 0.5 / noise_multiplier**2)
    found = gaussian_log_delta(noise_multiplier=noise_multiplier, epsilon=epsilon)
    assert found == pytest.approx(reference(noise_multiplier, epsilon), rel=1e-12, abs=1e-13)


@each("noise_multiplier", [5e-324, 1e-300, 1e-9, 1.0, 1e9, 1e300])
def test_no_noise_and_no_epsilon_is_too_extreme(noise_multiplier: float) -> None:
    log_delta = gaussian_log_delta(
        noise_multiplier=noise_multiplier, epsilon=np.array([0.0, 1e-300, 1e-9, 1.0, 1e3, 1e300])
    )
    assert np.all(log_delta <= 0.0)
    assert np.all(np.diff(log_delta) <= 0.0)


@each("noise_multiplier", [1e-300, 1e-3, 1.0, 1e9])
@each("delta", [5e-324, 1e-300, 1e-9, 0.5, 1.0 - 1e-16, 1.0])
def test_epsilon_ends_on_the_private_side(noise_multiplier: float, delta: float) -> None:
    epsilon = gaussian_epsilon(noise_multiplier=noise_multiplier, delta=delta)
    assert epsilon == math.inf or gaussian_log_delta(noise_multiplier=noise_multiplier, epsilon=epsilon) <= math.log(
        delta
    )
    assert math.isfinite(epsilon) is (noise_multiplier > 1e-300 or delta == 1.0)


@each("epsilon", [0.0, 1e-300, 1e-9, 1.0, 1000.0, 1e300])
@each("delta", [1e-300, 1e-9, 0.5, 1.0 - 1e-16])
def test_noise_ends_on_the_private_side(epsilon: float, delta: float) -> None:
    noise = gaussian_noise_multiplier(epsilon=epsilon, delta=delta)
    assert gaussian_log_delta(noise_multiplier=noise, epsilon=epsilon) <= math.log(delta)
    less = gaussian_log_delta(noise_multiplier=noise * (1.0 - 1e-6), epsilon=epsilon)
    assert less > math.log(delta) or less == pytest.approx(math.log(delta), abs=1e-9)


def exact_delta(noise_multiplier: float, epsilon: float) -> mpmath.mpf:
    """delta itself, to 60 digits; call it inside mpmath.workdps(400)."""
    shift, point = 1 / mpmath.mpf(noise_multiplier), mpmath.mpf(epsilon)
    return mpmath.ncdf(shift / 2 - point / shift) - mpmath.exp(point) * mpmath.ncdf(-shift / 2 - point / shift)


def test_epsilon_and_noise_keep_the_promise_to_the_last_digit() -> None:
    rng = np.random.default_rng(20)
    points = [(float(np.exp(rng.uniform(-4.0, 6.0))), float(np.exp(rng.uniform(-250.0, -0.1)))) for _ in range(60)]
    with mpmath.workdps(400):
        for noise_multiplier, delta in [(7.627648078280283, 5.751159808083033e-33), *points]:
            epsilon = gaussian_epsilon(noise_multiplier=noise_multiplier, delta=delta)
            assert exact_delta(noise_multiplier, epsilon) <= delta, (noise_multiplier, delta)
            noise = gaussian_noise_multiplier(epsilon=epsilon, delta=delta)
            assert exact_delta(noise, epsilon) <= delta, (epsilon, delta)


def test_the_upper_bound_is_never_below_the_truth() -> None:
    """Where the two tails are just far enough apart to be subtracted, most digits are lost."""
    rng = np.random.default_rng(5)
    shifts, edges = rng.uniform(0.2, 1.0, 200), rng.uniform(0.0, 1.0, 200)
    random = zip((1.0 / shifts).tolist(), (shifts * (edges + shifts / 2.0)).tolist(), strict=True)
    known = [(3.8275853054620907, 0.10979773808714959), (3.0651533829440822, 0.06274073416755563)]
    with mpmath.workdps(40):
        for noise_multiplier, epsilon in [*known, *random]:
            bound = float(gaussian_log_delta_above(1.0 / np.array(noise_multiplier), np.array(epsilon)))
            truth = mpmath.log(exact_delta(noise_multiplier, epsilon))
            assert truth <= bound <= truth + 1e-13, (noise_multiplier, epsilon)


def test_a_curve_is_the_same_at_each_place_alone() -> None:
    noise = np.array([1e-3, 0.3, 2.0, 3.0, 50.0, 1e6])
    curve = gaussian_epsilon(noise_multiplier=noise, delta=1e-6)
    assert curve.tolist() == [gaussian_epsilon(noise_multiplier=each, delta=1e-6) for each in noise.tolist()]


@each("delta", [1e-300, 1e-30, 1e-6, 0.1])
def test_epsilon_is_no_more_than_rounding_above_the_truth(delta: float) -> None:
    with mpmath.workdps(400):
        for noise_multiplier in (1e-3, 0.1, 1.0, 2.5, 4.0, 20.0):
            epsilon = gaussian_epsilon(noise_multiplier=noise_multiplier, delta=delta)
            assert epsilon == 0.0 or exact_delta(noise_multiplier, epsilon * (1.0 - 1e-13)) > delta, noise_multiplier


def test_the_largest_epsilon_needs_almost_no_noise() -> None:
    assert 0.0 < gaussian_noise_multiplier(epsilon=1e308, delta=0.5) < 1e-149


def test_delta_0_needs_infinite_epsilon() -> None:
    assert gaussian_epsilon(noise_multiplier=1.0, delta=0.0) == math.inf


def test_epsilon_is_0_once_delta_allows_the_whole_difference() -> None:
    assert gaussian_epsilon(noise_multiplier=2.0, delta=math.erf(0.25 / math.sqrt(2.0)) + 1e-9) == 0.0


def test_at_epsilon_0_the_noise_is_that_of_the_total_variation() -> None:
    noise = gaussian_noise_multiplier(epsilon=0.0, delta=0.01)
    assert math.erf(1.0 / noise / math.sqrt(8.0)) == pytest.approx(0.01, rel=1e-12)


def test_arrays_broadcast() -> None:
    epsilon = gaussian_epsilon(noise_multiplier=np.array([1.0, 2.0]), delta=np.array([[1e-6], [1e-3]]))
    assert epsilon.shape == (2, 2)
    assert epsilon[0, 1] == gaussian_epsilon(noise_multiplier=2.0, delta=1e-6)


def test_bad_values_are_named() -> None:
    with pytest.raises(InvalidParameterError, match="noise_multiplier"):
        gaussian_log_delta(noise_multiplier=0.0, epsilon=1.0)
    with pytest.raises(InvalidParameterError, match="epsilon"):
        gaussian_log_delta(noise_multiplier=1.0, epsilon=-1.0)
    for delta in (0.0, 1.0, -1.0, math.nan):
        with pytest.raises(InvalidParameterError, match="delta"):
            gaussian_noise_multiplier(epsilon=1.0, delta=delta)

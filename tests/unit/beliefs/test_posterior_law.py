"""The law of the posterior, against mechanisms whose outputs can be listed and against simulation."""

import math

import numpy as np
import pytest

from dpengine.beliefs import BeliefDistribution, posterior_bounds, posterior_law
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.mechanisms import ExponentialMechanism
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
)
from tests.running.cases import each

PRIORS = [1e-6, 0.1, 0.5, 0.99]
EVENTS: list[Event] = [
    LaplaceEvent(noise_multiplier=0.7),
    GaussianEvent(noise_multiplier=0.7),
    GaussianEvent(noise_multiplier=1e-3),
    DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=6),
    RandomizedResponseEvent(epsilon=1.3),
    PureEvent(epsilon=0.0),
    ApproximateEvent(epsilon=1.0, delta=0.1),
    TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=3.0),
    TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=0.7),
    BoundedRangeEvent(epsilon=1.3),
]
EXTREME: list[Event] = [
    *(LaplaceEvent(noise_multiplier=noise) for noise in (1e-300, 1e-3, 1e9, 1e300)),
    *(GaussianEvent(noise_multiplier=noise) for noise in (1e-300, 1e9, 1e300)),
    *(PureEvent(epsilon=epsilon) for epsilon in (1e-9, 1000.0)),
]


def geometric(scale: float, lowest: int, highest: int, center: int) -> np.ndarray:
    """Two-sided geometric noise on a count, the answer clamped to [lowest, highest]."""
    chances = math.tanh(0.5 / scale) * np.exp(-abs(np.arange(lowest, highest + 1) - center) / scale)
    ends = [math.exp(-(abs(end - center)) / scale) / (1.0 + math.exp(-1.0 / scale)) for end in (lowest, highest)]
    return np.concatenate([ends[:1], chances[1:-1], ends[1:]])


@each("prior", PRIORS)
@each("sensitivity", [1, 4])
def test_against_every_output_of_a_clamped_geometric_count(prior: float, sensitivity: int) -> None:
    scale = 2.0
    inside, outside = (geometric(scale, -200, 200, center) for center in (sensitivity, 0))
    assert inside.sum() == pytest.approx(1.0)
    law = posterior_law(
        DiscreteLaplaceEvent(noise_multiplier=scale / sensitivity, sensitivity=sensitivity), prior=prior
    )
    beliefs = prior * inside / (prior * inside + (1.0 - prior) * outside)
    ends = np.unique(np.round(np.log(inside / outside), 9))
    between = 1.0 / (1.0 + (1.0 - prior) / prior * np.exp(-(np.append(ends, 9.0) + np.append(-9.0, ends)) / 2.0))
    for point in between.tolist():
        found = [one.exceedance(point) for one in (law.when_in, law.when_out, law.overall)]
        above = beliefs > point
        told_in, told_out = inside[above].sum(), outside[above].sum()
        assert found == pytest.approx([told_in, told_out, prior * told_in + (1.0 - prior) * told_out], abs=1e-12)
    assert law.when_in.mean == pytest.approx((inside * beliefs).sum(), rel=1e-10)
    assert law.when_out.mean == pytest.approx((outside * beliefs).sum(), rel=1e-10)


@each("prior", [0.1, 0.5])
@each("event", [LaplaceEvent(noise_multiplier=0.7), GaussianEvent(noise_multiplier=0.7)])
def test_against_simulated_answers(event: LaplaceEvent | GaussianEvent, prior: float) -> None:
    rng, size, noise = np.random.default_rng(8), 200_000, event.noise_multiplier
    gaussian = isinstance(event, GaussianEvent)
    for truth, one in (
        (1.0, posterior_law(event, prior=prior).when_in),
        (0.0, posterior_law(event, prior=prior).when_out),
    ):
        z = truth + (rng.normal(0.0, noise, size) if gaussian else rng.laplace(0.0, noise, size))
        ratio = (z - 0.5) / noise**2 if gaussian else (abs(z) - abs(z - 1.0)) / noise
        beliefs = 1.0 / (1.0 + (1.0 - prior) / prior * np.exp(-ratio))
        assert one.mean == pytest.approx(beliefs.mean(), abs=5e-3)
        for point in (0.05, 0.1, 0.3, 0.5, 0.8):
            assert one.exceedance(point) == pytest.approx((beliefs > point * (1.0 + 1e-12)).mean(), abs=5e-3)


@each("prior", PRIORS)
@each("event", EVENTS)
def test_the_mean_is_the_integral_of_the_exceedance_and_overall_the_prior(event: Event, prior: float) -> None:
    law = posterior_law(event, prior=prior)
    points = np.linspace(0.5, 19_999.5, 20_000) / 20_000.0
    for one in (law.when_in, law.when_out, law.overall):
        assert one.mean == pytest.approx(float(np.mean(one.exceedance(points))), abs=5e-5)
    assert law.overall.mean == pytest.approx(prior, rel=1e-12)
    assert law.when_out.mean <= prior * (1.0 + 1e-9)
    assert law.when_in.mean >= prior * (1.0 - 1e-9)


@each("event", EVENTS)
def test_the_quantile_is_the_least_belief_with_that_much_at_or_below(event: Event) -> None:
    law = posterior_law(event, prior=0.3)
    for one in (law.when_in, law.when_out, law.overall):
        for confidence in (0.01, 0.3, 0.77, 0.995):
            belief = one.quantile(confidence)
            if belief == 0.0:
                assert one.cumulative(1e-12) >= confidence
                continue
            assert one.cumulative(min(belief * (1.0 + 1e-9), 1.0)) >= confidence * (1.0 - 1e-12)
            assert one.cumulative(belief * (1.0 - 1e-9)) <= confidence * (1.0 + 1e-4)


@each("event", [*EVENTS, *EXTREME])
def test_exceedance_and_cumulative_are_one_together(event: Event) -> None:
    law, points = posterior_law(event, prior=0.3), np.array([0.0, 1e-300, 0.01, 0.3, 0.7, 1.0 - 1e-12, 1.0])
    for one in (law.when_in, law.when_out, law.overall):
        assert one.exceedance(points) + one.cumulative(points) == pytest.approx(np.ones(7), abs=1e-12)
        assert np.all(np.diff(one.exceedance(points)) <= 1e-15)
        assert 0.0 <= one.mean <= 1.0
        assert 0.0 <= one.quantile(1e-9) <= one.quantile(1.0 - 1e-9) <= 1.0


def test_pure_privacy_keeps_every_belief_within_its_bounds() -> None:
    lower, upper = posterior_bounds(0.3, epsilon=1.0 / 0.7)
    law = posterior_law(LaplaceEvent(noise_multiplier=0.7), prior=0.3)
    assert law.when_in.quantile(1.0 - 1e-9) == pytest.approx(upper, rel=1e-12)
    assert law.when_out.quantile(1e-9) == pytest.approx(lower, rel=1e-12)
    assert law.overall.exceedance(upper * (1.0 + 1e-9)) == 0.0


def test_what_gives_a_person_away_makes_certain() -> None:
    law = posterior_law(ApproximateEvent(epsilon=1.0, delta=0.1), prior=0.3)
    assert law.when_in.exceedance(1.0 - 1e-15) == pytest.approx(0.1)
    assert law.when_in.exceedance(1.0) == 0.0
    assert law.when_in.quantile(0.95) == 1.0
    assert law.when_out.cumulative(0.0) == pytest.approx(0.1)
    assert law.when_out.quantile(0.05) == 0.0


def test_no_information_leaves_the_prior() -> None:
    law = posterior_law(PureEvent(epsilon=0.0), prior=0.3).overall
    assert isinstance(law, BeliefDistribution)
    assert law.mean == pytest.approx(0.3)
    assert law.quantile(0.5) == pytest.approx(0.3)


@each("bad", [0.0, 1.0, -0.1, math.nan, "half"])
def test_bad_priors_confidences_and_beliefs_are_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="prior"):
        posterior_law(PureEvent(epsilon=1.0), prior=bad)
    law = posterior_law(PureEvent(epsilon=1.0), prior=0.5).overall
    with pytest.raises(InvalidParameterError, match="confidence"):
        law.quantile(bad)
    with pytest.raises(InvalidParameterError, match="belief"):
        law.exceedance(1.5)


def test_a_law_that_is_not_known_is_refused() -> None:
    with pytest.raises(UnsupportedEventError):
        posterior_law(ConcentratedEvent(rho=0.1), prior=0.5)


def test_the_worst_pair_of_a_bounded_range_is_no_bound_on_how_often_beliefs_move() -> None:
    """Beliefs may move a little with nearly every answer; how far they move is what the promise bounds."""
    mechanism = ExponentialMechanism(epsilon=1.0, score_sensitivity=1.0, monotone=True)
    scores = np.zeros(1001)
    equal, raised = mechanism.probabilities(scores), mechanism.probabilities(np.append(scores[1:], 1.0))
    beliefs = equal / (equal + raised)
    law = posterior_law(mechanism.event, prior=0.5).when_in
    assert law.exceedance(0.5) == pytest.approx(0.622, abs=1e-3)
    assert equal[beliefs > 0.5].sum() == pytest.approx(0.999, abs=1e-3)
    assert beliefs.max() <= posterior_bounds(0.5, epsilon=1.0)[1]

"""Laws of composition."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dpengine.accounting import ACCOUNTANTS, Validity, epsilon, epsilon_curve, rho_from_guarantee, textbook_validity
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
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
)
from tests.running.cases import each

few = settings(max_examples=12)
per_run = st.floats(1e-4, 5.0)
deltas = st.one_of(st.floats(-40.0, -0.7), st.floats(-690.7, -0.7)).map(lambda x: float(np.exp(x)))
runs = st.integers(1, 2000)
pure: st.SearchStrategy[Event] = per_run.map(lambda x: PureEvent(epsilon=x))
gaussian: st.SearchStrategy[Event] = st.floats(0.2, 500.0).map(lambda x: GaussianEvent(noise_multiplier=x))
approximate: st.SearchStrategy[Event] = st.builds(
    lambda x, y: ApproximateEvent(epsilon=x, delta=y), per_run, st.floats(1e-15, 1e-9)
)
noises = st.floats(0.2, 500.0)
steps = st.integers(1, 40)
laplace: st.SearchStrategy[Event] = noises.map(lambda x: LaplaceEvent(noise_multiplier=x))
own_law: st.SearchStrategy[Event] = st.one_of(
    laplace,
    per_run.map(lambda x: RandomizedResponseEvent(epsilon=x)),
    per_run.map(lambda x: BoundedRangeEvent(epsilon=x)),
    st.builds(lambda x, y: DiscreteLaplaceEvent(noise_multiplier=x, sensitivity=y), noises, steps),
)
smooth: st.SearchStrategy[Event] = st.one_of(
    gaussian,
    st.builds(lambda x, y: DiscreteGaussianEvent(noise_multiplier=x, sensitivity=y), noises, steps),
    st.floats(1e-6, 5.0).map(lambda x: ConcentratedEvent(rho=x)),
)
truncated: st.SearchStrategy[Event] = st.builds(
    lambda x, y: TruncatedLaplaceEvent(noise_multiplier=x, truncation=y * x), noises, st.floats(20.0, 60.0)
)
anything = st.one_of(pure, own_law, smooth, approximate, truncated)
divergent = st.one_of(pure, own_law, smooth)
mixtures = st.lists(st.tuples(anything, st.integers(1, 50)), min_size=2, max_size=5, unique_by=lambda pair: pair[0])
divergent_mixtures = st.lists(
    st.tuples(divergent, st.integers(1, 50)), min_size=2, max_size=5, unique_by=lambda pair: pair[0]
)
ALL_SHARES = ["basic", "textbook", "advanced_2010", "advanced"]


@few
@given(
    per_run,
    runs,
    deltas,
    st.sampled_from(["basic", "textbook", "advanced_2010", "advanced", "optimal", "concentrated"]),
)
def test_n_copies_cost_n_times_one(x: float, n: int, delta: float, rule: str) -> None:
    """However the copies are written down: in one entry, or split over equal events of another kind."""
    together = epsilon({PureEvent(epsilon=1.0 / x): n}, delta=delta, accountant=rule)
    apart = {PureEvent(epsilon=1.0 / x): n // 2, LaplaceEvent(noise_multiplier=x): n - n // 2}
    assert epsilon(apart, delta=delta, accountant=rule) == pytest.approx(together, rel=1e-9)


@few
@given(st.floats(0.2, 500.0), runs, deltas)
def test_n_gaussian_copies_are_one_with_less_noise(noise: float, n: int, delta: float) -> None:
    many = epsilon({GaussianEvent(noise_multiplier=noise): n}, delta=delta, accountant="exact")
    one = epsilon({GaussianEvent(noise_multiplier=noise / np.sqrt(n)): 1}, delta=delta, accountant="exact")
    assert many == pytest.approx(one, rel=1e-9, abs=1e-12)


@few
@given(mixtures, deltas)
def test_order_does_not_matter(pairs: list[tuple[Event, int]], delta: float) -> None:
    for rule in ALL_SHARES:
        forward = epsilon(dict(pairs), delta=delta, accountant=rule)
        assert epsilon(dict(reversed(pairs)), delta=delta, accountant=rule) == pytest.approx(forward, rel=1e-9)


@few
@given(divergent_mixtures, deltas)
def test_order_does_not_matter_to_divergences(pairs: list[tuple[Event, int]], delta: float) -> None:
    for rule in ("concentrated", "renyi"):
        forward = epsilon(dict(pairs), delta=delta, accountant=rule)
        backward = epsilon(dict(reversed(pairs)), delta=delta, accountant=rule)
        assert backward == pytest.approx(forward, rel=1e-9, abs=1e-12)


@few
@given(divergent_mixtures, deltas)
def test_renyi_is_at_most_concentrated_and_at_most_adding_up_what_is_pure(
    pairs: list[tuple[Event, int]], delta: float
) -> None:
    renyi, concentrated = (epsilon(dict(pairs), delta=delta, accountant=rule) for rule in ("renyi", "concentrated"))
    assert renyi <= concentrated * (1.0 + 1e-9) + 1e-12
    assert renyi <= epsilon(dict(pairs), delta=0.0, accountant="basic") * (1.0 + 1e-15)


@few
@given(pure, runs, deltas)
def test_renyi_is_never_below_the_optimum_for_pure_events(event: Event, n: int, delta: float) -> None:
    renyi, optimal = (epsilon({event: n}, delta=delta, accountant=rule) for rule in ("renyi", "optimal"))
    assert renyi >= optimal * (1.0 - 1e-9) - 1e-12


@few
@given(laplace, runs, st.floats(-16.0, -0.7).map(lambda x: float(np.exp(x))))
def test_renyi_is_never_below_the_profile_of_one_run_nor_above_pure_renyi(event: Event, n: int, delta: float) -> None:
    assert isinstance(event, LaplaceEvent)
    one = max(0.0, 1.0 / event.noise_multiplier + 2.0 * float(np.log1p(-delta)))
    assert epsilon({event: 1}, delta=delta, accountant="renyi") >= one * (1.0 - 1e-12)
    known, unknown = (
        epsilon({one_of: n}, delta=delta, accountant="renyi")
        for one_of in (event, PureEvent(epsilon=1.0 / event.noise_multiplier))
    )
    assert known <= unknown * (1.0 + 1e-9) + 1e-12


def quieter(event: Event, factor: float) -> Event:
    """The same noise, `factor` times as much; a cut moves along with its noise."""
    if isinstance(event, TruncatedLaplaceEvent):
        noise, cut = factor * event.noise_multiplier, factor * event.truncation
        return TruncatedLaplaceEvent(noise_multiplier=noise, truncation=cut)
    assert isinstance(event, LaplaceEvent | GaussianEvent | DiscreteLaplaceEvent | DiscreteGaussianEvent)
    return replace(event, noise_multiplier=factor * event.noise_multiplier)


@few
@given(st.one_of(laplace, gaussian, smooth, own_law, truncated), runs, deltas, st.floats(1.0, 10.0))
def test_more_noise_never_costs_more(event: Event, n: int, delta: float, factor: float) -> None:
    """Discrete Gaussian noise of a few steps is the exception: on its grid more of it may cost more (tested below)."""
    assume(hasattr(event, "noise_multiplier"))
    assume(not isinstance(event, DiscreteGaussianEvent) or event.noise_multiplier >= 2.0)
    more = quieter(event, factor)
    for rule in ALL_SHARES + ([] if isinstance(event, TruncatedLaplaceEvent) else ["concentrated", "renyi"]):
        less_private, private = (epsilon({one: n}, delta=delta, accountant=rule) for one in (event, more))
        assert private <= less_private * (1.0 + 1e-9) + 1e-12, rule


def test_more_discrete_gaussian_noise_may_cost_more_on_a_coarse_grid() -> None:
    """True, not a fault: at a quarter of the sensitivity nearly all noise is 0 or 1 step."""
    costs = [
        epsilon({DiscreteGaussianEvent(noise_multiplier=noise, sensitivity=2): 1}, delta=0.135, accountant="exact")
        for noise in (0.25, 0.3125, 2.0)
    ]
    assert costs[2] < costs[0] < costs[1]


@few
@given(st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=8), st.data(), st.floats(0.0, 3.0))
def test_merging_outputs_never_reveals_more(weights: list[float], data: st.DataObject, x: float) -> None:
    """Post-processing: the profile of any finite mechanism, before and after its outputs are merged at will."""
    size = len(weights)
    others = data.draw(st.lists(st.floats(1e-6, 1.0), min_size=size, max_size=size))
    merged_into = np.array(data.draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size)))
    here, there = (np.array(raw) / np.sum(raw) for raw in (weights, others))
    merged = [np.bincount(merged_into, weights=law, minlength=size) for law in (here, there)]
    for (p, q), (after_p, after_q) in (((here, there), merged), ((there, here), merged[::-1])):
        before, after = (float(np.maximum(a - np.exp(x) * b, 0.0).sum()) for a, b in ((p, q), (after_p, after_q)))
        assert after <= before + 1e-12


@each("rule", sorted(ACCOUNTANTS))
@each("cost", [1e-9, 1000.0])
@each("delta", [0.0, 1e-300, 1.0 - 1e-9])
def test_no_corner_gives_a_number_that_is_none(rule: str, cost: float, delta: float) -> None:
    """A million runs of the cheapest and the dearest noise: never NaN, never negative, never a warning."""
    events: list[Event] = [
        PureEvent(epsilon=cost),
        LaplaceEvent(noise_multiplier=1.0 / cost),
        DiscreteLaplaceEvent(noise_multiplier=1.0 / cost, sensitivity=1000),
    ]
    if rule != "optimal":
        events += [GaussianEvent(noise_multiplier=1.0 / cost), ConcentratedEvent(rho=cost)]
        events += [DiscreteGaussianEvent(noise_multiplier=1.0 / cost, sensitivity=3), BoundedRangeEvent(epsilon=cost)]
    for count in (1, 10**6):
        for runs_of in (*({event: count} for event in events), dict.fromkeys(events, count)):
            assert epsilon(runs_of, delta=delta, accountant=rule) >= 0.0


@few
@given(st.one_of(pure, approximate), runs, deltas)
def test_optimal_is_at_most_advanced_is_at_most_basic(event: Event, n: int, delta: float) -> None:
    optimal, advanced, basic, old = (
        epsilon({event: n}, delta=delta, accountant=rule) for rule in ("optimal", "advanced", "basic", "advanced_2010")
    )
    assert optimal <= advanced * (1.0 + 1e-9)
    assert advanced <= basic
    assert advanced <= old * (1.0 + 1e-9)


@few
@given(per_run, st.integers(1, 300_000), deltas)
@example(3.0, 30_000, 1e-290)
@example(5.0, 218_500, 1e-300)
def test_optimal_is_never_below_what_a_simple_attack_shows(x: float, n: int, delta: float) -> None:
    """Two events of known probability and least loss: every run is honest; at most the median number of them lies."""
    optimal = epsilon({PureEvent(epsilon=x): n}, delta=delta, accountant="optimal")
    log_all_honest = -n * np.log1p(np.exp(-x))
    if log_all_honest > np.log(delta):
        assert optimal >= (n * x + np.log(-np.expm1(np.log(delta) - log_all_honest))) * (1.0 - 1e-9) - 1e-9
    least_loss = (n - 2.0 * np.ceil(n / (1.0 + np.exp(x)))) * x
    if delta < 0.5:
        assert optimal >= (least_loss + np.log(0.5 - delta)) * (1.0 - 1e-9)


@few
@given(gaussian, runs, deltas)
def test_no_sound_rule_is_below_the_exact_gaussian_value(event: Event, n: int, delta: float) -> None:
    exact = epsilon({event: n}, delta=delta, accountant="exact")
    for rule in ("basic", "advanced", "advanced_2010", "concentrated"):
        assert epsilon({event: n}, delta=delta, accountant=rule) >= exact * (1.0 - 1e-12)


@few
@given(st.one_of(pure, approximate), runs, deltas)
@example(PureEvent(epsilon=3.5140430010929316), 320, float(np.exp(-40.0)))  # the two are equal, but for a last digit
def test_a_verdict_of_true_is_true(event: Event, n: int, delta: float) -> None:
    verdict = textbook_validity({event: n}, delta=delta)
    textbook, optimal = (epsilon({event: n}, delta=delta, accountant=rule) for rule in ("textbook", "optimal"))
    if verdict is Validity.FALSE:
        assert textbook < optimal
    if textbook < optimal * (1.0 - 1e-12):
        assert verdict is Validity.FALSE


@few
@given(st.lists(st.tuples(pure, st.integers(1, 300)), min_size=2, max_size=4, unique_by=lambda pair: pair[0]), deltas)
def test_a_verdict_on_a_mixture_agrees_with_the_sound_rule(pairs: list[tuple[Event, int]], delta: float) -> None:
    textbook, advanced = (epsilon(dict(pairs), delta=delta, accountant=rule) for rule in ("textbook", "advanced"))
    verdict = textbook_validity(dict(pairs), delta=delta)
    if textbook >= advanced:
        assert verdict in (Validity.PROVED, Validity.TRUE)
    if verdict in (Validity.PROVED, Validity.FALSE):
        assert (textbook >= advanced * (1.0 - 1e-12)) or verdict is Validity.FALSE


@few
@given(st.floats(0.0, 50.0), deltas)
def test_rho_and_epsilon_go_there_and_back(wanted: float, delta: float) -> None:
    rho = rho_from_guarantee(Guarantee(epsilon=wanted, delta=delta))
    back = epsilon({ConcentratedEvent(rho=rho): 1}, delta=delta, accountant="concentrated")
    assert back <= wanted
    assert back == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@few
@given(pure, deltas)
def test_optimal_costs_grow_and_each_run_costs_at_most_its_epsilon(event: Event, delta: float) -> None:
    curve = epsilon_curve(event, repetitions=np.arange(1, 60), delta=delta, accountant="optimal")
    assert isinstance(event, PureEvent)
    assert np.all(np.diff(curve) >= -1e-9)
    assert np.all(np.diff(curve) <= event.epsilon * (1.0 + 1e-9))

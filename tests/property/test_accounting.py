"""Laws of composition."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpengine.accounting import epsilon, epsilon_curve, rho_from_guarantee, textbook_validity
from dpengine.accounting.validity import Validity
from dpengine.privacy import (
    ApproximateEvent,
    ConcentratedEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
)

each = st.floats(1e-4, 5.0)
deltas = st.one_of(st.floats(-40.0, -0.7), st.floats(-690.7, -0.7)).map(lambda x: float(np.exp(x)))
runs = st.integers(1, 2000)
pure: st.SearchStrategy[Event] = each.map(lambda x: PureEvent(epsilon=x))
gaussian: st.SearchStrategy[Event] = st.floats(0.2, 500.0).map(lambda x: GaussianEvent(noise_multiplier=x))
approximate: st.SearchStrategy[Event] = st.builds(
    lambda x, y: ApproximateEvent(epsilon=x, delta=y), each, st.floats(1e-15, 1e-9)
)
anything = st.one_of(pure, gaussian, approximate)
ALL_SHARES = ["basic", "textbook", "advanced_2010", "advanced"]


@given(
    each, runs, deltas, st.sampled_from(["basic", "textbook", "advanced_2010", "advanced", "optimal", "concentrated"])
)
def test_n_copies_cost_n_times_one(x: float, n: int, delta: float, rule: str) -> None:
    """However the copies are written down: in one entry, or split over equal events of another kind."""
    together = epsilon({PureEvent(epsilon=1.0 / x): n}, delta=delta, accountant=rule)
    apart = {PureEvent(epsilon=1.0 / x): n // 2, LaplaceEvent(noise_multiplier=x): n - n // 2}
    assert epsilon(apart, delta=delta, accountant=rule) == pytest.approx(together, rel=1e-9)


@given(st.floats(0.2, 500.0), runs, deltas)
def test_n_gaussian_copies_are_one_with_less_noise(noise: float, n: int, delta: float) -> None:
    many = epsilon({GaussianEvent(noise_multiplier=noise): n}, delta=delta, accountant="exact")
    one = epsilon({GaussianEvent(noise_multiplier=noise / np.sqrt(n)): 1}, delta=delta, accountant="exact")
    assert many == pytest.approx(one, rel=1e-9, abs=1e-12)


@given(
    st.lists(st.tuples(anything, st.integers(1, 50)), min_size=2, max_size=5, unique_by=lambda pair: pair[0]), deltas
)
def test_order_does_not_matter(pairs: list[tuple[Event, int]], delta: float) -> None:
    for rule in ALL_SHARES:
        forward = epsilon(dict(pairs), delta=delta, accountant=rule)
        assert epsilon(dict(reversed(pairs)), delta=delta, accountant=rule) == pytest.approx(forward, rel=1e-9)


@given(st.one_of(pure, approximate), runs, deltas)
def test_optimal_is_at_most_advanced_is_at_most_basic(event: Event, n: int, delta: float) -> None:
    optimal, advanced, basic, old = (
        epsilon({event: n}, delta=delta, accountant=rule) for rule in ("optimal", "advanced", "basic", "advanced_2010")
    )
    assert optimal <= advanced * (1.0 + 1e-9)
    assert advanced <= basic
    assert advanced <= old * (1.0 + 1e-9)


@given(each, st.integers(1, 300_000), deltas)
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


@given(gaussian, runs, deltas)
def test_no_sound_rule_is_below_the_exact_gaussian_value(event: Event, n: int, delta: float) -> None:
    exact = epsilon({event: n}, delta=delta, accountant="exact")
    for rule in ("basic", "advanced", "advanced_2010", "concentrated"):
        assert epsilon({event: n}, delta=delta, accountant=rule) >= exact * (1.0 - 1e-12)


@given(st.one_of(pure, approximate), runs, deltas)
def test_a_verdict_of_true_is_true(event: Event, n: int, delta: float) -> None:
    verdict = textbook_validity({event: n}, delta=delta)
    textbook, optimal = (epsilon({event: n}, delta=delta, accountant=rule) for rule in ("textbook", "optimal"))
    assert (verdict is Validity.FALSE) is (textbook < optimal)


@given(st.lists(st.tuples(pure, st.integers(1, 300)), min_size=2, max_size=4, unique_by=lambda pair: pair[0]), deltas)
def test_a_verdict_on_a_mixture_agrees_with_the_sound_rule(pairs: list[tuple[Event, int]], delta: float) -> None:
    textbook, advanced = (epsilon(dict(pairs), delta=delta, accountant=rule) for rule in ("textbook", "advanced"))
    verdict = textbook_validity(dict(pairs), delta=delta)
    if textbook >= advanced:
        assert verdict in (Validity.PROVED, Validity.TRUE)
    if verdict in (Validity.PROVED, Validity.FALSE):
        assert (textbook >= advanced * (1.0 - 1e-12)) or verdict is Validity.FALSE


@given(st.floats(0.0, 50.0), deltas)
def test_rho_and_epsilon_go_there_and_back(wanted: float, delta: float) -> None:
    rho = rho_from_guarantee(Guarantee(epsilon=wanted, delta=delta))
    back = epsilon({ConcentratedEvent(rho=rho): 1}, delta=delta, accountant="concentrated")
    assert back <= wanted
    assert back == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@given(pure, deltas)
def test_optimal_costs_grow_and_each_run_costs_at_most_its_epsilon(event: Event, delta: float) -> None:
    curve = epsilon_curve(event, repetitions=np.arange(1, 60), delta=delta, accountant="optimal")
    assert isinstance(event, PureEvent)
    assert np.all(np.diff(curve) >= -1e-9)
    assert np.all(np.diff(curve) <= event.epsilon * (1.0 + 1e-9))

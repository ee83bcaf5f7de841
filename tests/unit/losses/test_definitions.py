"""Definitions of privacy on two finite laws, against all subsets of outputs one by one."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.losses.definitions import TwoLaws, gaussian_loss_exceedance, one_after_another
from dpengine.privacy import RandomizedResponseEvent
from tests.running.cases import each

WEIGHTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=7).filter(
    lambda pairs: all(sum(weights) > 0 for weights in zip(*pairs, strict=True))
)


def laws(pairs: list[tuple[int, int]]) -> TwoLaws:
    ones, others = (np.array(weights, dtype=float) for weights in zip(*pairs, strict=True))
    return TwoLaws(with_person=ones / ones.sum(), without_person=others / others.sum())


def all_sets(both: TwoLaws) -> list[tuple[float, float]]:
    """The chances of every set of outputs, under both tables."""
    places = range(len(both.with_person))
    sets = itertools.chain.from_iterable(itertools.combinations(places, size) for size in range(len(places) + 1))
    return [(math.fsum(both.with_person[list(s)]), math.fsum(both.without_person[list(s)])) for s in map(list, sets)]


@given(WEIGHTS, st.floats(0, 3))
def test_sets_of_outputs_one_by_one(pairs: list[tuple[int, int]], epsilon: float) -> None:
    both = laws(pairs)
    excesses = [max(p - math.exp(epsilon) * q, q - math.exp(epsilon) * p) for p, q in all_sets(both)]
    assert both.delta(epsilon) == pytest.approx(max(excesses), abs=1e-12)
    assert both.additive_gap == pytest.approx(max(abs(p - q) for p, q in all_sets(both)), abs=1e-12)


@given(WEIGHTS)
def test_epsilon_of_outputs_is_that_of_sets(pairs: list[tuple[int, int]]) -> None:
    both = laws(pairs)
    ratios = [abs(math.log(p / q)) if p > 0 and q > 0 else math.inf for p, q in all_sets(both) if p > 0 or q > 0]
    assert both.epsilon == pytest.approx(max(ratios), abs=1e-9)
    if math.isfinite(both.epsilon):
        p = both.multiplicative_gap
        assert all(1 - p - 1e-9 <= a / b <= 1 + p + 1e-9 for a, b in all_sets(both) if b > 0)
        assert both.delta(both.epsilon) == pytest.approx(0.0, abs=1e-12)


@given(WEIGHTS, st.floats(0, 3))
def test_single_outputs_never_need_more_than_sets(pairs: list[tuple[int, int]], epsilon: float) -> None:
    both = laws(pairs)
    assert both.delta_of_outputs(epsilon) <= both.delta(epsilon) + 1e-15
    assert both.additive_gap_of_outputs <= both.additive_gap + 1e-15


@given(WEIGHTS, st.lists(WEIGHTS, min_size=7, max_size=7))
def test_the_second_question_may_depend_on_the_first_answer(
    first: list[tuple[int, int]], then: list[list[tuple[int, int]]]
) -> None:
    one = laws(first)
    nexts = [laws(pairs) for pairs in then[: len(first)]]
    joint = one_after_another(one, nexts)
    assert joint.epsilon <= one.epsilon + max(second.epsilon for second in nexts) + 1e-9
    assert joint.with_person.sum() == pytest.approx(1.0)


def test_equal_answers_double_epsilon_exactly() -> None:
    coin = TwoLaws(with_person=np.array([0.75, 0.25]), without_person=np.array([0.25, 0.75]))
    twice = one_after_another(coin, [coin, coin])
    assert twice.epsilon == pytest.approx(2 * math.log(3))
    assert coin.multiplicative_gap == pytest.approx(2.0)
    assert twice.multiplicative_gap == pytest.approx(8.0)  # not 4: the multiplicative p does not add up


def test_the_profile_of_randomized_response_is_known_from_elsewhere() -> None:
    coin = TwoLaws(with_person=np.array([0.75, 0.25]), without_person=np.array([0.25, 0.75]))
    points = np.linspace(0, 2, 9)
    expected = delta_of(RandomizedResponseEvent(epsilon=math.log(3)), epsilon=points)
    assert both_close(coin.delta(points), expected)


def test_chosen_outputs_are_counted_together() -> None:
    both = TwoLaws(with_person=np.array([0.5, 0.5, 0.0]), without_person=np.array([0.25, 0.25, 0.5]))
    assert [both.gap_of_chosen(count) for count in (1, 2, 3)] == [0.25, 0.5, 0.0]


def test_impossible_outputs_are_infinite_losses() -> None:
    both = TwoLaws(with_person=np.array([1.0, 0.0, 0.0]), without_person=np.array([0.0, 1.0, 0.0]))
    assert both.log_ratios.tolist() == [math.inf, -math.inf, 0.0]
    assert both.ratio_range == (0.0, math.inf)
    assert both.multiplicative_gap == math.inf
    assert both.delta(1000.0) == 1.0


@each(
    ("with_person", "without_person", "name"),
    [
        ([0.5, 0.6], [0.5, 0.5], "with_person"),
        ([0.5, 0.5], [1.5, -0.5], "without_person"),
        ([0.5, 0.5], [1.0], "without_person"),
        ([math.nan, 0.5], [0.5, 0.5], "with_person"),
        (1.0, [1.0], "with_person"),
        ([], [], "with_person"),
    ],
)
def test_lists_that_are_no_laws_are_refused(with_person: list, without_person: list, name: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        TwoLaws(with_person=np.array(with_person), without_person=np.array(without_person))
    assert caught.value.name == name


def test_other_bad_input_is_refused_by_name() -> None:
    coin = TwoLaws(with_person=np.array([0.75, 0.25]), without_person=np.array([0.25, 0.75]))
    for call in (lambda: coin.delta(-1.0), lambda: coin.delta(math.inf), lambda: one_after_another(coin, [coin])):
        with pytest.raises(InvalidParameterError):
            call()


def test_a_gaussian_loses_more_than_epsilon_more_often_than_delta() -> None:
    """The known case: at (1, 1e-6) twenty times as often."""
    exceeded = gaussian_loss_exceedance(noise_multiplier=4.224679, epsilon=1.0)
    assert exceeded == pytest.approx(2.0e-5, rel=0.01)
    draws = 1 / (2 * 0.5**2) + np.random.default_rng(7).standard_normal(400_000) / 0.5
    assert gaussian_loss_exceedance(noise_multiplier=0.5, epsilon=1.0) == pytest.approx((draws > 1.0).mean(), abs=4e-3)


def both_close(first: np.ndarray, second: np.ndarray) -> bool:
    return bool(np.allclose(first, second, rtol=1e-12, atol=1e-12))


def test_an_excess_of_mere_rounding_is_left_out_and_is_less_than_1e_12() -> None:
    both = TwoLaws(with_person=np.array([0.5, 0.5]), without_person=np.array([0.5 - 1e-13, 0.5 + 1e-13]))
    assert both.delta(0.0) == 0.0
    seen = TwoLaws(with_person=np.array([0.5, 0.5]), without_person=np.array([0.5 - 1e-11, 0.5 + 1e-11]))
    assert seen.delta(0.0) == pytest.approx(1e-11, rel=1e-4)

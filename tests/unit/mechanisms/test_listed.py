"""Mechanisms whose outputs can be listed: each keeps, or breaks, what its lesson says."""

import math

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.mechanisms.listed import (
    ListedMechanism,
    clamped_noisy_count,
    coin_flipped_answer,
    exact_count,
    random_id,
    random_page,
    random_row,
    rounded_count,
    truncated_noisy_count,
)
from dpengine.privacy import DiscreteLaplaceEvent
from tests.running.cases import each


@each("epsilon", [1e-4, 0.01, 0.1, 0.34, 0.36, 1.0, 10.0, 20.0])
def test_a_noisy_count_keeps_its_epsilon(epsilon: float) -> None:
    count = clamped_noisy_count(epsilon=epsilon, answer=40)
    assert count.laws.epsilon == pytest.approx(epsilon, rel=1e-8)
    assert count.laws.with_person.sum() == pytest.approx(1.0, abs=1e-12)


@each("epsilon", [0.01, 0.1, 0.5, 3.0])
def test_bars_hold_the_released_noise(epsilon: float) -> None:
    """Summed value by value, far beyond the bars."""
    count, noise = (
        clamped_noisy_count(epsilon=epsilon, answer=40),
        DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1),
    )
    width = count.values_each
    values = np.arange(-6000.0, 6001.0)
    bar = np.clip(np.floor((values + width // 2) / width) + 14, 0, 28).astype(int)
    for chances, shift in ((count.laws.with_person, 0), (count.laws.without_person, 1)):
        expected = np.bincount(bar, np.asarray(noise.probability(values + shift)), minlength=29)
        assert chances == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_noisy_count_has_the_profile_of_its_event() -> None:
    laws = clamped_noisy_count(epsilon=0.5, answer=40).laws
    event = DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=1)
    points = np.array([0.0, 0.2, 0.4])
    assert laws.delta(points) == pytest.approx(delta_of(event, epsilon=points), rel=1e-12)


def test_without_chance_one_answer_is_certain() -> None:
    laws = exact_count(answer=40, reach=4).laws
    assert (laws.additive_gap, laws.epsilon) == (1.0, math.inf)


def test_rounding_hides_most_counts_and_betrays_one_in_ten() -> None:
    gaps = [rounded_count(answer=answer).laws.additive_gap for answer in range(40, 50)]
    assert gaps == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert rounded_count(answer=45).outputs == ("30", "40", "50", "60")


def test_truncated_noise_is_never_pure() -> None:
    laws = truncated_noisy_count(epsilon=0.5, answer=40, reach=8).laws
    weights = np.exp(-0.5 * np.abs(np.arange(-8, 9.0)))
    assert laws.epsilon == math.inf
    assert laws.delta(0.5) == pytest.approx(weights[0] / weights.sum(), rel=1e-12)
    assert laws.delta(5.0) == laws.delta(0.5)  # a floor that no epsilon lowers


def test_a_random_row_has_a_tiny_gap_and_no_epsilon() -> None:
    laws = random_row(people=100).laws
    assert laws.additive_gap == pytest.approx(0.01)
    assert laws.epsilon == math.inf


def test_random_ids_hide_in_single_outputs() -> None:
    laws = random_id(ids=20).laws
    assert laws.additive_gap_of_outputs == pytest.approx(0.05)
    assert laws.additive_gap == pytest.approx(1.0)
    assert laws.gap_of_chosen(12) == pytest.approx(0.6)


@each("pages", [1, 7, 100])
def test_random_pages_keep_delta_one_by_one_and_break_it_together(pages: int) -> None:
    listed = random_page(pages=pages, chance=0.01)
    for epsilon in (0.0, 1.0, 20.0):
        assert listed.laws.delta_of_outputs(epsilon) == 0.01
        assert listed.laws.delta(epsilon) == pytest.approx(0.01 * pages, rel=1e-12)
    assert listed.outputs[pages - 1 : pages + 1] == (f"your page {pages}", "another's page 1")


def test_an_infinite_epsilon_is_the_truth_itself() -> None:
    laws = coin_flipped_answer(epsilon=math.inf).laws
    assert (laws.with_person.tolist(), laws.epsilon) == ([1.0, 0.0], math.inf)


@each("epsilon", [0.0, 0.5, 20.0])
def test_a_coin_keeps_its_epsilon(epsilon: float) -> None:
    assert coin_flipped_answer(epsilon=epsilon).laws.epsilon == pytest.approx(epsilon, rel=1e-12)


@each(
    ("call", "name"),
    [
        (lambda: clamped_noisy_count(epsilon=0.0, answer=40), "epsilon"),
        (lambda: clamped_noisy_count(epsilon=21.0, answer=40), "epsilon"),
        (lambda: clamped_noisy_count(epsilon=1.0, answer=40, bars=3), "bars"),
        (lambda: truncated_noisy_count(epsilon=1.0, answer=40, reach=31), "reach"),
        (lambda: coin_flipped_answer(epsilon=-1.0), "epsilon"),
        (lambda: random_row(people=1), "people"),
        (lambda: random_id(ids=0), "ids"),
        (lambda: random_page(pages=0, chance=0.1), "pages"),
        (lambda: random_page(pages=20, chance=0.1), "chance"),
        (lambda: rounded_count(answer=3, step=1), "step"),
        (lambda: exact_count(answer=3, reach=0), "reach"),
        (lambda: ListedMechanism(outputs=("one",), laws=coin_flipped_answer(epsilon=1.0).laws), "outputs"),
    ],
)
def test_bad_input_is_refused_by_name(call: object, name: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        call()  # type: ignore[operator]
    assert caught.value.name == name

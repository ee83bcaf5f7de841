"""What a round of choices comes to."""

from __future__ import annotations

import pytest

from dpengine.workshop import Saying, votes


def chosen(*epsilons: float, number: int = 0) -> list[Saying]:
    return [Saying(participant=place, number=number, value=value) for place, value in enumerate(epsilons)]


def test_the_median_and_the_middle_half_are_of_the_dial() -> None:
    found = votes(chosen(10.0, 0.1, 1.0, 0.01, 0.1), number=0)
    assert found is not None
    assert found.epsilons == (0.01, 0.1, 0.1, 1.0, 10.0)
    assert (found.median, found.lower, found.upper) == pytest.approx((0.1, 0.1, 1.0))
    assert found.times == pytest.approx(1000.0)


def test_between_two_lies_their_geometric_mean() -> None:
    found = votes(chosen(0.1, 10.0), number=0)
    assert found is not None
    assert found.median == 1.0


def test_one_person_is_a_room_and_nobody_is_none() -> None:
    found = votes(chosen(0.3), number=0)
    assert found is not None
    assert (found.median, found.lower, found.upper, found.times) == pytest.approx((0.3, 0.3, 0.3, 1.0))
    assert votes([], number=0) is None


def test_who_changes_nothing_keeps_the_choice_of_the_first_round() -> None:
    both = [*chosen(5.0, number=1), *chosen(0.1, 0.2, number=0)]
    first, second = (votes(both, number=number) for number in (0, 1))
    assert first is not None
    assert second is not None
    assert first.epsilons == (0.1, 0.2)
    assert second.epsilons == (0.2, 5.0)

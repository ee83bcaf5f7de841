"""How likely a row of wins is: counted through, and at its ends."""

from __future__ import annotations

from itertools import product

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.workshop.guessing import chance_of_row
from tests.running.cases import each


@each("chance", [0.5, 0.7311])
@each(("length", "among"), [(1, 1), (1, 6), (2, 3), (3, 9), (4, 4), (5, 10), (9, 8)])
def test_it_is_the_share_of_all_courses_that_have_such_a_row(length: int, among: int, chance: float) -> None:
    courses = [course for course in product("01", repeat=among) if "1" * length in "".join(course)]
    counted = sum(chance ** course.count("1") * (1.0 - chance) ** course.count("0") for course in courses)
    assert chance_of_row(length, among=among, chance=chance) == pytest.approx(counted, abs=1e-14)


def test_at_the_ends() -> None:
    assert chance_of_row(0, among=0, chance=0.5) == 1.0
    assert chance_of_row(1, among=0, chance=0.5) == 0.0
    assert chance_of_row(3, among=10, chance=0.0) == 0.0
    assert chance_of_row(10, among=10, chance=1.0) == 1.0
    assert chance_of_row(60, among=60, chance=0.5) == pytest.approx(0.5**60, rel=1e-12)
    assert chance_of_row(2, among=100_000, chance=0.5) == pytest.approx(1.0, abs=1e-12)


@each(
    ("name", "given"),
    [("length", (-1, 3, 0.5)), ("rounds", (2, -3, 0.5)), ("chance", (2, 3, 1.5)), ("chance", (2, 3, float("nan")))],
)
def test_nonsense_is_named(name: str, given: tuple[int, int, float]) -> None:
    with pytest.raises(InvalidParameterError, match=name):
        chance_of_row(given[0], among=given[1], chance=given[2])
